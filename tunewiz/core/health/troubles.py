"""A server's troubles, the costliest first: what it is, why it matters, and what a person can run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import get_args

from tunewiz.core.facts.deep_look import DeepLook
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.server import NOT_SAMPLED, PostgresServer
from tunewiz.core.facts.waits import Waits
from tunewiz.core.health.ahead import Ahead, Past, what_is_ahead
from tunewiz.core.health.blockers import trouble_with_locks
from tunewiz.core.health.collations import of_collations
from tunewiz.core.health.databases import of_databases
from tunewiz.core.health.deep import look_of, of_deep_look, orphan_notes, unseen_deeper
from tunewiz.core.health.fixes import MinorFixes, missing_fixes, newer_minor
from tunewiz.core.health.held_back import held_back, lock_queue
from tunewiz.core.health.notes import notes_on, notes_on_support
from tunewiz.core.health.replay import trouble_of_replay
from tunewiz.core.health.trouble import Actor, Trouble, TroubleKind
from tunewiz.core.health.waits import sampled_waits
from tunewiz.core.planning.plan import Plan
from tunewiz.core.planning.warnings import PlanWarning
from tunewiz.core.recommendation.situation import NoServer, Situation
from tunewiz.core.server.replication import replication
from tunewiz.core.tables.items import DecisionKind, TableAdvice, TableDecision
from tunewiz.core.tables.tables import advice_on_tables
from tunewiz.core.values.known import Known, Unknown, known_or
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import Bytes
from tunewiz.core.values.versions import Major

_WAITING: Mapping[str, TroubleKind] = {
    "slot_lost": "a slot is lost",
    "slot_idle": "WAL is kept for nobody",
    "slot_holds_vacuum": "vacuum is held back",
    "archiving_fails": "archiving fails",
    "archiving_slow": "archiving falls behind",
}
"""Warnings of a plan that say it already, by their codes."""
_OF_ARCHIVES = frozenset({"archiving_fails", "archiving_slow"})
_WITHOUT_A_LOOK: Mapping[str, TroubleKind] = {"wraparound": "transaction ids run out"}
"""What a look says of each database."""
OF_WARNINGS = frozenset({*_WAITING, *_WITHOUT_A_LOOK})
"""Codes of the warnings that are told as troubles."""
_OF_DECISIONS: Mapping[DecisionKind, tuple[TroubleKind, Actor]] = {
    "invalid index": ("invalid index", "administrator"),
    "duplicate index": ("duplicate index", "developers"),
    "no replica identity": ("no replica identity", "developers"),
    "unlogged table": ("unlogged table", "developers"),
}
"""What is wrong with indexes and tables; other decisions on tables would only be faster."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Checkup:
    """What one look at a server came to."""

    troubles: tuple[Trouble, ...] = ()
    unseen: tuple[str, ...] = ()
    """What could not be looked at, and why."""
    notes: tuple[str, ...] = ()
    """What is no trouble as long as somebody knows it."""
    waits: Waits | None = None
    """What sessions waited for, if that was sampled."""
    deep: DeepLook | None = None
    """What a deep look found, if one was taken."""
    ahead: tuple[Ahead, ...] = ()
    """What will run out, the soonest first."""


def checkup(plan: Plan, known: MinorFixes, earlier: tuple[Facts, ...] = (), today: str = "") -> Checkup:
    """Everything that the facts of the planned server show.

    Args:
        plan: Of that server.
        known: What minor releases mended.
        earlier: Facts of the same host that were read before: they show what grows.
        today: The day of whoever asks, YYYY-MM-DD; empty: that on which the facts were read.
    """
    match plan.start.server:
        case PostgresServer() as server:
            troubles = sorted(_troubles(server, plan, known), key=lambda trouble: _ORDER.index(trouble.kind))
            waits = known_or(sampled_waits(server), None)
            return Checkup(
                troubles=tuple(troubles),
                unseen=tuple(_unseen(server, plan)),
                notes=tuple(_notes(server, plan, known, today or _day_of(plan))),
                waits=waits,
                deep=look_of(server),
                ahead=what_is_ahead(
                    Past(facts=plan.start.facts, server=server, earlier=earlier, today=today)
                ),
            )
        case NoServer(why=why):
            return Checkup(unseen=(why,))


def _notes(server: PostgresServer, plan: Plan, known: MinorFixes, today: str) -> Iterator[str]:
    yield from notes_on(plan.start)
    yield from newer_minor(server, known)
    yield from notes_on_support(plan.start, today)
    if look := look_of(server):
        yield from orphan_notes(look)


def _day_of(plan: Plan) -> str:
    """The day on which its facts were read; empty if that is not known."""
    return known_or(plan.start.facts.host.read_at, "")[:10]


_ORDER: tuple[TroubleKind, ...] = get_args(TroubleKind)


def _troubles(server: PostgresServer, plan: Plan, known: MinorFixes) -> Iterator[Trouble]:
    if trouble := missing_fixes(server, known):
        yield trouble
    if look := look_of(server):
        yield from of_deep_look(look, plan.start.major)
    yield from _of_warnings(plan, _WAITING)
    match server.health:
        case Known(value=health):
            yield from of_databases(health)
            yield from held_back(health)
            if trouble := trouble_of_replay(plan.start):
                yield trouble
        case Unknown():
            yield from _of_warnings(plan, _WITHOUT_A_LOOK)
    if trouble := _locks(server, plan.start.major):
        yield trouble
    for database in known_or(server.tables, ()):
        yield from of_collations(database, plan.start.major)
    yield from _of_tables(advice_on_tables(plan))


def _locks(server: PostgresServer, major: Major) -> Trouble | None:
    """As sampled; otherwise as one look shows."""
    waits = known_or(sampled_waits(server), None)
    if waits is not None and (trouble := trouble_with_locks(waits)):
        return trouble
    health = known_or(server.health, None)
    return None if health is None else lock_queue(health, major)


def _of_warnings(plan: Plan, kinds: Mapping[str, TroubleKind]) -> Iterator[Trouble]:
    for warning in plan.warnings:
        if kind := kinds.get(warning.code):
            yield Trouble(
                kind=kind,
                who="administrator",
                what="",
                because=warning.text,
                extent=_kept(warning, plan.start),
            )


def _kept(warning: PlanWarning, situation: Situation) -> int:
    """Bytes of WAL that are kept because of it."""
    for observation in replication(situation):
        if warning.code in _OF_ARCHIVES:
            return known_or(observation.archive_behind, Bytes(0)).count
        for slot in observation.slots:
            if f" {slot.name}: " in warning.text:
                return slot.held.count
    return 0


def _of_tables(advice: TableAdvice) -> Iterator[Trouble]:
    """What is wrong with indexes and sequences."""
    for decision in advice.decisions:
        if trouble := _OF_DECISIONS.get(decision.kind):
            kind, who = trouble
            yield Trouble(
                kind=kind,
                who=who,
                what=_named(decision),
                because=f"{decision.because}.",
                do=decision.do,
                undo=decision.undo,
                database=decision.table.database,
            )
    for sight in advice.sights:
        if sight.kind == "sequence runs out":
            yield Trouble(
                kind=sight.kind,
                who="developers",
                what=f"{sight.table.name} in {sight.table.schema}",
                because=f"{sight.because}.",
                database=sight.table.database,
            )


def _named(decision: TableDecision) -> str:
    table = f"{decision.table.schema}.{decision.table.name}"
    return f"{decision.what} on {table}" if decision.kind.endswith("index") else table


def _unseen(server: PostgresServer, plan: Plan) -> Iterator[str]:
    match server.health:
        case Unknown(why=why):
            yield f"sessions and databases: {why}"
        case Known(value=health) if health.hidden_sessions:
            count = how_many(health.hidden_sessions, "session")
            yield f"{count} of others, which this role may not look into (pg_read_all_stats may)"
        case Known():
            pass
    waits = sampled_waits(server)
    if isinstance(waits, Unknown) and waits != NOT_SAMPLED:
        yield f"what sessions wait for: {waits.why}"
    yield from unseen_deeper(server)
    if why := advice_on_tables(plan).why_none:
        yield why
    for database in known_or(server.tables, ()):
        if isinstance(database.invalid_indexes, Unknown):
            yield f"indexes in {database.database}: {database.invalid_indexes.why}"
