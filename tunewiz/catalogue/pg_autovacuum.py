"""autovacuum: the server's own cleaning of dead rows. Kept on, for every workload."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.observed import dead_rows, oldest_transaction
from tunewiz.core.recommendation.recommendation import (
    Advises,
    Declines,
    Dispute,
    Example,
    Explanation,
    Recommendation,
    Sets,
)
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, Proposal, RiskLevel, Verdict


def decide(situation: Situation) -> Verdict:
    """On, whatever the workload: turning it off gains little, and its cost comes later and all at once."""
    is_on = situation.will_be("autovacuum") == "on"
    if is_on and situation.will_be("track_counts") == "off":
        return Advice(
            because="autovacuum does not run at all, whatever it is set to: track_counts is off, and nothing "
            "tells which tables changed",
            steps=("ALTER SYSTEM SET track_counts = on;", "SELECT pg_reload_conf();", "VACUUM (ANALYZE);"),
            undo=("ALTER SYSTEM RESET track_counts; then SELECT pg_reload_conf();",),
        )
    if is_on:
        return Declined(because=_why_kept(situation), kind="keep")
    return Proposal(
        value="on",
        because="it is off: dead rows, stale statistics and unfrozen rows pile up until something breaks",
        computed="on, for every workload",
        risk=RiskLevel.MEDIUM,
    )


def _why_kept(situation: Situation) -> str:
    if situation.workload.writes:
        return "on stays: with writes, tables would bloat and plans would degrade without it"
    return (
        "on stays even for reads: off gained 2 %, and without it rows are not frozen until a "
        "wraparound vacuum runs, at a time of its own"
    )


RECOMMENDATION = Recommendation(
    id="pg.autovacuum",
    title="Keep autovacuum on",
    group="vacuum",
    target=PgTarget(name="autovacuum"),
    explanation=Explanation(
        changes="Whether workers in the background remove dead rows, refresh the planner's statistics and "
        "freeze old rows (mark them as visible for ever).",
        helps="Tables stay small and plans good. Freezing in time avoids the large vacuum against "
        "transaction-id wraparound, which comes even with autovacuum off.",
        leave_alone="A source turns it off for loads that mostly read, with a nightly VACUUM by cron. "
        "Anyone who does so must run VACUUM (FREEZE, ANALYZE), and check that it runs.",
        costs="Processor time and reading in the background. Turned on after a long time off, it has "
        "much to do in the first hours.",
        watch="n_dead_tup and last_autovacuum in pg_stat_user_tables, age(datfrozenxid) in pg_database.",
    ),
    pros=("Tables and statistics look after themselves.", "No sudden vacuum against wraparound."),
    cons=("Almost 2 % throughput on the z13.", "Works while users do: limits and workers may need tuning."),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="z-deck.autovacuum_on"),
        Cite(claim="z-deck.autovacuum_off", opposes=True),
        Cite(claim="postgres-manual.autovacuum"),
    ),
    disputes=(
        Dispute(
            one="With many writes it stays on, or tables bloat and the planner's statistics go stale.",
            other="Where almost everything is reading, it may be off, with a VACUUM by cron at quiet "
            "times: almost +2 %.",
            follows="On, for every workload: the 2 % were measured with a load that writes much, and "
            "without it rows are frozen late and all at once.",
            claims=(
                "z-deck.autovacuum_on",
                "z-deck.autovacuum_off",
            ),
        ),
    ),
    decide=decide,
    observed=(dead_rows, oldest_transaction),
    examples=(
        Example(name="it is off", given=Given(settings={"autovacuum": "off"}), outcome=Sets(value="on")),
        Example(
            name="it is off where most work is reading",
            given=Given(settings={"autovacuum": "off"}, workload="read_mostly"),
            outcome=Sets(value="on"),
        ),
        Example(
            name="nothing counts, so it never runs",
            given=Given(settings={"track_counts": "off"}),
            outcome=Advises(),
        ),
        Example(name="it is on", given=Given(), outcome=Declines(kind="keep")),
        Example(
            name="it stays on where most work is reading",
            given=Given(workload="read_mostly", posture="bold"),
            outcome=Declines(kind="keep"),
        ),
    ),
)
