"""Waits sampled between two looks: added up over a window, kept in a ring by kind, bounded in cost."""

import math
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunewiz.collect.postgres import waits_meanwhile
from tunewiz.collect.postgres.samples import Sample, window_of
from tunewiz.collect.postgres.waits_meanwhile import REST, WaitSampler
from tunewiz.collect.ring.busiest import samples
from tunewiz.collect.ring.columns import watched_columns
from tunewiz.collect.ring.kept_waits import WAIT_NUMBERS, wait_numbers, waits_from
from tunewiz.collect.ring.stretches import breaks
from tunewiz.core.facts.look import ServerSample
from tunewiz.core.facts.waits import WaitCount, Waits
from tunewiz.core.health.waits import kind_of, verdict_on
from tunewiz.core.values.known import NOT_LOOKED_FOR, Fact, Known, Unknown

LOCK = ("Lock", "transactionid", 7)
WAITS = st.lists(
    st.tuples(
        st.sampled_from(["", "Lock", "IO", "LWLock", "Client", "IPC", "Timeout", "BufferPin", "hidden"]),
        st.sampled_from(["", "WALSync", "SyncRep", "VacuumDelay", "DataFileRead"]),
        st.integers(1, 900),
    ),
    max_size=8,
)


def sample(seconds: float, *waits: tuple[str, str, int], looks: int = 4, **refused: str) -> Sample:
    return Sample(
        seconds=seconds, how="as me", numbers={}, refused=refused, wait_samples=looks, waits=tuple(waits)
    )


def waits_in(*looks: Sample) -> Fact[Waits]:
    window = window_of([Sample.from_json(look.to_json()) for look in looks])
    assert isinstance(window, Known)
    return window.value.waits


def test_a_window_has_the_waits_of_all_its_samples_with_their_names() -> None:
    waits = waits_in(sample(0, looks=0), sample(5, LOCK, ("", "", 2)), sample(10, LOCK, ("hidden", "", 3)))
    assert waits == Known(
        Waits(
            seconds=10,
            samples=8,
            hidden=3,
            counts=(
                WaitCount(kind="Lock", event="transactionid", count=14),
                WaitCount(kind="", event="", count=2),
            ),
        ),
        "pg_stat_activity as me",
    )


def test_a_window_without_samples_of_waits_says_nothing_of_them() -> None:
    assert waits_in(sample(0, looks=0), sample(9, looks=0)) == NOT_LOOKED_FOR
    assert waits_in(sample(0, looks=0), sample(9, looks=0, waits="too slow")) == Unknown("too slow")


@given(WAITS)
def test_a_ring_keeps_how_many_waited_by_kind(waits: list[tuple[str, str, int]]) -> None:
    def by_kind(entries: list[tuple[str, str, int]]) -> Counter[str]:
        result = Counter[str]()
        for kind, event, count in entries:
            key = kind if kind == "hidden" else kind_of(WaitCount(kind=kind, event=event, count=count))
            result[key] += count
        return result

    numbers = wait_numbers(sample(1, *waits))
    assert by_kind(list(waits_from(numbers))) == by_kind(waits)
    assert set(numbers) == set(WAIT_NUMBERS) <= set(watched_columns())


def test_a_ring_of_an_earlier_version_and_a_sample_without_looks_have_no_waits() -> None:
    assert waits_from({"commits": 3}) == ()
    assert wait_numbers(sample(1, looks=0)) == {}


def test_waits_before_the_busiest_hour_are_not_counted_in_it_and_fewer_waits_are_no_reset() -> None:
    numbers = [wait_numbers(sample(1, ("Lock", "tuple", count))) for count in (900, 60, 5)]
    looks = [
        ServerSample(run=1, at=0, passed=10_000 * place, numbers=entry) for place, entry in enumerate(numbers)
    ]
    assert list(breaks(looks, 10)) == []
    window = window_of(samples(looks, "in the busiest hour"))
    assert isinstance(window, Known)
    assert isinstance(window.value.waits, Known)
    waits = window.value.waits.value
    assert (waits.samples, [entry.count for entry in waits.counts]) == (8, [65])
    assert verdict_on(waits).startswith("100 % of active time waits for locks")


class SlowServer:
    """A clock, and a server that takes its time to answer."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
        self.time, self.requests, self.fails = 0.0, 0, False
        monkeypatch.setattr(waits_meanwhile, "time", SimpleNamespace(monotonic=lambda: self.time))

        def answer(*_: object) -> str:
            self.time += seconds
            self.requests += 1
            if self.fails:
                raise psycopg.OperationalError("canceling statement due to statement timeout")
            return '[["Lock", "tuple", 2]]'

        monkeypatch.setattr(waits_meanwhile, "one_value", answer)
        self.connection = SimpleNamespace(info=SimpleNamespace(server_version=160_000), closed=False)
        self.sampler = WaitSampler(cast("Any", self.connection), 0.25)

    def watch(self, until: float) -> None:
        """Sample as often as it is due."""
        while self.time < until:
            self.time += min(1.0, self.sampler.until_next())
            if not self.sampler.until_next():
                self.sampler.look()


@pytest.mark.parametrize("seconds", [0.0001, 0.002, 0.05, 0.4])
def test_sampling_takes_at_most_a_hundredth_of_the_time(
    monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    server = SlowServer(monkeypatch, seconds)
    server.watch(until=200)
    assert 2 <= server.requests <= 1 + 200 / max(0.25, REST * seconds)


def test_transactions_of_the_sampling_are_not_counted_as_the_servers_work() -> None:
    def commits(*numbers: int) -> Fact[int]:
        looks = [
            replace(sample(second, looks=4 if second else 0), numbers={"commits": number})
            for second, number in enumerate(numbers)
        ]
        window = window_of(looks)
        assert isinstance(window, Known)
        return window.value.commits

    assert commits(100, 104, 108, 112) == Known(12 - 8, "watched")
    assert commits(100, 100, 103, 107) == Known(0, "watched")
    assert commits(100, 204, 308, 412) == Known(312 - 8, "watched")
    assert isinstance(commits(100, 104, 2, 3), Unknown)


def test_a_sample_that_fails_ends_the_sampling_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    server = SlowServer(monkeypatch, 0.001)
    server.sampler.look()
    server.fails = True
    server.sampler.look()
    assert server.sampler.until_next() == math.inf
    result = server.sampler.added_to(sample(3, looks=0))
    assert (result.wait_samples, result.waits) == (1, (("Lock", "tuple", 2),))
    assert "statement timeout" in result.refused["waits"]
    assert server.sampler.added_to(sample(4, looks=0)).waits == ()


def test_a_lost_connection_is_no_failed_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    server = SlowServer(monkeypatch, 0.001)
    server.fails, server.connection.closed = True, True
    with pytest.raises(psycopg.OperationalError):
        server.sampler.look()
