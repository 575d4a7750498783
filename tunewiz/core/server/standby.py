"""Settings that must not be lower on a standby than on its primary, and the order of changing them.

A standby whose value is lower stops replaying, or does not start (verified with 9.6 to 18, 2026-11).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.verdicts import Declined
from tunewiz.core.values.known import known_or
from tunewiz.core.values.versions import V12

_ALWAYS = (
    "max_connections",
    "max_worker_processes",
    "max_prepared_transactions",
    "max_locks_per_transaction",
)

WRITERS_ALONE = frozenset(
    {
        "autovacuum",
        "default_statistics_target",
        "default_toast_compression",
        "full_page_writes",
        "log_autoanalyze_min_duration",
        "log_autovacuum_min_duration",
        "maintenance_work_mem",
        "max_parallel_maintenance_workers",
        "synchronous_commit",
        "track_cost_delay_timing",
        "vacuum_buffer_usage_limit",
        "vacuum_failsafe_age",
        "vacuum_freeze_table_age",
        "vacuum_max_eager_freeze_failure_rate",
        "vacuum_multixact_failsafe_age",
        "wal_buffers",
        "wal_compression",
    }
)
"""Settings of what a server in recovery never does: it vacuums, analyzes and builds nothing, and writes no
WAL of its own (manual, version 15, hot-standby)."""
_OF_AUTOVACUUM = "autovacuum_"


def waits_for_promotion(situation: Situation, name: str) -> bool:
    """Whether a setting has no effect on this server while it is a standby."""
    return is_standby(situation) and (name in WRITERS_ALONE or name.startswith(_OF_AUTOVACUUM))


_WRITES = re.compile(r"(?:^|[ :(])(ALTER (ROLE|DATABASE|TABLE)|(CREATE|DROP) EXTENSION|VACUUM \()")
"""Statements that a standby refuses; not ALTER SYSTEM, as it writes the server's own file."""
ON_THE_PRIMARY = "On the primary: "

NOT_A_STANDBY = Declined(because="a setting for standbys: this server is not one", kind="not_applicable")
NO_QUERIES = Declined(because="hot_standby is off: no queries run here", kind="not_applicable")


def where_it_works(step: str) -> str:
    """A step as a standby's administrator needs it: marked where only the primary can execute it.

    >>> where_it_works("ALTER ROLE app SET statement_timeout = '1min';")
    "On the primary: ALTER ROLE app SET statement_timeout = '1min';"
    """
    return f"{ON_THE_PRIMARY}{step}" if _WRITES.search(step) else step


def bound(situation: Situation) -> tuple[str, ...]:
    """Their names in this version."""
    return (*_ALWAYS, "max_wal_senders") if situation.major >= V12 else _ALWAYS


def is_standby(situation: Situation) -> bool:
    """Whether the server is known to follow another."""
    return (
        isinstance(situation.server, PostgresServer)
        and known_or(situation.server.role, "primary") == "standby"
    )


def lowers(situation: Situation, name: str, value: str) -> bool:
    """Whether a value is lower than what such a setting has now."""
    return name in bound(situation) and int(value) < int(situation.in_force(name))


def order_of_changes(start: Situation, end: Situation) -> Iterator[str]:
    """In which order the plan's changes must be made here and on the other servers."""
    moved = [name for name in bound(start) if name in end.chosen]
    down = [name for name in moved if lowers(start, name, end.chosen[name])]
    up = [name for name in moved if name not in down]
    there = "the primary" if is_standby(start) else "every standby"
    if up:
        values = ", ".join(f"{name} to {end.chosen[name]}" for name in up)
        order = f"here first, then on {there}" if is_standby(start) else f"on {there} first, then here"
        yield f"Raise {values} {order}: a standby with less than its primary stops replaying."
    if down:
        values = ", ".join(f"{name} to {end.chosen[name]}" for name in down)
        yield (
            f"Lower {values} on {'the primary first' if is_standby(start) else 'this primary first'}, "
            "wait until every standby has replayed that, then lower it there."
        )
