"""Whether a watched time shows the peak: one quiet hour decides nothing.

Memory for each session is raised where few sessions work at once. That is only known from the busiest hour of
several days, as `tunewiz watch` finds it, that was at least as busy as the server is on average.
"""

from __future__ import annotations

from fractions import Fraction

from tunewiz.core.facts.server import PostgresServer, Window
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.known import Known, known_or
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.rounding import shortly

DAY = 86_400
_LEAST_IN_TENTHS = Fraction(1, 10)


def why_not_the_peak(situation: Situation) -> str:
    """Why the watched time does not show the server's peak; empty if it does, or nobody watched."""
    match situation.server:
        case PostgresServer(window=Known(value=window)):
            days = max(window.seconds // DAY, known_or(window.days, 0))
            if days < situation.thresholds.busy_days:
                needed = how_many(situation.thresholds.busy_days, "day")
                return f"the busiest hour of {needed} is needed (tunewiz watch){_beside_mean(situation)}"
            share = _share_of_mean(situation)
            return f"a quiet time{_beside_mean(situation)}" if share is not None and share < 1 else ""
        case _:
            return ""


def _beside_mean(situation: Situation) -> str:
    """How busy the watched time was compared with all since the reset; empty if that is unknown."""
    share = _share_of_mean(situation)
    if share is None:
        return ""
    return f"; transactions a second were {_times(share)} their mean since the statistics were reset"


def _times(share: Fraction) -> str:
    if 0 < share < _LEAST_IN_TENTHS:
        return f"1/{round(1 / share):,} of"
    return f"{shortly(share)} times"


def _share_of_mean(situation: Situation) -> Fraction | None:
    match situation.server:
        case PostgresServer(window=Known(value=window), activity=Known(value=activity)):
            mean = _rate(known_or(activity.commits, 0), known_or(activity.counters.seconds, 0))
            return _share(window, mean)
        case _:
            return None


def _share(window: Window, mean: Fraction) -> Fraction | None:
    if not mean or not isinstance(window.commits, Known):
        return None
    return _rate(window.commits.value, window.seconds) / mean


def _rate(count: int, seconds: int) -> Fraction:
    return Fraction(count, seconds) if seconds else Fraction(0)
