"""What became of a host since it was read before: what was applied, what drifted and by whom, what grew."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, get_args

from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.owners import Managed
from tunewiz.core.facts.server import NO_SETTINGS, PostgresServer, Setting
from tunewiz.core.health.news import News, NewsKind
from tunewiz.core.health.sizes_since import news_of_disks, news_of_machine, news_of_server
from tunewiz.core.values.known import Known, known_or
from tunewiz.core.values.units import Bytes, Duration

Place = Literal["setting", "sysctl", "sysfs"]
KINDS: tuple[NewsKind, ...] = get_args(NewsKind)
_SIZES = ("kB", "MB", "GB", "TB")
_BY_ALTER_SYSTEM = "postgresql.auto.conf"


@dataclass(frozen=True, kw_only=True, slots=True)
class PlannedValue:
    """A value that the last plan changes."""

    place: Place
    name: str
    fact: str
    """Of a kernel setting, its name among the facts."""
    before: str
    value: str


def news_since(
    then: Facts, facts: Facts, planned: tuple[PlannedValue, ...] = (), directory: str = ""
) -> tuple[News, ...]:
    """Everything that was known at both times and differs.

    Args:
        then: What was read before.
        facts: Of the same host.
        planned: What a plan that was made then changes.
        directory: The data directory of the server that it is for.
    """
    before = {known_or(server.data_directory, ""): server for server in then.postgres}
    is_here = any(known_or(server.data_directory, "") == directory for server in facts.postgres)
    names = {name for entry in planned for name in (entry.name, entry.fact)} if is_here else set[str]()
    results = list[News]()
    for server in facts.postgres:
        where = known_or(server.data_directory, "")
        is_planned = where == directory
        results += _of_plan(planned, facts, server) if is_planned else ()
        if earlier := before.get(where):
            several = f"port {known_or(server.port, '?')}: " if len(facts.postgres) > 1 else ""
            changed = _of_settings(earlier, server, facts, names if is_planned else set())
            results += (replace(news, what=f"{several}{news.what}") for news in changed)
            results += (
                replace(news, what=f"{several}{news.what}") for news in news_of_server(earlier, server)
            )
    results += (*_of_kernel(then, facts, names), *news_of_machine(then, facts), *news_of_disks(then, facts))
    return tuple(sorted(results, key=lambda news: KINDS.index(news.kind)))


def _of_plan(planned: tuple[PlannedValue, ...], facts: Facts, server: PostgresServer) -> Iterator[News]:
    for entry in planned:
        value = _value(entry, facts, server)
        if value is None:
            continue
        kind: NewsKind = "planned, and changed otherwise"
        if value == entry.value:
            kind = "applied"
        elif _waits(entry, server):
            kind = "applied, waits for a restart"
        elif value == entry.before:
            kind = "planned, not applied"
        is_changed = kind in ("applied", "planned, and changed otherwise")
        after = value if is_changed else entry.value
        words = [_planned_words(entry, text, server) for text in (entry.before, after)]
        by = _by_whom(entry, server, facts) if is_changed else ""
        yield News(kind=kind, what=entry.name, before=words[0], after=words[1], by=by)


def _value(entry: PlannedValue, facts: Facts, server: PostgresServer) -> str | None:
    """What there is now; None where that is not known."""
    if entry.place == "setting":
        setting = known_or(server.settings, NO_SETTINGS).get(entry.name)
        return None if setting is None else setting.value
    fact = facts.kernel.settings.get(entry.fact)
    return str(fact.value) if isinstance(fact, Known) else None


def _waits(entry: PlannedValue, server: PostgresServer) -> bool:
    setting = known_or(server.settings, NO_SETTINGS).get(entry.name)
    return entry.place == "setting" and setting is not None and setting.pending_restart


def _planned_words(entry: PlannedValue, value: str, server: PostgresServer) -> str:
    setting = known_or(server.settings, NO_SETTINGS).get(entry.name)
    if entry.place != "setting" or setting is None:
        return value or "nothing"
    return setting_in_words(Setting(value=value, unit=setting.unit))


def _by_whom(entry: PlannedValue, server: PostgresServer, facts: Facts) -> str:
    setting = known_or(server.settings, NO_SETTINGS).get(entry.name)
    return "" if entry.place != "setting" or setting is None else set_by(setting, _managed(facts))


def _of_settings(
    then: PostgresServer, server: PostgresServer, facts: Facts, skipped: set[str]
) -> Iterator[News]:
    before = known_or(then.settings, NO_SETTINGS)
    for name, setting in sorted(known_or(server.settings, NO_SETTINGS).items()):
        earlier = before.get(name)
        if earlier is None or name in skipped:
            continue
        was, current = setting_in_words(earlier), setting_in_words(setting)
        if was != current:
            by = set_by(setting, _managed(facts))
            yield News(kind="changed", what=name, before=was, after=current, by=by)


def _managed(facts: Facts) -> tuple[Managed, ...]:
    return known_or(facts.owners.managed, ())


def set_by(setting: Setting, managed: tuple[Managed, ...] = ()) -> str:
    """Who or what gave a setting its value, ready to follow it; empty where nothing tells."""
    if setting.source == "command line":
        return "on the command line"
    if not setting.is_set:
        return "no line sets it any longer"
    if setting.sourcefile is None:
        return ""
    path = setting.sourcefile.rpartition(":")[0] or setting.sourcefile
    if path.rpartition("/")[2] == _BY_ALTER_SYSTEM:
        return "by ALTER SYSTEM"
    keeper = next((entry.by for entry in managed if entry.path == path), "")
    return f"in {setting.sourcefile}" + (f", a file of {keeper}" if keeper else "")


def setting_in_words(setting: Setting) -> str:
    """In people's units."""
    value, unit = setting.value, setting.unit or ""
    if not unit or not value.isdigit():
        return value or "''"
    if unit == "B":
        return f"{value}B"
    if unit.lstrip("0123456789") in _SIZES:
        return (Bytes.parse(unit if unit[0].isdigit() else f"1{unit}") * int(value)).pg()
    return Duration.parse(f"{value}{unit}").pg()


def _of_kernel(then: Facts, facts: Facts, skipped: set[str]) -> Iterator[News]:
    for name, fact in sorted(facts.kernel.settings.items()):
        earlier = then.kernel.settings.get(name)
        if name in skipped or not isinstance(fact, Known) or not isinstance(earlier, Known):
            continue
        if str(earlier.value) != str(fact.value):
            yield News(kind="changed", what=name, before=str(earlier.value), after=str(fact.value))
