"""What a deep look found: indexes and tables that amcheck read whole, files that belong to no relation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tunewiz.core.values.known import NOT_LOOKED_FOR, Fact

RelationKind = Literal["index", "table"]


@dataclass(frozen=True, kw_only=True, slots=True)
class DamagedRelation:
    """An index or a table that does not hold together, by the server's own word."""

    kind: RelationKind
    schema: str
    name: str
    table: str
    """Of an index; of a table its own name."""
    bytes: int
    is_catalog: bool
    """Whether it belongs to the server's catalogue."""
    message: str
    """The server's."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckedCount:
    """How many relations of a kind were read whole."""

    total: int
    checked: int
    locked: int
    """Left alone as somebody held them exclusively."""
    failed: int
    """Those that could not be checked for another reason."""
    failure: str
    """The server's message on the first of these; empty if there is none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class OrphanedFiles:
    """Files of relations that the catalogue does not know."""

    files: int
    bytes: int
    paths: tuple[str, ...]
    """The first few, as the server names them: `base/16384/16412`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DeepDatabase:
    """One database, as far as the time allowed."""

    database: str
    indexes: Fact[CheckedCount] = NOT_LOOKED_FOR
    """B-tree indexes."""
    tables: Fact[CheckedCount] = NOT_LOOKED_FOR
    """After the indexes; unknown before 14."""
    damaged: tuple[DamagedRelation, ...] = ()
    cut_off: DamagedRelation | None = None
    """The server's process ended while it read this one; damage is one cause of that."""
    orphans: Fact[OrphanedFiles] = NOT_LOOKED_FOR


@dataclass(frozen=True, kw_only=True, slots=True)
class DeepLook:
    """All databases of a server."""

    seconds: int
    databases: tuple[DeepDatabase, ...]
    ended: str = ""
    """Why it ended early; empty if it did not."""
