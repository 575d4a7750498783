"""log_temp_files: a line in the log for each large temporary file."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.observed import spills
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict

OFF = "-1"


def decide(situation: Situation) -> Verdict:
    """From work_mem on: a query that wrote as much would have needed about twice as much memory."""
    current = situation.will_be("log_temp_files")
    if current != OFF:
        return Declined(because=f"files from {current} on are logged", kind="keep")
    work_mem = situation.will_be_size("work_mem")
    return Proposal(
        value=work_mem.pg(),
        because="sorts and hashes that don't fit into memory are named in the log with their size",
        computed=f"work_mem = {work_mem.pg()}: smaller files cost little",
    )


RECOMMENDATION = Recommendation(
    id="pg.log_temp_files",
    title="Log large temporary files",
    group="memory",
    target=PgTarget(name="log_temp_files"),
    explanation=Explanation(
        changes="When a temporary file of at least this size is removed, a line in the log tells its size, "
        "with the statement that needed it.",
        helps="The sizes say how large work_mem would have to be, and for which statements: the totals in "
        "pg_stat_database tell neither.",
        leave_alone="Where pg_stat_statements is read regularly: temp_blks_written tells nearly the same.",
        costs="A line for each such file; where many statements spill, the log grows.",
        watch="Lines with “temporary file” in the log, temp_files and temp_bytes in pg_stat_database.",
    ),
    pros=("Shows which statements need more memory, and how much.", "Takes a reload."),
    cons=("The log grows where spilling is normal.", "The log holds the text of those statements."),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(Cite(claim="postgres-manual.log_temp_files"),),
    decide=decide,
    after=("pg.work_mem",),
    observed=(spills,),
    examples=(
        Example(
            name="off by default", given=Given(settings={"work_mem": "64MB"}), outcome=Sets(value="64MB")
        ),
        Example(
            name="all are logged",
            given=Given(settings={"log_temp_files": "0"}),
            outcome=Declines(kind="keep"),
        ),
    ),
)
