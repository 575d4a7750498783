"""Reads are timed past the page cache, with pauses, and stop when they are to."""

import os
import time
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunewiz.collect.probe.pace import SHARE, Pace, ProbeEndedError
from tunewiz.collect.probe.reads import (
    FEWEST,
    PAGE,
    RUN,
    NoReadsError,
    ReadTarget,
    measured,
    opened_source,
    random_reads,
    sequential_reads,
)
from tunewiz.collect.probe.table_files import data_directory, largest_files

SIZE = 64 * RUN


@contextmanager
def source(tmp_path: Path, size: int = SIZE) -> Generator[ReadTarget]:
    """A table of that size in a data directory."""
    (tmp_path / "base/5").mkdir(parents=True)
    with (tmp_path / "base/5/16384").open("wb") as file:
        file.write(os.urandom(RUN) * (size // RUN) or os.urandom(size))
        file.flush()
        os.fsync(file.fileno())
    with ExitStack() as stack:
        directory = stack.enter_context(data_directory(str(tmp_path), os.geteuid()))
        yield opened_source(stack, directory, largest_files(directory, PAGE))


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """Both ends of a pipe: closing the second stops a probe."""
    read, write = os.pipe()
    yield read, write
    os.close(read)


def test_pages_at_random_and_long_reads_are_timed(tmp_path: Path, pipe: tuple[int, int]) -> None:
    with source(tmp_path) as files:
        pace = Pace.of(20, pipe[0])
        pages = random_reads(files, pace, 0.1)
        runs = sequential_reads(files, pace, 0.2)
    assert (pages.block, runs.block, pages.span) == (PAGE, RUN, SIZE)
    assert FEWEST <= pages.count <= SIZE // PAGE
    assert 0 < pages.median_us <= pages.p95_us <= pages.p99_us
    assert runs.bytes_a_second > 0
    os.close(pipe[1])


def test_the_device_rests_nine_tenths_of_the_time(tmp_path: Path, pipe: tuple[int, int]) -> None:
    with source(tmp_path) as files:
        pace = Pace.of(20, pipe[0])
        random_reads(files, pace, 0.05)
        pace.rest()
        assert pace.busy <= SHARE * pace.passed * 1.001
    os.close(pipe[1])


def test_it_stops_at_once_where_nobody_listens_any_longer(tmp_path: Path, pipe: tuple[int, int]) -> None:
    os.close(pipe[1])
    with source(tmp_path) as files, pytest.raises(ProbeEndedError):
        random_reads(files, Pace.of(3600, pipe[0]), 300)


def test_a_wait_that_outlasts_the_budget_ends_with_it(pipe: tuple[int, int]) -> None:
    pace, begun = Pace.of(1, pipe[0]), time.monotonic()
    with pytest.raises(ProbeEndedError):
        pace.wait(3600)
    assert time.monotonic() - begun >= 0.9
    assert pace.is_over
    assert not pace.may_take(0.01)
    os.close(pipe[1])


def test_a_table_that_is_cut_meanwhile_is_read_no_further(tmp_path: Path, pipe: tuple[int, int]) -> None:
    with source(tmp_path, RUN) as files:
        os.truncate(tmp_path / "base/5/16384", 0)
        with pytest.raises(NoReadsError, match="only 0 reads"):
            random_reads(files, Pace.of(20, pipe[0]), 1)
    os.close(pipe[1])


def test_on_a_file_system_that_is_memory_it_says_how_it_reads_or_that_it_cannot(
    pipe: tuple[int, int],
) -> None:
    memory = Path("/dev/shm")  # noqa: S108 - a file system without a device is what is asked for
    if not os.access(memory, os.W_OK):
        pytest.skip("there is no tmpfs to write to")
    place = memory / f"tunewiz-test-{os.getpid()}"
    place.mkdir()
    try:
        with source(place, RUN) as files:
            # Nothing drops the pages of tmpfs: no read may pass for one of a device.
            if files.reading == "dropped":
                with pytest.raises(NoReadsError):
                    random_reads(files, Pace.of(20, pipe[0]), 0.01)
    finally:
        (place / "base/5/16384").unlink()
        for name in ("base/5", "base", "."):
            (place / name).rmdir()
    os.close(pipe[1])


@given(st.lists(st.floats(1e-6, 1), min_size=FEWEST, max_size=200))
def test_percentiles_are_times_that_were_measured(times: list[float]) -> None:
    measured_reads = measured(list(times), PAGE, SIZE)
    shown = {round(1e6 * number, 1) for number in times}
    assert {measured_reads.median_us, measured_reads.p95_us, measured_reads.p99_us} <= shown
    for percent, value in (
        (50, measured_reads.median_us),
        (95, measured_reads.p95_us),
        (99, measured_reads.p99_us),
    ):
        assert sum(round(1e6 * number, 1) <= value for number in times) >= len(times) * percent / 100
