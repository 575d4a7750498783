"""The exit statuses of `tunewiz prove`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tunewiz.core.proof.observed import observed_verdict
from tunewiz.core.proof.proof import ClaimVerdict, Proof

ENDED_EARLY = 5
"""Everything was put back."""
REFUSED = 4
STATUS: Mapping[ClaimVerdict, int] = MappingProxyType(
    {"helped": 0, "hurt": 1, "same": 3, "undecided": REFUSED}
)
"""Exit status by verdict."""


def status_of(proof: Proof) -> int:
    """The exit status of a proof: by its verdict, or by the observed difference (0 faster, 1 slower)."""
    return STATUS[observed_verdict(proof) if proof.verdict == "observed" else proof.verdict]
