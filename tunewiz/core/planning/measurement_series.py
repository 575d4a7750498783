"""A series of measurements from a source: steps that build on each other, or before and after."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from tunewiz.core.planning.finding import Finding
from tunewiz.core.values.record import dataclass


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
    """The result of all steps, according to the document, where the start is 100; 0 for pairs."""
    second: str = "tuned"
    """What the second measurement of a pair was made with."""


START = 100
"""Steps are told in hundredths of what was reached before the first of them."""
REST = "not told apart"
LEAST = 0.5
"""Hundredths that are told: the documents give whole ones."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Bar:
    """One step of a waterfall."""

    label: str
    before: float
    """Hundredths of the start, like the next."""
    after: float


def waterfall(series: Series) -> Iterator[Bar]:
    """The steps, each from where the one before it ended, and what the document's sum has beyond them."""
    reached = float(START)
    for point in series.points:
        after = reached * (1 + point.value / START)
        yield Bar(label=point.label, before=reached, after=after)
        reached = after
    if series.together - reached >= LEAST:
        yield Bar(label=REST, before=reached, after=float(series.together))


def series_behind(finding: Finding, every: tuple[Series, ...]) -> tuple[Series, ...]:
    """The series that a finding rests on, without those that measured something related."""
    cited = {(evidence.claim.source, evidence.claim.id) for evidence in finding.evidence if not evidence.near}
    return tuple(
        series for series in every if any((series.source, claim) in cited for claim in series.claims)
    )
