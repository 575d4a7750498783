"""Runs of `tunewiz prove bench` against a test's own server, seconds long."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from real_subject import Subject
from tunewiz.bench.locks import is_under_way
from tunewiz.bench.run import RunDirectory

RELOADED = {"pg.work_mem": "24MB"}
"""Nothing in it needs a restart: a switch takes a second."""
CHANGED = "24MB"

SHORT = ("--run", "3s", "--scale", "1", "--clients", "2")
BRIEF = ("--run", "1s", "--scale", "1", "--clients", "2")
"""For what does not look at figures: too short for a whole second of them."""
DATABASES = "SELECT string_agg(datname, ' ' ORDER BY datname) FROM pg_database"
SECONDS = 500


def environment(subject: Subject) -> dict[str, str]:
    """What the program needs to find the server's records, and nothing else of ours."""
    return {
        "PATH": os.environ["PATH"],
        "TUNEWIZ_STATE_DIR": str(subject.state),
        **subject.cluster.environment,
    }


def command(bundle: Path, *options: str) -> list[str]:
    """The command line."""
    return [sys.executable, "-m", "tunewiz", "prove", "bench", str(bundle), *options]


def prove(subject: Subject, bundle: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run it to its end."""
    return to_its_end(subject, command(bundle, *options))


def to_its_end(subject: Subject, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run a command, with nobody at a terminal."""
    return subprocess.run(
        words,
        env=environment(subject),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )


def as_before(subject: Subject) -> dict[str, object]:
    """Everything that a run must leave as it was."""
    return {
        "files": subject.configuration(),
        "settings": subject.show(),
        "databases": subject.cluster.query(DATABASES),
    }


@dataclass(frozen=True, kw_only=True, slots=True)
class UnderWay:
    """A run at work, followed by a command."""

    subject: Subject
    follower: subprocess.Popen[str]

    @property
    def place(self) -> RunDirectory:
        """Its files."""
        return RunDirectory(self.subject.state / "prove")

    def until(self, happened: Callable[[], bool]) -> None:
        """Wait for something."""
        until = time.monotonic() + SECONDS
        while not happened():
            assert time.monotonic() < until, (
                self.place.log.read_text() if self.place.log.exists() else "no log"
            )
            time.sleep(0.05)

    def until_in_force(self) -> None:
        """Wait until the bundle's change is applied."""
        self.until(lambda: self.subject.show()["work_mem"] == CHANGED)

    def until_over(self) -> None:
        """Wait until neither of its processes is there."""
        self.until(lambda: not is_under_way(self.place))

    def runner(self) -> int:
        """The process that measures; raises ProcessLookupError once it has ended."""
        self.until(lambda: self.place.runner.exists() or self.place.status.exists())
        try:
            return int(self.place.runner.read_text())
        except FileNotFoundError as error:
            raise ProcessLookupError from error

    def guard(self) -> int:
        """The process that guards it: its parent."""
        status = Path(f"/proc/{self.runner()}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in status if line.startswith("PPid:"))


@contextmanager
def under_way(subject: Subject, bundle: Path, *options: str) -> Generator[UnderWay]:
    """A run that has begun; whatever a test does to it, nothing of it goes on afterwards."""
    follower = subprocess.Popen(
        command(bundle, *options),
        env=environment(subject),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    run = UnderWay(subject=subject, follower=follower)
    try:
        run.until(lambda: is_under_way(run.place) or follower.poll() is not None)
        assert follower.poll() is None, follower.communicate()
        yield run
    finally:
        follower.kill()
        follower.communicate()
        if is_under_way(run.place):
            with suppress(ProcessLookupError):
                os.kill(run.runner(), signal.SIGTERM)
            run.until_over()
