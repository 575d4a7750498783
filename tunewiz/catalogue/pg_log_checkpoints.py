"""log_checkpoints: a line in the log for each checkpoint."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict


def decide(situation: Situation) -> Verdict:
    """On: without it the checkpoint settings cannot be judged."""
    if situation.will_be("log_checkpoints") == "on":
        return Declined(because="it is on, as by default since PostgreSQL 15", kind="keep")
    return Proposal(
        value="on",
        because="the log tells whether time or WAL starts the checkpoints, and how long they write",
        computed="on, the default since PostgreSQL 15",
    )


RECOMMENDATION = Recommendation(
    id="pg.log_checkpoints",
    title="Turn on log_checkpoints",
    group="writing",
    target=PgTarget(name="log_checkpoints"),
    explanation=Explanation(
        changes="Each checkpoint writes two lines into the log: why it began, how many buffers it wrote, "
        "how long writing and syncing took.",
        helps="Their tuning depends on whether max_wal_size or checkpoint_timeout starts the checkpoints.",
        leave_alone="When it is on: the default since PostgreSQL 15.",
        costs="Two lines every few minutes.",
        watch="“checkpoint starting: time” is good; “checkpoint starting: wal” (xlog on old servers) "
        "says that max_wal_size is small.",
    ),
    pros=("The effect of this plan can be seen.", "Takes a reload."),
    cons=("Two more lines in the log for each checkpoint.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="z-deck.max_wal_size", near=True),
        Cite(claim="z-deck.method", near=True),
        Cite(claim="postgres-manual.log_checkpoints"),
    ),
    decide=decide,
    examples=(
        Example(name="off by default up to 14", given=Given(major="14"), outcome=Sets(value="on")),
        Example(name="on by default since 15", given=Given(major="15"), outcome=Declines(kind="keep")),
    ),
)
