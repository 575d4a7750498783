"""The busiest hour is the one in which most was done, of all kinds of work together."""

from hypothesis import given
from hypothesis import strategies as st

from tunewiz.collect.ring.busiest import HOUR, WORK, busiest, samples
from tunewiz.core.facts.look import RESET, STARTED, ServerSample

EVERY = 300
IN_AN_HOUR = HOUR // EVERY


def day(work: list[int], *, restarts: tuple[int, ...] = (), name: str = "commits") -> list[ServerSample]:
    """Looks of a day: how much was done before each, and before which the server was restarted."""
    looks, done = list[ServerSample](), 0
    for place, number in enumerate(work):
        done = number if place in restarts else done + number
        numbers = {
            **dict.fromkeys(WORK, 0),
            name: done,
            STARTED: sum(place >= at for at in restarts),
            RESET: 0,
        }
        looks.append(ServerSample(run=1, at=0, passed=1000 * EVERY * place, numbers=numbers))
    return looks


def counted(looks: list[ServerSample], name: str = "commits") -> int:
    result = busiest(looks, EVERY)
    return result[-1].numbers[name] - result[0].numbers[name]


def test_a_peak_within_a_quiet_day_is_found() -> None:
    looks = day([1] * 100 + [50] * IN_AN_HOUR + [1] * 100)
    result = busiest(looks, EVERY)
    assert [looks.index(result[0]), looks.index(result[-1])] == [99, 111]


def test_a_crash_in_the_busiest_hour_leaves_what_was_done_until_then() -> None:
    number = counted(day([1] * 50 + [100] * 8 + [0] + [1] * 50, restarts=(58,)))
    assert 800 <= number < 810


def test_work_of_every_kind_counts() -> None:
    for name in WORK:
        assert counted(day([0] * 30 + [9] * 5 + [0] * 30, name=name), name) == 45


def test_an_idle_server_has_an_hour_too() -> None:
    assert len(busiest(day([0] * 40), EVERY)) == IN_AN_HOUR + 1 or counted(day([0] * 40)) == 0


def test_without_two_looks_in_a_row_there_is_none() -> None:
    assert busiest((), EVERY) == ()
    assert busiest(day([1]), EVERY) == ()
    assert busiest(day([1, 1], restarts=(1,)), EVERY) == ()


@given(st.lists(st.integers(0, 1000), min_size=2, max_size=80))
def test_no_other_hour_did_more(work: list[int]) -> None:
    looks = day(work)
    best = counted(looks)
    for begin in range(len(looks)):
        for end in range(begin + 1, min(len(looks), begin + IN_AN_HOUR + 1)):
            assert looks[end].numbers["commits"] - looks[begin].numbers["commits"] <= best


def test_looks_become_samples_that_begin_at_nought() -> None:
    looks = day([1] * 5)[2:]
    assert [sample.seconds for sample in samples(looks, "as kept")] == [0, EVERY, 2 * EVERY]
