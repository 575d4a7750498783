"""What runs out has a range of days: never past, wider after a shorter look, sooner if it grows faster."""

import dataclasses
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from small_health import HEALTHY, SEQUENCE
from small_plans import small_answers, small_facts
from small_tables import database
from tunewiz.core.facts.counters import Counters
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.replication import Replication, Slot
from tunewiz.core.facts.server import Setting
from tunewiz.core.health.ahead import Ahead, Past, ahead_in_words, what_is_ahead
from tunewiz.core.health.forecast import TIME, DaysAhead, Growth, days_ahead, factor
from tunewiz.core.health.troubles import checkup
from tunewiz.core.values.known import NOT_LOOKED_FOR, Known
from tunewiz.core.values.units import GIB, TIB, Bytes
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.knowledge.minor_fixes import load_minor_fixes
from tunewiz.planning import make_plan
from watched import window

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
READ_AT = f"{NOW:{TIME}}"
HOUR, DAY = 3_600, 86_400
AMOUNTS, TIMES = st.integers(1, 2**50), st.integers(HOUR, 1_000 * DAY)


def days(left: int, amount: int, seconds: int, today: str = "") -> DaysAhead | None:
    return days_ahead(left, Growth(amount=amount, seconds=seconds), READ_AT, today)


def width(result: DaysAhead) -> timedelta:
    return date.fromisoformat(result.latest) - date.fromisoformat(result.earliest)


@given(AMOUNTS, AMOUNTS, TIMES, st.integers(-400, 400))
def test_a_range_begins_no_earlier_than_today_and_is_in_order(
    left: int, amount: int, seconds: int, later: int
) -> None:
    today = f"{NOW + timedelta(days=later):%Y-%m-%d}"
    if result := days(left, amount, seconds, today):
        assert max(today, READ_AT[:10]) <= result.earliest <= result.latest


@given(AMOUNTS, AMOUNTS, TIMES, st.integers(2, 50))
def test_a_shorter_look_at_the_same_rate_gives_a_wider_range(
    left: int, amount: int, seconds: int, times: int
) -> None:
    long, short = days(left, amount * times, seconds * times), days(left, amount, seconds)
    assume(long is not None and short is not None)
    assert long is not None and short is not None  # noqa: PT018 - for the type checker
    assert short.earliest <= long.earliest <= long.latest <= short.latest
    assert width(short) >= width(long)


@given(AMOUNTS, AMOUNTS, TIMES, st.integers(1, 1_000))
def test_what_grows_faster_or_has_less_room_ends_no_later(
    left: int, amount: int, seconds: int, more: int
) -> None:
    result = days(left, amount, seconds)
    assume(result is not None)
    assert result is not None
    for sooner in (days(left, amount + more, seconds), days(max(0, left - more), amount, seconds)):
        assert sooner is not None
        assert sooner.earliest <= result.earliest
        assert sooner.latest <= result.latest


@given(AMOUNTS, AMOUNTS, st.integers(0, HOUR - 1))
def test_of_less_than_an_hour_nothing_is_said(left: int, amount: int, seconds: int) -> None:
    assert days(left, amount, seconds) is None


@given(AMOUNTS, st.integers(-(2**40), 0), TIMES)
def test_what_does_not_grow_never_ends(left: int, amount: int, seconds: int) -> None:
    assert days(left, amount, seconds) is None


def test_an_hour_says_nothing_of_next_year_and_a_week_does() -> None:
    assert days(1_000, 1, HOUR) is None
    assert days(50, 1, 7 * DAY) is not None
    assert (factor(HOUR) > 3.8, round(factor(7 * DAY), 3)) == (True, 1.375)


def test_a_time_that_is_none_says_nothing() -> None:
    assert days_ahead(1, Growth(amount=1, seconds=DAY), "yesterday") is None


def at(facts: Facts, when: datetime) -> Facts:
    host = dataclasses.replace(facts.host, read_at=Known(f"{when:{TIME}}", "the clock"))
    return dataclasses.replace(facts, host=host)


def ahead(facts: Facts, *earlier: tuple[Facts, timedelta]) -> tuple[Ahead, ...]:
    facts = at(facts, NOW)
    then = tuple(at(entry, NOW - ago) for entry, ago in earlier)
    return what_is_ahead(Past(facts=facts, server=facts.postgres[0], earlier=then))


WEEK = timedelta(days=7)


def with_free(free: int, total: int = TIB) -> Facts:
    facts = small_facts()
    storage = dataclasses.replace(
        facts.storage[0], total=Known(Bytes(total), "statvfs"), free=Known(Bytes(free), "statvfs")
    )
    return dataclasses.replace(facts, storage=(storage,))


def test_a_disk_that_fills_has_a_range() -> None:
    (entry,) = ahead(with_free(100 * GIB), (with_free(170 * GIB), WEEK))
    assert (entry.kind, entry.days) == ("disk is full", DaysAhead(earliest="2026-12-06", latest="2026-12-13"))
    assert entry.because == "it grew by 70.0 GiB in 7 days; 100.0 GiB are free"
    assert "disk is full between 2026-12-06 and 2026-12-13" in ahead_in_words(entry)


@pytest.mark.parametrize(
    "earlier",
    [with_free(90 * GIB), with_free(100 * GIB), with_free(170 * GIB, 2 * TIB), small_facts(name="db1")],
)
def test_a_disk_that_shrank_stood_still_or_was_made_larger_has_none(earlier: Facts) -> None:
    assert ahead(with_free(100 * GIB), (earlier, WEEK)) == ()


def test_without_the_time_of_reading_or_earlier_facts_nothing_is_said() -> None:
    facts = with_free(100 * GIB)
    assert ahead(facts) == ()
    undated = Past(facts=facts, server=facts.postgres[0], earlier=(at(with_free(170 * GIB), NOW - WEEK),))
    assert what_is_ahead(undated) == ()
    before = Past(facts=at(facts, NOW), server=facts.postgres[0], earlier=(with_free(170 * GIB),))
    assert what_is_ahead(before) == ()


def with_age(age: int, watched: int = 0) -> Facts:
    health = dataclasses.replace(
        HEALTHY, databases=(dataclasses.replace(HEALTHY.databases[0], transaction_age=age),)
    )
    usual = window(watched or HOUR)
    counters = Counters(transaction_ids=Known(5_000_000, "watched"), seconds=Known(HOUR, "watched"))
    watching = dataclasses.replace(usual.value, days=NOT_LOOKED_FOR, counters=counters)
    facts = small_facts(health=Known(health, "a look"))
    server = dataclasses.replace(facts.postgres[0], window=Known(watching, "watched"))
    return dataclasses.replace(facts, postgres=(server,)) if watched else facts


def test_ids_that_nobody_freezes_run_out_by_the_visits_or_by_what_was_watched() -> None:
    (by_visits,) = ahead(with_age(1_900_000_000), (with_age(1_800_000_000), WEEK))
    assert (by_visits.kind, by_visits.what) == ("transaction ids run out", "database shop, transaction ids")
    assert "grew by 100,000,000 in 7 days" in by_visits.because
    (by_window,) = ahead(with_age(1_900_000_000, watched=HOUR))
    assert "grew by 5,000,000 in 60 minutes" in by_window.because
    assert width(by_window.days) > timedelta(days=4)


def test_ids_that_autovacuum_freezes_in_time_and_short_looks_have_no_date() -> None:
    assert ahead(with_age(190_000_000), (with_age(100_000_000), WEEK)) == ()
    assert ahead(with_age(1_900_000_000), (with_age(1_950_000_000), WEEK)) == ()
    assert ahead(with_age(1_900_000_000, watched=600)) == ()


def test_a_sequence_that_gives_out_its_last_numbers_has_a_range() -> None:
    def with_last(value: int) -> Facts:
        sequence = dataclasses.replace(SEQUENCE, last_value=value, largest=2**31 - 1)
        tables = dataclasses.replace(database(), ending_sequences=Known((sequence,), "a look"))
        return small_facts(tables=Known((tables,), "a look"))

    (entry,) = ahead(with_last(2_000_000_000), (with_last(1_900_000_000), WEEK))
    assert (entry.kind, SEQUENCE.name in entry.what) == ("sequence runs out", True)
    assert "147,483,647 of 2,147,483,647 are left" in entry.because
    assert ahead(with_last(2_000_000_000), (with_last(2_000_000_000), WEEK)) == ()


def with_slot(held: int, *, active: bool = False, limit: str = "-1") -> Facts:
    slot = Slot(name="old", kind="physical", active=active, held=Bytes(held), status="extended", age=0)
    replication = Replication(
        slots=(slot,),
        archive_failures=0,
        archive_failing=False,
        archive_behind=NOT_LOOKED_FOR,
        cancelled=0,
    )
    facts = dataclasses.replace(
        with_free(100 * GIB), postgres=small_facts(replication=Known(replication, "a look")).postgres
    )
    (server,) = facts.postgres
    assert isinstance(server.settings, Known)
    settings = {**server.settings.value, "max_slot_wal_keep_size": Setting(value=limit, unit="MB")}
    changed = dataclasses.replace(server, settings=Known(settings, "pg_settings"))
    return dataclasses.replace(facts, postgres=(changed,))


def test_wal_behind_a_slot_that_nobody_reads_fills_its_disk_or_reaches_its_limit() -> None:
    (fills,) = ahead(with_slot(80 * GIB), (with_slot(10 * GIB), WEEK))
    assert (fills.kind, fills.what) == ("kept WAL fills its room", "slot old")
    assert "is full and the server stops" in fills.because
    (limited,) = ahead(with_slot(80 * GIB, limit="102400"), (with_slot(10 * GIB), WEEK))
    assert "20.0 GiB more max_slot_wal_keep_size ends it" in limited.because
    assert limited.days.earliest < fills.days.earliest


def test_a_slot_that_is_read_has_no_date() -> None:
    assert ahead(with_slot(80 * GIB, active=True), (with_slot(10 * GIB, active=True), WEEK)) == ()


def test_another_server_in_the_same_directory_is_not_compared() -> None:
    other = with_age(1_800_000_000)
    changed = dataclasses.replace(other.postgres[0], system_identifier=Known("7", "pg_control"))
    earlier = dataclasses.replace(other, postgres=(changed,))
    assert ahead(with_age(1_900_000_000), (earlier, WEEK)) == ()


def test_a_checkup_has_what_is_ahead_the_soonest_first() -> None:
    facts = at(with_slot(80 * GIB), NOW)
    earlier = dataclasses.replace(with_slot(10 * GIB), storage=with_free(101 * GIB).storage)
    plan = make_plan(facts, small_answers(), load_knowledge())
    result = checkup(plan, load_minor_fixes(), (at(earlier, NOW - WEEK),))
    assert [entry.kind for entry in result.ahead] == ["kept WAL fills its room", "disk is full"]
    late = checkup(plan, load_minor_fixes(), (at(earlier, NOW - WEEK),), "2027-06-01")
    assert [entry.kind for entry in late.ahead] == ["disk is full"]
    assert checkup(plan, load_minor_fixes()).ahead == ()
