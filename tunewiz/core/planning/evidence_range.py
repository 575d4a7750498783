"""What the measured systems have in common: how many agree in direction, and between which gains."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from typing import TypeAlias

from tunewiz.core.recommendation.evidence import Claim
from tunewiz.core.values.record import dataclass

BETTER, WORSE, SAME, UNDECIDED = "better", "worse", "same", "undecided"
"""What a claim says of a system where it has no percentage of throughput."""

_PERCENT = re.compile(r"[+-]\d+(?:\.\d+)?")


@dataclass(frozen=True, kw_only=True, slots=True)
class NoRange:
    """No system was measured in a way that can be compared."""


@dataclass(frozen=True, kw_only=True, slots=True)
class EvidenceRange:
    """Of all systems that the change was measured on."""

    agreeing: int
    """Systems that gained."""
    systems: int
    gains: tuple[Fraction, ...]
    """The smallest and the largest in percent, losses negative; empty where no document has a percentage."""

    @property
    def low(self) -> Fraction:
        """The least that any system gained, in percent; 0 where there is no percentage."""
        return min(self.gains, default=Fraction(0))


MeasuredRange: TypeAlias = EvidenceRange | NoRange


@dataclass(frozen=True, kw_only=True, slots=True)
class _Effect:
    """What one claim says of one system."""

    gained: bool
    lost: bool
    gains: tuple[Fraction, ...] = ()


def measured_range(claims: Iterable[tuple[Claim, bool]]) -> MeasuredRange:
    """The range over the systems of all claims of the very change.

    Args:
        claims: Each with whether it speaks against the change: what was gained there is lost by the change.
    """
    effects = dict[str, list[_Effect]]()
    for claim, opposes in claims:
        for key, text in claim.effects.items():
            effects.setdefault(key, []).append(_effect(text, opposes=opposes))
    if not effects:
        return NoRange()
    return EvidenceRange(
        agreeing=sum(_agrees(of_system) for of_system in effects.values()),
        systems=len(effects),
        gains=_span(gain for of_system in effects.values() for effect in of_system for gain in effect.gains),
    )


def _agrees(of_system: list[_Effect]) -> bool:
    return any(effect.gained for effect in of_system) and not any(effect.lost for effect in of_system)


def _span(gains: Iterable[Fraction]) -> tuple[Fraction, ...]:
    ordered = sorted(gains)
    return (ordered[0], ordered[-1]) if ordered else ()


def _effect(text: str, *, opposes: bool) -> _Effect:
    gains = tuple(map(Fraction, _PERCENT.findall(text)))
    if text == SAME:
        return _Effect(gained=False, lost=False, gains=(Fraction(0),))
    if opposes:
        return _Effect(gained=False, lost=text != UNDECIDED, gains=tuple(-abs(gain) for gain in gains))
    gained = text == BETTER or min(gains, default=Fraction(0)) > 0
    return _Effect(gained=gained, lost=text == WORSE or max(gains, default=Fraction(0)) < 0, gains=gains)
