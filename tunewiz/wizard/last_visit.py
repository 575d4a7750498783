"""What changed on this host since a saved run of the wizard read it, in a line or two."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.health.ahead import Ahead, Past, ahead_in_words, what_is_ahead
from tunewiz.core.health.since import setting_in_words
from tunewiz.core.values.known import Fact, Known, known_or
from tunewiz.core.values.rounding import close
from tunewiz.core.values.units import Bytes

MOST = 4
"""Changes that are named: more do not fit in two lines."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LastVisit:
    """What an earlier run read here, and how long ago."""

    facts: Facts
    age: str


def since(visit: LastVisit, facts: Facts) -> str:
    """In words; what was not known at both times is not compared."""
    changes = list(_changes(visit.facts, facts))
    ahead = "".join(f" Ahead: {ahead_in_words(entry)}." for entry in _soonest(visit.facts, facts))
    if not changes:
        return f"Last visit {visit.age}: settings, versions, sizes and memory are the same.{ahead}"
    more = f" and {len(changes) - MOST} more" if len(changes) > MOST else ""
    return f"Since your last visit, {visit.age}: {'; '.join(changes[:MOST])}{more}.{ahead}"


def _soonest(then: Facts, facts: Facts) -> tuple[Ahead, ...]:
    """Of all servers, the first thing that will run out."""
    pasts = (Past(facts=facts, server=server, earlier=(then,)) for server in facts.postgres)
    results = [ahead for past in pasts for ahead in what_is_ahead(past)]
    return tuple(sorted(results, key=lambda ahead: ahead.days.earliest)[:1])


def _changes(then: Facts, facts: Facts) -> Iterator[str]:
    earlier = {known_or(server.data_directory, ""): server for server in then.postgres}
    several = len(facts.postgres) > 1
    for server in facts.postgres:
        directory = known_or(server.data_directory, "")
        if directory and directory in earlier:
            title = f"port {known_or(server.port, 'unknown')}: " if several else ""
            yield from (f"{title}{text}" for text in _of_server(earlier[directory], server))
        elif directory:
            yield f"a server in {directory} is new"
    gone = earlier.keys() - {known_or(server.data_directory, "") for server in facts.postgres} - {""}
    yield from (f"the server in {directory} is gone" for directory in sorted(gone))
    yield from _size("memory", then.memory.total, facts.memory.total)


def _of_server(then: PostgresServer, server: PostgresServer) -> Iterator[str]:
    before, after = known_or(then.release, ""), known_or(server.release, "")
    if before and after and before != after:
        yield f"PostgreSQL {before} -> {after}"
    if then.running != server.running:
        yield "it runs now" if server.running else "it is stopped now"
    yield from _settings(then, server)
    if isinstance(then.activity, Known) and isinstance(server.activity, Known):
        sizes = (then.activity.value.databases_size, server.activity.value.databases_size)
        yield from _size("databases", *sizes)


def _settings(then: PostgresServer, server: PostgresServer) -> Iterator[str]:
    if isinstance(then.settings, Known) and isinstance(server.settings, Known):
        for name, setting in sorted(server.settings.value.items()):
            before = then.settings.value.get(name)
            if before is not None and setting_in_words(before) != setting_in_words(setting):
                yield f"{name} {setting_in_words(before)} -> {setting_in_words(setting)}"


def _size(title: str, before: Fact[Bytes], after: Fact[Bytes]) -> Iterator[str]:
    if isinstance(before, Known) and isinstance(after, Known) and not close(before.value, after.value):
        yield f"{title} {before.value.human()} -> {after.value.human()}"
