"""What was learned about a machine and its PostgreSQL servers.

The public form is JSON (`docs/formats.md`): values as they are, `null` with the reason under
`unknown`, and the source of a value under `learned`.
"""

from __future__ import annotations

from dataclasses import field

from tunewiz.core.facts.machine import Cpu, Host, Kernel, Limits, Memory, Storage, Virtualization
from tunewiz.core.facts.owners import Owners
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.values.record import dataclass

SCHEMA = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Facts:
    """Everything that was learned about one machine."""

    host: Host
    cpu: Cpu
    memory: Memory
    virtualization: Virtualization
    limits: Limits
    kernel: Kernel
    storage: tuple[Storage, ...] = ()
    postgres: tuple[PostgresServer, ...] = ()
    owners: Owners = field(default_factory=Owners)
