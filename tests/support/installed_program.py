"""An installed program as its user starts it: elsewhere, where no file of the checkout can be reached."""

import os
import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from command_line import Ended
from terminal_session import PATIENCE, TerminalSession
from tunewiz.core.answers.steps import Step

CHECKOUT = Path(__file__).resolve().parents[2]
VARIABLE = "TUNEWIZ_PROGRAM"
"""Names the program's command line, such as `/opt/tunewiz/bin/tunewiz` or `python3 /tmp/tunewiz.pyz`."""

ELSEWHERE = 'cd / && unset PYTHONPATH PYTHONHOME VIRTUAL_ENV && shift && exec "$@"'
HIDDEN = f'mount -t tmpfs -o ro,size=4k tmpfs "$1" && {ELSEWHERE}'
"""What a shell does first: the mount is seen by this process and its children alone."""

ENTER, ESCAPE, CLEAR = b"\r", b"\x1b", b"\x15"
RIGHT, DOWN, HOME, END = b"\x1b[C", b"\x1b[B", b"\x1b[H", b"\x1b[F"
COMMANDS = b"\x1bOQ"
"""F2: in a field a colon is a letter."""
PLACE = re.compile(r"(\d)/(\d) (\w+)")
FAULTS = (b"Traceback", b"an internal error")


@dataclass(frozen=True, kw_only=True, slots=True)
class Program:
    """The program under test."""

    command: tuple[str, ...]
    is_alone: bool
    """Whether the checkout is out of its reach."""

    def run(self, *arguments: str | Path, typed: str = "") -> Ended:
        """A command without a terminal."""
        done = subprocess.run(
            self.line(*arguments),
            input=typed.encode(),
            capture_output=True,
            check=False,
            timeout=2 * PATIENCE,
        )
        return Ended(status=done.returncode, out=done.stdout.decode(), err=done.stderr.decode())

    def line(self, *arguments: str | Path) -> list[str]:
        """What is executed."""
        return [*self.elsewhere(), *self.command, *map(str, arguments)]

    def elsewhere(self) -> tuple[str, ...]:
        """In front of a command that is to run where the program runs."""
        return elsewhere(is_alone=self.is_alone)


def elsewhere(*, is_alone: bool) -> tuple[str, ...]:
    """In front of a command: away from the checkout, and without it where that can be."""
    shell = ("/bin/sh", "-c", HIDDEN if is_alone else ELSEWHERE, "sh", str(CHECKOUT))
    return (shutil.which("unshare") or "unshare", "--mount", *shell) if is_alone else shell


def can_hide_the_checkout() -> bool:
    """Whether this machine lets us: root, with mount namespaces of our own."""
    try:
        probe = subprocess.run([*elsewhere(is_alone=True), "true"], capture_output=True, check=False)
    except FileNotFoundError:
        return False
    return probe.returncode == 0


def named_program() -> Program | str:
    """The program that the variable names, or why there is none.

    Raises:
        ValueError: What it names cannot be run, or is a file of the checkout.
    """
    named = shlex.split(os.environ.get(VARIABLE, ""))
    if not named:
        return f"no installed program: {VARIABLE} names none (.ci/wheel.sh installs the wheel and does)"
    which = shutil.which(named[0])
    if which is None:
        raise ValueError(f"{VARIABLE}: found {named[0]!r}, expected a program that can be run")
    command = (str(Path(which).absolute()), *named[1:])
    inside = [part for part in command if Path(part).is_relative_to(CHECKOUT)]
    if inside:
        raise ValueError(
            f"{VARIABLE}: found {inside[0]}, expected a place outside the checkout: copy it there"
        )
    return Program(command=command, is_alone=can_hide_the_checkout())


class Walk(TerminalSession):
    """A run in a terminal of 80 by 24 that ends well, or the test fails."""

    def __init__(self, program: Program, *arguments: str | Path) -> None:
        super().__init__(command=program.line(*arguments))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        super().__exit__(kind, error, where)
        if error is None:
            assert not [fault for fault in FAULTS if fault in self.received], self.text
            assert reports_of_faults() == []

    @property
    def step(self) -> str:
        """The step whose page is shown; empty on a page that is none, such as the help."""
        top, question, *_ = self.text.splitlines()
        match = PLACE.search(top)
        if match is not None:
            return match.group(3)
        return Step.WELCOME if "Which machine" in question else ""

    def at(self, step: Step) -> None:
        """Wait for a step's page and the word that it is saved."""
        self.until(lambda: self.step == step, f"the page of {step}")
        if step is not Step.WELCOME:
            self.see(" saved")
        self.settle()

    def on(self) -> None:
        """To the next page."""
        before = self.step
        self.press(RIGHT if before == Step.RECOMMENDATIONS else ENTER)
        self.until(lambda: self.step not in ("", before), "the next page")
        self.settle()

    def on_to(self, step: Step) -> None:
        """Page by page."""
        for _ in Step:
            if self.step != step:
                self.on()
        self.at(step)

    def changes(self, *keys: bytes) -> str:
        """Press keys, after which the screen shows something else; what it shows."""
        before = self.text
        self.press(*keys)
        self.until(lambda: self.text != before, f"something new after {keys}")
        self.settle()
        return self.text

    def comes_back(self, *keys: bytes) -> None:
        """Press keys again and again until the page is a step's, without a box over it."""
        self.until(lambda: self._is_bare() or self._pressed(*keys), "the page without anything over it")

    def _is_bare(self) -> bool:
        return bool(self.step) and "┌" not in self.text

    def _pressed(self, *keys: bytes) -> bool:
        self.changes(*keys)
        return False

    def writes(self) -> None:
        """Write the bundle, and stay on the page that tells what follows."""
        self.on_to(Step.WRITE)
        self.press(ENTER)
        self.see("What next?")
        self.settle()

    def ends(self, status: int = 0) -> None:
        """Wait for the end, which gives the terminal back as it was."""
        assert self.end() == status, self.text
        assert self.left_on() == frozenset()


def reports_of_faults() -> list[Path]:
    """What the program left of faults of its own, in the test's home."""
    return sorted(Path(os.environ["XDG_STATE_HOME"]).rglob("fault-*.txt"))


def chosen(walk: Walk, machine: str) -> None:
    """On the first page: go to a machine in the list and take it."""
    walk.at(Step.WELCOME)
    if machine:
        walk.until(lambda: _is_under_the_cursor(walk, "Look around"), "the row of the examples")
        walk.press(ENTER)
        walk.until(lambda: "enter folds them" in walk.text, "the examples")
        walk.until(lambda: _is_under_the_cursor(walk, machine), f"{machine} in the list")
    walk.press(ENTER)
    walk.at(Step.MACHINE)


def _is_under_the_cursor(walk: Walk, row: str) -> bool:
    if re.search(rf"^[▸>] *{re.escape(row)}\s", walk.text, re.MULTILINE):
        return True
    walk.press(DOWN)
    return False
