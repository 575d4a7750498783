"""A series of measurements from a source: steps that build on each other, or before and after."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tunewiz.core.planning.finding import Finding


@dataclass(frozen=True, kw_only=True, slots=True)
class Point:
    """One measurement."""

    label: str
    value: int
    """What the step gained in percent, or what was measured before."""
    tuned: int = 0
    """What was measured afterwards; 0 for steps."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Series:
    """Measurements that belong together."""

    kind: Literal["steps", "pairs"]
    source: str
    title: str
    place: str
    """Where in the document a person finds them."""
    claims: tuple[str, ...]
    """The claims that rest on them."""
    unit: str
    about: str
    points: tuple[Point, ...]
    together: int = 0
    """The result of all steps, according to the document; 0 for pairs."""


def series_behind(finding: Finding, every: tuple[Series, ...]) -> tuple[Series, ...]:
    """The series that a finding rests on, without those that measured something related."""
    cited = {(each.claim.source, each.claim.id) for each in finding.evidence if not each.near}
    return tuple(each for each in every if any((each.source, claim) in cited for claim in each.claims))
