"""A schedule within a budget in words: its parts before they run, what it can show, why it was refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from tunewiz.core.proof.looks import ONLY_RISK
from tunewiz.core.proof.schedule import (
    HALVED,
    SPREAD_LEAST,
    SPREAD_MOST,
    BenchSchedule,
    PartName,
    SchedulePart,
    TooShort,
    round_up,
)
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.rounding import shortly
from tunewiz.core.words.proof import percent, seconds_in_words

_MINUTE, _HOUR = 60, 3_600
_PARTS: Mapping[PartName, str] = MappingProxyType(
    {
        "data": "data",
        "trial": "a trial run",
        "peak": "peak throughput",
        "A/A pairs": "A/A pair",
        "pairs": "pair",
        "cycles": "cycle",
        "end": "putting everything back",
    }
)


def schedule_lines(schedule: BenchSchedule) -> Iterator[str]:
    """What is planned, before it runs."""
    pace = "as measured" if schedule.pace.is_measured else "as assumed"
    yield (
        f"planned within {time_option(schedule.budget)}: {parts_in_words(schedule)}; "
        f"restarts and copies {pace}"
    )
    yield f"{run_in_words(schedule)}; {shows_in_words(schedule)}"


def parts_in_words(schedule: BenchSchedule) -> str:
    """The parts with their times: `data 6 s, 2 A/A pairs 92 s, 4 pairs 184 s`."""
    return ", ".join(f"{_part(part)} {seconds_in_words(part.seconds)}" for part in schedule.parts)


def _part(part: SchedulePart) -> str:
    name = _PARTS[part.name]
    return how_many(part.count, name) if part.name in ("A/A pairs", "pairs", "cycles") else name


def run_in_words(schedule: BenchSchedule) -> str:
    """What one run consists of."""
    lengths = schedule.lengths
    rate = f", {seconds_in_words(lengths.fixed_rate)} at a fixed rate" if lengths.fixed_rate else ""
    return (
        f"a run: {seconds_in_words(lengths.warm_up)} of warm-up, {seconds_in_words(lengths.full_speed)} at "
        f"full speed{rate}, about {seconds_in_words(schedule.around_seconds)} for restart and data"
    )


def shows_in_words(schedule: BenchSchedule) -> str:
    """The smallest difference that it will probably show, by noise that was recorded elsewhere."""
    least, most = (_difference(schedule.shows(spread)) for spread in (SPREAD_LEAST, SPREAD_MOST))
    count = how_many(schedule.pairs, "cycle" if schedule.request.groups else "pair")
    return (
        f"{count} can show {least} where pairs vary by {percent(1 + SPREAD_LEAST)}, {most} where they vary "
        f"by {percent(1 + SPREAD_MOST)}, at a risk of {percent(1 + ONLY_RISK)} of a false claim"
    )


def _difference(ratio: float) -> str:
    return f"a difference of {percent(ratio)}" if ratio < HALVED else f"a factor of {shortly(ratio, 2)}"


def too_short(option: str, refused: TooShort) -> tuple[str, str]:
    """Why a budget is refused, and what to do instead.

    Args:
        option: The option with the time that is too short.
        refused: What was found.
    """
    smallest = refused.smallest
    budget, expected = time_option(refused.budget), time_option(smallest.budget)
    pace = "as measured here" if smallest.pace.is_measured else "as assumed"
    return (
        (
            f"{option}: found {budget}, expected {expected} or more on this server, with restarts and copies "
            f"{pace}: {parts_in_words(smallest)}"
        ),
        f"{option} {expected}: {run_in_words(smallest)}; {shows_in_words(smallest)}.",
    )


def too_short_rest(refused: TooShort, passed: float) -> tuple[str, str]:
    """The same once this server's pace is known and some of the time has passed."""
    smallest = refused.smallest
    whole = round_up(smallest.budget + passed)
    return (
        (
            f"{time_option(refused.budget)} of the time is left, expected {time_option(smallest.budget)} or "
            f"more with restarts and copies as measured here: {parts_in_words(smallest)}"
        ),
        f"Allow {time_option(whole)} or more in all: {run_in_words(smallest)}; {shows_in_words(smallest)}.",
    )


def time_option(seconds: int) -> str:
    """A time as the options take it: `250s`, `4min`, `2h`.

    >>> time_option(250), time_option(240), time_option(7_200)
    ('250s', '4min', '2h')
    """
    for size, unit in ((_HOUR, "h"), (_MINUTE, "min")):
        if seconds and seconds % size == 0:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"
