"""data_sync_retry: what the server does when the disk reports a failed write."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict


def decide(situation: Situation) -> Verdict:
    """Off: a failed write must not be taken as done."""
    if situation.will_be("data_sync_retry") == "off":
        return Declined(
            because="off stays: after a failed write the server recovers from the WAL", kind="keep"
        )
    return Proposal(
        value="off",
        because="a second fsync may succeed although the first one's data is gone",
        computed="off, in every posture",
    )


RECOMMENDATION = Recommendation(
    id="pg.data_sync_retry",
    title="Do not trust a retry after a failed write",
    group="durability",
    target=PgTarget(name="data_sync_retry"),
    explanation=Explanation(
        changes="Whether the server tries again when the kernel reports that data could not be written, "
        "or stops and recovers from the WAL (off).",
        helps="After a failed write Linux may drop the data and report success the next time. The WAL still "
        "has it.",
        leave_alone="It is off by default; on suits only kernels that keep data after a failed write, as "
        "Linux does not.",
        costs="A restart to change it. With off the server stops at a write error and recovers.",
        watch="“could not fsync file” and PANIC in the log; the kernel log for I/O errors.",
    ),
    pros=("No write is lost silently.",),
    cons=("A write error interrupts the server.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="kernel-talk.fdatasync_errors"),
        Cite(claim="postgres-manual.data_sync_retry"),
    ),
    decide=decide,
    never=("on",),
    examples=(
        Example(name="it is on", given=Given(settings={"data_sync_retry": "on"}), outcome=Sets(value="off")),
        Example(name="off by default", given=Given(), outcome=Declines(kind="keep")),
    ),
)
