"""A real server on a machine made of files, and what its other users do to both; as new for each history."""

import os
import re
import shutil
import signal
import stat
import time
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from history_scripts import processes_about
from history_truth import ACCESS, AUTO, CONFIG, DEFAULTS, LATER, SITE, Truth, written_files
from killed_servers import forget_postmaster, kill_server, postmaster_of, start_after_kill
from pretend_root import FILES, Entry, PretendRoot
from real_postgres import Cluster, Programs
from small_host import put_program

BASE: Final[Mapping[str, str]] = MappingProxyType(
    {
        "autovacuum": "off",
        "fsync": "off",
        "max_connections": "10",
        "max_wal_senders": "0",
        "shared_buffers": "1MB",
    }
)
"""A server that is up quickly."""

_SERVERS_OWN: Final = frozenset({"server.log", "socket", "data/postmaster.pid", "data/postmaster.opts"})
_PATIENCE: Final = 60
_A_MOMENT: Final = 0.05
_LOADED: Final = "SELECT pg_conf_load_time()"
_ANSWERS: Final = "SELECT name, setting, pending_restart FROM pg_settings"
LETS_ALL_IN: Final = "local all all trust\n"
LETS_NONE_IN: Final = "local all observer trust\n"
"""But for whoever looks at what is so."""

_A_MINUTE: Final = 60
_WAITS: Final = f"""#!/bin/sh
# Minutes pass when the test says so.
[ "$1" -ge {_A_MINUTE} ] 2>/dev/null || exec /bin/sleep 0.1
read -r _ <{{time}}
"""
_ANOTHER_ATTEMPT: Final = re.compile(r"It is tried again in (?P<seconds>\d+) s\.\n\Z")


class HistoryMachine:
    """One machine, one history after another."""

    def __init__(self, cluster: Cluster, beside: Path) -> None:
        self.cluster = cluster
        self.beside = beside
        self.time = beside / "time"
        self.root = PretendRoot(root=cluster.directory, state=beside / "state")
        self.script_user_has_settings = False
        os.mkfifo(self.time)
        self._furnish()
        cluster.start()
        cluster.query("CREATE ROLE observer SUPERUSER LOGIN")
        cluster.stop()
        names = {f"data/{path.name}" for path in cluster.data_directory.iterdir()}
        written = {
            f"data/{name}" for name in ("conf.d", "pg_hba.conf", "postgresql.conf", "postgresql.auto.conf")
        }
        self._servers_own = _SERVERS_OWN | (names - written)
        self._pristine = self._files()

    @property
    def programs(self) -> Programs:
        """The server's."""
        return self.cluster.programs

    def _furnish(self) -> None:
        cluster = self.cluster
        cluster.run("mkdir", cluster.data_directory / "conf.d")
        with cluster.config_file.open("a") as config:
            config.write("include_dir = 'conf.d'\n")
        (cluster.data_directory / "pg_hba.conf").write_text(LETS_ALL_IN)
        self.write(SITE, "log_connections = off\n")
        for path, content in FILES.items():
            if not path.startswith("/var/lib"):
                self.root.write(path, content)
        put_program(self.root, "sleep", _WAITS.format(time=self.time))

    # What is so.

    def _files(self) -> Mapping[str, Entry]:
        return written_files(self.root.root, self._servers_own)

    def truth(self) -> Truth:
        """Everything, now."""
        postmaster = postmaster_of(self.cluster)
        running: dict[str, str] = {}
        waiting: set[str] = set()
        if postmaster is not None:
            for row in self.ask(_ANSWERS).splitlines():
                name, value, waits = row.split("|")
                if name in DEFAULTS:
                    running[name] = value
                    waiting |= {name} if waits == "t" else set()
        return Truth(
            files=self._files(),
            postmaster=postmaster,
            running=MappingProxyType(running),
            waiting=frozenset(waiting),
        )

    def ask(self, sql: str) -> str:
        """As a role that nobody gives settings to, in a database that has none."""
        cluster = self.cluster
        where = ("-h", cluster.socket_directory, "-p", str(cluster.port), "-d", "template1", "-U", "observer")
        return cluster.run(self.programs.psql, "-XAtq", "-v", "ON_ERROR_STOP=1", *where, "-c", sql)

    def watchers(self) -> list[int]:
        """Processes that wait to take a change back."""
        return processes_about(self.root.state)

    # What others do.

    def write(self, path: str, content: str) -> None:
        """As its owner: a new file belongs to whom its directory belongs to."""
        file = self.root.path(path)
        is_new = not file.exists()
        file.write_text(content)
        if is_new:
            about = file.parent.stat()
            os.chown(file, about.st_uid, about.st_gid)

    def append(self, path: str, line: str) -> None:
        """A line more."""
        file = self.root.path(path)
        self.write(path, (file.read_text() if file.exists() else "") + line)

    def reload(self) -> None:
        """Returns when the server has read its files."""
        loaded = self.ask(_LOADED)
        self.ask("SELECT pg_reload_conf()")
        until = time.monotonic() + _PATIENCE
        while self.ask(_LOADED) == loaded:
            assert time.monotonic() < until, "the server does not read its files"

    def start(self) -> None:
        """Returns when the server takes connections."""
        start_after_kill(self.cluster)

    def stop(self) -> None:
        """Returns when the server has ended in order."""
        self.cluster.stop()

    def restart(self) -> None:
        """Stops and starts."""
        self.stop()
        self.start()

    def crash(self) -> None:
        """Returns when the killed server's processes are gone."""
        kill_server(self.cluster)

    def let_time_pass(self) -> bool:
        """The time that a watcher waits for is up; returns when it has ended or waits for another attempt.

        False at once where none waits.
        """
        if not self.watchers():
            return False
        self.time.write_text("\n")
        until = time.monotonic() + _PATIENCE
        while not (self._waits_for_another_attempt() or self._have_ended()):
            assert time.monotonic() < until, f"the watcher does not end: {self.watchers_words()}"
        return True

    def watchers_words(self) -> str:
        """What watchers have written into their logs."""
        return "".join(path.read_text(errors="replace") for path in self.root.state.glob("*/watcher.log"))

    def _waits_for_another_attempt(self) -> bool:
        """A rollback by hand takes the note of the next attempt away."""
        return any(
            int(pause["seconds"]) >= _A_MINUTE
            for note in self.root.state.glob("*/again")
            if (log := note.with_name("watcher.log")).exists()
            and (pause := _ANOTHER_ATTEMPT.search(log.read_text(errors="replace")))
        )

    def _have_ended(self) -> bool:
        """Looked at twice: a process that becomes another program shows no command line for a moment."""
        if self.watchers() or not self.watchers_words():
            time.sleep(0.02)
            return False
        time.sleep(_A_MOMENT)
        return not self.watchers()

    def put_right(self) -> None:
        """What keeps the server from its files, from a start or from connections is taken out."""
        self.write(ACCESS, LETS_ALL_IN)
        for path in (CONFIG, SITE, LATER, AUTO):
            file = self.root.path(path)
            if file.exists():
                lines = file.read_text().splitlines(keepends=True)
                kept = [
                    line for line in lines if not line.startswith(("no_such", "shared_preload_libraries"))
                ]
                if kept != lines:
                    self.write(path, "".join(kept))
        if postmaster_of(self.cluster) is not None:
            self.reload()

    # Anew.

    def reset(self) -> None:
        """The machine as at first, its server up, nothing of an earlier history left."""
        for process in self.watchers():
            os.kill(process, signal.SIGKILL)
        shutil.rmtree(self.root.state, ignore_errors=True)
        self.close()
        self._put_files_back()
        self.start()
        if self.script_user_has_settings:
            self.ask("DELETE FROM pg_db_role_setting")
            self.script_user_has_settings = False

    def close(self) -> None:
        """The server is gone, and nothing says that it was there."""
        if postmaster_of(self.cluster) is not None:
            self.crash()
        forget_postmaster(self.cluster)

    def _put_files_back(self) -> None:
        now = self._files()
        for path in sorted(now, reverse=True):
            if path not in self._pristine:
                file = self.root.path(path)
                file.rmdir() if stat.S_ISDIR(file.lstat().st_mode) else file.unlink()
        for path, was in self._pristine.items():
            if now.get(path) != was:
                file = self.root.path(path)
                file.unlink(missing_ok=True)
                file.write_bytes(was.content)
                os.chown(file, *was.owner)
                file.chmod(was.mode)
