"""A session in which no name means what an ordinary user of the server created.

Where others may create functions and operators (in `public`, up to PostgreSQL 14), one that fits a call
better than the server's own is run in its place, with the rights of whoever calls: often a superuser's.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any, LiteralString, TypeAlias

import psycopg
from psycopg import sql
from psycopg.abc import Params
from psycopg.pq import TransactionStatus

from tunewiz.collect.postgres.queries import SETTINGS

# Utility statements: no name is looked up for them. For a transaction, as a pooler may give the session to
# another client after it; and not in the options of the connection, which many poolers refuse.
_SAFE: LiteralString = """set local search_path to pg_catalog, pg_temp; set local statement_timeout to '5s';
    set local lock_timeout to '5s'"""
_SINCE: tuple[tuple[int, LiteralString], ...] = (
    (90_600, "; set local idle_in_transaction_session_timeout to 0"),
    (110_000, "; set local jit to off"),
    (170_000, "; set local transaction_timeout to 0"),
)
"""Limits that a role may have, and what compiles a look at large catalogues for seconds, by the release that
brought them."""


Statement: TypeAlias = LiteralString | bytes | sql.SQL | sql.Composed


class Connection:
    """Begins every transaction with a safe search path and our limits, whatever the role has."""

    def __init__(self, connection: psycopg.Connection[tuple[Any, ...]]) -> None:
        """Nothing was executed yet."""
        self._connection = connection

    @property
    def info(self) -> psycopg.ConnectionInfo:
        """As psycopg's."""
        return self._connection.info

    @property
    def closed(self) -> bool:
        """Whether it was lost."""
        return self._connection.closed

    def fileno(self) -> int:
        """Of its socket."""
        return self._connection.fileno()

    def cancel(self) -> None:
        """Ask the server to cancel what runs here; any thread may."""
        self._connection.cancel()

    def execute(
        self, query: Statement, params: Params | None = None, *, binary: bool = False
    ) -> psycopg.Cursor[tuple[Any, ...]]:
        """Execute a statement, in the transaction that is open or in a new one; raises psycopg.Error."""
        if self._is_idle():
            self._make_safe()
        return self._connection.execute(query, params, binary=binary)

    @contextmanager
    def transaction(self, *, force_rollback: bool = False) -> Generator[None]:
        """A transaction, or a savepoint in the one that is open; raises psycopg.Error."""
        is_outermost = self._is_idle()
        with self._connection.transaction(force_rollback=force_rollback):
            if is_outermost:
                self._make_safe()
            yield

    def settings(self) -> Sequence[tuple[Any, ...]]:
        """The rows of pg_settings where nothing is set for the session: that would show instead.

        The statement calls no function and no operator, and names its view with the schema. If the role's
        limit on time is too short for it, it is run again without.
        """
        try:
            return self._connection.execute(SETTINGS).fetchall()
        except psycopg.errors.QueryCanceled:
            self._connection.rollback()
            return self.execute(SETTINGS).fetchall()

    def _make_safe(self) -> None:
        release = self.info.server_version
        self._connection.execute(_SAFE + "".join(more for since, more in _SINCE if release >= since))

    def _is_idle(self) -> bool:
        return self.info.transaction_status == TransactionStatus.IDLE
