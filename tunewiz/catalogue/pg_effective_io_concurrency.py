"""effective_io_concurrency: how many reads the server asks for ahead."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import IBM_Z, Cite
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
from tunewiz.core.server.disk_layout import disks_at_once
from tunewiz.core.server.network_volumes import on_network_volume
from tunewiz.core.server.requests_at_once import DasdRequests, dasd_requests, queued_requests
from tunewiz.core.server.seen_storage import PROBED, READS, reads_fast
from tunewiz.core.values.known import Known, MissingFact, Unknown, known_or
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.versions import V13, V18

NAME = "effective_io_concurrency"

READS_AHEAD = 16
"""The default since PostgreSQL 18, which counts reads of up to io_combine_limit pages."""

OF_FLASH = 200
"""Up to 17, which counts single pages, for local flash: "in the hundreds" (manual of 9.5 to 17)."""


def decide(situation: Situation) -> Verdict:
    """As many reads ahead as storage can serve in parallel."""
    current, reads = int(situation.will_be(NAME)), _reads(situation)
    wanted = _value_for(reads, situation)
    if isinstance(situation.storage_told, Unknown) and current < wanted and not any(reads_fast(situation)):
        because = f"the kind of storage is not known: {current} stays; {wanted} suits all but spinning disks"
        return Declined(because=f"{because}: say it on the server's page")
    kind = known_or(situation.storage_told, "any storage")
    if kind == "hdd":
        return _rotating(situation, current)
    if (mainframe := _mainframe(situation)) is not None:
        return _on_dasd(mainframe, current, reads, situation)
    if current >= wanted or current >= READS_AHEAD:
        return Declined(because=f"{current} reads ahead are enough for {kind}", kind="keep")
    if (queued := _queued(situation)) is not None and queued < READS_AHEAD:
        return _on_short_queues(queued, current, situation)
    return Proposal(
        value=str(wanted),
        because=f"{kind} storage serves many reads in parallel",
        computed="; ".join((_computed(situation, reads), *_measured(situation))),
    )


def _reads(situation: Situation) -> int:
    """Pages that are asked for ahead; local flash answers hundreds at once, other storage may be shared."""
    is_flash = known_or(situation.storage_told, "") in ("nvme", "ssd") and not on_network_volume(situation)
    return OF_FLASH if is_flash and situation.major < V18 else READS_AHEAD


def _rotating(situation: Situation, current: int) -> Verdict:
    """One read at a time for each disk of an array, up to what suits flash."""
    data = situation.storage_for("data")
    disks = min(READS_AHEAD, disks_at_once(data, "data")) if isinstance(data.disks, Known) else 0
    if disks <= 1:
        return Declined(because="a rotating disk serves one read after another", kind="keep")
    if current >= disks:
        return Declined(because=f"{current} reads ahead are enough for {disks} rotating disks", kind="keep")
    return Proposal(
        value=str(disks),
        because=f"{disks} rotating disks serve as many reads in parallel",
        computed=f"one read for each disk of the array: {disks}",
        ticked=False,
    )


def _mainframe(situation: Situation) -> DasdRequests | None:
    """What mainframe disks take at once; None on other storage, known or not."""
    try:
        storage = situation.storage_for("data")
    except MissingFact:
        return None
    return dasd_requests(storage)


def _queued(situation: Situation) -> int | None:
    """What the queues of SCSI disks take; None on other storage, known or not."""
    try:
        return queued_requests(situation.storage_for("data"))
    except MissingFact:
        return None


def _on_short_queues(queued: int, current: int, situation: Situation) -> Verdict:
    """No more reads ahead than the disks' queues take: somebody shortened them, usually for the storage."""
    value = _value_for(queued, situation)
    taken = f"the disks' queues take {how_many(queued, 'request')} (queue_depth)"
    if current >= value:
        return Declined(because=f"{taken}: {current} reads ahead are enough", kind="keep")
    return Proposal(value=str(value), because=taken, computed=f"{taken}, less than {READS_AHEAD}")


def _on_dasd(requests: DasdRequests, current: int, reads: int, situation: Situation) -> Verdict:
    """No more reads ahead than the volumes and their alias devices take."""
    if requests.at_once == 1:
        because = (
            f"a mainframe volume without alias devices (PAV) takes one request at a time: {current} stays"
        )
        return Declined(because=f"{because}; HyperPAV aliases would change that", kind="keep")
    value = _value_for(min(reads, requests.at_once), situation)
    if current >= value:
        because = f"{current} reads ahead are enough: {requests.in_words()}"
        return Declined(because=because, kind="keep")
    return Proposal(
        value=str(value),
        because=f"its mainframe disks take {how_many(requests.at_once, 'request')} at once",
        computed=f"{requests.in_words()}; no more than {reads}",
    )


def _value_for(reads: int, situation: Situation) -> int:
    """What asks for so many reads ahead, or for no more where it cannot be said exactly."""
    if situation.major >= V13:
        return reads
    return max((value for value in range(1, reads + 1) if _stood_for(value) <= reads), default=1)


def _stood_for(value: int) -> float:
    """The reads of a value up to 12: n + n/2 + n/3 … + 1; 6 makes 15, 45 makes 198 (release notes 13)."""
    return sum(value / part for part in range(1, value + 1))


def _measured(situation: Situation) -> tuple[str, ...]:
    """What was measured, where the kind of storage is not known."""
    return tuple(reads_fast(situation)) if isinstance(situation.storage_told, Unknown) else ()


def _computed(situation: Situation, reads: int) -> str:
    of_flash = f"{OF_FLASH} pages: up to PostgreSQL 17 its manual names hundreds for flash"
    usual = f"{READS_AHEAD}, the default since PostgreSQL 18"
    text = of_flash if reads == OF_FLASH else usual
    if situation.major >= V13:
        return text
    value = _value_for(reads, situation)
    meant = f"{value} + {value}/2 + {value}/3 + … + 1"
    return f"{text}; up to 12, {value} stand for {meant} = about {_stood_for(value):.0f} reads"


RECOMMENDATION = Recommendation(
    id="pg.effective_io_concurrency",
    title="Increase effective_io_concurrency",
    group="storage",
    target=PgTarget(name="effective_io_concurrency"),
    explanation=Explanation(
        changes="How many page reads a session asks for before it needs them. Up to 17 only bitmap heap "
        "scans (reads of many scattered rows through an index) do so; from 18 sequential scans "
        "as well.",
        helps="Flash and storage servers answer many reads at once: waiting for each in turn wastes that.",
        leave_alone="On a single rotating disk, and on a single mainframe volume (ECKD DASD) without alias "
        "devices, which takes one request at a time. From PostgreSQL 18 it counts reads of several pages, "
        "and the default of 16 is right for most: try more only where each read takes long.",
        costs="Large values may delay the reads of other sessions. The kernel's read ahead works beside it.",
        watch="Times of bitmap heap scans in EXPLAIN (ANALYZE, BUFFERS) with track_io_timing, read "
        "latency in iostat -x.",
    ),
    pros=("Scattered reads come sooner on flash and SAN.", "Takes a reload; a session can try it first."),
    cons=("Queries that find everything cached gain nothing.", "No source of this project measured it."),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="z-deck.read_ahead", near=True),
        Cite(claim="kernel-talk.nvme_no_scheduler", near=True),
        Cite(claim="postgres-manual.effective_io_concurrency"),
        Cite(claim="ibm-hyperpav.one_transfer", only_on=IBM_Z),
        Cite(claim="ibm-hyperpav.pool", only_on=IBM_Z),
        Cite(claim="ibm-queue-depth.shorter", only_on=IBM_Z),
        Cite(claim="postgres-manual.effective_io_concurrency_18"),
    ),
    disputes=(
        Dispute(
            one="Up to 17 PostgreSQL's manual names hundreds for flash, and only a waste of processor time "
            "for what is too much.",
            other="From 18 on 16 are the default; the manual names more for storage that answers slowly or "
            "serves very many reads, and warns that too much may delay every query.",
            follows="Each for its own versions, since 18 counts otherwise: 200 for local flash up to 17, 16 "
            "for the rest. A number that somebody chose stays from 16 on.",
            claims=(
                "postgres-manual.effective_io_concurrency",
                "postgres-manual.effective_io_concurrency_18",
            ),
        ),
    ),
    decide=decide,
    witnesses=(READS, PROBED),
    examples=(
        Example(name="flash", given=Given(disk="ssd", major="15"), outcome=Sets(value="200")),
        Example(name="a SAN", given=Given(disk="san", major="17"), outcome=Sets(value="16")),
        Example(name="the scale up to 12", given=Given(disk="nvme", major="12"), outcome=Sets(value="45")),
        Example(name="a SAN before 13", given=Given(disk="san", major="12"), outcome=Sets(value="6")),
        Example(
            name="PostgreSQL 18 has it by default",
            given=Given(disk="nvme", major="18"),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="more was chosen",
            given=Given(disk="ssd", settings={"effective_io_concurrency": "16"}),
            outcome=Declines(kind="keep"),
        ),
        Example(name="storage of unknown kind", given=Given(disk_unknown=True), outcome=Declines()),
        Example(name="a rotating disk", given=Given(disk="hdd"), outcome=Declines(kind="keep")),
    ),
)
