"""A server's settings as facts: from its own answer, or from its files where it cannot be asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from tunewiz.collect.postgres.conf import Assignment
from tunewiz.collect.postgres.protocol import SettingsRow
from tunewiz.core.facts.server import FileError, Setting
from tunewiz.core.values.pg_settings import SettingError, SettingInfo, SettingsOfMajor

_OF_SESSION = frozenset({"database", "user", "database user", "client", "interactive", "session"})
"""Sources of values that hold for our session alone and hide the server's (src/include/utils/guc.h)."""
_SESSION_ONLY = frozenset(
    {"application_name", "client_encoding", "in_hot_standby", "is_superuser", "role", "seed"}
    | {"session_authorization", "transaction_deferrable", "transaction_isolation", "transaction_read_only"}
)
_ALIASES = {("wal_level", "archive"): "replica", ("wal_level", "hot_standby"): "replica"}
"""Words of 9.5 that every later server still takes, and shows as the new one."""


_OF_EXTENSIONS = frozenset(
    {
        "cron.max_running_jobs",
        "cron.use_background_workers",
        "pg_stat_monitor.pgsm_max",
        "pg_stat_monitor.pgsm_query_shared_buffer",
        "squeeze.workers_per_database",
        "timescaledb.max_background_workers",
    }
)
"""What the plan counts with: numbers, and whether pg_cron's jobs are workers."""


def is_private(name: str) -> bool:
    """Whether the value may hold a password, or is an extension's, of which nothing is known."""
    if name in _OF_EXTENSIONS:
        return False
    return "." in name or name.endswith("_command") or name == "primary_conninfo"


def _is_kept(name: str) -> bool:
    return not is_private(name) and name not in _SESSION_ONLY


def _today(setting: SettingInfo, value: str) -> str:
    """A word that this major shows under another name."""
    new = _ALIASES.get((setting.name, value.lower()), value)
    return new if new in setting.choices else value


def from_rows(
    rows: Iterable[SettingsRow], offline: Mapping[str, Setting]
) -> tuple[Mapping[str, Setting], tuple[str, ...]]:
    """What pg_settings shows; what it hides from this session is taken from the files.

    Returns:
        The settings, and the names of those that the files told: values that our session alone has, and
        what the files set but the role may not see.
    """
    result, hidden = dict[str, Setting](), set[str]()
    for row in rows:
        if row.source in _OF_SESSION:
            hidden.add(row.name)
        elif _is_kept(row.name):
            result[row.name] = _setting(row, offline.get(row.name))
    results = {
        name: setting
        for name, setting in offline.items()
        if name in hidden or (name not in result and setting.source != "default")
    }
    return MappingProxyType({**result, **results}), tuple(sorted(results))


def _setting(row: SettingsRow, offline: Setting | None) -> Setting:
    """A row as a fact; the line is hidden from roles with few rights, and then that of an equal value."""
    place = f"{row.sourcefile}:{row.sourceline}" if row.sourcefile else None
    if place is None and offline and (offline.value, offline.source) == (row.setting, row.source):
        place = offline.sourcefile
    return Setting(
        value=row.setting or "",
        unit=row.unit,
        source=row.source,
        sourcefile=place,
        pending_restart=row.pending_restart,
    )


def from_files(
    assignments: Iterable[Assignment], options: Mapping[str, str], known: SettingsOfMajor
) -> tuple[Mapping[str, Setting], tuple[FileError, ...]]:
    """What the files and the command line say, and the compiled-in defaults of the rest.

    Returns:
        The settings with values in their own units, and what was left out because it is no setting or no
        value for this version.
    """
    result = {
        name: Setting(value=info.default, unit=info.unit, source="default")
        for name, info in known.known.items()
        if _is_kept(name) and info.context != "internal"  # those are the cluster's and the program's own
    }
    names = {name.lower(): name for name in result}
    written = (
        *((line.name, line.value, "configuration file", line.place) for line in assignments),
        *((name, value, "command line", None) for name, value in options.items()),
    )
    unusable = list[FileError]()
    for raw, value, source, place in written:
        name = names.get(raw, raw)
        if not _is_kept(name):
            continue
        try:
            canonical = known[name].canonical(_today(known[name], value))
        except SettingError as error:
            result.pop(name, None)
            unusable.append(FileError(place=place or source, name="", error=str(error)))
        else:
            result[name] = Setting(value=canonical, unit=known[name].unit, source=source, sourcefile=place)
    return MappingProxyType(result), tuple(unusable)
