"""Which changes of a plan may be switched back and forth on a live server, and why others may not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan
from tunewiz.core.planning.ticking import accepts
from tunewiz.core.recommendation.situation import NoServer, Situation
from tunewiz.core.recommendation.targets import Effect, PgTarget
from tunewiz.core.values.known import Known, known_or

CHECKPOINTS = frozenset(
    {"checkpoint_timeout", "checkpoint_completion_target", "max_wal_size", "min_wal_size"}
)
"""Settings that move work to another time: a block without a timed checkpoint shows only the gain."""
_OF_NEW_SESSIONS = ("backend", "superuser-backend")
KEPT = ("patroni", "container")
"""Owners whose manager would write its own values again."""


def why_not_switched(plan: Plan, ids: Sequence[str]) -> Iterator[str]:
    """Everything that forbids it, a sentence each."""
    yield from _of_server(plan.start)
    result = {finding.recommendation.id: finding for finding in plan.findings}
    for name in ids:
        if name not in result:
            yield f"{name}: found no recommendation of that name, expected one (`tunewiz explain` lists them)"
        elif why := _of_finding(result[name], plan.start):
            yield f"{name}: {why}"


def _of_server(situation: Situation) -> Iterator[str]:
    server = situation.server
    if isinstance(server, NoServer):
        yield server.why
    elif not server.running:
        yield "the server is not running"
    elif known_or(server.role, "primary") == "standby":
        yield "the server is a standby: measure on the primary, whose settings the plan is for"
    elif server.owner in KEPT:
        keeper = "Patroni" if server.owner == "patroni" else "a container's manager"
        yield f"the server's settings are kept by {keeper}, which would write its own values again"


def _of_finding(finding: Finding, situation: Situation) -> str:
    return next(_reasons(finding, situation), "")


def _reasons(finding: Finding, situation: Situation) -> Iterator[str]:
    target = finding.recommendation.target
    if not isinstance(target, PgTarget):
        yield "it is not a PostgreSQL setting, expected one that a reload changes"
        return
    if not finding.changes:
        yield f"the plan does not change it ({finding.state}): {finding.because}"
        return
    if finding.takes_effect is not Effect.RELOAD:
        yield f"a reload does not put it in force (takes effect: {finding.takes_effect})"
    if situation.settings[target.name].context in _OF_NEW_SESSIONS:
        yield "only new sessions would see it"
    if not accepts(finding.risk, situation):
        yield (
            f"its risk is {finding.risk}, expected {situation.posture.most_risk} "
            f"or less, as the answers accept"
        )
    if finding.recommendation.group == "durability":
        yield "it decides what a crash loses, so one of both values is not acceptable: apply it instead"
    if not isinstance(situation.current(target), Known):
        yield "its value is not known here, so nothing could be put back"


def checkpoints_among(ids: Sequence[str]) -> tuple[str, ...]:
    """The changes that only blocks with a timed checkpoint can judge."""
    return tuple(text for text in ids if text.removeprefix("pg.") in CHECKPOINTS)
