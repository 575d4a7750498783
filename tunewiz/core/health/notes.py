"""What is no trouble as long as somebody knows it."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.facts.server import NO_SETTINGS, PostgresServer
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.known import known_or


def notes_on(situation: Situation) -> Iterator[str]:
    """Of a running primary whose settings are known."""
    server = situation.server
    if isinstance(server, PostgresServer) and not _archives(server):
        yield (
            "archive_mode is off: there is no way back to a point in time, unless another program collects "
            "this server's WAL (pg_receivewal, Barman by streaming). A dump goes back to when it was made"
        )


def _archives(server: PostgresServer) -> bool:
    """Whether it archives its WAL; a standby need not, nor does this judge settings that are not known."""
    mode = known_or(server.settings, NO_SETTINGS).get("archive_mode")
    return mode is None or mode.value != "off" or known_or(server.role, None) == "standby"
