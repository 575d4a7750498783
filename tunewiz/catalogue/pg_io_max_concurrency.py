"""io_max_concurrency: how many reads and writes one process may have in progress."""

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
"""The server's automatic value, less where shared_buffers is small for the sessions (manual, 18)."""


def decide(situation: Situation) -> Verdict:
    """Automatic, where somebody allowed fewer reads than sessions prefetch."""
    current = situation.will_be("io_max_concurrency")
    number = max(
        int(situation.will_be(name)) for name in ("effective_io_concurrency", "maintenance_io_concurrency")
    )
    if current == AUTOMATIC:
        because = f"automatic, at most {AT_MOST}"
        if number > AT_MOST:
            because += f": of {number} prefetched reads, the rest wait"
        return Declined(because=because, kind="keep")
    if int(current) >= min(number, AT_MOST):
        return Declined(
            because=f"{current} is enough for the {number} reads that a session prefetches", kind="keep"
        )
    return Proposal(
        value=AUTOMATIC,
        because=f"a session prefetches up to {number} reads, but only {current} may be in progress",
        computed=f"{current} becomes automatic, at most {AT_MOST}",
        ticked=False,
    )


RECOMMENDATION = Recommendation(
    id="pg.io_max_concurrency",
    title="Allow as many reads as sessions prefetch",
    group="storage",
    target=PgTarget(name="io_max_concurrency"),
    explanation=Explanation(
        changes="How many reads and writes each process of the server may have in progress at once (18 "
        "and newer). -1 lets the server choose by shared_buffers and the number of processes, "
        "at most 64.",
        helps="effective_io_concurrency and maintenance_io_concurrency have no effect beyond it.",
        leave_alone="Where it is automatic.",
        costs="A restart, and some shared memory for each process.",
        watch="pg_aios while a large scan runs.",
    ),
    pros=("Prefetched reads start without waiting.",),
    cons=("Requires a restart.", "Shared memory for each process that may run."),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(Cite(claim="postgres-manual.io_max_concurrency"),),
    decide=decide,
    after=("pg.effective_io_concurrency", "pg.maintenance_io_concurrency"),
    examples=(
        Example(
            name="fewer than sessions prefetch",
            given=Given(major="18", settings={"io_max_concurrency": "4"}),
            outcome=Sets(value="-1"),
        ),
        Example(name="automatic", given=Given(major="18"), outcome=Declines(kind="keep")),
        Example(
            name="sessions prefetch more than the server allows",
            given=Given(major="18", settings={"effective_io_concurrency": "256"}),
            outcome=Declines(kind="keep"),
        ),
        Example(name="17 has none", given=Given(major="17"), outcome=Declines(kind="not_applicable")),
    ),
)
