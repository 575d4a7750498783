"""The facts of a server that only answers queries: pg_settings as CSV; a person says the machine's size.

Nobody has a shell on a managed server, so nothing else of its machine is known, and no plan rests on it.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tunewiz.collect.postgres.protocol import SettingsRow
from tunewiz.collect.postgres.settings import from_rows
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.machine import Cpu, Host, Kernel, Limits, Memory, Virtualization
from tunewiz.core.facts.server import PostgresServer, Setting
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Absent, Fact, Known, Unknown
from tunewiz.core.values.units import MIB, Bytes
from tunewiz.core.values.versions import Major, MajorError

QUERY = "SELECT name, setting, unit, source FROM pg_settings"
"""What the file is the answer to, with `psql --csv`."""
_COLUMNS = ("name", "setting", "unit", "source")
_NO_SHELL = Unknown("the server only answers queries: nobody has a shell there")
_STATED = "stated with --memory and --cores"
_IN_USE = "pg_settings: what the server uses, at least"
_FIRST_ONE_PART = 100_000
_NUMBER = re.compile("[0-9]{1,9}")


NOTHING = Bytes(0)


@dataclass(frozen=True, kw_only=True, slots=True)
class PagesInUse:
    """Huge pages that the server says it has; none that it is known to have."""

    count: int = 0
    size: Bytes = NOTHING


def managed_facts(text: str, where: str, memory: Bytes, cores: int) -> Facts:
    """The facts; raises InputError for a text that is not the answer to the query."""
    rows = tuple(_rows(text, where))
    pages = _huge_pages(rows)
    settings, _ = from_rows(rows, MappingProxyType({}))
    return Facts(
        host=_HOST,
        cpu=_cpu(cores),
        memory=_memory(memory, pages),
        virtualization=Virtualization(hypervisor=_NO_SHELL, container=_NO_SHELL),
        limits=Limits(cgroup_version=_NO_SHELL, memory=Absent(_STATED), cpus=Absent(_STATED)),
        kernel=Kernel(
            clocksource=_NO_SHELL,
            clocksources=_NO_SHELL,
            lockdown=_NO_SHELL,
            settings=MappingProxyType(
                {"vm.nr_hugepages": Known(pages.count, _IN_USE)} if pages.count else {}
            ),
            writable=Known(value=False, how="nobody has a shell there"),
        ),
        postgres=(_server(settings, rows, pages, where),),
    )


def _rows(text: str, where: str) -> Iterator[SettingsRow]:
    reader = csv.DictReader(io.StringIO(text, newline=""))
    missing = [name for name in _COLUMNS if name not in (reader.fieldnames or ())]
    if missing:
        raise InputError(
            f"{where}: line 1: found no column {', '.join(missing)}, expected {','.join(_COLUMNS)}",
            f'Write the file with: psql --csv -c "{QUERY}" >FILE',
        )
    try:
        for row in reader:
            yield _row(row, where, reader.line_num)
    except csv.Error as error:
        raise InputError(f"{where}: line {reader.line_num}: {error}, expected CSV") from error


def _row(row: Mapping[str, str | None], where: str, line: int) -> SettingsRow:
    name, setting, source = row["name"], row["setting"], row["source"]
    if not name or setting is None or source is None:
        raise InputError(f"{where}: line {line}: found too few columns, expected {','.join(_COLUMNS)}")
    return SettingsRow(
        name=name,
        setting=setting,
        unit=row["unit"] or None,
        source=source,
        sourcefile=None,
        sourceline=None,
        pending_restart=False,
    )


def _huge_pages(rows: Iterable[SettingsRow]) -> PagesInUse:
    """A server with huge_pages = on runs only in huge pages; from 17 on it says whether it has them."""
    shown = {row.name: row.setting or "" for row in rows}
    pages = _count(shown.get("shared_memory_size_in_huge_pages", ""))
    megabytes = _count(shown.get("shared_memory_size", ""))
    has_them = "on" in (shown.get("huge_pages"), shown.get("huge_pages_status"))
    if not (has_them and pages and megabytes):
        return PagesInUse()
    least = megabytes * MIB // pages
    return PagesInUse(count=pages, size=Bytes(1 << max(0, least - 1).bit_length()))


def _count(text: str) -> int:
    """A number as pg_settings shows it; 0 if it is none."""
    return int(text) if _NUMBER.fullmatch(text) else 0


def _server(
    settings: Mapping[str, Setting], rows: tuple[SettingsRow, ...], pages: PagesInUse, where: str
) -> PostgresServer:
    how = f"pg_settings in {where}"
    shown = {row.name: row.setting or "" for row in rows}
    text, port = shown.get("server_version_num", ""), _count(shown.get("port", ""))
    number = _count(text)
    if not number:
        raise InputError(f"{where}: server_version_num: found {text or 'nothing'}, expected a number")
    return PostgresServer(
        version=Known(_release(number), how),
        major=Known(_major(number, where), how),
        data_directory=_NO_SHELL,
        config_file=_NO_SHELL,
        port=Known(port, how) if port else _NO_SHELL,
        running=True,
        owner="source",
        os_user=_NO_SHELL,
        role=_NO_SHELL,
        system_identifier=_NO_SHELL,
        socket_directory=_NO_SHELL,
        include_directory=_NO_SHELL,
        shared_memory_pages=Known(pages.count, how) if pages.count else _NO_SHELL,
        settings=Known(settings, how),
        activity=Unknown("the file has settings only"),
    )


def _release(number: int) -> str:
    """Of server_version_num: `9.6.24`, `16.4`; the text beside it may say more, or anything."""
    if number >= _FIRST_ONE_PART:
        return f"{number // 10_000}.{number % 10_000}"
    return f"{number // 10_000}.{number // 100 % 100}.{number % 100}"


def _major(number: int, where: str) -> str:
    """Of server_version_num: 90624 is 9.6, 160004 is 16; raises InputError."""
    first, second = divmod(number // 100, 100)
    try:
        return str(Major.parse(f"{first}" if number >= _FIRST_ONE_PART else f"{first}.{second}"))
    except MajorError as error:
        raise InputError(f"{where}: server_version_num: {error}") from error


_HOST = Host(
    name=_NO_SHELL, architecture=_NO_SHELL, kernel=_NO_SHELL, distribution=_NO_SHELL, identity=_NO_SHELL
)


def _cpu(cores: int) -> Cpu:
    known: Fact[int] = Known(cores, _STATED)
    return Cpu(
        vendor=_NO_SHELL,
        model=_NO_SHELL,
        online=known,
        cores=known,
        threads_per_core=_NO_SHELL,
        sockets=_NO_SHELL,
        books=_NO_SHELL,
        drawers=_NO_SHELL,
        numa_nodes=_NO_SHELL,
        caches=_NO_SHELL,
        smt=_NO_SHELL,
    )


def _memory(total: Bytes, pages: PagesInUse) -> Memory:
    count: Fact[int] = Known(pages.count, _IN_USE) if pages.count else _NO_SHELL
    size: Fact[Bytes] = Known(pages.size, _IN_USE) if pages.count else _NO_SHELL
    return Memory(
        total=Known(total, _STATED),
        available=_NO_SHELL,
        swap_total=_NO_SHELL,
        page_size=_NO_SHELL,
        huge_page_size=size,
        huge_page_sizes=Known((pages.size,), _IN_USE) if pages.count else _NO_SHELL,
        huge_pages_total=count,
        huge_pages_free=_NO_SHELL,
        transparent_huge_pages=_NO_SHELL,
    )
