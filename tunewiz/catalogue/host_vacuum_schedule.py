"""A vacuum at a set time, for servers whose administrators keep autovacuum off."""

from __future__ import annotations

from tunewiz.core.recommendation.actions import Action
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import NoServer, Situation
from tunewiz.core.recommendation.targets import HostTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.values.known import Known, known_or, needed
from tunewiz.kinds.vacuum import VacuumSchedule

HOUR, MINUTE = 3, 17
"""At night, and not on the hour, when everything else starts."""


def decide(situation: Situation) -> Verdict:
    """Every night, if nothing else vacuums."""
    if situation.in_container:
        return Declined(because="the platform schedules jobs, not a container", kind="not_applicable")
    if isinstance(situation.server, NoServer):
        return Declined(because=situation.server.why, kind="not_applicable")
    if known_or(situation.server.role, "primary") == "standby":
        return Declined(because="a standby is vacuumed through its primary", kind="not_applicable")
    if situation.will_be("track_counts") == "off":
        because = "track_counts is off, and autovacuum with it: turning it on mends that without a schedule"
        return Declined(because=because)
    if situation.will_be("autovacuum") == "on":
        return Declined(because="autovacuum looks after all tables", kind="keep")
    needed(situation.server.os_user, "the user that runs the server")
    return Proposal(
        value=f"daily at {HOUR:02}:{MINUTE:02}",
        because="autovacuum stays off: tables bloat, and nothing freezes rows until wraparound forces it",
        computed=f"VACUUM (FREEZE, ANALYZE) of all databases at {HOUR:02}:{MINUTE:02}",
        before="none known",
        ticked=False,
    )


def actions(situation: Situation, _: str) -> tuple[Action, ...]:
    """A timer where systemd runs the server, else a file for cron."""
    assert not isinstance(situation.server, NoServer)  # noqa: S101 - decide made sure
    return (
        VacuumSchedule(
            by="systemd" if isinstance(situation.server.unit, Known) else "cron",
            hour=HOUR,
            minute=MINUTE,
            os_user=needed(situation.server.os_user, "the user that runs the server"),
            port=known_or(situation.server.port, 5432),
            socket_directory=known_or(situation.server.socket_directory, ""),
        ),
    )


RECOMMENDATION = Recommendation(
    id="host.vacuum_schedule",
    title="Vacuum at a quiet time where autovacuum is off",
    group="vacuum",
    target=HostTarget(name="scheduled vacuum"),
    explanation=Explanation(
        changes="A timer (systemd's or cron's) runs vacuumdb over all databases every night: it drops "
        "dead rows, freezes old ones (marks them as visible for good) and refreshes the statistics.",
        helps="With autovacuum off nothing else does it. The vacuum against transaction-id wraparound runs "
        "anyway, but at a time of its own and with everything to do at once.",
        leave_alone="Where autovacuum is on, which is what the plan proposes. If you have a schedule "
        "for it already.",
        costs="Reading and writing at night; it runs with low priority. Whoever changes the server's port "
        "must change the timer, too.",
        watch="systemctl list-timers, age(datfrozenxid) in pg_database, last_vacuum in pg_stat_user_tables.",
    ),
    pros=("Dead rows and old transactions do not gather.", "The load comes when nobody is waiting."),
    cons=(
        "Between two nights nothing is cleaned.",
        "Autovacuum does the same by itself, where it is needed.",
    ),
    risk=RiskLevel.LOW,
    basis="well understood",
    versions="PostgreSQL 9.5 to 19",
    cites=(
        Cite(claim="z-deck.autovacuum_off"),
        Cite(claim="postgres-manual.wraparound"),
    ),
    decide=decide,
    actions=actions,
    examples=(
        Example(
            name="autovacuum is kept off",
            given=Given(settings={"autovacuum": "off"}),
            outcome=Sets(value="daily at 03:17"),
        ),
        Example(name="autovacuum is on", given=Given(), outcome=Declines(kind="keep")),
        Example(
            name="a standby",
            given=Given(settings={"autovacuum": "off"}, role="standby"),
            outcome=Declines(kind="not_applicable"),
        ),
        Example(
            name="a container",
            given=Given(settings={"autovacuum": "off"}, container="docker"),
            outcome=Declines(kind="not_applicable"),
        ),
    ),
    after=("pg.autovacuum",),
)
