"""What the administrator says: workload, accepted risks, decisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType
from typing import Literal, TypeAlias

from tunewiz.core.facts.storage_kind import StorageKind
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import Bytes, Duration

SCHEMA = 1

WorkloadKind = Literal["oltp", "read_mostly", "mixed", "analytics"]
Posture = Literal["cautious", "balanced", "bold"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Workload:
    """What the database is used for."""

    kind: WorkloadKind
    connections: int
    """Expected peak of client connections."""
    database_size: Bytes


@dataclass(frozen=True, kw_only=True, slots=True)
class ServerAnswers:
    """What the facts lack, or which server of several; None where the facts say it."""

    postgres: str | None = None
    """Major version: "9.5", "9.6", "10" … "19"."""
    data_directory: str | None = None
    storage: StorageKind | None = None
    replicas: int = 0
    memory_share: int | None = None
    """Percent of the machine's memory for this server; None: an equal share for every running server."""


DEFAULT_RECOVERY = Duration(300_000)
"""Five minutes: PostgreSQL's own default distance between checkpoints."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Risk:
    """What tuning may cost."""

    posture: Posture = "balanced"
    restart: bool = True
    reboot: bool = False
    kernel: bool = True
    recovery_time: Duration = DEFAULT_RECOVERY
    """Longest acceptable crash recovery."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Accepted:
    """The recommendation as it stands."""

    note: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Refused:
    """Not this one."""

    note: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Replaced:
    """This one, with a value of the administrator's own."""

    value: str
    note: str = ""


Decision: TypeAlias = Accepted | Refused | Replaced
NO_DECISIONS: Mapping[str, Decision] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True, slots=True)
class Answers:
    """Everything that was asked."""

    workload: Workload
    server: ServerAnswers = field(default_factory=ServerAnswers)
    risk: Risk = field(default_factory=Risk)
    decisions: Mapping[str, Decision] = field(default_factory=lambda: NO_DECISIONS)
    """By recommendation id."""
