"""A program in a pseudo-terminal behind a line: bytes arrive at the line's rate, after half its round trip.

What a user sees is timed, not what the program sends: text counts when its last byte has arrived.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import pyte

PIECE = 128
"""Bytes that travel together: a sixtieth of a second on a line of 64 kbit/s."""
PATIENCE = 60.0
# pyte takes these for other sequences and would print their ends.
UNKNOWN = re.compile(rb"\x1b\[[<>=]\d*u|\x1b\[\?\d+\$p")


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """Bytes a second (0 for no limit) and seconds there and back."""

    rate: float = 0.0
    round_trip: float = 0.0


DIRECT = Line()
SLOW = Line(rate=64_000 / 8, round_trip=0.3)


class Linked:
    """One run; times are seconds of `time.perf_counter`."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        line: Line = DIRECT,
        size: tuple[int, int] = (80, 24),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.received = b""
        self.last_seen = self.began = time.perf_counter()
        self._line = line
        self._free = 0.0
        self._under_way: deque[tuple[float, bytes]] = deque()
        self._screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self._screen)
        self._pid, self._terminal = pty.fork()
        if self._pid == 0:
            _become(command, size, {**os.environ, **(environment or {})})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _where: TracebackType | None
    ) -> None:
        with contextlib.suppress(ProcessLookupError, ChildProcessError):
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
        os.close(self._terminal)

    def see(self, text: str) -> float:
        """Seconds from the start until the text is on the screen."""
        while text not in "\n".join(self._screen.display):
            self._work(0.02)
            if time.perf_counter() - self.began > PATIENCE:
                raise TimeoutError(f"{text!r} did not come:\n" + "\n".join(self._screen.display))
        return self.last_seen - self.began

    def settle(self, quiet: float = 0.15) -> None:
        """Until nothing is under way and nothing more comes."""
        since = time.perf_counter()
        while self._under_way or time.perf_counter() - max(since, self.last_seen) < quiet:
            if self._work(0.02):
                since = time.perf_counter()

    def press(self, key: bytes) -> tuple[float, int]:
        """Seconds until what a key does has been seen in full, and how many bytes it took."""
        before, at = len(self.received), time.perf_counter()
        self._wait_until(at + self._line.round_trip / 2)
        os.write(self._terminal, key)
        self.settle(0.15 + self._line.round_trip)
        return max(0.0, self.last_seen - at), len(self.received) - before

    def end(self, by: bytes | signal.Signals) -> tuple[float, int]:
        """Seconds until the program has ended by a key or a signal, and its exit status."""
        at = time.perf_counter()
        if isinstance(by, bytes):
            os.write(self._terminal, by)
        else:
            os.kill(self._pid, by)
        while True:
            pid, status = os.waitpid(self._pid, os.WNOHANG)
            if pid:
                taken = time.perf_counter() - at
                self.settle()
                return taken, os.waitstatus_to_exitcode(status)
            self._work(0.005)

    def resident(self) -> float:
        """The most memory that was resident, in MB."""
        status = Path(f"/proc/{self._pid}/status").read_text(encoding="ascii")
        return int(status.partition("VmHWM:")[2].split()[0]) * 1024 / 1e6

    def _work(self, seconds: float) -> bool:
        """Receive, deliver what has arrived; whether the program sent something."""
        ready, _, _ = select.select([self._terminal], [], [], self._patience(seconds))
        sent = b""
        if ready:
            with contextlib.suppress(OSError):
                sent = os.read(self._terminal, 65536)
        moment = time.perf_counter()
        self.received += sent
        for start in range(0, len(sent), PIECE):
            piece = sent[start : start + PIECE]
            took = len(piece) / self._line.rate if self._line.rate else 0.0
            self._free = max(moment, self._free) + took
            self._under_way.append((self._free + self._line.round_trip / 2, piece))
        self._deliver(moment)
        return bool(sent)

    def _patience(self, seconds: float) -> float:
        if not self._under_way:
            return seconds
        return max(0.0, min(seconds, self._under_way[0][0] - time.perf_counter()))

    def _deliver(self, moment: float) -> None:
        while self._under_way and self._under_way[0][0] <= moment:
            self.last_seen, piece = self._under_way.popleft()
            self._stream.feed(UNKNOWN.sub(b"", piece))

    def _wait_until(self, moment: float) -> None:
        while (left := moment - time.perf_counter()) > 0:
            self._work(min(left, 0.02))


def _become(command: Sequence[str], size: tuple[int, int], environment: Mapping[str, str]) -> None:
    """In the child: the program, or the exit status that shells use for what cannot be run."""
    try:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        os.execve(command[0], list(command), dict(environment))  # noqa: S606 - the program measured
    finally:
        os._exit(127)
