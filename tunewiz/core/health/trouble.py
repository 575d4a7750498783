"""A trouble of a server, its kinds in the order of what they cost, and who can act."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from tunewiz.core.values.record import dataclass

TroubleKind = Literal[
    "damaged pages",
    "damaged table",
    "damaged index",
    "reading was cut off",
    "transaction ids run out",
    "collation has changed",
    "archiving fails",
    "fixes are missing",
    "sequence runs out",
    "no replica identity",
    "vacuum is held back",
    "sessions wait for locks",
    "a slot is lost",
    "WAL is kept for nobody",
    "archiving falls behind",
    "replay is paused",
    "replay falls behind",
    "unlogged table",
    "invalid index",
    "duplicate index",
]
"""From lost data over a standstill to work for nothing."""

Actor = Literal["administrator", "developers"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Trouble:
    """One trouble by its name."""

    kind: TroubleKind
    who: Actor
    """Who can end it."""
    what: str
    """Where: the session, the index; empty if the reason says it."""
    because: str
    """A sentence or two, with the numbers."""
    do: tuple[str, ...] = ()
    """Statements for a person to run, in this order."""
    undo: tuple[str, ...] = ()
    """Those that take the effect of `do` back; none where nothing can or need be taken back."""
    after: tuple[str, ...] = ()
    """What remains to be done then, in words."""
    database: str = ""
    """Where the statements are run; empty: in any."""
    extent: int = field(default=0, compare=False)
    """How much of it there is, where that grows: later and more of it is worse. 0 where nothing tells."""
