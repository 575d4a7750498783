"""One thing on a host that is not as it was when it was read before."""

from __future__ import annotations

from typing import Literal

from tunewiz.core.values.record import dataclass

NewsKind = Literal[
    "applied",
    "applied, waits for a restart",
    "planned, not applied",
    "planned, and changed otherwise",
    "changed",
    "machine and servers",
    "size",
    "at work, observed only",
]
"""In the order in which a person wants to read them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class News:
    """One thing that is not as it was."""

    kind: NewsKind
    what: str
    before: str
    after: str
    by: str = ""
    """Who or what changed it, where that can be told."""
