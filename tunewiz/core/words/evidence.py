"""The words for evidence: how similar the measured machine is to this one."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tunewiz.core.recommendation.evidence import Fit, Fitted

FITS: Mapping[Fit, str] = MappingProxyType(
    {
        "like": "like yours",
        "unknown": "not known to be like yours",
        "unlike": "unlike yours",
        "opposite": "opposite effect seen",
    }
)
NEAR = "Related evidence: "
"""Prefix for related measurements: their figure is not the effect of the recommendation."""


def likeness(fitted: Fitted) -> str:
    """How similar the measured machine is to this one, and why; or that nothing was measured.

    Not whether the recommendation itself was measured: a prefix of the figure says that.
    """
    if not fitted.systems:
        return fitted.because
    undecided = "undecided, " if fitted.claim.undecided else ""
    return f"{undecided}{FITS[fitted.fit]}: {fitted.because}"
