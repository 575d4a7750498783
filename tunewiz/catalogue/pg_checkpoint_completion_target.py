"""checkpoint_completion_target: over how much of the interval a checkpoint spreads its writing."""

from __future__ import annotations

from fractions import Fraction

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.values.versions import V14

SPREAD = Fraction(9, 10)
"""The default since PostgreSQL 14, and the value of the z13 study."""


def decide(situation: Situation) -> Verdict:
    """0.9, unless it is already close to that."""
    current = Fraction(situation.will_be("checkpoint_completion_target"))
    if current == SPREAD and situation.major >= V14:
        return Declined(because="0.9 is the default since PostgreSQL 14", kind="keep")
    if current > SPREAD:
        because = "a checkpoint that fills the whole interval may not be done when the next one starts"
    else:
        because = "a checkpoint's writing is spread over most of the interval instead of the beginning"
    return Proposal(
        value="0.9",
        because=because,
        computed=f"{float(current):g} now; 0.9 leaves a tenth of the interval spare",
    )


RECOMMENDATION = Recommendation(
    id="pg.checkpoint_completion_target",
    title="Spread the writes of checkpoints",
    group="writing",
    target=PgTarget(name="checkpoint_completion_target"),
    explanation=Explanation(
        changes="Which part of the time between two checkpoints the server takes for writing the changed "
        "pages.",
        helps="The same writing over more time: the disks are less busy at any moment and response "
        "times vary less.",
        leave_alone="When it is 0.9 already, the default since PostgreSQL 14. Smaller only shortens "
        "recovery a little, at the price of bursts.",
        costs="Up to 1.9 intervals of WAL are kept and replayed after a crash, instead of 1.5 with 0.5.",
        watch="“checkpoint complete” in the log (log_checkpoints): write= should be near 0.9 of the "
        "interval.",
    ),
    pros=("Smaller bursts of writing.", "What every server from PostgreSQL 14 on does by default."),
    cons=("Recovery after a crash takes a little longer.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="z-deck.checkpoint_completion_target"),
        Cite(claim="postgres-manual.checkpoint_completion_target"),
    ),
    decide=decide,
    examples=(
        Example(name="the old default", given=Given(major="13"), outcome=Sets(value="0.9")),
        Example(
            name="no tenth to spare",
            given=Given(settings={"checkpoint_completion_target": "1"}),
            outcome=Sets(value="0.9"),
        ),
        Example(name="the default since 14", given=Given(major="14"), outcome=Declines(kind="keep")),
        Example(
            name="set on an old server already",
            given=Given(major="9.6", settings={"checkpoint_completion_target": "0.9"}),
            outcome=Declines(kind="keep"),
        ),
    ),
)
