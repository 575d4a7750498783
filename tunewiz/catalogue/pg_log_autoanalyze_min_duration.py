"""log_autoanalyze_min_duration: a line in the log for each long analyze by autovacuum."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.values.units import Duration

NAME = "log_autoanalyze_min_duration"
OF_VACUUM = "log_autovacuum_min_duration"
LONG = Duration(600_000)
"""Ten minutes: its default."""
NEVER = "-1"


def decide(situation: Situation) -> Verdict:
    """Ten minutes where nothing is logged; as soon as vacuums where those were asked for."""
    current, of_vacuum = situation.will_be(NAME), situation.in_force(OF_VACUUM)
    if current == NEVER:
        return Proposal(
            value=LONG.pg(),
            because="nothing is logged now: which tables are long to analyze cannot be seen",
            computed=f"{LONG.pg()}, its default",
        )
    if of_vacuum != NEVER and _milliseconds(situation, of_vacuum) < _milliseconds(situation, current):
        return Proposal(
            value=of_vacuum,
            because=f"vacuums are logged from {of_vacuum} on, analyzes from {current} on: up to 18 "
            f"{OF_VACUUM} was for both",
            computed=f"{of_vacuum}, as {OF_VACUUM}",
            ticked=False,
        )
    return Declined(because=f"analyzes from {current} on are logged", kind="keep")


def _milliseconds(situation: Situation, duration: str) -> int:
    return int(situation.settings[NAME].canonical(duration))


RECOMMENDATION = Recommendation(
    id="pg.log_autoanalyze_min_duration",
    title="Log long analyzes by autovacuum",
    group="vacuum",
    target=PgTarget(name=NAME),
    explanation=Explanation(
        changes="An analyze that autovacuum runs and that takes longer is logged (19 and newer); "
        "log_autovacuum_min_duration is for its vacuums alone.",
        helps="Shows which tables keep the workers busy, and when a table's statistics changed.",
        leave_alone="Where it is set, or its default of ten minutes is all that is wanted.",
        costs="A line for each long analyze, and for each that a lock made it skip.",
        watch="“automatic analyze of table” in the log.",
    ),
    pros=("Shows what analyzing costs, apart from vacuum.", "Takes a reload."),
    cons=("A few more lines in the log.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(Cite(claim="postgres-manual.log_autoanalyze_min_duration"),),
    decide=decide,
    after=("pg.log_autovacuum_min_duration",),
    examples=(
        Example(
            name="nothing is logged",
            given=Given(major="19", settings={NAME: "-1"}),
            outcome=Sets(value="10min"),
        ),
        Example(
            name="every vacuum is logged",
            given=Given(major="19", settings={OF_VACUUM: "0"}),
            outcome=Sets(value="0"),
        ),
        Example(name="the default", given=Given(major="19"), outcome=Declines(kind="keep")),
        Example(
            name="vacuums are not logged at all",
            given=Given(major="19", settings={NAME: "1min", OF_VACUUM: "-1"}),
            outcome=Declines(kind="keep"),
        ),
        Example(name="18 has none", given=Given(major="18"), outcome=Declines(kind="not_applicable")),
    ),
)
