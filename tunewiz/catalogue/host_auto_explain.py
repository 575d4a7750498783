"""auto_explain: the plans of slow statements in the log."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.values.known import known_or, needed

LIBRARIES = "session_preload_libraries"


def decide(situation: Situation) -> Verdict:
    """Advice, unless its library is loaded already."""
    at_start = needed(situation.setting("shared_preload_libraries"), "shared_preload_libraries")
    in_sessions = known_or(situation.setting(LIBRARIES), "")
    if "auto_explain" in at_start or "auto_explain" in in_sessions:
        return Declined(because="auto_explain is loaded", kind="keep")
    libraries = ", ".join(filter(None, (in_sessions, "auto_explain")))
    limit = situation.workload.slow_statement.pg()
    return Advice(
        because="why a statement was slow can only be guessed once it has ended",
        steps=(
            f"ALTER SYSTEM SET {LIBRARIES} = {libraries}; new sessions load it, no restart is needed.",
            f"ALTER SYSTEM SET auto_explain.log_min_duration = '{limit}'; then SELECT pg_reload_conf();",
            "Leave auto_explain.log_analyze off until pg_test_timing shows that the clock is cheap.",
        ),
        undo=(
            f"ALTER SYSTEM RESET {LIBRARIES}; (it was {in_sessions or 'empty'})",
            "ALTER SYSTEM RESET auto_explain.log_min_duration; then SELECT pg_reload_conf();",
        ),
    )


RECOMMENDATION = Recommendation(
    id="host.auto_explain",
    title="Log the plans of slow statements",
    group="host",
    target=AdviceTarget(name="auto_explain"),
    explanation=Explanation(
        changes="Sessions load a library that writes the plan of each slow statement to the log.",
        helps="Shows the plan that was really used, at the time when it was slow: EXPLAIN the next morning "
        "may show another.",
        leave_alone="Where the contrib package is not installed, or another tool keeps plans.",
        costs="With log_analyze each statement is timed, step by step: dear where the clock is. The log "
        "holds the text of those statements.",
        watch="Lines with “plan:” in the log; the time of short statements before and after.",
    ),
    pros=("The plan of a slow statement is known afterwards.", "New sessions load it without a restart."),
    cons=("The log grows.", "Timing every step can slow all statements."),
    risk=RiskLevel.LOW,
    basis="well understood",
    versions="PostgreSQL 9.5 to 19",
    cites=(
        Cite(claim="z-guide.queries_first", near=True),
        Cite(claim="postgres-manual.auto_explain"),
    ),
    decide=decide,
    examples=(
        Example(name="nothing is loaded", given=Given(), outcome=Advises()),
        Example(
            name="loaded in each session",
            given=Given(settings={"session_preload_libraries": "auto_explain"}),
            outcome=Declines(kind="keep"),
        ),
    ),
)
