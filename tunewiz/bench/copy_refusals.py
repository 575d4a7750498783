"""When a running copy must not be measured: it would reach out to others, or others would answer for it."""

from __future__ import annotations

import os
from collections.abc import Iterator

from tunewiz.bench.server import Server
from tunewiz.core.values.plural import how_many

HAS_SUBSCRIPTIONS = 100_000
"""The release from which there are subscriptions (10)."""
SETTING = "SELECT coalesce((SELECT setting FROM pg_settings WHERE name = '{}'), '')"


def reasons_of_copy(server: Server, database: str) -> Iterator[str]:
    """A sentence for each; raises RunError if it does not answer.

    Args:
        server: The copy.
        database: The one whose data is used; empty where there is none.
    """
    directory = server.measured.data_directory
    answers = server.ask("SHOW data_directory")
    if os.path.realpath(answers) != directory:
        yield f"the server in {answers} answers for it: start the copy on a port of its own"
        return
    yield from _slots(server)
    yield from _subscriptions(server)
    yield from _scheduled(server)
    if database:
        yield from _foreign(server, database)


def _slots(server: Server) -> Iterator[str]:
    if slots := server.ask_number("SELECT count(*) FROM pg_replication_slots"):
        yield (
            f"it keeps all WAL for {how_many(slots, 'replication slot')} of its server: "
            "drop them (pg_drop_replication_slot)"
        )


def _subscriptions(server: Server) -> Iterator[str]:
    if server.ask_number("SHOW server_version_num") < HAS_SUBSCRIPTIONS:
        return
    enabled = server.ask_number("SELECT count(*) FROM pg_subscription WHERE subenabled")
    if enabled and server.ask("SHOW max_logical_replication_workers") != "0":
        yield (
            f"{how_many(enabled, 'subscription')} would take changes that are meant for its server: "
            "start the copy with -c max_logical_replication_workers=0"
        )


def _scheduled(server: Server) -> Iterator[str]:
    is_loaded = "pg_cron" in server.ask("SHOW shared_preload_libraries")
    if is_loaded and server.ask(SETTING.format("cron.launch_active_jobs")) != "off":
        yield "pg_cron runs the server's jobs in it: start the copy with -c cron.launch_active_jobs=off"


def _foreign(server: Server, database: str) -> Iterator[str]:
    names = server.ask("SELECT srvname FROM pg_foreign_server ORDER BY 1", database=database).splitlines()
    if names:
        yield (
            f"{database} has foreign servers ({', '.join(names)}), which statements could reach: "
            "drop them in the copy (DROP SERVER ... CASCADE)"
        )
