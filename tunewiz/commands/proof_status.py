"""The exit statuses of `tunewiz prove`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tunewiz.core.proof.proof import Verdict

ENDED_EARLY = 5
"""Everything was put back."""
REFUSED = 4
STATUS: Mapping[Verdict, int] = MappingProxyType(
    {"helped": 0, "hurt": 1, "same": 3, "undecided": REFUSED, "observed": 0}
)
"""By verdict."""
