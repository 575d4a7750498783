"""Applies and rolls back a bundle with its own scripts, protected by their own automatic revert."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tunewiz.bench.errors import RefusedError, RunError
from tunewiz.bench.owner import SYSTEM_PATH
from tunewiz.bench.run import RunDirectory
from tunewiz.core.proof.lengths import Lengths
from tunewiz.core.values.errors import TunewizError

SHELL = "/bin/sh"
REFUSED, RESTORED_ALREADY, LOCKED = 4, 3, 75
LEFT_OTHERS = 4
"""Of rollback.sh: what the bundle changed is restored, what others changed since was left and is listed."""
SECONDS_TO_WAIT = 1_500
"""Seconds to wait for another script to end: it may wait 20 minutes for a server to restart."""
MOST_MINUTES = 1440
"""The most that apply.sh accepts."""
PASSED_ON = ("TUNEWIZ_ROOT", "SUDO_UID", "PG_CLUSTER_CONF_ROOT")
SLACK_MINUTES = 15
"""For restarts, on top of the parts of a run, before the bundle reverts by itself."""
NOTHING, WHOLE = "none", "all"
"""The names of the states in which nothing is applied, and everything."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Scripted:
    """One run of a script."""

    status: int
    said: tuple[str, ...]

    def last_words(self) -> str:
        """How it ended, in one line: its exit status and what it said at the end, nothing twice."""
        return f"status {self.status}: {'; '.join(dict.fromkeys(text.strip() for text in self.said[-5:]))}"


@dataclass(slots=True)
class Switch:
    """What is applied now, and how to change that."""

    place: RunDirectory
    minutes: int
    """Time after which the bundle reverts itself if no process is left to do it."""
    applied: str = field(default=NOTHING)

    def to(self, name: str) -> None:
        """Bring the server to a state, by the same steps whatever it was in before.

        Args:
            name: A bundle in the run's directory, or NOTHING. All states need the same restart before them,
                and a part of a plan may need none: so all changes but those between NOTHING and WHOLE first
                apply WHOLE and roll it back.

        Raises:
            RunError: A script failed; it has undone its own changes, or reports which it could not.
        """
        was = self.applied
        self.back()
        if {was, name} != {NOTHING, WHOLE}:
            self._apply(WHOLE)
            self.back()
        if name != NOTHING:
            self._apply(name)

    def reload_to(self, name: str) -> None:
        """Bring the server to a state that differs by a reload alone, and never restart it; raises RunError.

        What is in force already is applied anew: its automatic revert would come too early.
        """
        self.back()
        if name != NOTHING:
            self._apply(name, "--no-restart")

    def back(self) -> None:
        """Roll back what is applied; raises RunError."""
        if self.applied == NOTHING:
            return
        done = run_script(self.place, self.applied, "rollback.sh")
        if done.status not in (0, RESTORED_ALREADY):
            raise RunError(f"rollback.sh ended with {done.last_words()}")
        self.applied = NOTHING

    def _apply(self, name: str, *options: str) -> None:
        within = ("--confirm-within", str(min(MOST_MINUTES, self.minutes)), *watcher())
        # It counts as applied from the start, so that it is rolled back if we are interrupted here.
        self.applied = name
        done = run_script(self.place, name, "apply.sh", *options, *within)
        if done.status != 0:
            self.applied = NOTHING if done.status == REFUSED else name
            raise RunError(f"apply.sh ended with {done.last_words()}")


def revert_minutes(lengths: Lengths) -> int:
    """After how many minutes a bundle reverts by itself that is applied for one run."""
    seconds = 2 * lengths.warm_up + lengths.full_speed + lengths.fixed_rate
    return SLACK_MINUTES + 2 * seconds // 60


def watcher() -> tuple[str, ...]:
    """The option for the automatic revert: none for systemd's timer, otherwise a waiting process."""
    is_timed = os.geteuid() == 0 and Path("/run/systemd/system").is_dir()
    return () if is_timed else ("--watcher",)


def check_applicable(place: RunDirectory, name: str) -> None:
    """Check with a dry run that a bundle can be applied; raises RefusedError with its script's output."""
    done = run_script(place, name, "apply.sh", "--dry-run")
    if done.status != 0:
        raise RefusedError(f"apply.sh would end with {done.last_words()}")


def roll_back_everything(place: RunDirectory, tell: Callable[[str], None]) -> tuple[str, ...]:
    """Roll back whatever this run has applied; returns a sentence for each thing that could not be."""
    return tuple(_rolled_back(place, tell))


def _rolled_back(place: RunDirectory, tell: Callable[[str], None]) -> Iterator[str]:
    if not place.bundles.is_dir() or not place.state.is_dir():
        return
    for bundle in sorted(place.bundles.iterdir()):
        try:
            done = run_script(place, bundle.name, "rollback.sh")
        except TunewizError as error:
            yield str(error)
            continue
        if done.status in (0, LEFT_OTHERS):
            tell("changes of the bundle were in force: they were rolled back")
        if done.status == LEFT_OTHERS:
            tell(f"others have changed the same since, which was left: {done.last_words()}")
        if done.status not in (0, RESTORED_ALREADY, LEFT_OTHERS):
            yield f"rollback.sh ended with {done.last_words()}"


def run_script(place: RunDirectory, name: str, script: str, *arguments: str) -> Scripted:
    """Run a script of a bundle to its end, after any that is running; raises RunError if it cannot start.

    It is never interrupted and outlives us, so whoever puts everything back may find one running.
    """
    for _ in range(SECONDS_TO_WAIT):
        done = _run_script(place, name, script, *arguments)
        if done.status != LOCKED:
            return done
        time.sleep(1)
    return _run_script(place, name, script, *arguments)


def _run_script(place: RunDirectory, name: str, script: str, *arguments: str) -> Scripted:
    passed_on = {text: os.environ[text] for text in PASSED_ON if text in os.environ}
    try:
        done = subprocess.run(  # noqa: S603 - the bundle's own script, which checks its own place
            [SHELL, str(place.bundles / name / script), *arguments],
            cwd=place.bundles / name,
            env={"PATH": SYSTEM_PATH, "LC_ALL": "C", "TUNEWIZ_STATE_DIR": str(place.state), **passed_on},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
            check=False,
        )
    except OSError as error:
        raise RunError(f"{SHELL}: cannot be started: {error.strerror}") from error
    # The log is only for people: if the disk is full, the rollback continues without it.
    with suppress(OSError), place.log.open("a", encoding="utf-8") as log:
        log.write(f"{script} {' '.join(arguments)} of {name}: status {done.returncode}\n{done.stdout}")
    return Scripted(status=done.returncode, said=tuple(done.stdout.splitlines()))
