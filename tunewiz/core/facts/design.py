"""How tables are made, where that costs something: keys, partitions, persistence."""

from __future__ import annotations

from typing import Literal

from tunewiz.core.values.record import dataclass

DesignFlawKind = Literal[
    "no primary key", "no replica identity", "unlogged table", "many partitions", "default partition"
]


@dataclass(frozen=True, kw_only=True, slots=True)
class DesignFlaw:
    """A table with something in its make that may cost."""

    kind: DesignFlawKind
    schema: str
    name: str
    bytes: int
    """As of its last vacuum or analyze."""
    count: int
    """Partitions, or rows in a default partition; otherwise 0."""
