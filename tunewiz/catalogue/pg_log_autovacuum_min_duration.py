"""log_autovacuum_min_duration: a line in the log for each long vacuum."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.values.units import Duration

NAME = "log_autovacuum_min_duration"
NOTHING = "-1"
LONG = Duration(10_000)
"""Ten seconds: a small table takes less, so only what keeps a worker busy is named. An assumption."""


def decide(situation: Situation) -> Verdict:
    """Ten seconds, where nobody chose a time."""
    current = situation.will_be(NAME)
    if not situation.settings[NAME].same(current, situation.default(NAME)):
        return Declined(because=_chosen(current), kind="keep")
    return Proposal(
        value=LONG.pg(),
        because="nothing is logged now: whether autovacuum keeps up cannot be seen"
        if current == NOTHING
        else f"only runs of {current} and more are logged: most tables that keep workers busy are not named",
        computed=f"{LONG.pg()}: runs on small tables take less",
    )


def _chosen(current: str) -> str:
    return "no run is logged, by choice" if current == NOTHING else f"runs from {current} on are logged"


RECOMMENDATION = Recommendation(
    id="pg.log_autovacuum_min_duration",
    title="Log long autovacuum runs",
    group="vacuum",
    target=PgTarget(name="log_autovacuum_min_duration"),
    explanation=Explanation(
        changes="An autovacuum run that takes longer writes what it removed, read and wrote into the log.",
        helps="Shows which tables keep the workers busy, and whether their memory was enough.",
        leave_alone="When a time was chosen. The default since PostgreSQL 15, ten minutes, leaves out "
        "most tables.",
        costs="A few lines for each such run.",
        watch="“automatic vacuum of table” in the log: index scans, avg write rate, elapsed.",
    ),
    pros=("Shows whether autovacuum keeps up.", "Takes a reload."),
    cons=("A few more lines in the log.", "The time is a rule of thumb, not a measurement."),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="z-deck.autovacuum_on", near=True),
        Cite(claim="postgres-manual.log_autovacuum_min_duration"),
    ),
    decide=decide,
    examples=(
        Example(name="nothing logged up to 14", given=Given(major="14"), outcome=Sets(value="10s")),
        Example(name="the default since 15", given=Given(major="15"), outcome=Sets(value="10s")),
        Example(
            name="it was turned off",
            given=Given(major="15", settings={"log_autovacuum_min_duration": "-1"}),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="everything is logged",
            given=Given(major="13", settings={"log_autovacuum_min_duration": "0"}),
            outcome=Declines(kind="keep"),
        ),
    ),
)
