"""Few sessions at work raise memory for each only where the hour was the busiest of several days."""

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sick_servers import finding_of, plan_of_case
from situations import SOUND
from tunewiz.core.facts.counters import Sessions
from tunewiz.core.facts.server import Window
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.busy_hours import why_not_the_peak
from tunewiz.core.server.seen_work import most_at_work
from tunewiz.core.values.known import Fact, Known, Unknown
from tunewiz.core.words.weighing import weighing_in_words
from tunewiz.knowledge.loading import load_knowledge
from watched import activity, window, with_statistics

HOUR, DAY = 3_600, 86_400
MEAN = 10
"""Transactions a second since the reset."""
MONTH = activity(commits=MEAN * 30 * DAY, seconds=30 * DAY)
UNKNOWN = Unknown("a test")
BUSY = dataclasses.replace(SOUND, connections=500)


def sessions(active: int) -> Known[Sessions]:
    return Known(
        Sessions(
            active=active,
            idle=400,
            idle_in_transaction=0,
            waiting=0,
            longest_idle_in_transaction=0,
            autovacuums=0,
            longest_autovacuum=0,
        ),
        "test",
    )


def hour(rate: int, days: Fact[int], active: int = 1, seconds: int = HOUR) -> Situation:
    period: Window = window(seconds, commits=rate * seconds).value
    watched = dataclasses.replace(period, days=days, sessions=sessions(active))
    return with_statistics(BUSY, since=MONTH, watched=Known(watched, "test"))


def planned(situation: Situation) -> Plan:
    return plan_of(load_knowledge().catalogue, situation)


UNWATCHED = planned(with_statistics(BUSY, since=MONTH))


@pytest.mark.parametrize("days", [UNKNOWN, Known(1, "test"), Known(2, "test")])
@pytest.mark.parametrize("rate", [0, 1, MEAN, 100 * MEAN])
def test_one_hour_raises_nothing_however_busy_it_was(rate: int, days: Fact[int]) -> None:
    made = planned(hour(rate, days))
    assert made.end.will_be("work_mem") == UNWATCHED.end.will_be("work_mem")
    assert finding_of(made, "host.connection_pool").state == "advise"


def test_a_quiet_hour_of_several_days_raises_nothing() -> None:
    made = planned(hour(MEAN // 2, Known(7, "test")))
    assert made.end.will_be("work_mem") == UNWATCHED.end.will_be("work_mem")


@pytest.mark.parametrize("rate", [MEAN, 3 * MEAN])
def test_the_busiest_hour_of_several_days_raises_what_its_few_sessions_leave(rate: int) -> None:
    made = planned(hour(rate, Known(3, "test")))
    assert made.end.will_be_size("work_mem") > UNWATCHED.end.will_be_size("work_mem")


def test_three_days_watched_without_a_break_are_several_days() -> None:
    assert why_not_the_peak(hour(MEAN, UNKNOWN, seconds=3 * DAY)) == ""
    assert why_not_the_peak(hour(MEAN, UNKNOWN, seconds=3 * DAY - 1)) != ""


@settings(max_examples=40)
@given(st.integers(0, 500), st.integers(0, 1000), st.one_of(st.none(), st.integers(0, 30)))
def test_what_is_counted_on_is_never_less_than_the_processors_serve_unless_the_peak_was_watched(
    active: int, rate: int, days: int | None
) -> None:
    situation = hour(rate, UNKNOWN if days is None else Known(days, "test"), active)
    assert bool(tuple(most_at_work(situation))) is (days is not None and days >= 3 and rate >= MEAN)


def test_it_is_told_how_busy_the_hour_was_and_when_it_began() -> None:
    situation = hour(1, UNKNOWN)
    assert "transactions a second were 0.1 times their mean" in why_not_the_peak(situation)
    began = dataclasses.replace(window(HOUR).value, began=Known("2026-11-24T02:00:00Z", "test"))
    night = dataclasses.replace(began, sessions=sessions(1), days=UNKNOWN)
    text = weighing_in_words(
        finding_of(planned(with_statistics(BUSY, watched=Known(night, "test"))), "pg.work_mem")
    )
    assert "in this window of 60 min from 2026-11-24 02:00 UTC" in text
    assert "the busiest hour of 3 days is needed" in text


def test_one_session_at_night_of_five_hundred_raises_nothing() -> None:
    made = plan_of_case("o4-night-watch")
    assert made.end.will_be("work_mem") == "16MB"
    assert finding_of(made, "host.connection_pool").state == "advise"
