"""The series of measurements that come with the program: profiles/series."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from tunewiz.core.planning.measurement_series import Series
from tunewiz.knowledge.profiles import read_record, shelf


@dataclass(frozen=True, kw_only=True, slots=True)
class _File:
    """One file of profiles/series."""

    series: tuple[Series, ...]


@cache
def load_series() -> tuple[Series, ...]:
    """All series."""
    names = sorted(each.name for each in shelf("series").iterdir() if each.name.endswith(".toml"))
    return tuple(each for name in names for each in read_record(_File, "series", name).series)
