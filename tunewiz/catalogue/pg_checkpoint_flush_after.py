"""checkpoint_flush_after: how soon a checkpoint makes the kernel begin to write."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.values.units import KIB, Bytes

USUAL = Bytes(256 * KIB)
"""The default on Linux since 9.6."""


def decide(situation: Situation) -> Verdict:
    """The default, if it was turned off."""
    current = situation.will_be_size("checkpoint_flush_after")
    if current:
        return Declined(because=f"{current.pg()}: the kernel writes along with the checkpoint", kind="keep")
    return Proposal(
        value=USUAL.pg(),
        because="with 0 the kernel gathers a checkpoint's pages and writes them all at its end",
        computed=f"{USUAL.pg()}, the default on Linux",
    )


RECOMMENDATION = Recommendation(
    id="pg.checkpoint_flush_after",
    title="Let checkpoints flush as they write",
    group="writing",
    target=PgTarget(name="checkpoint_flush_after"),
    explanation=Explanation(
        changes="After this much written by a checkpoint the kernel is asked to begin putting it on disk.",
        helps="The final fsync of a checkpoint finds little left to write: no burst at its end. The kernel's "
        "dirty limits aim at the same, for everything.",
        leave_alone="At its default. 0 may be faster where the same pages are written many times and "
        "response times do not matter.",
        costs="Pages that change again soon are written twice.",
        watch="sync= in the log's “checkpoint complete” lines.",
    ),
    pros=("No burst at the end of a checkpoint.", "Takes a reload."),
    cons=("A little less throughput for some loads that fit the page cache.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="z-deck.dirty_limits", near=True),
        Cite(claim="postgres-manual.checkpoint_flush_after"),
    ),
    decide=decide,
    examples=(
        Example(
            name="turned off",
            given=Given(settings={"checkpoint_flush_after": "0"}),
            outcome=Sets(value="256kB"),
        ),
        Example(name="the default", given=Given(), outcome=Declines(kind="keep")),
    ),
)
