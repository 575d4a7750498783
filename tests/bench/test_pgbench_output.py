"""pgbench's summary and logs as real ones were, and /proc/stat."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunewiz.bench.pgbench_output import busy_ticks, latencies_of, percentile, seconds_of, summary

OF_15 = """\
pgbench (15.18 (Debian 15.18-0+deb12u1))
transaction type: <builtin: TPC-B (sort of)>
scaling factor: 1
query mode: simple
number of clients: 2
number of threads: 2
maximum number of tries: 1
duration: 3 s
number of transactions actually processed: 1437
number of failed transactions: 3 (0.208%)
latency average = 4.179 ms
initial connection time = 4.271 ms
tps = 478.577466 (without initial connection time)
"""
OF_13 = """\
duration: 3 s
number of transactions actually processed: 100
latency average = 60.000 ms
tps = 33.311111 (including connections establishing)
tps = 33.333333 (excluding connections establishing)
"""


def test_the_summary_of_new_and_old_versions_is_read() -> None:
    new, old = summary(OF_15), summary(OF_13)
    assert (new.transactions, new.speed, new.failed) == (1437, 478.577466, 3)
    assert (old.transactions, old.speed, old.failed) == (100, 33.333333, 0)


@pytest.mark.parametrize("output", ["", "pgbench: error: connection failed", OF_15.replace("tps", "x")])
def test_output_without_a_summary_is_refused(output: str) -> None:
    with pytest.raises(ValueError, match="expected its summary"):
        summary(output)


def test_threads_are_added_up_and_the_broken_seconds_at_both_ends_are_cut() -> None:
    one = "100 5 1 1 1 1\n101 7 1 1 1 1\n103 9 1 1 1 1\n104 2 1 1 1 1\n"
    other = "101 3 1 1 1 1\n103 1 1 1 1 1\n"
    assert seconds_of([one, other]) == (10, 0, 10)


def test_a_run_of_less_than_a_whole_second_has_no_series() -> None:
    assert seconds_of(["100 5 1 1 1 1\n"]) == ()
    assert seconds_of([]) == ()


def test_latencies_are_sorted_and_skipped_transactions_left_out() -> None:
    log = "0 1 4500 0 1700000000 100 30\n1 2 skipped 0 1700000000 200 5\n0 3 1200 0 1700000000 300 0\n"
    assert latencies_of([log, "1 1 9000 0 1700000000 400 0\n"]) == (1200, 4500, 9000)


@given(st.lists(st.integers(0, 10**9), min_size=1).map(sorted), st.floats(0.01, 1))
def test_a_percentile_is_a_value_that_so_many_do_not_exceed(values: list[int], share: float) -> None:
    number = percentile(values, share)
    assert number in values
    assert sum(value <= number for value in values) >= share * len(values) * (1 - 1e-12)
    assert sum(value < number for value in values) < share * len(values)


def test_idle_waiting_and_stolen_time_is_not_work() -> None:
    assert busy_ticks("cpu  100 1 20 9999 888 3 4 777 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n") == 128


@pytest.mark.parametrize("stat", ["cpu0 1 2 3 4 5 6 7 8", "cpu 1 2"])
def test_another_file_is_refused(stat: str) -> None:
    with pytest.raises(ValueError, match="expected the line of all processors"):
        busy_ticks(stat)
