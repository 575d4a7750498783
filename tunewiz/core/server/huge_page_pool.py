"""What the other servers of a machine take from the same pool of huge pages.

A server with huge_pages=try, the default, takes pages whenever there are enough at its start. One that starts
before ours leaves ours too few, and with huge_pages=on ours does not start (verified on three servers,
2026-11).
"""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.facts.server import NO_SETTINGS, PostgresServer, Setting
from tunewiz.core.recommendation.situation import NoServer, Situation
from tunewiz.core.values.known import Known, known_or
from tunewiz.core.values.pg_settings import SettingError
from tunewiz.core.values.units import Bytes


def neighbours(situation: Situation) -> tuple[PostgresServer, ...]:
    """The servers that run beside the one that the plan is for."""
    if isinstance(situation.server, NoServer):
        return ()
    own = situation.server.data_directory
    return tuple(
        server for server in situation.facts.postgres if server.running and server.data_directory != own
    )


def neighbours_pages(situation: Situation, size: Bytes, overhead: Bytes) -> int:
    """Huge pages of the kernel's own size that they may take; each `overhead` beside its buffers."""
    if size != known_or(situation.facts.memory.huge_page_size, Bytes(0)):
        return 0
    return sum(_pages(situation, neighbour, size, overhead) for neighbour in neighbours(situation))


def _pages(situation: Situation, server: PostgresServer, size: Bytes, overhead: Bytes) -> int:
    settings = known_or(server.settings, NO_SETTINGS)
    if _word(settings.get("huge_pages"), "try") == "off" or _word(settings.get("huge_page_size"), "0") != "0":
        return 0
    if isinstance(server.shared_memory_pages, Known):
        return server.shared_memory_pages.value
    return sum(
        (buffers + overhead).pages(size) for buffers in _buffers(situation, settings.get("shared_buffers"))
    )


def _word(setting: Setting | None, otherwise: str) -> str:
    return otherwise if setting is None else setting.value


def _buffers(situation: Situation, setting: Setting | None) -> Iterator[Bytes]:
    info = situation.settings["shared_buffers"]
    try:
        yield info.size(situation.default("shared_buffers") if setting is None else info.show(setting.value))
    except SettingError:  # what another server's file says may be anything
        return
