"""Real PostgreSQL clusters for tests, run by an unprivileged user and reached by a Unix socket alone."""

import os
import pwd
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, assert_never

SECONDS_TO_START = 60

Layout = Literal["plain", "debian"]
"""`plain`: configuration in the data directory. `debian`: by pg_createcluster, configuration apart."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Programs:
    """A PostgreSQL server's programs as installed here."""

    bin_directory: Path
    version: str
    """As the server prints it: `15.14`, `9.6.24`."""

    @property
    def major(self) -> str:
        """`15`, `9.6`."""
        parts = self.version.split(".")
        return ".".join(parts[:2]) if parts[0] == "9" else parts[0]

    @property
    def psql(self) -> Path:
        """Their own, else the machine's: it speaks with servers of every major."""
        own = self.bin_directory / "psql"
        return own if own.exists() else Path("psql")


@dataclass(frozen=True, kw_only=True, slots=True)
class Cluster:
    """A test's own cluster, stopped when it is handed out."""

    programs: Programs
    layout: Layout
    os_user: str
    """Owns the files and runs the server; the database's superuser has the same name."""
    directory: Path
    """Holds everything below; belongs to `os_user`."""
    data_directory: Path
    config_file: Path
    port: int
    environment: Mapping[str, str]
    """What programs must find in theirs to see the cluster (Debian's layout: its configuration's root)."""

    @property
    def socket_directory(self) -> Path:
        """Where the server's Unix socket is; it listens nowhere else."""
        return self.directory / "socket"

    @property
    def log_file(self) -> Path:
        """What the server had to say."""
        return self.directory / "server.log"

    def run(self, *command: str | Path) -> str:
        """Runs a command as the owner and returns what it printed; a failure carries all that it said."""
        return run_as(self.os_user, command, directory=self.directory, environment=self.environment)

    def query(self, *statements: str, database: str = "postgres") -> str:
        """Statements by psql, one after the other in a session: a row a line, columns parted by `|`."""
        where = ("-h", self.socket_directory, "-p", str(self.port), "-d", database)
        results = (word for statement in statements for word in ("-c", statement))
        return self.run(self.programs.psql, "-XAtq", "-v", "ON_ERROR_STOP=1", *where, *results).removesuffix(
            "\n"
        )

    def start(self) -> None:
        """Returns when the server takes connections; if it does not, its log is in the failure."""
        try:
            self._control("start")
        except AssertionError as failed:
            log = (
                self.log_file.read_text(errors="replace") if self.log_file.exists() else "no log was written"
            )
            failed.add_note(log)
            raise

    def stop(self, *, mode: Literal["fast", "immediate"] = "fast") -> None:
        """Returns when the server has ended; `immediate` is a crash."""
        self._control("stop", "-m", mode)

    def restart(self) -> None:
        """Stops and starts."""
        self.stop()
        self.start()

    def is_running(self) -> bool:
        """Whether its postmaster is running."""
        try:
            pid = int((self.data_directory / "postmaster.pid").read_text().split("\n", 1)[0])
            os.kill(pid, 0)
        except (FileNotFoundError, ProcessLookupError):
            return False
        return True

    def _control(self, action: str, *options: str) -> None:
        match self.layout:
            case "plain":
                pg_ctl = self.programs.bin_directory / "pg_ctl"
                waiting = ("-w", "-t", str(SECONDS_TO_START))
                self.run(pg_ctl, *waiting, "-D", self.data_directory, "-l", self.log_file, *options, action)
            case "debian":
                self.run("pg_ctlcluster", *options, self.programs.major, self.config_file.parent.name, action)
            case _:
                assert_never(self.layout)


def run_as(
    user: str, command: tuple[str | Path, ...], *, directory: Path, environment: Mapping[str, str]
) -> str:
    """Runs a command as a user that need not be ours, in a clean environment, and returns what it printed."""
    account = pwd.getpwnam(user)
    others = os.geteuid() == 0
    done = subprocess.run(
        command,
        cwd=directory,
        env={
            "PATH": os.environ["PATH"],
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "HOME": str(directory),
            **environment,
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=2 * SECONDS_TO_START,
        user=account.pw_uid if others else None,
        group=account.pw_gid if others else None,
        extra_groups=os.getgrouplist(user, account.pw_gid) if others else None,
    )
    said = f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stdout}{done.stderr}"
    assert done.returncode == 0, said
    return done.stdout
