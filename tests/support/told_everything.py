"""Servers of which everything is known that a server can show at work: one that is well, one that suffers."""

import dataclasses
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from shown_servers import TABLE
from situations import situation
from small_health import HEALTHY as LOOKS_WELL
from tunewiz.core.facts.counters import Buffers, RoleStatements, Sessions, Statements
from tunewiz.core.facts.health import Replay
from tunewiz.core.facts.log import LogSeen, SizeClass
from tunewiz.core.facts.probe import ClockReads, Probe, Reads, SyncMethod
from tunewiz.core.facts.replication import Conflicts, Replication, Slot
from tunewiz.core.facts.server import Curve, PostgresServer, Window
from tunewiz.core.facts.slru import SlruCache
from tunewiz.core.facts.strain import ProcessMemory, Strain
from tunewiz.core.facts.tables import DatabaseTables
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.known import NOT_LOOKED_FOR, Absent, Known
from tunewiz.core.values.units import GIB, MIB, Bytes
from two_servers import HEALTHY, STRAINED
from watched import activity, window

HOUR = 3_600
DAY = 24 * HOUR
NOT_COUNTED = Absent("the kernel does not count it")
WELL, SUFFERING = 3, 300
"""How much there is of each bad thing."""
LEFT_OUT = (
    (),
    ("window", "log", "statements", "probe"),
    ("log", "statements", "probe"),
    ("activity", "log"),
)
"""What the server does not show: decisions look elsewhere then."""


def told_everything(given: Given) -> Iterator[Situation]:
    """The situations of an example on such servers, with storage that reports its kind and that does not."""
    for entry in (given, dataclasses.replace(given, disk_unknown=True)):
        result = situation(entry)
        yield result
        for bad in (WELL, SUFFERING):
            for left_out in LEFT_OUT:
                showing = _showing(result, {**_seen(bad), **dict.fromkeys(left_out, NOT_LOOKED_FOR)}, bad)
                yield showing if "activity" not in left_out else _without_stalls(showing)


def _showing(entry: Situation, observation: dict[str, Any], bad: int) -> Situation:
    assert isinstance(entry.server, PostgresServer)
    server = dataclasses.replace(entry.server, **observation)
    memory = dataclasses.replace(entry.facts.memory, strain=_strain(3 * DAY, bad))
    facts = dataclasses.replace(entry.facts, postgres=(server,), memory=memory)
    return dataclasses.replace(entry, server=server, facts=facts)


def _without_stalls(entry: Situation) -> Situation:
    """On a kernel that does not count them."""
    server = entry.server
    assert isinstance(server, PostgresServer)
    assert isinstance(server.window, Known)
    value = server.window.value
    strain = dataclasses.replace(value.strain, stalled_us=NOT_COUNTED)
    window_of = Known(dataclasses.replace(value, strain=strain), "test")
    server = dataclasses.replace(server, window=window_of)
    since_boot = dataclasses.replace(entry.facts.memory.strain, stalled_us=NOT_COUNTED)
    memory = dataclasses.replace(entry.facts.memory, strain=since_boot)
    facts = dataclasses.replace(entry.facts, postgres=(server,), memory=memory)
    return dataclasses.replace(entry, server=server, facts=facts)


@cache
def _seen(bad: int) -> Mapping[str, Any]:
    spills = (SizeClass(at_most=Bytes(16 * MIB), files=10 * bad),)
    shown = {
        "sessions": _sessions(bad),
        "log": _log(bad, spills),
        "tables": (_tables(bad),),
        "buffers": Buffers(pages=100, used=50 if bad == WELL else 100, popular=10),
        "statements": Statements(
            calls=1_000_000, run_ms=1_000_000, jit_ms=1_000 * bad, spills=spills, roles=_roles(bad, spills)
        ),
        "process_memory": ProcessMemory(processes=30, own=Bytes(GIB), largest=Bytes(90 * MIB)),
        "replication": _replication(bad),
        "slru": tuple(
            SlruCache(name=name, hit=1_000_000, read=1_000 * bad)
            for name in ("transaction", "subtransaction", "multixact_offset", "multixact_member")
        ),
        "probe": _probe(bad),
        "window": _window(bad),
        "health": dataclasses.replace(LOOKS_WELL, replay=_replay(bad)),
    }
    known: dict[str, Any] = {name: Known(value, "test") for name, value in shown.items()}
    return MappingProxyType({**known, "activity": activity(**_counted(bad))})


def _replay(bad: int) -> Replay:
    """A newer server says when replay had last caught up; an older one how old its newest commit is."""
    return Replay(
        pause="not paused",
        behind=bad * GIB,
        caught_up_seconds=None if bad == WELL else 60 * bad,
        commit_seconds=60 * bad,
    )


def _counted(bad: int) -> dict[str, int]:
    health = HEALTHY if bad == WELL else STRAINED
    calls = {
        "read_calls": health["blocks_read"],
        "read_call_bytes": health["blocks_read"] * 8192,
        "read_call_us": health["blocks_read"] * 30 * bad,
    }
    return {
        **health,
        # The other one is as 17 was, which counted none.
        **(calls if bad == WELL else {}),
        "read_us": health["blocks_read"] * 30 * bad,
        "session_ms": 1_000_000_000,
        "active_ms": 100_000_000,
        "idle_in_transaction_ms": 3_000_000 * bad,
        "transaction_ids": 1_000_000,
        "wal_bytes": 1_000 * GIB,
        "full_pages": 100_000 * bad,
        "full_page_bytes": bad * GIB,
        "wal_buffers_full": 10_000 * bad,
        "lock_waits": 100 * bad,
        "lock_wait_ms": 10_000_000 * bad,
        "fast_path_exceeded": 1_000_000 * bad,
        "wal_syncs": 1_000_000,
        "wal_sync_us": 30_000_000 * bad,
    }


def _window(bad: int) -> Window:
    return dataclasses.replace(
        window(**{**_counted(bad), "seconds": 2 * HOUR}).value,
        sessions=Known(_sessions(bad), "test"),
        strain=_strain(2 * HOUR, bad),
        curves=(Curve(counted="wal_bytes", values=(1_000 * bad, 2_000 * bad)),),
        connections_peak=Known(bad, "test"),
    )


def _roles(bad: int, spills: tuple[SizeClass, ...]) -> tuple[RoleStatements, ...]:
    reports = RoleStatements(
        role="reports",
        calls=500_000,
        run_ms=1_000_000,
        jit_ms=1_000 * bad,
        spills=spills,
        is_superuser=False,
        can_log_in=True,
        connection_limit=bad,
    )
    return (reports, dataclasses.replace(reports, role="shop", jit_ms=0, spills=()))


def _strain(seconds: int, bad: int) -> Strain:
    stalled, pages = Known(300 * bad * seconds, "test"), Known(bad * seconds, "test")
    return Strain(seconds=Known(seconds, "test"), stalled_us=stalled, swapped_in=pages, refaults=pages)


def _sessions(bad: int) -> Sessions:
    return Sessions(
        active=bad,
        idle=100,
        idle_in_transaction=1,
        waiting=bad // 2,
        longest_idle_in_transaction=bad,
        autovacuums=1,
        longest_autovacuum=100 * bad,
    )


def _log(bad: int, spills: tuple[SizeClass, ...]) -> LogSeen:
    return LogSeen(
        files=1,
        size=Bytes(GIB),
        damaged=0,
        temp_files=spills,
        checkpoints_timed=20,
        checkpoints_by_wal=bad,
        largest_distance=Bytes(GIB),
        autovacuums=300,
        repeated_index_scans=bad,
        most_index_scans=bad,
        longest_autovacuum=100 * bad,
        lock_waits=bad,
        recoveries=1,
        replayed=Bytes(GIB),
        replay_seconds=10.0,
    )


def _tables(bad: int) -> DatabaseTables:
    orders = dataclasses.replace(
        TABLE, dead_rows=1_000 * bad, changed_since_analyze=2_000 * bad, inserted_since_vacuum=bad
    )
    return DatabaseTables(
        database="shop",
        since=Known("2026-10-01T00:00:00Z", "test"),
        counted_seconds=Known(3 * DAY, "test"),
        tables=Known((orders,), "test"),
        unused_indexes=Known((), "test"),
        bare_foreign_keys=Known((), "test"),
    )


def _replication(bad: int) -> Replication:
    changes = Slot(
        name="changes",
        kind="logical",
        active=bad == WELL,
        held=Bytes(GIB),
        status="reserved",
        age=0,
        spills=Known(bad, "test"),
        spilled=Known(Bytes(GIB * bad), "test"),
    )
    kinds = Conflicts(snapshot=bad - WELL, lock=bad, bufferpin=0, tablespace=0, deadlock=0)
    return Replication(
        slots=(changes, dataclasses.replace(changes, name="away", kind="physical")),
        archive_failures=0,
        archive_failing=False,
        archive_behind=Known(Bytes(0), "test"),
        cancelled=bad,
        conflicts=Known(kinds, "test"),
        standbys=Known(0, "test"),
    )


def _probe(bad: int) -> Probe:
    reads = Reads(
        block=Bytes(8_192),
        count=1_000,
        median_us=30.0 * bad,
        p95_us=90.0 * bad,
        p99_us=99.0 * bad,
        bytes_a_second=Bytes(GIB),
    )
    methods = (SyncMethod(name="fdatasync", each_us=100.0), SyncMethod(name="open_datasync", each_us=30.0))
    return Probe(
        seconds=60,
        random=Known(reads, "test"),
        sequential=Known(reads, "test"),
        syncs=Known(methods, "test"),
        clock=Known(ClockReads(each_ns=10.0 * bad), "test"),
        storage=Known("nvme", "test"),
        reading=Known("direct", "test"),
    )
