"""What the clients of a run do: scripts by weight, where they come from and what they leave out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from tunewiz.core.proof.proof import LeftOut, ProofScript, WorkloadSource

FROM_SERVER = ("statements", "log")
"""Sources whose scripts are made for a run, and kept with it."""
NOTHING: Mapping[str, str] = MappingProxyType({})
NO_CONTENTS: Mapping[str, bytes] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True, slots=True)
class Mix:
    """What the clients do."""

    source: WorkloadSource
    scripts: tuple[ProofScript, ...]
    contents: Mapping[str, bytes] = field(default_factory=lambda: NO_CONTENTS)
    """Of the scripts that pgbench does not have built in, by name."""
    share: float | None = None
    """Of the server's own execution time, how much the scripts stand for; None where that is unknown."""
    left_out: tuple[LeftOut, ...] = ()
    session: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    """Variables of libpq for the clients."""
