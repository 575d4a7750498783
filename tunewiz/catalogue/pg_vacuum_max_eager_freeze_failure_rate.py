"""vacuum_max_eager_freeze_failure_rate: how far normal vacuums freeze ahead of the vacuum that must."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict

NAME = "vacuum_max_eager_freeze_failure_rate"
OFF = "0"


def decide(situation: Situation) -> Verdict:
    """On, where somebody turned freezing ahead off."""
    current = situation.will_be(NAME)
    if current != OFF:
        return Declined(
            because=f"vacuums freeze pages ahead, until {float(current):.3g} of a table's were read in vain",
            kind="keep",
        )
    if not situation.workload.writes:
        return Declined(because="little is written: few pages wait to be frozen", kind="keep")
    return Proposal(
        value=situation.default(NAME),
        because="no vacuum freezes ahead: the one against wraparound finds all the work of a table at once",
        computed=f"{situation.default(NAME)}, PostgreSQL's default",
        ticked=False,
    )


RECOMMENDATION = Recommendation(
    id="pg.vacuum_max_eager_freeze_failure_rate",
    title="Let vacuums freeze pages ahead",
    group="vacuum",
    target=PgTarget(name=NAME),
    explanation=Explanation(
        changes="A normal vacuum may also read pages that it could skip, to freeze them (18 and newer). It "
        "stops once this part of the table's pages was read and could not be frozen; 0 turns that off.",
        helps="The aggressive vacuum against wraparound has fewer pages to read, as their freezing is spread "
        "over the vacuums before it.",
        leave_alone="Where it is the default. Single tables whose old rows change again soon gain nothing: "
        "they have a parameter of the same name.",
        costs="Vacuums read and write more; a page that changes again was frozen in vain.",
        watch="“frozen” in the log lines of autovacuum, and how long “to prevent wraparound” runs take.",
    ),
    pros=("No vacuum has to freeze a whole table at once.", "Takes a reload."),
    cons=("Normal vacuums read more. No source of this project measured it.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(Cite(claim="postgres-manual.vacuum_max_eager_freeze_failure_rate"),),
    decide=decide,
    examples=(
        Example(
            name="it was turned off",
            given=Given(major="18", settings={NAME: OFF}),
            outcome=Sets(value="0.03"),
        ),
        Example(name="the default", given=Given(major="18"), outcome=Declines(kind="keep")),
        Example(
            name="off where little is written",
            given=Given(major="18", workload="read_mostly", settings={NAME: OFF}),
            outcome=Declines(kind="keep"),
        ),
        Example(name="17 has none", given=Given(major="17"), outcome=Declines(kind="not_applicable")),
    ),
)
