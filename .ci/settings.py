"""Makes profiles/settings.json: what every major version of PostgreSQL says of its settings.

    .venv/bin/python .ci/settings.py DIRECTORY [-o FILE]

DIRECTORY holds one JSON file per server, in any folder below it. A server's file is made by

    psql -XAtq -o 15.json -c "select json_build_object('server_version_num',
        current_setting('server_version_num')::int, 'settings', json_agg(s)) from pg_settings s"

Of several minor releases of a major the newest speaks, and majors that the program does not know are left
out. The answers are those of the servers at hand; what a build adds (compression methods, io_uring) is left
out, since it is to be asked of the server that is tuned.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tunewiz.core.values.versions import SUPPORTED, Major

SCHEMA = 1
TARGET = Path(__file__).resolve().parent.parent / "profiles" / "settings.json"
LAST_TWO_PART = 100000
"""server_version_num of the first release with a one-part major version: 10.0."""
NOT_SHOWN: Mapping[tuple[Major, str], Mapping[str, Any]] = {
    (Major(905), "max_wal_size"): {"unit": "16MB"},
    (Major(905), "min_wal_size"): {"unit": "16MB"},
    (Major(905), "wal_sync_method"): {"enumvals": ("fsync", "fdatasync", "open_sync", "open_datasync")},
}
"""What a server takes and its pg_settings does not show.

9.5 reads sizes of the WAL with units and shows none (guc.c: GUC_UNIT_XSEGS is missing where they are told); a
build for old systems has no open_datasync.
"""
LATE: Mapping[int, Mapping[str, Mapping[str, str]]] = {
    90516: {"data_sync_retry": {"vartype": "bool", "context": "postmaster", "boot_val": "off"}},
}
"""By server_version_num: settings that came with a minor release whose programs could not be had."""
NOT_IN_EVERY_BUILD = frozenset({"io_uring", "lz4", "zstd"})
"""Choices that depend on the libraries a server was built with; one that is the default stays."""
PACKAGED: Mapping[str, str] = {"unix_socket_directories": "/tmp"}  # noqa: S108 - PostgreSQL's own default
"""Defaults that Debian's packages change, as PostgreSQL's source has them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One setting in one server, as settings.json keeps it."""

    type: str
    unit: str | None
    context: str
    min: str | None
    max: str | None
    enum: tuple[str, ...] | None
    default: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Dump:
    """The settings of one server."""

    release: int
    """server_version_num: 90624, 150018."""
    settings: dict[str, Entry]

    @property
    def major(self) -> Major:
        """The major version of the release."""
        return _major(self.release)


def _major(release: int) -> Major:
    first, rest = divmod(release, 10000)
    return Major(first * 100 + (rest // 100 if release < LAST_TWO_PART else 0))


def entry(row: dict[str, Any]) -> Entry:
    """One row of pg_settings; an enum without choices can't be set, and is whatever the server says."""
    choices = [
        choice
        for choice in row["enumvals"] or ()
        if choice not in NOT_IN_EVERY_BUILD or choice == row["boot_val"]
    ]
    return Entry(
        type="string" if choices and not any(choices) else row["vartype"],
        unit=row["unit"],
        context=row["context"],
        min=row["min_val"],
        max=row["max_val"],
        enum=tuple(choices) if choices and any(choices) else None,
        default=PACKAGED.get(row.get("name", ""), row["boot_val"]) or "",
    )


def read(path: Path) -> Dump:
    """The file of one server."""
    data = json.loads(path.read_text(encoding="utf-8"))
    major = _major(data["server_version_num"])
    rows = {row["name"]: {**row, **NOT_SHOWN.get((major, row["name"]), {})} for row in data["settings"]}
    nothing = dict.fromkeys(("unit", "min_val", "max_val", "enumvals"))
    late = {
        name: {**nothing, **row}
        for first, brought in LATE.items()
        if _major(first) == major and data["server_version_num"] < first
        for name, row in brought.items()
    }
    settings = {name: entry(row) for name, row in {**late, **rows}.items()}
    return Dump(release=data["server_version_num"], settings=settings)


def newest(dumps: list[Dump]) -> dict[Major, Dump]:
    """The newest minor release of each supported major."""
    chosen = {dump.major: dump for dump in sorted(dumps, key=lambda dump: dump.release)}
    missing = [str(major) for major in SUPPORTED if major not in chosen]
    if missing:
        raise SystemExit(f"no settings of PostgreSQL {', '.join(missing)} were found")
    return {major: chosen[major] for major in SUPPORTED}


def spans(name: str, dumps: dict[Major, Dump]) -> list[dict[str, object]]:
    """A setting through the majors, equal neighbours as one."""
    result: list[tuple[Major, Major, Entry]] = []
    previous: Major | None = None
    for major, dump in dumps.items():
        here = dump.settings.get(name)
        if here is not None:
            if result and result[-1][2] == here and result[-1][1] == previous:
                result[-1] = (result[-1][0], major, here)
            else:
                result.append((major, major, here))
        previous = major
    return [{"from": str(first), "to": str(last), **filled(entry)} for first, last, entry in result]


def filled(item: Entry) -> dict[str, object]:
    """The fields that say something; a default is always told."""
    return {key: value for key, value in asdict(item).items() if value is not None}


def document(dumps: dict[Major, Dump]) -> str:
    """The file: one setting per line, sorted, so that a change reads well in a diff."""
    names = sorted({name for dump in dumps.values() for name in dump.settings}, key=str.lower)
    lines = [f"{json.dumps(name)}: {json.dumps(spans(name, dumps))}" for name in names]
    return f'{{"schema": {SCHEMA}, "settings": {{\n' + ",\n".join(lines) + "\n}}\n"


def main() -> int:
    """Read the servers' files and write the one that is shipped."""
    parser = argparse.ArgumentParser(description="make profiles/settings.json from servers' settings")
    parser.add_argument("directory", type=Path)
    parser.add_argument("-o", "--output", type=Path, default=TARGET)
    given = parser.parse_args()
    dumps = [read(path) for path in sorted(given.directory.rglob("*.json"))]
    chosen = newest([dump for dump in dumps if dump.major in SUPPORTED])
    given.output.write_text(document(chosen), encoding="utf-8")
    print(f"{given.output}: " + ", ".join(f"{major} ({dump.release})" for major, dump in chosen.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
