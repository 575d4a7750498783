"""The PostgreSQL server as what changes it needs it, or why it cannot be changed."""

from __future__ import annotations

from tunewiz.core.values.record import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Cluster:
    """The PostgreSQL server that the bundle is for."""

    major: str
    data_directory: str
    config_file: str
    owner: str
    system_identifier: str
    """Empty where it is not known."""
    running: bool
    """When it was looked at."""
    drop_in: str
    """Empty where the configuration reads none."""
    include: str = ""
    """The line that has the drop-in read, where it must be added to the configuration file."""
    alter_system: bool = True
    """Whether the server takes ALTER SYSTEM (since 17 that can be forbidden)."""

    @property
    def auto_conf(self) -> str:
        """The file that ALTER SYSTEM writes."""
        return f"{self.data_directory}/postgresql.auto.conf"


@dataclass(frozen=True, kw_only=True, slots=True)
class NoCluster:
    """There is no server whose settings a bundle could change."""

    why: str
