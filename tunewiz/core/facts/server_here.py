"""A server of this host as it looks from outside, before anybody asked it anything."""

from __future__ import annotations

from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import Bytes


@dataclass(frozen=True, kw_only=True, slots=True)
class ServerHere:
    """What processes and files tell in a moment; texts are empty where they do not tell it."""

    version: str
    port: str
    directory: str
    size: Bytes | None
    """Of its databases; None if their files cannot be read, or are too many to look at now."""
    is_running: bool
