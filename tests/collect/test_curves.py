"""Samples of a watched server become curves: bounded, in order, and no peak is lost."""

from hypothesis import given
from hypothesis import strategies as st

from tunewiz.collect.postgres.curves import MAX_VALUES, curves_of
from tunewiz.collect.postgres.samples import Sample


def sample(seconds: float, **numbers: int) -> Sample:
    return Sample(seconds=seconds, how="as postgres", numbers=numbers, refused={})


def values(samples: list[Sample], counted: str) -> tuple[int, ...]:
    """The values of that curve; empty where there is none."""
    return next((curve.values for curve in curves_of(samples) if curve.counted == counted), ())


def test_what_grows_is_told_a_second_and_sessions_as_they_are() -> None:
    samples = [
        sample(0, commits=100, connections=3, wal_position=0),
        sample(2, commits=120, connections=9, wal_position=4096),
        sample(3, commits=120, connections=4, wal_position=4096),
    ]
    assert values(samples, "commits") == (10, 0)
    assert values(samples, "connections") == (9, 9)
    assert values(samples, "wal_bytes") == (2048, 0)


def test_a_last_sample_that_comes_too_soon_makes_no_peak() -> None:
    samples = [sample(0, commits=0), sample(1, commits=10), sample(2, commits=20), sample(2.1, commits=30)]
    assert values(samples, "commits") == (10, 10)


def test_checkpoints_are_counted_together() -> None:
    samples = [
        sample(seconds, checkpoints_timed=timed, checkpoints_requested=forced)
        for seconds, timed, forced in ((0, 5, 1), (1, 5, 1), (2, 6, 2))
    ]
    assert values(samples, "checkpoints") == (0, 2)


def test_what_was_reset_or_refused_has_no_curve_and_the_rest_has() -> None:
    samples = [sample(0, commits=9, rollbacks=1), sample(1, commits=2, rollbacks=2), sample(2, commits=3)]
    samples = [*samples[:2], sample(2, commits=3, connections=1)]
    assert values(samples, "commits") == ()
    assert values(samples, "rollbacks") == ()
    assert values(samples, "connections") == ()


def test_two_samples_are_no_curve() -> None:
    assert curves_of([sample(0, commits=1), sample(60, commits=2)]) == ()
    assert curves_of([]) == ()


PAUSES = st.lists(st.floats(0.6, 400), min_size=2, max_size=300)


@given(PAUSES, st.data())
def test_a_curve_is_bounded_and_keeps_its_highest_value_in_its_place(
    pauses: list[float], data: st.DataObject
) -> None:
    sessions = data.draw(st.lists(st.integers(0, 9_000), min_size=len(pauses) + 1, max_size=len(pauses) + 1))
    times = [sum(pauses[:count]) for count in range(len(pauses) + 1)]
    samples = [sample(at, connections=count) for at, count in zip(times, sessions, strict=True)]
    drawn = values(samples, "connections")
    assert len(drawn) == min(MAX_VALUES, len(pauses))
    assert max(drawn) == max(sessions)
    at = times[sessions.index(max(sessions))] / times[-1]
    place = drawn.index(max(drawn)) / len(drawn)
    longest = max(pauses) / times[-1]
    assert abs(place - at) <= longest + 2 / len(drawn)


@given(PAUSES)
def test_a_steady_server_is_a_level_curve(pauses: list[float]) -> None:
    times = [sum(pauses[:count]) for count in range(len(pauses) + 1)]
    samples = [sample(at, commits=round(1_000_000 * at)) for at in times]
    drawn = values(samples, "commits")
    assert max(drawn) - min(drawn) <= 4
