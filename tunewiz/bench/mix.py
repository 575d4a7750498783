"""What the clients of a run do: weighted scripts, their origin, and what they leave out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from tunewiz.core.proof.proof import Omission, ProofScript, WorkloadSource

FROM_SERVER = ("statements", "log")
"""Sources whose scripts are generated for a run and saved with it."""
NOTHING: Mapping[str, str] = MappingProxyType({})
NO_CONTENTS: Mapping[str, bytes] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True, slots=True)
class Mix:
    """What the clients do."""

    source: WorkloadSource
    scripts: tuple[ProofScript, ...]
    contents: Mapping[str, bytes] = field(default_factory=lambda: NO_CONTENTS)
    """Scripts by name, except those built into pgbench."""
    share: float | None = None
    """Share of the server's execution time that the scripts represent, 0 to 1; None if unknown."""
    left_out: tuple[Omission, ...] = ()
    session: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    """libpq's environment variables for the clients."""
