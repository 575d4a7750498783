"""autovacuum_vacuum_cost_limit: how much autovacuum does between two rests, all workers together."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.observed import dead_rows
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.values.known import Known, Unknown
from tunewiz.core.values.units import GIB, KIB, Bytes

LARGE = Bytes(100 * GIB)
"""From this database size on, one pass at the default pace takes long."""

LIMIT = 600
"""Three times the default of 200: at 2 ms of rest 15,000 pages (117 MB) dirtied a second at most."""

POINTS_A_PAGE = 20
"""vacuum_cost_page_dirty by default."""


def decide(now: Situation) -> Verdict:
    """A faster pace for large databases that are written to, on storage that can handle it."""
    current = _current(now)
    if current >= LIMIT:
        return Declined(because=f"{current} points were chosen", kind="keep")
    if not now.workload.writes or now.answers.workload.database_size < LARGE:
        because = f"{current} points are enough for a database of this size and workload"
        return Declined(because=because, kind="keep")
    match now.storage_told:
        case Known(value="hdd"):
            return Declined(because="spinning disks would feel a faster autovacuum")
        case Unknown():
            return Declined(because="spinning disks would feel it, and the kind of storage is not known")
        case _:
            return _faster(now, current)


def _faster(now: Situation, current: int) -> Proposal:
    size, rest = now.answers.workload.database_size, _rest(now)
    pages = LIMIT // POINTS_A_PAGE * 1000 / rest
    return Proposal(
        value=str(LIMIT),
        because=f"{size.short()} with many writes: all workers share one allowance of {current} points",
        computed=f"{LIMIT} points / {POINTS_A_PAGE} for a dirtied page each {rest:g} ms = "
        f"{(Bytes(8 * KIB) * int(pages)).short()}/s at most",
    )


def _rest(now: Situation) -> float:
    """Milliseconds between two pieces of work; at least 1, as a rest of none has no rate."""
    info = now.settings["autovacuum_vacuum_cost_delay"]
    return max(1.0, float(info.canonical(now.will_be("autovacuum_vacuum_cost_delay"))))


def _current(now: Situation) -> int:
    own = int(now.will_be("autovacuum_vacuum_cost_limit"))
    return own if own >= 0 else int(now.will_be("vacuum_cost_limit"))


RECOMMENDATION = Recommendation(
    id="pg.autovacuum_vacuum_cost_limit",
    title="Increase autovacuum_vacuum_cost_limit",
    group="vacuum",
    target=PgTarget(name="autovacuum_vacuum_cost_limit"),
    explanation=Explanation(
        changes="How many points of work all autovacuum workers together may do before they rest. Dirtying a "
        "page costs 20, reading one from disk 2 (10 up to 13).",
        helps="Large tables are cleaned and frozen in hours rather than days. More workers alone do "
        "not help: they share this allowance.",
        leave_alone="Small databases, mostly reads, rotating disks.",
        costs="More reading and writing in the background, and more WAL.",
        watch="How long autovacuum takes for the largest table (log_autovacuum_min_duration), iostat "
        "meanwhile.",
    ),
    pros=("Bloat and old transaction ids are dealt with in time.", "Takes a reload."),
    cons=("Users may feel it on busy storage.", "The value is a rule of thumb, not a measurement."),
    risk=RiskLevel.LOW,
    basis="reasoned",
    cites=(
        Cite(claim="z-deck.autovacuum_on", near=True),
        Cite(claim="postgres-manual.autovacuum_vacuum_cost_limit"),
    ),
    decide=decide,
    observed=(dead_rows,),
    after=("pg.autovacuum_vacuum_cost_delay",),
    examples=(
        Example(name="256 GB with writes", given=Given(database_size="256GB"), outcome=Sets(value="600")),
        Example(name="a small database", given=Given(database_size="10GB"), outcome=Declines(kind="keep")),
        Example(name="mostly reads", given=Given(workload="read_mostly"), outcome=Declines(kind="keep")),
        Example(name="rotating disks", given=Given(disk="hdd"), outcome=Declines()),
        Example(
            name="more was chosen",
            given=Given(settings={"autovacuum_vacuum_cost_limit": "2000"}),
            outcome=Declines(kind="keep"),
        ),
    ),
)
