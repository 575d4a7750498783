"""Sampled waits: which share of active time waits for what, and what no setting changes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal

from tunewiz.core.facts.server import PostgresServer, Window
from tunewiz.core.facts.waits import WaitCount, Waits
from tunewiz.core.planning.plan import Plan
from tunewiz.core.values.known import Fact, Known, Unknown, known_or
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.record import dataclass

WaitKind = Literal[
    "locks", "I/O", "WAL", "internal locks", "client", "standbys", "vacuum delay", "something else", "CPU"
]

MIN_ACTIVE = 20
"""Active sessions in all samples together: of fewer, a share is a matter of chance."""
PERCENT = 100
SHOWN_EVENTS = 3

_KINDS: Mapping[str, WaitKind] = {
    "": "CPU",
    "Lock": "locks",
    "IO": "I/O",
    "LWLock": "internal locks",
    "LWLockNamed": "internal locks",
    "LWLockTranche": "internal locks",
    "Client": "client",
    "WAL": "WAL",
    "SyncRep": "standbys",
    "VacuumDelay": "vacuum delay",
}
"""By wait_event_type; 9.6 has two names for internal locks (LWLocks), and the last three are of samples that
`tunewiz watch` recorded by kind, without the names of waits."""
_MEANINGS: Mapping[WaitKind, str] = {
    "locks": "waits for locks: no setting in this plan changes that",
    "client": "waits for clients to send or take data: no setting in this plan changes that",
    "CPU": "is at work, or in no wait that the server names",
    "standbys": "waits for synchronous standbys: what synchronous_commit asks of them decides that",
    "I/O": "waits for reads and writes of data files",
    "WAL": "waits for the WAL to be written",
    "internal locks": "waits for the server's internal locks (LWLocks)",
    "vacuum delay": "is the pause that vacuum_cost_delay asks of a vacuum",
    "something else": "waits for something else",
}
_STANDBYS = frozenset({"SyncRep", "SyncRepWaitForLSN"})


@dataclass(frozen=True, kw_only=True, slots=True)
class WaitShare:
    """How much of active time waits for one kind of thing."""

    kind: WaitKind
    count: int
    percent: int
    events: tuple[WaitCount, ...]
    """The most frequent first."""


def sampled_waits(server: PostgresServer) -> Fact[Waits]:
    """What sessions waited for: as sampled on request, otherwise while the server was watched."""
    match server.waits, server.window:
        case Unknown(), Known(value=Window(waits=Known() as watched)):
            return watched
        case sampled, _:
            return sampled


def waits_of_plan(plan: Plan) -> Waits | None:
    """Those of the planned server, if they are known."""
    server = plan.start.server
    return known_or(sampled_waits(server), None) if isinstance(server, PostgresServer) else None


def shares_of(waits: Waits) -> tuple[WaitShare, ...]:
    """The shares of active time, the largest first; none where too few sessions were active."""
    total = sum(entry.count for entry in waits.counts)
    if total < MIN_ACTIVE:
        return ()
    sums = Counter[WaitKind]()
    for entry in waits.counts:
        sums[kind_of(entry)] += entry.count
    return tuple(
        WaitShare(
            kind=kind,
            count=count,
            percent=round(PERCENT * count / total),
            events=tuple(entry for entry in waits.counts if kind_of(entry) == kind),
        )
        for kind, count in sums.most_common()
    )


def kind_of(entry: WaitCount) -> WaitKind:
    """What is waited for, in people's terms."""
    if entry.event in _STANDBYS:
        return "standbys"
    if entry.event == "VacuumDelay":
        return "vacuum delay"
    if entry.kind in {"IO", "LWLock", "LWLockNamed", "LWLockTranche"} and _is_of_wal(entry.event):
        return "WAL"
    return _KINDS.get(entry.kind, "something else")


def _is_of_wal(event: str) -> bool:
    """`WALSync`, `WalWrite`, `WALWriteLock`, `wal_insert`, `WALInsert`."""
    return event.upper().startswith("WAL")


def verdict_on(waits: Waits) -> str:
    """One line on the largest share."""
    shares = shares_of(waits)
    if not shares:
        active = how_many(sum(entry.count for entry in waits.counts), "active session")
        return f"{active} in {how_many(waits.samples, 'sample')}: too few to say what sessions wait for"
    largest = shares[0]
    return f"{largest.percent} % of active time {_MEANINGS[largest.kind]}"


def waits_in_words(waits: Waits) -> str:
    """The same with every share: `70 % of active time waits for locks: ... (locks 70 %, CPU 30 %)`."""
    shares = ", ".join(f"{share.kind} {share.percent} %" for share in shares_of(waits))
    return verdict_on(waits) + (f" ({shares})" if shares else "")


def share_lines(waits: Waits) -> Iterator[tuple[str, str]]:
    """Each kind with its share and its most frequent waits by name."""
    for share in shares_of(waits):
        named = [entry for entry in share.events if entry.event]
        events = ", ".join(f"{entry.event} {entry.count:,}" for entry in named[:SHOWN_EVENTS])
        yield share.kind, f"{share.percent} %" + (f" ({events})" if events else "")
