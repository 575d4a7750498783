"""The words for evidence: how like this machine the measured one is."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tunewiz.core.recommendation.evidence import Fit, Fitted

FITS: Mapping[Fit, str] = MappingProxyType(
    {"like": "like yours", "unlike": "unlike yours", "opposite": "opposite effect seen"}
)
NEAR = "Of something near it: "
"""Before what was measured nearby: its figure is not the effect of what is recommended."""


def likeness(fitted: Fitted) -> str:
    """How like this machine the measured one is, and why; that nothing was measured, where that is so.

    Not whether what was measured there is what is recommended: that stands before the figure.
    """
    if not fitted.systems:
        return fitted.because
    return f"{FITS[fitted.fit]}: {fitted.because}"
