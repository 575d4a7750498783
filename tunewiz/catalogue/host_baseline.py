"""A baseline: without figures from before, nobody can say what a change did."""

from __future__ import annotations

from tunewiz.core.evidence import Cite
from tunewiz.core.examples import Given
from tunewiz.core.known import needed
from tunewiz.core.model import (
    Advice,
    AdviceTarget,
    Advises,
    Declined,
    Declines,
    Example,
    Explanation,
    Recommendation,
    RiskLevel,
    Verdict,
)
from tunewiz.core.situation import Situation


def decide(now: Situation) -> Verdict:
    """Advice, unless the server gathers query statistics already."""
    preloaded = needed(now.setting("shared_preload_libraries"), "shared_preload_libraries")
    if "pg_stat_statements" in preloaded:
        because = "pg_stat_statements is loaded: keep its figures of a busy hour from before the change"
        return Declined(because=because, kind="keep")
    return Advice(
        because="pg_stat_statements is not loaded: what a change gains or costs cannot be told",
        steps=(
            f"Add pg_stat_statements to shared_preload_libraries (now {preloaded or 'empty'}), and restart.",
            "CREATE EXTENSION pg_stat_statements; in the database that people use.",
            "Keep its largest rows and sar's records of a busy hour; compare with one afterwards.",
        ),
        undo=("Take it out of shared_preload_libraries again, and restart.",),
    )


RECOMMENDATION = Recommendation(
    id="host.baseline",
    title="Take figures before and after",
    group="host",
    target=AdviceTarget(name="baseline"),
    explanation=Explanation(
        changes="Nothing in the server's speed. It gathers, for each query, calls, time, rows and blocks.",
        helps="The studies behind this plan changed one thing at a time and kept the figures of each "
        "run. Their +45 % is the sum of many steps on one system; yours will differ.",
        leave_alone="When another tool keeps such figures already.",
        costs="A few percent of processor time at the very most, some memory, and a restart to load it.",
        watch="SELECT query, calls, total_exec_time FROM pg_stat_statements ORDER BY 3 DESC LIMIT 10; "
        "(up to 12 total_time).",
    ),
    pros=(
        "Shows which queries matter: SQL and indexes usually gain more than settings.",
        "Shows what this plan did.",
    ),
    cons=("Loading it needs a restart.", "Figures of one hour are noisy: compare several."),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(Cite(claim="34"), Cite(claim="33"), Cite(claim="32"), Cite(claim="m4", opposes=True)),
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
