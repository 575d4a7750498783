"""What figures of a copy do not show of its server: another machine, other settings, its own load."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.bench.copied import Copied
from tunewiz.core.facts.server import NO_SETTINGS, PostgresServer
from tunewiz.core.recommendation.situation import NoServer, Situation
from tunewiz.core.values.known import known_or
from tunewiz.core.values.plural import how_many

ITS_OWN = frozenset(
    {
        *("data_directory", "config_file", "hba_file", "ident_file", "external_pid_file", "port"),
        *("listen_addresses", "unix_socket_directories", "cluster_name", "archive_mode", "archive_command"),
        *("archive_library", "primary_conninfo", "primary_slot_name", "max_logical_replication_workers"),
        *("server_version", "server_version_num", "data_directory_mode", "in_hot_standby"),
        *("TimeZone", "DateStyle", "default_text_search_config"),
    }
)
"""Settings in which a copy differs from its server anyway."""
SAYS_NOTHING = ("lc_", "log_", "ssl", "cron.", "krb_")
"""Beginnings of names of settings that hardly change what is measured."""
MOST_NAMES = 8


def cannot_tell_on_copy(copied: Copied, start: Situation) -> Iterator[str]:
    """What figures of a copy do not show of its server."""
    if copied.is_beside:
        yield (
            "The server itself ran on this machine too: it and the copy shared processors, memory and disks."
        )
    if not copied.is_here:
        name = known_or(start.facts.host.name, "another machine")
        yield (
            f"The server is on another machine ({name}): figures there may differ, and `--proof` accepts a "
            "measurement for a plan only on the machine where it was made."
        )
    names = [] if isinstance(start.server, NoServer) else sorted(_differing(copied.server, start.server))
    if names:
        rest = len(names) - MOST_NAMES
        more = f" and {how_many(rest, 'other')}" if rest > 0 else ""
        yield f"The copy differs from the server in other settings: {', '.join(names[:MOST_NAMES])}{more}."


def _differing(copy: PostgresServer, server: PostgresServer) -> Iterator[str]:
    here, there = known_or(copy.settings, NO_SETTINGS), known_or(server.settings, NO_SETTINGS)
    for name in here.keys() & there.keys():
        if (
            name not in ITS_OWN
            and not name.startswith(SAYS_NOTHING)
            and here[name].value != there[name].value
        ):
            yield name
