"""Rules of the shop that are not kept: what is said of them, and where the rule stands."""

from __future__ import annotations

from typing import Literal

from tunewiz.core.fleet.policy import PolicyRule
from tunewiz.core.values.record import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Violation:
    """A rule that some plan does not obey, or whose last day is over."""

    kind: Literal["broken", "expired"]
    rule: PolicyRule
    file: str
    line: int
    """Where the rule begins in that file; 0 where that is not known."""
    hosts: tuple[str, ...]
    """Those whose plans do not obey it."""
    text: str
    """What is said of it, with the file."""
