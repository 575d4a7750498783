"""Whether a program in a terminal has done all that there was to do, as the kernel tells it.

A test that waits for some time without output waits too long on a quiet machine, and not long enough on a
busy one.
"""

from collections.abc import Iterator
from pathlib import Path

AWAKE = frozenset("RD")
"""States in which a thread waits for a processor or a disk, or has one (proc(5))."""

NAPS = "\nvoluntary_ctxt_switches:"


def naps_of(program: int) -> frozenset[str] | None:
    """How often the processes of a program have gone to sleep so far; None while one of its threads is awake.

    Args:
        program: The number of its process; what this has started belongs to it.
    """
    naps = set[str]()
    for process in _processes(program):
        try:
            states = [_stat(thread)[0] for thread in (process / "task").iterdir()]
            # Of the first thread alone: another one looks at the clock ten times a second.
            naps.add(f"{process} {(process / 'status').read_text().partition(NAPS)[2]}")
        except (FileNotFoundError, ProcessLookupError):
            if process.exists():
                return None
        else:
            if AWAKE.intersection(states):
                return None
    return frozenset(naps)


def _processes(program: int) -> Iterator[Path]:
    process = Path(f"/proc/{program}")
    yield process
    try:
        children = [number for task in (process / "task").iterdir() for number in _children(task)]
    except (FileNotFoundError, ProcessLookupError):
        return
    for child in children:
        yield from _processes(child)


def _children(task: Path) -> list[int]:
    return [int(part) for part in (task / "children").read_text().split()]


def _stat(task: Path) -> list[str]:
    """What stands behind the name, which may hold anything."""
    return (task / "stat").read_text().rpartition(")")[2].split()
