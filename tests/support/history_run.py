"""One run of a script, between two moments of the machine."""

from dataclasses import dataclass
from typing import Literal

from history_model import Model, Standing, foreign_way_back
from history_truth import Truth, auto_line
from pretend_root import Ran

DONE, DIFFERS, ALREADY, REFUSED, FAILED = 0, 1, 3, 4, 5

Script = Literal["apply", "rollback", "verify", "confirm"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """One run, with what was so before and after it."""

    script: Script
    then: Truth
    now: Truth
    ran: Ran
    no_restart: bool = False
    cut_off: bool = False
    """It was asked to stop, or killed."""
    after_word_to_stop: bool = False
    """The last that a killed run wrote of the server is that it stops it, and it was not started since."""

    @property
    def killed(self) -> bool:
        """A shell that is ended by a signal has no status of its own."""
        return self.ran.status < 0

    @property
    def changed_nothing(self) -> bool:
        """Of files, and of the running server."""
        return (self.then.files, self.then.postmaster, self.then.running) == (
            self.now.files,
            self.now.postmaster,
            self.now.running,
        )


def cell_changed(run: Run, name: str) -> bool:
    """Whether something else stands there than before the run."""
    if name.startswith("auto:"):
        setting = name.removeprefix("auto:")
        return auto_line(run.then, setting) != auto_line(run.now, setting)
    return run.then.files.get(name) != run.now.files.get(name)


def has_obstacles(model: Model, standing: Standing, run: Run) -> bool:
    """Whether something of others keeps the server from its former state."""
    return (
        run.then.configured is None
        or run.now.configured is None
        or model.locked_out
        or bool(foreign_way_back(standing, run.then) | foreign_way_back(standing, run.now))
        or (not run.then.up and bool(run.then.configured["shared_preload_libraries"]))
    )
