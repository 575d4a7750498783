"""The real program in a pseudo-terminal: keys go in, a picture of 80 by 24 cells comes out."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

import pyte

from at_rest import naps_of
from terminal_modes import left_on

PATIENCE = 30.0
"""Seconds until something that is waited for will not come; machines that run tests are busy."""
REST = 0.06
"""Seconds in which a program that has painted its screen does nothing; a frame waits for 1/60 at most."""
ESCAPE = b"\x1b"
ESCAPE_ALONE = 0.25
"""The same after a lone escape, which might be the start of another key for a fifth of a second."""

PRIVATE_REPORT = re.compile(rb"\x1b\[[<>=]\d*u|\x1b\[\?\d+\$p")


class TerminalSession:
    """One run of the program."""

    def __init__(
        self,
        *arguments: str,
        size: tuple[int, int] = (80, 24),
        command: list[str] | None = None,
        patience: float = PATIENCE,
    ) -> None:
        self._patience = patience
        self.screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self.screen)
        self.received = b""
        self.status: int | None = None
        program = command or [sys.executable, "-m", "tunewiz", *arguments]
        self._pid, self._terminal = pty.fork()
        if self._pid == 0:
            _become(program, size)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _where: TracebackType | None
    ) -> None:
        if self.status is None:
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
        os.close(self._terminal)

    @property
    def text(self) -> str:
        """What the screen shows."""
        return "\n".join(line.rstrip() for line in self.screen.display)

    def see(self, text: str) -> None:
        """Wait until the screen shows this."""
        self.until(lambda: text in self.text, f"{text!r}")

    def settle(self, rest: float = REST) -> None:
        """Wait until the program rests for so many seconds: nothing comes, and nothing of it has run."""
        deadline = time.monotonic() + self._patience
        before = naps_of(self._pid)
        while self._read(rest) or before is None or before != naps_of(self._pid):
            assert time.monotonic() < deadline, f"the program does not rest; on the screen:\n{self.text}"
            before = naps_of(self._pid)

    def press(self, *keys: bytes) -> None:
        """Type; each key by itself, after the one before has settled."""
        for key in keys:
            os.write(self._terminal, key)
            self.settle(ESCAPE_ALONE if key == ESCAPE else REST)

    def watch(self, seconds: float) -> None:
        """Read for so long, whatever comes."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._read(left)

    def resize(self, size: tuple[int, int]) -> None:
        """Make the terminal another size; the kernel tells the program (SIGWINCH)."""
        self.screen.resize(size[1], size[0])
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))

    def worked(self) -> float:
        """Seconds of processor that the program has taken so far."""
        fields = Path(f"/proc/{self._pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def signal(self, number: signal.Signals) -> None:
        """Send a signal."""
        os.kill(self._pid, number)

    def hang_up(self) -> int:
        """Close the terminal, as a dropped connection does, and wait for the end; the exit status."""
        os.close(self._terminal)
        self._terminal = os.open(os.devnull, os.O_RDONLY)
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            pid, status = os.waitpid(self._pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
                return self.status
            select.select([], [], [], 0.05)
        raise AssertionError("the program did not end when its terminal was gone")

    def end(self) -> int:
        """Wait for the end; the exit status."""
        self.until(self.has_ended, "the end of the program")
        assert self.status is not None
        return self.status

    def has_ended(self) -> bool:
        """Whether the program is gone; then its exit status is known."""
        if self.status is not None:
            return True
        pid, status = os.waitpid(self._pid, os.WNOHANG)
        if pid:
            self.settle()
            self.status = os.waitstatus_to_exitcode(status)
        return bool(pid)

    def left_on(self) -> frozenset[str]:
        """Terminal modes that are not as they were before the program."""
        return left_on(self.received)

    def until(self, happened: Callable[[], bool], what: str) -> None:
        """Wait for what happens on the screen, or fail with what it shows instead."""
        deadline = time.monotonic() + self._patience
        while not happened():
            self._read(0.05)
            assert time.monotonic() < deadline, f"{what} did not come; on the screen:\n{self.text}"

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self._terminal], [], [], seconds)
        if not ready:
            return False
        try:
            received = os.read(self._terminal, 65536)
        except OSError:
            return False
        self.received += received
        # pyte takes these for other sequences and would print their ends.
        self._stream.feed(PRIVATE_REPORT.sub(b"", received))
        return bool(received)


def _become(program: list[str], size: tuple[int, int]) -> None:
    """In the child: the program, or the exit status that shells use for what cannot be run."""
    try:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        # Not execv: the readline library may have told the C library of another size than Python knows.
        os.execve(program[0], program, {**os.environ})  # noqa: S606 - the program under test
    finally:
        os._exit(127)
