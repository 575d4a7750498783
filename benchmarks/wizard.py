"""What the wizard costs on a terminal, beside the smallest Textual program, in one run on one machine.

    make benchmark    # or: PYTHONPATH=tests/support .venv/bin/python benchmarks/wizard.py [RUNS]

Times are medians of RUNS (default 5). Bytes are the same on every machine, and the tests hold the wizard to
them; times depend on the machine and on what else it does, so they are measured here and told as they are.
Ends with 1 where a budget is exceeded.
"""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from link import DIRECT, SLOW, Line, Linked

from terminal_modes import left_on

PYTHON = sys.executable
WIZARD = (PYTHON, "-m", "tunewiz")
MINIMAL = (PYTHON, str(Path(__file__).with_name("minimal_app.py")))
MINIMAL_LIST = (PYTHON, str(Path(__file__).with_name("minimal_list.py")))
DOWN, UP, ENTER, QUIT = b"\x1b[B", b"\x1b[A", b"\r", b"q"
IN_SIGHT = 12
"""Keys before the cursor turns: fewer than the longest list has rows, and more than are in sight."""
SMALL, LARGE = (80, 24), (120, 40)
STEPS = ("3/8 server", "4/8 workload", "5/8 risk", "6/8 recommendations")


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One line of the table."""

    what: str
    measured: float
    limit: float
    unit: str
    beside: str = ""

    @property
    def is_kept(self) -> bool:
        """Whether the budget holds."""
        return self.measured <= self.limit

    def __str__(self) -> str:
        """As a row of Markdown."""
        mark = "" if self.is_kept else " **missed**"
        return f"| {self.what} | {self.measured:,.0f} {self.unit}{mark} | {self.limit:,.0f} | {self.beside} |"


def median(runs: int, measure: Callable[[], float]) -> float:
    """Of some runs after one that fills the caches."""
    measure()
    return statistics.median(measure() for _ in range(runs))


def medians(runs: int, *measures: Callable[[], float]) -> Iterator[float]:
    """Of several that are compared: taken in turn, so that other load falls on all of them."""
    rounds = [[measure() for measure in measures] for _ in range(runs + 1)][1:]
    return (statistics.median(entry) for entry in zip(*rounds, strict=True))


def first_screen(command: Sequence[str], text: str, line: Line = DIRECT) -> float:
    """Milliseconds until a text can be read."""
    with Linked(command, line=line) as linked:
        return linked.see(text) * 1000


def start_bytes(size: tuple[int, int]) -> int:
    """To the first page, all of it."""
    with Linked(WIZARD, size=size) as linked:
        linked.see("Which machine")
        linked.settle(0.5)
        return len(linked.received)


def arrows(line: Line, count: int) -> list[tuple[float, int]]:
    """Milliseconds and bytes of arrow keys in the longest list: down, and up again before its end."""
    with Linked((*WIZARD, "--demo", "small-vm"), line=line) as linked:
        linked.see("saved")
        for step in STEPS:
            linked.press(ENTER)
            linked.see(step)
        linked.settle(0.5)
        return [(taken * 1000, sent) for taken, sent in map(linked.press, _there_and_back(count))]


def arrows_of_minimal_list(count: int) -> list[float]:
    """Milliseconds of arrow keys in the smallest list."""
    with Linked(MINIMAL_LIST) as linked:
        linked.see("setting_9")
        linked.settle(0.5)
        return [linked.press(key)[0] * 1000 for key in _there_and_back(count)]


def _there_and_back(count: int) -> Iterator[bytes]:
    for number in range(count):
        yield DOWN if number % (2 * IN_SIGHT) < IN_SIGHT else UP


def page_bytes(size: tuple[int, int]) -> int:
    """The most that a change of page takes."""
    with Linked((*WIZARD, "--demo", "small-vm"), size=size) as linked:
        linked.see("saved")
        linked.settle(0.5)
        costs = [_page(linked, ENTER, step) for step in STEPS]
        costs.append(_page(linked, b"\x1b[C", "7/8 review"))
        costs.append(_page(linked, ENTER, "8/8 write"))
        return max(costs)


def _page(linked: Linked, key: bytes, observation: str) -> int:
    before = len(linked.received)
    linked.press(key)
    linked.see(observation)
    linked.settle(0.5)
    return len(linked.received) - before


def idle_bytes() -> int:
    """In three seconds with a focused field; the mouse is not asked for, so it cannot cost anything."""
    with Linked((*WIZARD, "--demo", "small-vm")) as linked:
        linked.see("saved")
        linked.press(ENTER)
        linked.press(ENTER)
        linked.press(b"\t")
        linked.settle(0.5)
        before = len(linked.received)
        linked.settle(3)
        asks_for_mouse = any(f"\x1b[?{mode}h".encode() in linked.received for mode in (1000, 1002, 1003))
        return len(linked.received) - before + 1_000_000 * asks_for_mouse


def resident(command: Sequence[str], text: str, keys: Sequence[bytes] = ()) -> float:
    """MB after a walk through the pages."""
    with Linked(command) as linked:
        linked.see(text)
        for key in keys:
            linked.press(key)
        return linked.resident()


def ends(command: Sequence[str], text: str, by: bytes | signal.Signals) -> tuple[float, int]:
    """Milliseconds to the end, and how many terminal modes are left on."""
    with Linked(command) as linked:
        linked.see(text)
        linked.settle(0.3)
        if by == ENTER:
            linked.press(QUIT)
            linked.see("Leave tunewiz?")
        taken, _status = linked.end(by)
        return taken * 1000, len(left_on(linked.received))


def headless(*arguments: str) -> float:
    """Milliseconds of a command that needs no terminal."""
    begun = time.perf_counter()
    subprocess.run(
        [*arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    return (time.perf_counter() - begun) * 1000


def rows(runs: int) -> Iterator[Row]:
    """All of the table."""
    yield from _start(runs)
    yield from _keys(runs)
    yield from _process(runs)
    yield from _ends(runs)


def _start(runs: int) -> Iterator[Row]:
    least, ours = medians(
        runs, lambda: first_screen(MINIMAL, "HELLO"), lambda: first_screen(WIZARD, "Which machine")
    )
    ratio = f"minimal app {least:,.0f} ms: {ours / least:.2f} x, limit 1.40 x"
    yield Row(what="first readable screen", measured=ours, limit=1.4 * least, unit="ms", beside=ratio)
    yield Row(what="bytes to it, 80x24", measured=start_bytes(SMALL), limit=9_000, unit="B")
    yield Row(what="bytes to it, 120x40", measured=start_bytes(LARGE), limit=16_000, unit="B")
    far_least, far = medians(
        min(runs, 3),
        lambda: first_screen(MINIMAL, "HELLO", SLOW),
        lambda: first_screen(WIZARD, "Which machine", SLOW),
    )
    beside = f"minimal app {far_least:,.0f} ms"
    yield Row(what="64 kbit/s, 300 ms: first screen", measured=far, limit=2_000, unit="ms", beside=beside)


def _keys(runs: int) -> Iterator[Row]:
    near, far = arrows(DIRECT, 4 * runs), arrows(SLOW, 5)
    yield Row(what="arrow key, most bytes", measured=max(sent for _, sent in near), limit=700, unit="B")
    yield Row(
        what="arrow key, median",
        measured=statistics.median(milliseconds for milliseconds, _ in near),
        limit=10,
        unit="ms",
        beside=f"smallest list of Textual's {statistics.median(arrows_of_minimal_list(4 * runs)):,.0f} ms",
    )
    yield Row(
        what="64 kbit/s, 300 ms: arrow key settled",
        measured=statistics.median(milliseconds for milliseconds, _ in far),
        limit=450,
        unit="ms",
    )
    yield Row(what="change of page, 80x24", measured=page_bytes(SMALL), limit=9_000, unit="B")
    yield Row(what="change of page, 120x40", measured=page_bytes(LARGE), limit=20_000, unit="B")
    yield Row(what="idle for 3 s, and the mouse", measured=idle_bytes(), limit=0, unit="B")


def _process(runs: int) -> Iterator[Row]:
    walk = (*[ENTER] * 4, DOWN, b"\x1b[C", ENTER)
    least = resident(MINIMAL, "HELLO")
    ours = resident((*WIZARD, "--demo", "small-vm"), "saved", walk)
    beside = f"minimal app {least:,.0f} MB"
    yield Row(what="resident memory, all pages seen", measured=ours, limit=55, unit="MB", beside=beside)
    python = f"python -c pass {median(runs, lambda: headless(PYTHON, '-c', 'pass')):,.0f} ms"
    version = median(runs, lambda: headless(*WIZARD, "--version"))
    yield Row(what="--version", measured=version, limit=80, unit="ms", beside=python)
    refusal = median(runs, lambda: headless(*WIZARD))
    yield Row(what="refusal without a terminal", measured=refusal, limit=80, unit="ms", beside=python)


def _ends(runs: int) -> Iterator[Row]:
    for name, by in (("leaving", ENTER), ("SIGHUP", signal.SIGHUP), ("SIGTERM", signal.SIGTERM)):
        taken = [ends(WIZARD, "Which machine", by) for _ in range(runs)]
        beside = ""
        if isinstance(by, signal.Signals):
            _, left = ends(MINIMAL, "HELLO", by)
            beside = f"minimal app leaves {left} modes on"
        middle = statistics.median(milliseconds for milliseconds, _ in taken)
        yield Row(what=f"exit by {name}", measured=middle, limit=400, unit="ms", beside=beside)
        most = max(left for _, left in taken)
        yield Row(what=f"modes left on by {name}", measured=most, limit=0, unit="")


def main() -> int:
    """Measure and print; 1 where a budget is exceeded."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    print("| what | measured | budget | beside it |\n|---|---|---|---|", flush=True)
    kept = True
    with tempfile.TemporaryDirectory() as home:
        use_home(home)
        for row in rows(runs):
            print(row, flush=True)
            kept = kept and row.is_kept
    return 0 if kept else 1


def use_home(home: str) -> None:
    """Sessions of the measured runs go where nobody looks for them, and the terminal is a usual one."""
    os.environ |= {"HOME": home, "XDG_STATE_HOME": f"{home}/state", "TUNEWIZ_PRESENCE": home}
    os.environ["TERM"] = "xterm-256color"
    for name in ("COLORTERM", "NO_COLOR", "COLUMNS", "LINES"):
        os.environ.pop(name, None)


if __name__ == "__main__":
    sys.exit(main())
