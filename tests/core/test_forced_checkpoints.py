"""Checkpoints that a backup, a script or a person asked for are not taken for pressure of WAL."""

import dataclasses

import pytest

from tunewiz.core.facts.log import LogSeen
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.forced_checkpoints import Checkpoints, checkpoints_by_reason
from tunewiz.core.recommendation.observed import forced_checkpoints
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.seen_checkpoints import CHECKPOINTS, wal_seen
from tunewiz.core.values.known import Known
from tunewiz.core.values.units import GIB, MIB, Bytes
from watched import activity, window, with_statistics

USUAL = Given()
OURS = {"checkpoints_requested": 9, "checkpoints_timed": 4}
"""Nine checkpoints that scripts asked for."""
EVERY_DAY = {"checkpoints_requested": 300, "checkpoints_timed": 288}
"""A day of checkpoints by time, and more that were requested."""


def since_the_reset(**counted: int) -> Situation:
    return with_statistics(USUAL, since=activity(seconds=90_000, **counted))


def with_log(situation: Situation, log: LogSeen) -> Situation:
    assert isinstance(situation.server, PostgresServer)
    server = dataclasses.replace(situation.server, log=Known(log, "postgresql.log"))
    return dataclasses.replace(situation, server=server)


def by_reason(situation: Situation) -> Checkpoints:
    result = checkpoints_by_reason(situation, enough=3)
    assert result is not None
    return result


def test_what_scripts_asked_for_is_not_forced_by_wal() -> None:
    situation = since_the_reset(**OURS, wal_bytes=300 * MIB)
    (observation,) = forced_checkpoints(situation)
    assert observation.opposes
    assert observation.figure == (
        "9 of 13 checkpoints since 2026-10-01 were requested, none by WAL: 300 MiB were written"
    )


def test_a_day_of_requested_checkpoints_with_little_wal_tells_that_the_limit_lasts() -> None:
    assert [wal.what for wal in wal_seen(since_the_reset(**EVERY_DAY, wal_bytes=300 * MIB))] == ["lasts"]


def test_a_day_of_requested_checkpoints_with_much_wal_tells_that_it_fills() -> None:
    (wal,) = wal_seen(since_the_reset(**EVERY_DAY, wal_bytes=900 * GIB))
    assert (wal.what, wal.figure) == (
        "fills",
        "300 of 588 checkpoints since 2026-10-01 were forced by WAL",
    )


@pytest.mark.parametrize("major", ["9.6", "10", "11", "17"])
def test_as_many_as_the_wal_can_have_forced_are_its_work(major: str) -> None:
    """Of 64 segments: the next is forced after 64 / 1.5, until 10 after 64 / 2.5, less one that had begun."""
    given = dataclasses.replace(USUAL, major=major, settings={"checkpoint_completion_target": "0.5"})
    counted = activity(seconds=90_000, **EVERY_DAY, wal_bytes=100 * GIB)
    most = by_reason(with_statistics(given, since=counted)).by_wal
    assert most == (6_400 // 24 if major in ("9.6", "10") else 6_400 // 41)


def test_where_nothing_tells_the_reason_nothing_is_decided_by_it() -> None:
    situation = since_the_reset(**EVERY_DAY)
    assert list(wal_seen(situation)) == []
    (observation,) = forced_checkpoints(situation)
    assert observation.neutral
    assert "requested, by WAL, by a backup or by hand" in observation.figure
    (sight,) = CHECKPOINTS.look(situation)
    assert sight.words.endswith("log_checkpoints names the reason")


def test_without_a_request_no_reason_is_needed() -> None:
    situation = since_the_reset(checkpoints_requested=0, checkpoints_timed=400)
    assert [wal.what for wal in wal_seen(situation)] == ["lasts"]


def test_the_log_names_the_reason_before_anything_is_calculated() -> None:
    log = LogSeen(
        files=1,
        size=Bytes(MIB),
        damaged=0,
        checkpoints_by_wal=1,
        checkpoints_otherwise=9,
        checkpoints_timed=400,
    )
    situation = with_log(since_the_reset(**EVERY_DAY, wal_bytes=900 * GIB), log)
    result = by_reason(situation)
    assert (result.by_wal, result.requested, result.timed, result.reason) == (1, 10, 400, "logged")
    assert [wal.what for wal in wal_seen(situation)] == ["lasts"]


def test_a_window_that_was_watched_is_bounded_by_its_own_wal() -> None:
    watched = window(**OURS, wal_bytes=GIB)
    situation = with_statistics(USUAL, since=activity(wal_bytes=900 * GIB), watched=watched)
    assert by_reason(situation).by_wal == 2
