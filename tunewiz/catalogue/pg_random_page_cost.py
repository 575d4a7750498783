"""random_page_cost: what the planner assumes one random page read to cost."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import (
    Declines,
    Dispute,
    Example,
    Explanation,
    Recommendation,
    Sets,
)
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.database_size import CACHED_SHARE, size_of, stays_cached
from tunewiz.core.server.seen_storage import PROBED, READS, reads_fast, reads_slowly
from tunewiz.core.values.known import Known, Unknown, known_or

FLASH = Fraction(11, 10)
"""Random reads on flash cost little more than sequential ones; 1.1 is the documentation's own example."""

ROTATING = Fraction(4)
"""PostgreSQL's default: disks of which nine in ten reads are cached."""

CHOSEN_BELOW = Fraction(2)
"""A value up to here was chosen by someone for fast storage: it is close enough."""


def decide(situation: Situation) -> Verdict:
    """By the kind of storage; if that is unknown, leave it."""
    if Fraction(situation.will_be("seq_page_cost")) != 1:
        return Declined(because="seq_page_cost is not 1: someone calibrated these costs together")
    current = Fraction(situation.will_be("random_page_cost"))
    for verdict in _by_its_reads(situation, current):
        return verdict
    return _by_its_kind(situation, current)


def _by_its_reads(situation: Situation, current: Fraction) -> Iterator[Verdict]:
    """What the server's own reads show, where the kind of storage is unknown or suggests otherwise."""
    kind = known_or(situation.storage_told, "san")
    if kind == "san":
        yield from (_as_measured(observed, current) for observed in reads_fast(situation))
    elif kind != "hdd":
        for observation in reads_slowly(situation):
            yield Declined(because=f"{float(current):g} stays: {observation}, although the storage is {kind}")


def _by_its_kind(situation: Situation, current: Fraction) -> Verdict:
    match situation.storage_told:
        case Known(value="ssd" | "nvme" as flash):
            return _for_flash(flash, current)
        case _ if stays_cached(situation):
            return _from_the_cache(situation, current)
        case Known(value="hdd"):
            return _for_disks(current)
        case Known():
            return _unsure("a SAN hides its disks", current, "if it is all flash, answer SSD as the storage")
        case Unknown():
            return _unsure("the kind of storage is not known", current, "say it on the server's page")


def _from_the_cache(situation: Situation, current: Fraction) -> Verdict:
    """What stays in memory is read from there, whatever the disks; on those that rotate a person decides."""
    fits = f"the databases ({size_of(situation).short()}) stay cached in {situation.memory.short()} of memory"
    if current <= CHOSEN_BELOW:
        return Declined(because=f"{float(current):g} is right: {fits}", kind="keep")
    rotates = isinstance(fact := situation.storage_told, Known) and fact.value == "hdd"
    return Proposal(
        value=f"{float(FLASH):g}",
        because=f"{fits}: a random read costs little more than the next one"
        f"{', once the server is warm' if rotates else ''}",
        computed=f"{size_of(situation).short()} are at most {CACHED_SHARE} of {situation.memory.short()}: "
        f"{float(FLASH):g}",
        ticked=not rotates,
    )


def _as_measured(observation: str, current: Fraction) -> Verdict:
    if current <= CHOSEN_BELOW:
        return Declined(because=f"{float(current):g} is right: {observation}", kind="keep")
    return Proposal(
        value=f"{float(FLASH):g}",
        because="reads are as fast here as on flash: a random page costs little more than the next one",
        computed=f"{observation}: {float(FLASH):g}, with seq_page_cost 1",
    )


def _unsure(why: str, current: Fraction, question: str) -> Verdict:
    return Declined(because=f"{why}: {float(current):g} stays; 4 suits spinning disks, 1.1 flash: {question}")


def _for_flash(kind: str, current: Fraction) -> Verdict:
    if current <= CHOSEN_BELOW:
        return Declined(because=f"{float(current):g} suits {kind} storage", kind="keep")
    return Proposal(
        value=f"{float(FLASH):g}",
        because=f"on {kind} a random read costs little more than the next one in sequence",
        computed=f"{kind}: {float(FLASH):g}, with seq_page_cost 1",
    )


def _for_disks(current: Fraction) -> Verdict:
    if current > CHOSEN_BELOW:
        return Declined(because=f"{float(current):g} suits rotating disks", kind="keep")
    return Proposal(
        value=f"{float(ROTATING):g}",
        because=f"{float(current):g} is for flash; this storage rotates",
        computed=f"rotating disks: {float(ROTATING):g}, with seq_page_cost 1",
        ticked=False,
    )


RECOMMENDATION = Recommendation(
    id="pg.random_page_cost",
    title="Set random_page_cost for this storage",
    group="planner",
    target=PgTarget(name="random_page_cost"),
    explanation=Explanation(
        changes="What the planner assumes a random page read to cost, compared with one read in "
        "sequence (1).",
        helps="Lower makes index scans more attractive, which flash storage deserves: it has no arm to move.",
        leave_alone="On rotating disks with more data than memory. On a SAN whose disks are not known. "
        "When plans are good and stable.",
        costs="Plans may change, mostly for the better. A table that is mostly read in full may now be "
        "read through an index.",
        watch="The plans and times of the most expensive queries before and after (pg_stat_statements).",
    ),
    pros=(
        "Index scans are chosen where they pay off on flash.",
        "Takes a reload; a session can try it first.",
    ),
    cons=("Some plans change for the worse.", "No source of this project measured it."),
    risk=RiskLevel.MEDIUM,
    basis="well understood",
    cites=(
        Cite(claim="z-guide.queries_first", near=True),
        Cite(claim="own-small-vm.planner", near=True),
        Cite(claim="vondra-random.ratio", opposes=True),
        Cite(claim="postgres-manual.random_page_cost"),
    ),
    disputes=(
        Dispute(
            one="The manual: 4 already assumes that nine of ten such reads are cached; where nearly all "
            "are, or on flash, lower may be better.",
            other="Vondra (2026) doubts that flash alone is a reason, and times random against sequential "
            "pages past all caches; his results were not read here.",
            follows="1.1 on flash: a busy server finds most pages of its indexes in memory. Where much "
            "more is read from disk than memory holds, compare plans with 4 first.",
            claims=(
                "postgres-manual.random_page_cost",
                "vondra-random.ratio",
            ),
        ),
    ),
    decide=decide,
    witnesses=(READS, PROBED),
    examples=(
        Example(name="flash", given=Given(disk="ssd"), outcome=Sets(value="1.1")),
        Example(name="NVMe", given=Given(disk="nvme", major="18"), outcome=Sets(value="1.1")),
        Example(
            name="a value for flash on rotating disks",
            given=Given(disk="hdd", settings={"random_page_cost": "1.1"}),
            outcome=Sets(value="4"),
        ),
        Example(name="rotating disks", given=Given(disk="hdd"), outcome=Declines(kind="keep")),
        Example(name="a SAN", given=Given(disk="san"), outcome=Declines()),
        Example(
            name="a SAN, but all data stay in memory",
            given=Given(disk="san", database_size="20GB"),
            outcome=Sets(value="1.1"),
        ),
        Example(name="storage of unknown kind", given=Given(disk_unknown=True), outcome=Declines()),
        Example(
            name="chosen for flash already",
            given=Given(disk="ssd", settings={"random_page_cost": "1.5"}),
            outcome=Declines(kind="keep"),
        ),
    ),
)
