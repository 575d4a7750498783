"""A server's troubles, the costliest first: what it is, why it matters, and what a person can run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.health.damage import damage
from tunewiz.core.health.held_back import held_back
from tunewiz.core.health.objects import troubled_objects
from tunewiz.core.health.trouble import Trouble, TroubleKind
from tunewiz.core.health.used_ids import used_ids
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.situation import NoServer
from tunewiz.core.values.known import Known, Unknown
from tunewiz.core.values.plural import how_many

_WarningCode: TypeAlias = Literal[
    "slot_lost", "slot_idle", "slot_holds_vacuum", "archiving_fails", "archiving_slow"
]
_OF_WARNINGS: dict[_WarningCode, TroubleKind] = {
    "slot_lost": "a slot is lost",
    "slot_idle": "WAL is kept for nobody",
    "slot_holds_vacuum": "vacuum is held back",
    "archiving_fails": "archiving fails",
    "archiving_slow": "archiving falls behind",
}
"""Warnings of a plan that say it already, by their codes."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Checkup:
    """What one look at a server came to."""

    troubles: tuple[Trouble, ...] = ()
    unseen: tuple[str, ...] = ()
    """What could not be looked at, and why."""

    @property
    def was_made(self) -> bool:
        """Whether the server was looked at."""
        return self.troubles != () or self.unseen == ()


def checkup(plan: Plan) -> Checkup:
    """Everything that the facts of the planned server show."""
    match plan.start.server:
        case PostgresServer() as server:
            troubles = sorted(_troubles(server, plan), key=lambda trouble: _ORDER.index(trouble.kind))
            return Checkup(troubles=tuple(troubles), unseen=tuple(_unseen(server)))
        case NoServer(why=why):
            return Checkup(unseen=(why,))


_ORDER: tuple[TroubleKind, ...] = get_args(TroubleKind)


def _troubles(server: PostgresServer, plan: Plan) -> Iterator[Trouble]:
    for code, kind in _OF_WARNINGS.items():
        for warning in plan.warnings:
            if warning.code == code:
                yield Trouble(kind=kind, who="administrator", what="", because=warning.text)
    match server.health:
        case Known(value=health):
            yield from used_ids(health)
            yield from held_back(health, plan.start.major)
            yield from damage(health)
        case Unknown():
            pass
    match server.tables:
        case Known(value=databases):
            for database in databases:
                yield from troubled_objects(database, plan)
        case Unknown():
            pass


def _unseen(server: PostgresServer) -> Iterator[str]:
    match server.health:
        case Unknown(why=why):
            yield f"sessions and databases: {why}"
        case Known(value=health) if health.hidden_sessions:
            count = how_many(health.hidden_sessions, "session")
            yield f"{count} of others, which this role may not look into (pg_read_all_stats may)"
        case Known():
            pass
    match server.tables:
        case Unknown(why=why):
            yield f"indexes and sequences: {why}"
        case Known(value=databases):
            for database in databases:
                if isinstance(database.invalid_indexes, Unknown):
                    yield f"indexes in {database.database}: {database.invalid_indexes.why}"
