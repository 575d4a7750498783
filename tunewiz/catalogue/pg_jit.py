"""jit: compiling parts of expensive queries while they run."""

from __future__ import annotations

from fractions import Fraction

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.seen_work import JIT, jit_share

SHORT = frozenset({"oltp", "read_mostly"})
"""Workloads of short queries, for which compiling takes longer than it saves."""


def decide(situation: Situation) -> Verdict:
    """Off for short queries, unchanged for large ones."""
    current = situation.will_be("jit")
    for share, words in jit_share(situation):
        return _as_seen(situation, current, share, words)
    if situation.workload.kind not in SHORT:
        return Declined(because=f"{current} stays: large queries may gain from it; compare with and without")
    if current == "off":
        return Declined(because="it is off, which suits short queries", kind="keep")
    return Proposal(
        value="off",
        because="when the planner overestimates a short query, compiling it takes longer than running it",
        computed="off for short queries; a session with large ones can turn it on",
    )


def _as_seen(situation: Situation, current: str, share: Fraction, words: str) -> Verdict:
    """Off where compilation takes much of the time, kept where it takes little."""
    if current == "off":
        return Declined(because="it is off, and nothing is compiled", kind="keep")
    if share <= situation.thresholds.little_jit:
        return Declined(because=f"{current} stays: {words}", kind="keep")
    if share < situation.thresholds.much_jit and situation.workload.kind not in SHORT:
        return Declined(because=f"{current} stays: {words}; large queries may gain from it")
    return Proposal(
        value="off",
        because=f"{words}: more than short queries gain from it"
        if situation.workload.kind in SHORT
        else f"{words}: compare large queries with and without",
        computed=f"off from {float(100 * situation.thresholds.little_jit):g} % for short queries, from "
        f"{float(100 * situation.thresholds.much_jit):g} % for large ones",
        ticked=situation.workload.kind in SHORT,
    )


RECOMMENDATION = Recommendation(
    id="pg.jit",
    title="Turn off JIT compilation for short queries",
    group="planner",
    target=PgTarget(name="jit"),
    explanation=Explanation(
        changes="Whether the server compiles parts of a query to machine code when the planner takes it "
        "to be expensive (jit_above_cost). Off in 11, on by default from 12 to 18.",
        helps="With off, a query that looks expensive and is not runs at once. Compiling takes tens to "
        "hundreds of milliseconds, again for each execution.",
        leave_alone="With long reports that compute much for each row: they may gain. Where no LLVM "
        "library is installed the setting has no effect.",
        costs="Long computing queries run slower; turn it on for their role or session.",
        watch="The JIT section of EXPLAIN ANALYZE; jit_generation_time and others in pg_stat_statements "
        "(15 and newer).",
    ),
    pros=("No surprising delays in short queries.", "Takes a reload; a session can turn it on."),
    cons=("Large queries that gain from it must ask for it.", "No source of this project measured it."),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="z-guide.queries_first", near=True),
        Cite(claim="postgres-manual.jit"),
    ),
    decide=decide,
    witnesses=(JIT,),
    examples=(
        Example(name="transactions", given=Given(major="15"), outcome=Sets(value="off")),
        Example(name="off by default in 11", given=Given(major="11"), outcome=Declines(kind="keep")),
        Example(name="reports", given=Given(workload="analytics"), outcome=Declines()),
        Example(name="10 cannot compile", given=Given(major="10"), outcome=Declines(kind="not_applicable")),
    ),
)
