"""The words for evidence: how similar the measured machine is, and what was gained on how many."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

from tunewiz.core.planning.evidence_range import EvidenceRange
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


_WHOLE_FROM = 10
"""Percent from which on a tenth says nothing."""


def range_in_words(measured: EvidenceRange) -> str:
    """`direction agreed by 2 of 3 systems, +1.5 to +12 %`, or of a single system what it gained."""
    gains = f", {gains_in_words(measured)}" if measured.gains else ""
    if measured.systems == 1:
        return f"one system{gains or _direction(measured)}"
    return f"direction agreed by {measured.agreeing} of {measured.systems} systems{gains}"


def range_in_short(measured: EvidenceRange) -> str:
    """The same in a cell: `+1.5..+12 %, 2 of 3`, `faster on 1`."""
    gains = gains_in_words(measured, "..")
    if measured.systems == 1:
        return gains or ("faster on 1" if measured.agreeing else "undecided on 1")
    agreeing = f"{measured.agreeing} of {measured.systems}"
    return f"{gains}, {agreeing}" if gains else f"faster on {agreeing}"


def gains_in_words(measured: EvidenceRange, until: str = " to ") -> str:
    """`+1.5 to +12 %`; empty where no document has a percentage."""
    if not measured.gains:
        return ""
    low, high = map(_percent, measured.gains)
    return f"{low} %" if low == high else f"{low}{until}{high} %"


def _percent(gain: Fraction) -> str:
    """With its sign, rounded as people do."""
    digits = 0 if abs(gain) >= _WHOLE_FROM or gain.denominator == 1 else 1
    return f"{float(gain):+.{digits}f}" if gain else "0"


def _direction(measured: EvidenceRange) -> str:
    return ", faster" if measured.agreeing else ", undecided"
