"""Values that are dangerous whoever set them, as `profiles/dangers.toml` has them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from types import MappingProxyType
from typing import Literal

from tunewiz.core.values.pg_settings import SettingInfo
from tunewiz.core.values.record import dataclass

Harm = Literal["data", "outage", "exposed", "blind", "slow", "note"]
"""What a value does, the worst first: data are lost, work stops, others get at what is not theirs, nobody
sees it, it is slow, or it is worth a note."""


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
    matches: str | None = None
    """A regular expression: a text that it matches whole is meant too."""
    above: str | None = None
    below: str | None = None
    below_setting: str | None = None
    """The setting that this one must not be below."""
    beside: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Values of other settings without which this one does no harm; a version may lack those settings."""
    harmless_on_copies: bool = False
    """Whether it does no harm where the data's file system never overwrites a block in place."""
    fine_for_roles: bool = False
    """Whether roles and databases may well have it for themselves."""

    def applies(self, info: SettingInfo, value: str) -> bool:
        """Whether a value, as a person writes it, is one of them; raises SettingError."""
        if self.values:
            return value in self.values or self._is_matched(value)
        number = Fraction(info.number(value))
        is_above = self.above is None or number > Fraction(info.number(self.above))
        return is_above and (self.below is None or number < Fraction(info.number(self.below)))

    def _is_matched(self, value: str) -> bool:
        return self.matches is not None and re.fullmatch(self.matches, value, re.DOTALL) is not None


@dataclass(frozen=True, kw_only=True, slots=True)
class DangerTable:
    """All of them."""

    rows: tuple[Danger, ...]


NO_DANGERS = DangerTable(rows=())
