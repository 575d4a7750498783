"""idle_in_transaction_session_timeout: a limit on sessions that hold a transaction open and idle."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.observed import idle_transactions
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.server.seen_work import IDLE, idles_long, never_idles_long


def decide(situation: Situation) -> Verdict:
    """Advice to set it by role where many sessions share hot rows."""
    current = situation.will_be("idle_in_transaction_session_timeout")
    if current != "0":
        return Declined(because=f"{current} was chosen", kind="keep")
    for observation in idles_long(situation):
        return _advice(f"{observation}: it holds its locks and keeps vacuum from removing rows")
    for observation in never_idles_long(situation):
        return Declined(because=f"nothing to limit: {observation}", kind="keep")
    if situation.workload.kind == "analytics":
        return Declined(because="long sessions of few users are normal here", kind="keep")
    if not situation.workload.writes:
        return Declined(because="where little is written, it holds up few locks and old rows", kind="keep")
    return _advice("a session that forgets to commit holds its locks and keeps vacuum from removing rows")


def _advice(because: str) -> Advice:
    return Advice(
        because=because,
        steps=(
            "Choose a time that no healthy transaction of the application is idle for: 1min, for example.",
            "ALTER ROLE app SET idle_in_transaction_session_timeout = '1min'; new sessions have it.",
        ),
        undo=("ALTER ROLE app RESET idle_in_transaction_session_timeout;",),
    )


RECOMMENDATION = Recommendation(
    id="pg.idle_in_transaction_session_timeout",
    title="End sessions that are idle in a transaction",
    group="connections",
    target=PgTarget(name="idle_in_transaction_session_timeout"),
    explanation=Explanation(
        changes="Nothing is changed here; for a role you may. A session that is idle inside a "
        "transaction for longer is ended.",
        helps="An open transaction keeps row locks, and vacuum cannot remove rows that it might still see: "
        "tables bloat.",
        leave_alone="For the server as a whole: a person in psql or a batch job may pause for good reason.",
        costs="The application must cope with a lost session.",
        watch="state “idle in transaction” and xact_start in pg_stat_activity.",
    ),
    pros=("Locks and old row versions do not stay for hours.",),
    cons=("A healthy but slow client may lose its session.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="power.contention", near=True),
        Cite(claim="z-deck.autovacuum_on", near=True),
        Cite(claim="postgres-manual.idle_in_transaction_session_timeout"),
    ),
    decide=decide,
    observed=(idle_transactions,),
    witnesses=(IDLE,),
    examples=(
        Example(name="transactions without a limit", given=Given(), outcome=Advises()),
        Example(name="mostly reads", given=Given(workload="read_mostly"), outcome=Declines(kind="keep")),
        Example(name="reports", given=Given(workload="analytics"), outcome=Declines(kind="keep")),
        Example(
            name="a limit was chosen",
            given=Given(settings={"idle_in_transaction_session_timeout": "5min"}),
            outcome=Declines(kind="keep"),
        ),
    ),
)
