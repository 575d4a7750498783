"""A machine whose server's log can move: a real server, and a second file system in a file."""

import dataclasses
import os
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from faulty_programs import become_owner, when_owner_runs
from fixtures_postgres import crash
from pretend_root import FILES, Entry, PretendRoot, Ran, entry
from real_postgres import Cluster
from small_bundles import bundle_of
from small_host import host_change, put_program
from small_plans import small_facts, small_plan
from tools_here import missing
from tunewiz.core.facts.facts import Facts
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.targets import Effect
from tunewiz.core.values.known import Absent, Known
from tunewiz.kinds.wal import MoveWal

TARGET = "/disk/wal"
OLD = "pg_wal.tunewiz-old"
REFUSED, FAILED = 4, 5
SIZES = {"max_wal_size": "64MB", "min_wal_size": "32MB"}
"""So small a log that a small disk has room for it."""
SETTINGS = {"fsync": "off", **SIZES}
DISK_SIZE = 256 * 2**20
"""The image is sparse."""
FSTAB = "UUID=1 / ext4 defaults 0 1\nUUID=2 /disk ext4 defaults 0 2\n"
STRUCK = (*become_owner(), "sync", "mkdir", "rmdir", "chown")
"""Programs that a move calls as root, whatever it does."""


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class WalMachine:
    """A pretend root around a cluster, with a disk mounted in it."""

    cluster: Cluster
    machine: PretendRoot
    bundles: Path

    @property
    def log(self) -> Path:
        """Where the server looks for its log."""
        return self.cluster.data_directory / self.name

    @property
    def name(self) -> Literal["pg_wal", "pg_xlog"]:
        """What its directory is called in this version."""
        return "pg_xlog" if self.cluster.programs.major.startswith("9.") else "pg_wal"

    @property
    def target(self) -> Path:
        """Where it is to go."""
        return self.machine.path(TARGET)

    @property
    def is_moved(self) -> bool:
        """Whether the server is led there."""
        return self.log.is_symlink() and self.log.readlink() == self.target

    def facts(self) -> Facts:
        """What a plan for the cluster rests on; it includes a conf.d of its own where that is there."""
        includes = (self.cluster.data_directory / "conf.d").is_dir()
        return small_facts(
            Given(major=self.cluster.programs.major, settings={"shared_buffers": "128MB", **SIZES}),
            data_directory=Known("/data", "test"),
            config_file=Known(str(self.cluster.config_file).removeprefix(str(self.machine.root)), "test"),
            owner="debian" if self.cluster.layout == "debian" else "source",
            include_directory=Known("/data/conf.d", "test") if includes else Absent("test"),
        )

    def bundle(self, target: str = TARGET, **wanted: str) -> Path:
        """The bundle that moves the log, and sets what is wanted beside it."""
        action = MoveWal(data_directory="/data", name=self.name, target=target)
        directory = self.bundles / f"bundle-{len(list(self.bundles.iterdir()))}"
        settings = {f"pg.{name}": value for name, value in wanted.items()}
        move = host_change(action, effect=Effect.RESTART)
        return bundle_of(small_plan(self.facts(), settings, more=(move,)), directory)

    def run(self, script: Path, *arguments: str) -> Ran:
        """Runs a script against it."""
        return self.machine.run(script, *arguments)

    def write_row(self, number: int) -> None:
        """Something that only the log knows of until the next checkpoint."""
        self.cluster.query(
            "CREATE TABLE IF NOT EXISTS seen (number int)", f"INSERT INTO seen SELECT {number}"
        )

    def rows(self) -> str:
        """What was written so far."""
        return self.cluster.query("SELECT string_agg(number::text, ' ' ORDER BY number) FROM seen")

    def crash_and_start(self) -> None:
        """The server replays its log: what is missing in it is lost."""
        if self.cluster.is_running():
            self.cluster.stop(mode="immediate")
        self.cluster.start()

    def places(self) -> dict[str, Entry]:
        """What the disk holds, and what lies around the log; the server's own files come and go."""
        data = self.cluster.data_directory
        around = {str(path): entry(path) for path in data.iterdir() if path.name.startswith(self.name)}
        return around | {str(path): entry(path) for path in self.machine.path("/disk").rglob("*")}

    def when_owner_runs(self, words: str, command: str) -> None:
        """Something happens just before the server's owner is made to run a command with these words."""
        when_owner_runs(self.machine, words, command)

    def strike(self, at: int, *, once: str) -> None:
        """The Nth call of any of the programs, once the journal has a word, kills who holds the lock."""
        counter = self.bundles.parent / "calls"
        counter.write_text("0")
        holder, journal = self.machine.state / "lock" / "owner", self.machine.state / "*" / "journal"
        for program in STRUCK:
            put_program(
                self.machine,
                program,
                f"#!/bin/sh\nread calls <{counter}\n"
                f'if [ "$(id -u)" -eq 0 ] && grep -qs "^{once} " {journal}; then\n'
                f"calls=$((calls + 1)) && echo $calls >{counter}\n"
                f"[ $calls -ne {at} ] || {killing(holder)}\n"
                f'fi\nexec {shutil.which(program)} "$@"\n',
            )

    def kill_when_owner_runs(self, words: str, command: str = ":") -> None:
        """The script is killed at such a command, after something else happened."""
        self.when_owner_runs(words, f"{command}; {killing(self.machine.state / 'lock' / 'owner')}; exit 1")

    def calls(self) -> int:
        """How often the programs were called since the last strike."""
        return int((self.bundles.parent / "calls").read_text())

    def disarm(self) -> None:
        """Takes all shims away."""
        shutil.rmtree(self.machine.path("/usr"))


def killing(holder: Path) -> str:
    """A command that ends who holds the lock, and the part of it that is at work."""
    return f"{{ read -r holder _ <{holder}; kill -KILL $holder $PPID; }} 2>/dev/null"


def cannot_mount() -> str:
    """Why no second file system can be made here; empty where it can."""
    if os.geteuid() != 0:
        return "a second file system needs root"
    if why := missing("mkfs.ext4", "losetup", "mount", "umount"):
        return why
    free = subprocess.run(("losetup", "--find"), capture_output=True, check=False)
    return "" if free.returncode == 0 else "there is no free loop device"


@contextmanager
def disk_at(place: Path, image: Path) -> Generator[None]:
    """A small file system of its own, mounted there."""
    with image.open("wb") as stream:
        stream.truncate(DISK_SIZE)
    subprocess.run(("mkfs.ext4", "-q", image), check=True, capture_output=True)
    place.mkdir()
    subprocess.run(("mount", "-o", "loop", image, place), check=True)
    try:
        yield
    finally:
        subprocess.run(("umount", place), check=True)


@contextmanager
def wal_machine(cluster: Cluster, directory: Path) -> Generator[WalMachine]:
    """The cluster runs; its disk is empty; it ends before the disk goes."""
    machine = PretendRoot(root=cluster.directory, state=directory / "state", environment=cluster.environment)
    for path, content in FILES.items():
        if not path.startswith("/var/lib"):
            machine.write(path, content)
    machine.write("/etc/fstab", FSTAB)
    (directory / "bundles").mkdir()
    made = WalMachine(cluster=cluster, machine=machine, bundles=directory / "bundles")
    with disk_at(machine.path("/disk"), directory / "image"):
        shutil.rmtree(machine.path("/disk/lost+found"))
        cluster.start()
        try:
            yield made
        finally:
            crash(cluster)
