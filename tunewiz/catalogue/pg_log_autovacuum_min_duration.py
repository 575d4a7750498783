"""log_autovacuum_min_duration: a line in the log for each long vacuum."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.values.units import Duration

LONG = Duration(600_000)
"""Ten minutes: the default since PostgreSQL 15."""


def decide(situation: Situation) -> Verdict:
    """Ten minutes where nothing is logged."""
    current = situation.will_be("log_autovacuum_min_duration")
    if current != "-1":
        return Declined(because=f"runs from {current} on are logged", kind="keep")
    return Proposal(
        value=LONG.pg(),
        because="nothing is logged now: whether autovacuum keeps up cannot be seen",
        computed=f"{LONG.pg()}, the default since PostgreSQL 15",
    )


RECOMMENDATION = Recommendation(
    id="pg.log_autovacuum_min_duration",
    title="Log long autovacuum runs",
    group="vacuum",
    target=PgTarget(name="log_autovacuum_min_duration"),
    explanation=Explanation(
        changes="An autovacuum run that takes longer writes what it removed, read and wrote into the log.",
        helps="Shows which tables keep the workers busy, and whether their memory was enough.",
        leave_alone="When it is set: the default since PostgreSQL 15 is ten minutes.",
        costs="A few lines for each long run.",
        watch="“automatic vacuum of table” in the log: index scans, avg write rate, elapsed.",
    ),
    pros=("Shows whether autovacuum keeps up.", "Takes a reload."),
    cons=("A few more lines in the log.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="z-deck.autovacuum_on", near=True),
        Cite(claim="postgres-manual.log_autovacuum_min_duration"),
    ),
    decide=decide,
    examples=(
        Example(name="nothing logged up to 14", given=Given(major="14"), outcome=Sets(value="10min")),
        Example(name="the default since 15", given=Given(major="15"), outcome=Declines(kind="keep")),
        Example(
            name="everything is logged",
            given=Given(major="13", settings={"log_autovacuum_min_duration": "0"}),
            outcome=Declines(kind="keep"),
        ),
    ),
)
