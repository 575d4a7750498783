"""Values that are dangerous whoever set them, as `profiles/dangers.toml` has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from types import MappingProxyType
from typing import Literal

from tunewiz.core.values.pg_settings import SettingInfo
from tunewiz.core.values.record import dataclass

Harm = Literal["data", "outage", "blind", "slow"]
"""What a value does, the worst first: data are lost, work stops, nobody sees it, or it is slow."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Danger:
    """One of these values, or all that lie between two bounds, which themselves are not meant.

    A row with `below_setting` alone is about values below that setting's.
    """

    setting: str
    harm: Harm
    why: str
    instead: str
    """What to do."""
    page: str
    """The page of PostgreSQL's manual about the setting."""
    values: tuple[str, ...] = ()
    above: str | None = None
    below: str | None = None
    below_setting: str | None = None
    """The setting that this one must not be below."""
    beside: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Values of other settings without which this one does no harm; a version may lack those settings."""

    def applies(self, info: SettingInfo, value: str) -> bool:
        """Whether a value, as a person writes it, is one of them; raises SettingError."""
        if self.values:
            return value in self.values
        number = Fraction(info.number(value))
        is_above = self.above is None or number > Fraction(info.number(self.above))
        return is_above and (self.below is None or number < Fraction(info.number(self.below)))


@dataclass(frozen=True, kw_only=True, slots=True)
class DangerTable:
    """All of them."""

    rows: tuple[Danger, ...]


NO_DANGERS = DangerTable(rows=())
