"""Machine, servers and sizes that are not as they were, and what a server does at work."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.server import PostgresServer, Window
from tunewiz.core.health.news import News, NewsKind
from tunewiz.core.health.waits import sampled_waits, verdict_on
from tunewiz.core.values.known import Fact, Known, known_or
from tunewiz.core.values.rounding import close
from tunewiz.core.values.units import Bytes

MAX_TABLES = 5
"""Those that grew most."""


def news_of_machine(then: Facts, facts: Facts) -> Iterator[News]:
    """Kernel, processors and memory, and servers that came or went."""
    kind: NewsKind = "machine and servers"
    parts: tuple[tuple[str, Fact[str] | Fact[int], Fact[str] | Fact[int]], ...] = (
        ("kernel", then.host.kernel, facts.host.kernel),
        ("distribution", then.host.distribution, facts.host.distribution),
        ("processors", then.cpu.online, facts.cpu.online),
    )
    for what, before, after in parts:
        if isinstance(before, Known) and isinstance(after, Known) and before.value != after.value:
            yield News(kind=kind, what=what, before=str(before.value), after=str(after.value))
    yield from _sizes(kind, "memory", then.memory.total, facts.memory.total)
    directories = [
        {known_or(server.data_directory, "") for server in entry.postgres} for entry in (then, facts)
    ]
    for directory in sorted(directories[0] - directories[1] - {""}):
        yield News(kind=kind, what=f"server in {directory}", before="there", after="gone")
    for directory in sorted(directories[1] - directories[0] - {""}):
        yield News(kind=kind, what=f"server in {directory}", before="not there", after="new")


def news_of_server(then: PostgresServer, server: PostgresServer) -> Iterator[News]:
    """Its release, whether it runs, its sizes, and what it did while it was watched."""
    kind: NewsKind = "machine and servers"
    was, current = known_or(then.release, ""), known_or(server.release, "")
    if was and current and was != current:
        yield News(kind=kind, what="PostgreSQL", before=was, after=current)
    if then.running != server.running:
        before, after = ("running", "stopped") if then.running else ("stopped", "running")
        yield News(kind=kind, what="the server", before=before, after=after)
    if isinstance(then.activity, Known) and isinstance(server.activity, Known):
        sizes = (then.activity.value.databases_size, server.activity.value.databases_size)
        yield from _sizes("size", "databases", *sizes)
    yield from _of_tables(then, server)
    yield from _at_work(then, server)


def _of_tables(then: PostgresServer, server: PostgresServer) -> Iterator[News]:
    before, after = _table_sizes(then), _table_sizes(server)
    grown = {name: size - before[name] for name, size in after.items() if size > before.get(name, size)}
    for name in sorted(grown, key=lambda name: (-grown[name], name))[:MAX_TABLES]:
        sizes = (Known(Bytes(entry[name]), "") for entry in (before, after))
        yield from _sizes("size", f"table {name}", *sizes)


def _table_sizes(server: PostgresServer) -> Mapping[str, int]:
    return {
        f"{table.schema}.{table.name} in {database.database}": int(table.bytes)
        for database in known_or(server.tables, ())
        for table in known_or(database.tables, ())
    }


def news_of_disks(then: Facts, facts: Facts) -> Iterator[News]:
    """What is free, and file systems that were made larger."""
    before = {storage.mount: storage for storage in then.storage}
    for storage in facts.storage:
        if storage.mount in before:
            yield from _sizes("size", f"free in {storage.mount}", before[storage.mount].free, storage.free)
            yield from _sizes("size", f"all of {storage.mount}", before[storage.mount].total, storage.total)


def _sizes(kind: NewsKind, what: str, *sizes: Fact[Bytes]) -> Iterator[News]:
    match sizes:
        case (Known(value=before), Known(value=after)) if not close(before, after):
            yield News(kind=kind, what=what, before=before.human(), after=after.human())
        case _:
            pass


def _at_work(then: PostgresServer, server: PostgresServer) -> Iterator[News]:
    """What it does while it is watched: another load may be why it differs."""
    kind: NewsKind = "at work, observed only"
    windows = [known_or(entry.window, None) for entry in (then, server)]
    if windows[0] is not None and windows[1] is not None:
        for what, name in (("WAL", "wal_bytes"), ("temporary files", "temp_bytes")):
            before, after = (_an_hour(window, name) for window in windows if window is not None)
            if before is not None and after is not None and not close(before, after):
                rates = [f"{size.human()} an hour" for size in (before, after)]
                yield News(kind=kind, what=what, before=rates[0], after=rates[1])
    waits = [known_or(sampled_waits(entry), None) for entry in (then, server)]
    if waits[0] is not None and waits[1] is not None and waits[0] != waits[1]:
        yield News(kind=kind, what="waits", before=verdict_on(waits[0]), after=verdict_on(waits[1]))


def _an_hour(window: Window, name: str) -> Bytes | None:
    amount = window.wal_bytes if name == "wal_bytes" else window.temp_bytes
    return Bytes(3_600 * amount.value // max(1, window.seconds)) if isinstance(amount, Known) else None
