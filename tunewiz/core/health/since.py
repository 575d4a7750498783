"""What became of a host since it was read before: what was applied, what drifted and by whom, what grew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Literal, get_args

from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.owners import Managed
from tunewiz.core.facts.server import NO_SETTINGS, PostgresServer, Setting
from tunewiz.core.health.news import News, NewsKind
from tunewiz.core.health.sizes_since import news_of_disks, news_of_machine, news_of_server
from tunewiz.core.recommendation.target_words import value_in_words
from tunewiz.core.recommendation.targets import SysctlTarget
from tunewiz.core.values.known import Known, known_or
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import Bytes, Duration

ChangeKind = Literal["setting", "sysctl", "sysfs"]
KINDS: tuple[NewsKind, ...] = get_args(NewsKind)
_SIZES = ("kB", "MB", "GB", "TB")
_BY_ALTER_SYSTEM = "postgresql.auto.conf"
_OWN_CHOICE = "the server's own choice: nobody set it"
"""What nobody set follows other settings, or another release: shared_memory_size, wal_buffers."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PlannedValue:
    """A value that the last plan changes."""

    kind: ChangeKind
    name: str
    fact: str
    """Of a kernel setting, its name among the facts."""
    before: str
    value: str


@dataclass(frozen=True, kw_only=True, slots=True)
class LastPlan:
    """What was planned when a host was read before."""

    values: tuple[PlannedValue, ...] = ()
    directory: str = ""
    """The data directory of the server that it is for; empty for a plan without one."""

    def of_server(self, server: PostgresServer) -> tuple[PlannedValue, ...]:
        """Its settings, if the plan is for it."""
        is_for_it = self.directory != "" and known_or(server.data_directory, "") == self.directory
        return tuple(value for value in self.values if is_for_it and value.kind == "setting")

    def of_kernel(self) -> tuple[PlannedValue, ...]:
        """Those of the host, whatever server runs on it."""
        return tuple(value for value in self.values if value.kind != "setting")


NOTHING_PLANNED = LastPlan()
NO_TARGETS: Mapping[str, SysctlTarget] = MappingProxyType({})


def news_since(
    then: Facts,
    facts: Facts,
    plan: LastPlan = NOTHING_PLANNED,
    targets: Mapping[str, SysctlTarget] = NO_TARGETS,
) -> tuple[News, ...]:
    """Everything that was known at both times and differs.

    Args:
        then: What was read before.
        facts: Of the same host.
        plan: What was planned then.
        targets: Kernel settings by their names among the facts: their values have units.
    """
    before = {known_or(server.data_directory, ""): server for server in then.postgres}
    results = [
        *_of_planned_kernel(plan, facts, targets),
        *_of_kernel(then, facts, plan, targets),
        *news_of_machine(then, facts),
        *news_of_disks(then, facts),
    ]
    for server in facts.postgres:
        results += _of_planned_settings(plan.of_server(server), facts, server)
        if earlier := before.get(known_or(server.data_directory, "")):
            several = f"port {known_or(server.port, '?')}: " if len(facts.postgres) > 1 else ""
            changes = (*_of_settings(earlier, server, facts, plan), *news_of_server(earlier, server))
            results += (replace(news, what=f"{several}{news.what}") for news in changes)
    return tuple(sorted(results, key=lambda news: KINDS.index(news.kind)))


def _of_planned_settings(
    planned: tuple[PlannedValue, ...], facts: Facts, server: PostgresServer
) -> Iterator[News]:
    settings = known_or(server.settings, NO_SETTINGS)
    for entry in planned:
        setting = settings.get(entry.name)
        if setting is None:
            continue
        kind = _outcome(entry, setting.value, waits=setting.pending_restart)
        is_changed = kind in _CHANGED
        values = (entry.before, setting.value if is_changed else entry.value)
        before, after = (setting_in_words(Setting(value=value, unit=setting.unit)) for value in values)
        by = set_by(setting, known_or(facts.owners.managed, ())) if is_changed else ""
        yield News(kind=kind, what=entry.name, before=before, after=after, by=by)


def _of_planned_kernel(plan: LastPlan, facts: Facts, targets: Mapping[str, SysctlTarget]) -> Iterator[News]:
    for entry in plan.of_kernel():
        fact = facts.kernel.settings.get(entry.fact)
        if isinstance(fact, Known):
            kind = _outcome(entry, str(fact.value), waits=False)
            values = (entry.before, str(fact.value) if kind in _CHANGED else entry.value)
            before, after = (_kernel_value(entry.fact, value, targets) for value in values)
            yield News(kind=kind, what=entry.name, before=before, after=after)


_CHANGED = frozenset[NewsKind]({"applied", "planned, and changed otherwise"})


def _outcome(entry: PlannedValue, value: str, *, waits: bool) -> NewsKind:
    if value == entry.value:
        return "applied"
    if waits:
        return "applied, waits for a restart"
    return "planned, not applied" if value == entry.before else "planned, and changed otherwise"


def _of_settings(
    then: PostgresServer, server: PostgresServer, facts: Facts, plan: LastPlan
) -> Iterator[News]:
    planned = {value.name for value in plan.of_server(server)}
    before = known_or(then.settings, NO_SETTINGS)
    for name, setting in sorted(known_or(server.settings, NO_SETTINGS).items()):
        earlier = before.get(name)
        if earlier is None or name in planned:
            continue
        was, current = setting_in_words(earlier), setting_in_words(setting)
        if was != current:
            is_computed = not earlier.is_set and not setting.is_set
            by = _OWN_CHOICE if is_computed else set_by(setting, known_or(facts.owners.managed, ()))
            yield News(kind="changed", what=name, before=was, after=current, by=by)


def set_by(setting: Setting, managed: tuple[Managed, ...] = ()) -> str:
    """Who or what gave a setting its value, ready to follow it; empty where nothing tells."""
    origin = origin_in_words(setting)
    if not origin and not setting.is_set:
        return "no line sets it any longer"
    file = setting.sourcefile or ""
    path = file.rpartition(":")[0] or file
    keeper = next((entry.by for entry in managed if origin.startswith("in ") and entry.path == path), "")
    return f"{origin}, a file of {keeper}" if keeper else origin


def origin_in_words(setting: Setting) -> str:
    """Where the line stands that sets it, ready to follow it; empty where nothing tells."""
    if setting.source == "command line":
        return "on the command line"
    if setting.sourcefile is None or not setting.is_set:
        return ""
    file = setting.sourcefile.rpartition("/")[2].partition(":")[0]
    return "by ALTER SYSTEM" if file == _BY_ALTER_SYSTEM else f"in {setting.sourcefile}"


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


def _kernel_value(name: str, value: str, targets: Mapping[str, SysctlTarget]) -> str:
    target = targets.get(name)
    return (value if target is None else value_in_words(target, value)) or "nothing"


def _of_kernel(
    then: Facts, facts: Facts, plan: LastPlan, targets: Mapping[str, SysctlTarget]
) -> Iterator[News]:
    planned = {value.fact for value in plan.of_kernel()}
    for name, fact in sorted(facts.kernel.settings.items()):
        earlier = then.kernel.settings.get(name)
        if name in planned or not isinstance(fact, Known) or not isinstance(earlier, Known):
            continue
        if str(earlier.value) != str(fact.value):
            before, after = (_kernel_value(name, str(entry.value), targets) for entry in (earlier, fact))
            yield News(kind="changed", what=name, before=before, after=after)
