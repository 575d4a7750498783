"""The series of measurements that come with the program: profiles/series."""

from __future__ import annotations

from functools import cache

from tunewiz.core.planning.measurement_series import Series
from tunewiz.core.values.record import dataclass
from tunewiz.knowledge.profiles import package_data, read_record


@dataclass(frozen=True, kw_only=True, slots=True)
class _File:
    """One file of profiles/series."""

    series: tuple[Series, ...]


@cache
def load_series() -> tuple[Series, ...]:
    """All series."""
    names = sorted(path.name for path in package_data("series").iterdir() if path.name.endswith(".toml"))
    return tuple(series for name in names for series in read_record(_File, "series", name).series)
