"""default_toast_compression: how large values are compressed."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import NoServer, Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.values.known import Known

FASTER = "lz4"


def decide(situation: Situation) -> Verdict:
    """lz4 where the server was built with it; to be decided, as no source measured it."""
    if situation.will_be("default_toast_compression") == FASTER:
        return Declined(because="it is lz4", kind="keep")
    if isinstance(situation.server, NoServer) or not isinstance(situation.server.choices, Known):
        return Declined(because="whether this server was built with lz4 is not known", kind="not_applicable")
    offered = situation.settings["default_toast_compression"].choices
    if FASTER not in offered:
        return Declined(because="this server was built without lz4", kind="not_applicable")
    return Proposal(
        value=FASTER,
        because="lz4 takes less processor time than pglz for large values, and this server has it",
        computed=f"the server offers {', '.join(offered)}",
    )


RECOMMENDATION = Recommendation(
    id="pg.default_toast_compression",
    title="Compress large values with lz4",
    group="storage",
    target=PgTarget(name="default_toast_compression"),
    explanation=Explanation(
        changes="Values of more than about 2 kB are compressed before they are stored. New ones then use "
        "lz4, those that are stored already stay as they are.",
        helps="Writing and reading long text, json and the like takes less processor time.",
        leave_alone="Where values are small, or the data may have to move to a server that was built "
        "without lz4.",
        costs="A server without lz4 cannot read such values: pg_upgrade and standbys need it too.",
        watch="Processor time of statements that read long values; pg_column_compression() of a new value.",
    ),
    pros=("Less processor time for long values.", "Takes a reload; a column can have its own."),
    cons=(
        "No source of this project measured it.",
        "All servers that will ever hold this data need lz4.",
    ),
    risk=RiskLevel.LOW,
    basis="reasoned",
    cites=(Cite(claim="postgres-manual.default_toast_compression"),),
    decide=decide,
    examples=(
        Example(
            name="built with lz4",
            given=Given(built_with={"default_toast_compression": ("pglz", "lz4")}),
            outcome=Sets(value="lz4"),
        ),
        Example(
            name="built without lz4",
            given=Given(built_with={"default_toast_compression": ("pglz",)}),
            outcome=Declines(kind="not_applicable"),
        ),
        Example(
            name="the server was not asked",
            given=Given(),
            outcome=Declines(kind="not_applicable"),
        ),
    ),
)
