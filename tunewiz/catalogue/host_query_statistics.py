"""pg_stat_statements: without it nobody can say which queries matter, or what a change did to them."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.server.preload_libraries import SETTING, libraries_in
from tunewiz.core.values.known import needed

NAME = "pg_stat_statements"
STEPS = (
    "CREATE EXTENSION pg_stat_statements; in the database that people use.",
    "Keep its largest rows of a busy hour; compare with the same hour after a change.",
)


def decide(situation: Situation) -> Verdict:
    """Advice, unless the server gathers query statistics already."""
    preloaded = needed(situation.setting(SETTING), SETTING)
    if NAME in libraries_in(preloaded):
        because = "pg_stat_statements is loaded: keep its figures of a busy hour from before the change"
        return Declined(because=because, kind="keep")
    if NAME in libraries_in(situation.will_be(SETTING)):
        return Advice(
            because="this plan loads pg_stat_statements, whose figures are seen once the extension is made",
            steps=STEPS,
            undo=("DROP EXTENSION pg_stat_statements; in the same database.",),
        )
    return Advice(
        because="pg_stat_statements is not loaded: what a change gains or costs cannot be seen",
        steps=(
            f"Add pg_stat_statements to shared_preload_libraries (now {preloaded or 'empty'}), and restart.",
            *STEPS,
        ),
        undo=("Take it out of shared_preload_libraries again, and restart.",),
    )


RECOMMENDATION = Recommendation(
    id="host.query_statistics",
    title="Enable pg_stat_statements",
    group="host",
    target=AdviceTarget(name=NAME),
    after=("pg.shared_preload_libraries",),
    explanation=Explanation(
        changes="For each query the server counts calls, time, rows and blocks.",
        helps="Shows the ten queries that take nearly all the time. Changing SQL or an index there "
        "usually gains more than any setting, says the study that changed settings only.",
        leave_alone="When another tool keeps such figures already.",
        costs="A restart to load it, some memory, a little processor time for each query.",
        watch="SELECT query, calls, total_exec_time FROM pg_stat_statements ORDER BY 3 DESC LIMIT 10; "
        "(up to 12 total_time).",
    ),
    pros=("Shows where to look first.", "Shows which queries a change made slower."),
    cons=(
        "Loading it needs a restart.",
        "A little work for each query, and a lock that very many processors contend for.",
    ),
    risk=RiskLevel.LOW,
    basis="well understood",
    versions="PostgreSQL 9.5 to 19",
    cites=(
        Cite(claim="z-guide.queries_first"),
        Cite(claim="z-deck.method", near=True),
        Cite(claim="tantor-statements.locks", opposes=True),
        Cite(claim="own-small-vm.preloaded", near=True),
        Cite(claim="postgres-manual.query_statistics"),
    ),
    decide=decide,
    examples=(
        Example(name="nothing is loaded", given=Given(), outcome=Advises()),
        Example(
            name="it is loaded beside another",
            given=Given(settings={"shared_preload_libraries": "auto_explain, pg_stat_statements"}),
            outcome=Declines(kind="keep"),
        ),
    ),
)
