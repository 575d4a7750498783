"""What an upgrade does to one setting, and all of them together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType
from typing import Literal

from tunewiz.core.values.record import dataclass
from tunewiz.core.values.versions import Major

Kind = Literal["removed", "renamed", "refused", "clash", "changed", "default", "deprecated", "new"]
"""What becomes of a setting.

removed, renamed: the new major has no setting of this name.
refused: it has, but not with this value.
clash: each value is fine, but a server does not start with them together.
changed: the same value has another effect.
default: nobody set it, and its default is another one.
deprecated: taken, but some later major will not take it.
new: not of today's configuration: what the plan for the new major sets, and today's does not.
"""
Where = Literal["file", "command line", "role", "nowhere"]
"""What has the value: configuration files, the server's command line, ALTER ROLE or ALTER DATABASE."""

_IN_THE_WAY = ("removed", "renamed", "refused", "clash")
NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True, slots=True)
class UpgradeItem:
    """One setting, and what an upgrade does to it."""

    kind: Kind
    setting: str
    value: str
    """As a person writes it: `16GB`."""
    where: Where
    place: str
    """File and line, `command line`, or the statement's subject; empty where nothing has it."""
    because: str
    source: str
    """Where a person can read that; empty where it follows from the two majors' pg_settings."""
    instead: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    """What to write for it, by name; empty: nothing, the line just goes, or stays as it is."""
    taken: bool = False
    """Whether the new server takes it all the same."""
    hand: bool = False
    """Whether a person must look at it although the new server takes it."""

    @property
    def stops(self) -> bool:
        """Whether the new server does not start with it."""
        return self.kind in _IN_THE_WAY and not self.taken and self.where in ("file", "command line")

    @property
    def stops_restore(self) -> bool:
        """Whether pg_upgrade, or the restore of a dump, stops at its statement."""
        return self.kind in _IN_THE_WAY and not self.taken and self.where == "role"

    @property
    def needs_hand(self) -> bool:
        """Whether a person must do something about it."""
        return self.stops or self.stops_restore or self.hand


@dataclass(frozen=True, kw_only=True, slots=True)
class Upgrade:
    """Everything that an upgrade to a newer major does to a server's settings."""

    old: Major
    new: Major
    how: str
    """Where the settings were read."""
    items: tuple[UpgradeItem, ...]
    """First what keeps the new server from starting."""

    @property
    def needs_hand(self) -> bool:
        """Whether anything of it needs a person."""
        return any(item.needs_hand for item in self.items)
