"""What a bundle can do to a machine; actions know nothing of why.

A setting, a kernel value and a word under /sys are values of a target. Everything else is a HostAction: each
kind says in its folder of tunewiz/kinds all that a bundle needs to know, and nothing outside names it.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import ClassVar, TypeAlias

from tunewiz.core.recommendation.cluster import Cluster, NoCluster
from tunewiz.core.values.record import dataclass

Row: TypeAlias = tuple[str, ...]
"""A line of the data that the scripts read: the word by which they know the step, then its fields."""

PLAIN_PATH = re.compile(r"(/[A-Za-z0-9_][A-Za-z0-9_.@+-]*)+|/")
"""A path that every file of the machine can name as it is."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PgSetting:
    """A server setting in a configuration file."""

    name: str
    value: str
    """As a person writes it, without quotes: `16GB`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Sysctl:
    """A kernel setting under /proc/sys, made persistent by a file under /etc/sysctl.d."""

    name: str
    """With dots: `vm.dirty_bytes`."""
    value: int
    twin: str = ""
    """The setting that the kernel zeroes when this one is written: `vm.dirty_ratio`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SysfsValue:
    """One word of a choice under /sys, made persistent by a file under /etc/tmpfiles.d."""

    path: str
    """Absolute: `/sys/kernel/mm/transparent_hugepage/enabled`."""
    value: str


@dataclass(frozen=True, kw_only=True, slots=True)
class OwnFile:
    """A file of ours that an action puts in place; what several actions say of one path is put together."""

    reader: str
    """Who reads it, as the scripts know it: `udev`, `systemd`, `cron`."""
    path: str
    """Absolute."""
    lines: tuple[str, ...]


class HostAction(ABC):
    """What changes the machine beside single values; a frozen dataclass in a folder of tunewiz/kinds.

    The scripts take the rows in this order: before the files, those for all, the files, after the files; and,
    where the server's own files are in place, those for which it is stopped.
    """

    __slots__ = ()

    needs_server: ClassVar[bool] = False
    """Whether it makes sense only where the bundle can change a server."""
    asks_server: ClassVar[bool] = False
    """Whether its steps ask the server and change what that keeps itself."""
    restarts_server: ClassVar[bool] = False
    """Whether the server is restarted for it."""
    stops_server: ClassVar[bool] = False
    """Whether it is done while the server is stopped, so that no run can do without a restart."""

    @property
    @abstractmethod
    def action_in_words(self) -> str:
        """What apply.sh does, as a sentence without its full stop."""

    @property
    @abstractmethod
    def why_not(self) -> str:
        """Why the scripts cannot make it, whatever server there is; empty where they can."""

    def files(self, _: Cluster | NoCluster, /) -> Iterator[OwnFile]:
        """Files of ours that it needs."""
        yield from ()

    def rows_before_files(self) -> Iterator[Row]:
        """Steps that change what is in force; the files that keep it come after them."""
        yield from ()

    @classmethod
    def rows_for_all(cls, _: Sequence[HostAction], /) -> Iterator[Row]:
        """Steps that all actions of this kind share."""
        yield from ()

    def rows_after_files(self, _: Cluster | NoCluster, /) -> Iterator[Row]:
        """Steps that rest on files of ours."""
        yield from ()

    def rows_while_stopped(self) -> Iterator[Row]:
        """Steps for which the server is stopped, once its files are in place; one start serves them all."""
        yield from ()

    @property
    def downtime(self) -> str:
        """What it adds to the downtime of a restart, as a sentence; empty where it adds none."""
        return ""

    @property
    def usage(self) -> tuple[str, ...]:
        """What whoever runs the scripts must know of it: sentences."""
        return ()

    @property
    def afterwards(self) -> tuple[str, ...]:
        """What it leaves behind, and what is left to do: sentences, in Markdown."""
        return ()


@dataclass(frozen=True, kw_only=True, slots=True)
class ByHand:
    """Something that a person does; the bundle only describes it."""

    subject: str
    steps: tuple[str, ...]
    """Commands or instructions, in order."""
    undo: tuple[str, ...]


Action: TypeAlias = PgSetting | Sysctl | SysfsValue | HostAction | ByHand
