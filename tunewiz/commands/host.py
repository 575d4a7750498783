"""Reads this host, a captured root or a collector's file; shows the progress on a terminal."""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from tunewiz.collect.captured import RootedSystem
from tunewiz.collect.collected import read_collection
from tunewiz.collect.everything import read_facts, read_live
from tunewiz.collect.postgres.deep_look import look_at_server
from tunewiz.collect.postgres.wait_sampling import sample_server_waits
from tunewiz.collect.postgres.watching import watch_all
from tunewiz.collect.probe.probing import probe_server
from tunewiz.collect.ring.window import with_kept
from tunewiz.collect.system import LiveSystem
from tunewiz.commands.named_files import read_bytes
from tunewiz.console.interrupts import InterruptFlag
from tunewiz.core.facts.deep_look import DeepLook
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.probe import Probe
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.facts.waits import Waits
from tunewiz.core.values.errors import UsageError
from tunewiz.core.values.known import Fact

_CLEAR = "\r\x1b[K"


def read_host(watch: int = 0) -> Facts:
    """The facts of this host; what cannot be read becomes an unknown fact with the reason.

    Args:
        watch: Seconds to watch its running servers at work; an interrupt ends that early. Without it, the
            busiest hour that `tunewiz watch` kept is used.
    """
    progress = _Progress()
    try:
        facts = read_live(progress.tell)
    finally:
        progress.end()
    return _watched(facts, watch) if watch else with_kept(facts, os.environ)


def _watched(facts: Facts, seconds: int) -> Facts:
    with _progress_until_interrupt(seconds) as (show, stopped):
        servers = watch_all(
            LiveSystem(),
            facts.postgres,
            seconds,
            lambda passed: show(passed, "watching the servers"),
            stopped,
        )
    return dataclasses.replace(facts, postgres=servers)


def probe_host(facts: Facts, server: PostgresServer, seconds: int) -> Fact[Probe]:
    """What the storage of a server of this host does; an interrupt ends that early.

    Args:
        facts: Of this host.
        server: One of its servers.
        seconds: The whole budget.
    """
    with _progress_until_interrupt(seconds) as (show, stopped):
        return probe_server(
            LiveSystem(),
            server,
            facts,
            seconds,
            lambda passed, doing: show(passed, f"probing the storage: {doing}"),
            stopped,
        )


def sample_host_waits(server: PostgresServer, seconds: int) -> Fact[Waits]:
    """What the sessions of a server of this host wait for; an interrupt ends that early.

    Args:
        server: One of its servers.
        seconds: How long to sample.
    """
    with _progress_until_interrupt(seconds) as (show, stopped):
        return sample_server_waits(
            LiveSystem(), server, seconds, lambda passed: show(passed, "sampling waits"), stopped
        )


def look_deeper_at_host(server: PostgresServer, seconds: int) -> Fact[DeepLook]:
    """What a deep look at a server of this host finds; an interrupt ends that early.

    Args:
        server: One of its servers.
        seconds: The whole budget.
    """
    with _progress_until_interrupt(seconds) as (show, stopped):
        return look_at_server(
            LiveSystem(),
            server,
            seconds,
            lambda passed, database: show(passed, f"looking at {database}"),
            stopped,
        )


@contextmanager
def _progress_until_interrupt(
    seconds: int,
) -> Generator[tuple[Callable[[float, str], None], Callable[[], bool]]]:
    """What shows the seconds that passed and what is done in them, and what tells whether to stop."""
    progress = _Progress()

    def show(passed: float, doing: str) -> None:
        progress.show(f"{doing}, {passed:.0f} of {seconds} s (Ctrl-C stops early)")

    try:
        with InterruptFlag() as interrupted:
            yield show, interrupted.is_set
    finally:
        progress.end()


def read_captured(root: Path) -> Facts:
    """The facts of a captured root; raises UsageError if it is not one."""
    if not root.is_dir():
        raise UsageError(
            f"--root: {root}: found no such directory, expected one that contains proc/ and sys/"
        )
    if not any((root / name).is_dir() for name in ("proc", "sys")):
        raise UsageError(f"--root: {root}: found neither proc/ nor sys/ in it, expected a captured root")
    return read_facts(RootedSystem(root))


def read_collected(file: Path) -> Facts:
    """The facts of a server from the collector's file; raises InputError."""
    return read_facts(read_collection(read_bytes(file), str(file)))


class _Progress:
    """One line on standard error that is erased at the end; silent if that is not a terminal."""

    def __init__(self) -> None:
        stream = sys.stderr
        self._stream = stream if stream is not None and stream.isatty() else None  # pyright: ignore[reportUnnecessaryComparison]

    def tell(self, what: str) -> None:
        """Show what is being read now."""
        self.show(f"reading {what} …")

    def show(self, words: str) -> None:
        """Show what is being done now."""
        if self._stream is not None:
            self._stream.write(f"{_CLEAR}{words}")
            self._stream.flush()

    def end(self) -> None:
        """Erase the line."""
        if self._stream is not None:
            self._stream.write(_CLEAR)
            self._stream.flush()
