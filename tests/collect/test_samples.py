"""Looks at a server become what it did between the first and the last of them."""

from hypothesis import given
from hypothesis import strategies as st

from tunewiz.collect.postgres.samples import Sample, pause_of, window_of
from tunewiz.core.facts.server import Window
from tunewiz.core.values.known import Known, Unknown


def sample(seconds: float, **numbers: int) -> Sample:
    return Sample(seconds=seconds, how="as postgres", numbers=numbers, refused={"wal_position": "denied"})


def window(*samples: Sample, ended: str = "") -> Window:
    fact = window_of(samples, ended)
    assert isinstance(fact, Known)
    return fact.value


def test_counts_are_differences_and_the_peak_is_the_highest() -> None:
    observation = window(
        sample(0, commits=10, connections=3),
        sample(30, connections=40),
        sample(60, commits=25, connections=2),
    )
    assert (observation.seconds, observation.samples) == (60, 3)
    assert observation.commits == Known(15, "watched")
    assert observation.connections_peak == Known(40, "watched")


def test_what_the_role_may_not_see_is_unknown_with_the_servers_words() -> None:
    assert window(sample(0), sample(60)).wal_bytes == Unknown("denied")
    assert window(sample(0), sample(60)).connections_peak == Unknown("the server did not report it")


def test_counts_that_fall_were_reset() -> None:
    observation = window(sample(0, commits=10), sample(60, commits=4))
    assert observation.commits == Unknown("the statistics were reset while the server was watched")


def test_a_lost_connection_leaves_what_was_seen_and_is_told() -> None:
    fact = window_of((sample(0, commits=1), sample(20, commits=3)), "the connection was lost: gone")
    assert isinstance(fact, Known)
    assert fact.how == "watched as postgres; the connection was lost: gone"
    assert fact.value.commits == Known(2, "watched")


def test_too_short_a_look_is_no_window() -> None:
    assert window_of((sample(0), sample(1.5))) == Unknown("the server was watched for less than 2 seconds")
    assert window_of((), "it does not answer") == Unknown("it does not answer")


@given(st.integers(2, 86_400))
def test_a_long_time_is_looked_at_less_often(seconds: int) -> None:
    assert 1 <= pause_of(seconds) <= 288
    assert round(seconds / pause_of(seconds)) <= 300


@given(
    st.floats(0, 1e6),
    st.dictionaries(st.text(), st.integers(-(2**63), 2**63)),
    st.dictionaries(st.text(), st.text()),
)
def test_a_look_passes_between_processes_unchanged(
    seconds: float, numbers: dict[str, int], refused: dict[str, str]
) -> None:
    look = Sample(seconds=seconds, how="as 'x'\n", numbers=numbers, refused=refused)
    assert "\n" not in look.to_json()
    assert Sample.from_json(look.to_json()) == look
