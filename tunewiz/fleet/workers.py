"""Does the same for many hosts on all processors; few hosts are done in this process, which is faster."""

from __future__ import annotations

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import redirect_stderr
from multiprocessing import get_context
from multiprocessing.resource_tracker import ensure_running
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

FEW = 64
"""Hosts that take no longer than the processes take to start."""
BATCH = 16
"""Hosts that are handed to a process at once."""
AHEAD = 2
"""Batches that wait for each process: no more than these is held in memory."""


def for_each(work: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
    """The results in the order of the items.

    Args:
        work: Can be pickled, as what it takes and gives: a function of a module, or a partial of one.
        items: Any number.
    """
    processors = len(os.sched_getaffinity(0))
    if len(items) < FEW or processors == 1:
        yield from map(work, items)
        return
    with redirect_stderr(sys.__stderr__):  # the wizard's has no descriptor, which the tracker would pass on
        ensure_running()
    # New interpreters instead of forks: a fork would copy this one's threads and locks inconsistently.
    pool = ProcessPoolExecutor(processors, get_context("spawn"), initializer=_begin, initargs=(work,))
    try:
        yield from _streamed(pool, _batch, items, processors * AHEAD)
    finally:
        pool.shutdown(cancel_futures=True)


_WORK = list[Callable[[Any], Any]]()
"""The work of a process, passed once when it starts and not with every batch."""


def _begin(work: Callable[[Any], Any]) -> None:
    """Ctrl-C reaches every process of the terminal: only the main one reacts, and ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _WORK.append(work)


def _streamed(
    pool: ProcessPoolExecutor,
    work: Callable[[Sequence[Item]], list[Result]],
    items: Sequence[Item],
    ahead: int,
) -> Iterator[Result]:
    waiting = deque[Future[list[Result]]]()
    for start in range(0, len(items), BATCH):
        if len(waiting) >= ahead:
            yield from waiting.popleft().result()
        waiting.append(pool.submit(work, items[start : start + BATCH]))
    while waiting:
        yield from waiting.popleft().result()


def _batch(items: Sequence[Any]) -> list[Any]:
    (work,) = _WORK
    return [work(item) for item in items]
