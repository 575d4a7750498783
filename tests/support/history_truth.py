"""What is so on a machine with a server, read without any of the bundle's scripts."""

import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from pretend_root import Entry, entry

CONFIG: Final = "data/postgresql.conf"
AUTO: Final = "data/postgresql.auto.conf"
SITE: Final = "data/conf.d/10-site.conf"
DROP_IN: Final = "data/conf.d/zz-tunewiz.conf"
LATER: Final = "data/conf.d/zzz-later.conf"
ACCESS: Final = "data/pg_hba.conf"
SYSCTL_FILE: Final = "etc/sysctl.d/90-tunewiz.conf"
SWAPPINESS: Final = "proc/sys/vm/swappiness"

DEFAULTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "maintenance_work_mem": "65536",
        "max_connections": "100",
        "random_page_cost": "4",
        "shared_buffers": "16384",
        "shared_preload_libraries": "",
        "work_mem": "4096",
    }
)
"""The settings that histories are about, as PostgreSQL has them where no file does (guc.c)."""

NEEDS_RESTART: Final = frozenset({"max_connections", "shared_buffers", "shared_preload_libraries"})
_BLOCKS: Final = frozenset({"shared_buffers"})
_KILOBYTES: Final[Mapping[str, int]] = MappingProxyType({"kB": 1, "MB": 1024, "GB": 1024 * 1024})
_BLOCK: Final = 8
"""Kilobytes."""

_SETS: Final = re.compile(r"^\s*([A-Za-z_]\w*)\s*(?:=\s*|\s)(?:'((?:[^']|'')*)'|([^\s#']+))\s*(?:#.*)?$")
_NOTHING: Final = re.compile(r"^\s*(#.*)?$")


@dataclass(frozen=True, kw_only=True, slots=True)
class Truth:
    """One moment of the machine."""

    files: Mapping[str, Entry]
    """By path from the root, kernel values too; of the data directory only what a person writes there."""
    postmaster: int | None
    running: Mapping[str, str]
    """What a session has that no role and no database gives settings to; empty where the server is down."""
    waiting: frozenset[str]
    """What waits for a restart, by what the server says."""

    @property
    def up(self) -> bool:
        """Whether the server runs."""
        return self.postmaster is not None

    @property
    def configured(self) -> Mapping[str, str] | None:
        """What the next start would have; nothing where it would fail for what its files say."""
        return configured(self.files)

    def text(self, path: str) -> str | None:
        """A file's content."""
        file = self.files.get(path)
        return None if file is None else file.content.decode()


def canonical(name: str, text: str) -> str:
    """A value as pg_settings shows it: in the setting's own unit, without a name of it."""
    number = re.fullmatch(r"(\d+)(kB|MB|GB)", text)
    if number is None:
        return text
    kilobytes = int(number.group(1)) * _KILOBYTES[number.group(2)]
    return str(kilobytes // _BLOCK if name in _BLOCKS else kilobytes)


def lines_of(text: str) -> Iterator[tuple[str, str] | None]:
    """Name and value of each line that has one; nothing for a line that PostgreSQL cannot read."""
    for line in text.splitlines():
        if _NOTHING.match(line):
            continue
        match = _SETS.match(line)
        if match is None:
            yield None
        else:
            name, quoted, bare = match.groups()
            yield name, quoted.replace("''", "'") if quoted is not None else bare


def auto_line(truth: Truth, name: str) -> str | None:
    """What ALTER SYSTEM's file gives a setting."""
    given = [line[1] for line in lines_of(truth.text(AUTO) or "") if line is not None and line[0] == name]
    return given[-1] if given else None


def configured(files: Mapping[str, Entry]) -> Mapping[str, str] | None:
    """The last line of the last file wins: the main file, its directory in order of names, ALTER SYSTEM's."""
    result = dict(DEFAULTS)
    for given in _layers(files):
        if given is None or given[0].startswith("no_such"):
            return None
        name, text = given
        if name in result:
            result[name] = canonical(name, text)
    return result


def _layers(files: Mapping[str, Entry]) -> Iterator[tuple[str, str] | None]:
    for given in lines_of(files[CONFIG].content.decode()):
        if given == ("include_dir", "conf.d"):
            for path in sorted(file for file in files if re.fullmatch(r"data/conf\.d/[^.][^/]*\.conf", file)):
                yield from lines_of(files[path].content.decode())
        else:
            yield given
    if AUTO in files:
        yield from lines_of(files[AUTO].content.decode())


def gives(truth: Truth, path: str, key: str) -> str | None:
    """What a file of `key = value` lines gives a key."""
    result = re.findall(rf"^{re.escape(key)} = (.*)$", truth.text(path) or "", re.MULTILINE)
    return result[-1] if result else None


def written_files(root: Path, servers_own: frozenset[str]) -> Mapping[str, Entry]:
    """Every path below a root but what the server itself keeps in its data directory."""
    result: dict[str, Entry] = {}
    for path in sorted(_walk(root, root, servers_own)):
        if stat.S_ISREG(path.lstat().st_mode) or path.is_dir() or path.is_symlink():
            result[str(path.relative_to(root))] = entry(path)
    return MappingProxyType(result)


def _walk(root: Path, directory: Path, servers_own: frozenset[str]) -> Iterator[Path]:
    for path in directory.iterdir():
        if str(path.relative_to(root)) in servers_own:
            continue
        yield path
        if path.is_dir() and not path.is_symlink():
            yield from _walk(root, path, servers_own)
