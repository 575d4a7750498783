"""Many hosts are done by several processes, with the results that one process would have."""

import os
from collections.abc import Iterator
from functools import partial

import pytest

from tunewiz.fleet.workers import BATCH, FEW, for_each


@pytest.mark.parametrize("count", [0, 1, FEW - 1, FEW, 5 * BATCH + 3])
def test_results_come_in_the_order_of_the_items(count: int) -> None:
    assert list(for_each(partial(int, base=16), [f"{number:x}" for number in range(count)])) == list(
        range(count)
    )


def processes(items: list[int]) -> set[int]:
    return {*for_each(_process, items)}


def _process(_: int) -> int:
    return os.getpid()


def test_a_few_hosts_start_no_process() -> None:
    assert processes([0] * (FEW - 1)) == {os.getpid()}


def test_a_bug_ends_the_run() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        list(for_each(int, [*("1" for _ in range(FEW)), "x"]))


def test_whoever_takes_no_more_ends_the_processes() -> None:
    results: Iterator[int] = iter(for_each(int, ["1"] * (20 * BATCH)))
    assert next(results) == 1
    del results
