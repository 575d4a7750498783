"""What a managed service lets its users set: the records of profiles/services."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from tunewiz.core.values.record import dataclass

ServiceName: TypeAlias = Literal["rds", "aurora", "cloudsql", "azure", "aiven"]
ExportFormat: TypeAlias = Literal["terraform", "cli"]
Apply: TypeAlias = Literal["dynamic", "static"]
Booleans: TypeAlias = Literal["on or off", "1 or 0", "true or false"]
"""How a service writes a boolean."""
ProviderUnit: TypeAlias = Literal["kB", "8kB", "MB", "ms", "s", "percent of memory"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ServiceSource:
    """Where something about a service was read."""

    address: str
    date: str
    """Of the document; of the day on which it was read, where it has none."""
    says: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Parameter:
    """One setting that can be changed there."""

    apply: Apply
    """Static: it waits for a restart."""
    name: str = ""
    """The service's own name for it; empty if it is PostgreSQL's."""
    under: str = ""
    """The group of the service's options that has it."""
    unit: ProviderUnit | None = None
    """None: PostgreSQL's own."""
    least: str = ""
    most: str = ""
    """In the service's unit; empty if no source tells."""
    values: tuple[str, ...] = ()
    """The only ones that are accepted; empty if no source tells."""
    items: tuple[str, ...] = ()
    """For a list: what may be in it."""
    boolean: Booleans | None = None
    """None: as the service writes the others."""
    formula: str = ""
    """What the service computes it from, if nobody sets it."""

    def path(self, name: str) -> str:
        """The service's name of the setting, with the group before it."""
        own = self.name or name
        return f"{self.under}.{own}" if self.under else own


@dataclass(frozen=True, kw_only=True, slots=True)
class LeftAlone:
    """Settings that cannot be changed there, or not by anything that a source says."""

    names: tuple[str, ...]
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Service:
    """One file of profiles/services."""

    title: str
    booleans: Booleans
    sources: tuple[ServiceSource, ...]
    left_alone: tuple[LeftAlone, ...]
    parameters: Mapping[str, Parameter]

    def why_not(self, name: str) -> str:
        """Why a setting cannot be changed there; empty if it can."""
        if name in self.parameters:
            return ""
        entry = next((entry for entry in self.left_alone if name in entry.names), None)
        return entry.why if entry else "no source names it among what can be set there"
