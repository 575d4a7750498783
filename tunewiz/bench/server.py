"""The server that is measured: queried with psql, over its socket, as its owner."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tunewiz.bench.errors import RunError
from tunewiz.bench.owner import Ended, Watch, must, nobody_watches, pause, run_as
from tunewiz.bench.run import BenchRun, MeasuredServer
from tunewiz.collect.system import regular_content

PID_LINES = 5
"""postmaster.pid: process, data directory, start, port, socket directory, … (PostgreSQL, miscadmin.h)."""
ROOT = Path("/")
SAFE_PATH = "-c search_path=pg_catalog,pg_temp"
"""From the first statement on, no name means what another user of the server created."""
SECONDS_TO_ANSWER = 600
"""As long as the bundles' scripts wait for a server that recovers."""
TRIES_TO_END, PAUSE_TO_END = 240, 0.25
"""A session notices its termination late: a long step, such as copying a file, is finished first."""
WAL_FUNCTIONS = 100_000
"""The release from which WAL functions are called wal instead of xlog (10)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ServerAddress:
    """Where it listens now, as the port may change with a restart."""

    socket: str
    port: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Server:
    """The server that is measured."""

    measured: MeasuredServer
    label: str
    """The application_name of our sessions, which nobody else uses."""

    @property
    def owner(self) -> str:
        """Name of the operating system's user."""
        return self.measured.owner

    def program(self, name: str) -> str:
        """A program of the client package."""
        return f"{self.measured.programs}/{name}" if self.measured.programs else name

    def is_running(self) -> bool:
        """Whether its postmaster is running."""
        try:
            process = Path(f"/proc/{int(self._pid_file()[0])}")
            # After a power cut the process id in the file may belong to another process.
            return process.joinpath("cwd").readlink() == Path(self.measured.data_directory).resolve()
        except PermissionError:
            return True
        except (OSError, ValueError, IndexError):
            return False

    def endpoint(self) -> ServerAddress:
        """Where it listens; raises RunError if it does not run."""
        try:
            lines = self._pid_file()
        except OSError as error:
            raise RunError(f"{self.measured.data_directory}: the server is not running") from error
        if len(lines) < PID_LINES:
            raise RunError(f"{self.measured.data_directory}/postmaster.pid: found {len(lines)} lines")
        socket = lines[4].split(",")[0].strip()
        return ServerAddress(socket=socket or "localhost", port=lines[3])

    def where(self, database: str) -> tuple[str, ...]:
        """Options of psql and pgbench that lead to a database."""
        endpoint = self.endpoint()
        return ("-h", endpoint.socket, "-p", endpoint.port, "-U", self.measured.role, database)

    def ask(self, sql: str, *, database: str = "postgres", watch: Watch = nobody_watches) -> str:
        """The result of one statement: a line for each row, columns separated by `|`; raises RunError."""
        *where, name = self.where(database)
        command = (self.program("psql"), "-XAtq", "-v", "ON_ERROR_STOP=1", *where, "-d", name, "-c", sql)
        ended = self.run(command, watch=watch, session={"PGOPTIONS": SAFE_PATH})
        return must(ended, f"psql ({sql[:60]})").removesuffix("\n")

    def run(
        self,
        command: Sequence[str],
        *,
        directory: Path = ROOT,
        watch: Watch = nobody_watches,
        session: Mapping[str, str] | None = None,
    ) -> Ended:
        """Run a client program as the owner, with variables for libpq; raises RunError if it cannot."""
        extra = {**(session or {}), "PGAPPNAME": self.label}
        return run_as(self.owner, command, directory=directory, watch=watch, extra=extra)

    def ask_number(self, sql: str) -> int:
        """What one statement returns, as a whole number; raises RunError."""
        text = self.ask(sql)
        if not text.lstrip("-").isdigit():
            raise RunError(f"{sql}: found {text!r}, expected a whole number")
        return int(text)

    def wal_bytes(self) -> int:
        """How much WAL was written since the cluster was created."""
        if self.ask_number("SHOW server_version_num") >= WAL_FUNCTIONS:
            return self.ask_number("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint")
        return self.ask_number("SELECT pg_xlog_location_diff(pg_current_xlog_location(), '0/0')::bigint")

    def drop(self, database: str) -> None:
        """Drop a database if it exists, after ending its sessions; raises RunError."""
        self._end(f"datname = '{database}'")
        self.ask(f'DROP DATABASE IF EXISTS "{database}"')

    def end_sessions(self) -> None:
        """End all of our sessions, whatever they are doing; raises RunError if one does not end."""
        self._end(f"application_name = '{self.label}'")

    def await_answer(self, start: Callable[[], None]) -> None:
        """Wait until the server accepts connections, also after a crash; raises RunError if it does not.

        Args:
            start: Starts the server. Called repeatedly: a server that has just crashed may
                still be seen while it exits.
        """
        for _ in range(SECONDS_TO_ANSWER):
            if not self.is_running():
                start()
            try:
                self.ask("SELECT 1")
            except RunError:
                pause(1, nobody_watches)
            else:
                return
        self.ask("SELECT 1")

    def _end(self, which: str) -> None:
        """End the sessions that match an SQL condition, and wait until they are gone; raises RunError."""
        others = f"FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND {which}"
        for _ in range(TRIES_TO_END):
            self.ask(f"SELECT pg_terminate_backend(pid) {others}")
            if self.ask(f"SELECT count(*) {others}") == "0":
                return
            pause(PAUSE_TO_END, nobody_watches)
        raise RunError(f"sessions of the run do not end ({which})")

    def _pid_file(self) -> list[str]:
        """Its lines. Links are not followed, as the directory belongs to the server's owner."""
        file = f"{self.measured.data_directory}/postmaster.pid"
        return regular_content(file, os.O_NOFOLLOW).decode(errors="replace").splitlines()


def server_of(run: BenchRun) -> Server:
    """The server of a run."""
    return Server(measured=run.server, label=run.database)
