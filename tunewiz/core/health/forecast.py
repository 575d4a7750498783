"""When something ends that grows: a range of days, or nothing where too little was seen to say so.

How far a rate will hold was measured nowhere. The factors below are a rule of thumb: what was seen for an
hour may be a fourth or four times the mean of the days to come, what was seen for weeks hardly differs.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tunewiz.core.values.record import dataclass

MIN_SECONDS = 3_600
"""Of less nothing is said."""
FURTHEST = 365
"""Times as long as was looked: an hour speaks for two weeks, a day for a year."""
MAX_DAYS = 3_650
"""Nobody plans further."""
WIDEST = 3
"""By how much a very short time may be wrong: four times faster or slower."""
DAY = 86_400
TIME = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(frozen=True, kw_only=True, slots=True)
class Growth:
    """By how much something grew in so many seconds."""

    amount: int
    seconds: int


@dataclass(frozen=True, kw_only=True, slots=True)
class DaysAhead:
    """The first and the last day on which it may happen, YYYY-MM-DD."""

    earliest: str
    latest: str


def factor(seconds: int) -> float:
    """How many times faster or slower it may go than was seen in that time."""
    return 1 + WIDEST / (1 + seconds / DAY)


def days_ahead(left: int, growth: Growth, read_at: str, today: str = "") -> DaysAhead | None:
    """When what is left will be used up.

    Args:
        left: How much may still be used.
        growth: What was seen.
        read_at: The time at which so much was left, as facts have it.
        today: The day of whoever asks, if it may be later: a day in the past is nothing to wait for.

    Returns:
        The range; None if it does not grow, or too little was seen.
    """
    if growth.amount <= 0 or growth.seconds < MIN_SECONDS or left < 0:
        return None
    seconds = left * growth.seconds / growth.amount
    if seconds > min(FURTHEST * growth.seconds, MAX_DAYS * DAY):
        return None
    begin, times = parsed(read_at), factor(growth.seconds)
    if begin is None:
        return None
    earliest, latest = (
        f"{begin + timedelta(seconds=end):%Y-%m-%d}" for end in (seconds / times, seconds * times)
    )
    return None if latest < today else DaysAhead(earliest=max(earliest, today), latest=latest)


def parsed(time: str) -> datetime | None:
    """A time of facts; None if it is none."""
    try:
        return datetime.strptime(time, TIME).replace(tzinfo=UTC)
    except ValueError:
        return None


def seconds_between(before: str, after: str) -> int:
    """From one time of facts to another; 0 where one is none, or the clock went back."""
    begin, end = parsed(before), parsed(after)
    return 0 if begin is None or end is None else max(0, round((end - begin).total_seconds()))


def time_in_words(seconds: int) -> str:
    """A long time, in the largest unit of which there are at least two.

    >>> time_in_words(5_400), time_in_words(7_200), time_in_words(900_000)
    ('90 minutes', '2 hours', '10 days')
    """
    for unit, name in ((DAY, "days"), (3_600, "hours")):
        if seconds >= 2 * unit:
            return f"{seconds // unit} {name}"
    return f"{seconds // 60} minutes"
