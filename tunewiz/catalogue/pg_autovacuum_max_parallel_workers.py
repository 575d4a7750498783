"""autovacuum_max_parallel_workers: how many processes help an autovacuum worker with a table's indexes."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.database_size import size_of
from tunewiz.core.server.own_numbers import rather_than
from tunewiz.core.server.seen_indexes import INDEXES, table_that_gains
from tunewiz.core.server.seen_storage import PROBED
from tunewiz.core.server.seen_vacuum import DEAD_ROWS, vacuum_keeps_up
from tunewiz.core.values.known import known_or
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.units import GIB, Bytes

NAME = "autovacuum_max_parallel_workers"

LARGE = Bytes(256 * GIB)
"""From this size on tables are large enough that their indexes keep vacuum busy for long. An assumption."""

CORES_A_WORKER = 8
"""One helper for this many cores: vacuum is to stay a small part of the work."""

MOST = 2
"""They come from max_parallel_workers, 8 by default, and each of three workers may take as many."""


def decide(situation: Situation) -> Verdict:
    """A few for large databases on many cores whose vacuum does not keep up; shown, never ticked."""
    current = int(situation.will_be(NAME))
    if current > 0:
        return Declined(because=f"{current} may help each autovacuum worker", kind="keep")
    value = min(MOST, situation.cores // CORES_A_WORKER, int(situation.will_be("max_parallel_workers")))
    reason = _why_not(situation, value)
    if reason:
        return Declined(because=reason, kind="keep")
    for observation in vacuum_keeps_up(situation):
        return Declined(because=f"vacuum keeps up: {rather_than(observation, str(value))}", kind="keep")
    return Proposal(
        value=str(value),
        because=_why(situation),
        computed=f"one for {CORES_A_WORKER} of {how_many(situation.cores, 'core')}, at most {MOST}: {value}",
        ticked=False,
    )


def _why(situation: Situation) -> str:
    if table := table_that_gains(situation):
        return f"{table}: vacuum cleans one after another"
    size = size_of(situation).short()
    return f"in {size} a vacuum spends long on the indexes of its largest tables, one index after another"


def _why_not(situation: Situation, value: int) -> str:
    """Why one process is enough; empty if it may not be."""
    is_large = size_of(situation) >= LARGE or table_that_gains(situation) is not None
    if not is_large or not situation.workload.writes:
        return "one process cleans the indexes of a table soon enough here"
    if value < 1:
        return f"no processes to spare: {how_many(situation.cores, 'core')}"
    if known_or(situation.storage_told, "hdd") == "hdd":
        return "several processes on rotating disks are in each other's way"
    return ""


RECOMMENDATION = Recommendation(
    id=f"pg.{NAME}",
    title="Let autovacuum clean indexes in parallel",
    group="vacuum",
    target=PgTarget(name=NAME),
    explanation=Explanation(
        changes="How many parallel workers each autovacuum worker may start to clean several indexes of its "
        "table at once (19 and newer). A table's own autovacuum_parallel_workers, set with "
        "ALTER TABLE, only lowers it: 0 keeps that table to one process.",
        helps="A large table with many large indexes is vacuumed in less time; its rows are read by one "
        "process as before.",
        leave_alone="Where vacuum keeps up, or its cost limit is what slows it: the helpers share it, so "
        "raise autovacuum_vacuum_cost_limit first. Indexes below min_parallel_index_scan_size get no helper.",
        costs="Helpers come from max_parallel_workers and are missing for queries meanwhile; processors and "
        "storage are busier while a vacuum runs.",
        watch="“parallel workers” in the log lines of autovacuum; leader_pid in pg_stat_activity.",
    ),
    pros=("Large tables with many indexes are clean sooner.", "Takes a reload."),
    cons=(
        "Parallel queries may find no free worker while a vacuum runs.",
        "No source of this project measured it.",
    ),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(Cite(claim="postgres-manual.autovacuum_max_parallel_workers"),),
    decide=decide,
    witnesses=(DEAD_ROWS, INDEXES, PROBED),
    after=("pg.max_parallel_workers",),
    examples=(
        Example(
            name="a large database on many cores",
            given=Given(major="19", database_size="2TB", cores=32),
            outcome=Sets(value="2"),
        ),
        Example(
            name="a small database",
            given=Given(major="19", database_size="50GB", cores=32),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="few cores",
            given=Given(major="19", database_size="2TB", cores=4),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="rotating disks",
            given=Given(major="19", database_size="2TB", cores=32, disk="hdd"),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="a number was chosen",
            given=Given(major="19", database_size="2TB", cores=32, settings={NAME: "4"}),
            outcome=Declines(kind="keep"),
        ),
        Example(name="18 has none", given=Given(major="18"), outcome=Declines(kind="not_applicable")),
    ),
)
