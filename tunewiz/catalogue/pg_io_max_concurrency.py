"""io_max_concurrency: how many reads one process may have under way."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import (
    Declines,
    Example,
    Explanation,
    Recommendation,
    Sets,
)
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict

AUTOMATIC = "-1"
AT_MOST = 64
"""What the server takes by itself, less where shared_buffers are small for so many sessions (manual, 18)."""


def decide(now: Situation) -> Verdict:
    """Automatic, unless somebody allowed fewer reads than sessions ask for ahead."""
    current = now.will_be("io_max_concurrency")
    asked = max(int(now.will_be(name)) for name in ("effective_io_concurrency", "maintenance_io_concurrency"))
    if current == AUTOMATIC:
        because = f"automatic, at most {AT_MOST}"
        if asked > AT_MOST:
            because += f": of the {asked} reads that are asked for ahead, the others wait"
        return Declined(because=because, kind="keep")
    if int(current) >= min(asked, AT_MOST):
        return Declined(
            because=f"{current} are no fewer than the {asked} that are asked for ahead", kind="keep"
        )
    return Proposal(
        value=AUTOMATIC,
        because=f"{asked} reads are asked for ahead, and {current} may be under way",
        computed=f"{current} becomes automatic, at most {AT_MOST}",
        ticked=False,
    )


RECOMMENDATION = Recommendation(
    id="pg.io_max_concurrency",
    title="Allow as many reads as are asked for",
    group="storage",
    target=PgTarget(name="io_max_concurrency"),
    explanation=Explanation(
        changes="How many reads and writes each process of the server may have under way at once (18 "
        "and newer). -1 lets the server choose by shared_buffers and the number of processes, "
        "at most 64.",
        helps="effective_io_concurrency and maintenance_io_concurrency cannot exceed it: more is "
        "asked for than is done.",
        leave_alone="Where it is automatic.",
        costs="A restart, and some shared memory for each process.",
        watch="pg_aios while a large scan runs.",
    ),
    pros=("What is asked for ahead is under way.",),
    cons=("Requires a restart.", "Shared memory for each process that may run."),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(Cite(claim="postgres-manual.io_max_concurrency"),),
    decide=decide,
    after=("pg.effective_io_concurrency", "pg.maintenance_io_concurrency"),
    examples=(
        Example(
            name="fewer than are asked for",
            given=Given(major="18", settings={"io_max_concurrency": "4"}),
            outcome=Sets(value="-1"),
        ),
        Example(name="automatic", given=Given(major="18"), outcome=Declines(kind="keep")),
        Example(
            name="more are asked for than the server takes",
            given=Given(major="18", settings={"effective_io_concurrency": "256"}),
            outcome=Declines(kind="keep"),
        ),
        Example(name="17 has none", given=Given(major="17"), outcome=Declines(kind="not_applicable")),
    ),
)
