"""Which finding is expected to do most: the order of the changes wherever people read them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import TypeAlias

from tunewiz.core.planning.evidence_range import EvidenceRange, MeasuredRange, measured_range
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.proved import Proved
from tunewiz.core.planning.ticking import only_observes
from tunewiz.core.proof.proof import Verdict
from tunewiz.core.recommendation.evidence import Fit, Fitted
from tunewiz.core.recommendation.recommendation import Group, Recommendation
from tunewiz.core.recommendation.targets import Effect
from tunewiz.core.values.record import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class NothingMeasured:
    """No measurement speaks for the finding: it rests on documentation or on reasoning."""


Nearest: TypeAlias = Fitted | NothingMeasured

FIT_WEIGHTS: Mapping[Fit, Fraction] = MappingProxyType(
    {"like": Fraction(1), "unknown": Fraction(1, 5), "unlike": Fraction(1, 5), "opposite": Fraction(0)}
)
"""Which of several figures is nearest.

On another kind of system, and on one that may be another, a fifth: where the sources measured one change on
two kinds, the second gained about that (max_wal_size: Power10 +7.4 to +12.2 %, Ice Lake +1.5 to +2.5 %). Seen
to do the opposite: nothing.
"""

GROUP_WEIGHTS: Mapping[Group, int] = MappingProxyType(
    {
        "memory": 9,
        "writing": 8,
        "storage": 7,
        "kernel": 6,
        "planner": 5,
        "vacuum": 4,
        "connections": 3,
        "host": 2,
        "durability": 1,
    }
)
"""The order among findings of the same measured effect, or of none.

The studies gained most with memory, then with WAL and checkpoints, then with I/O and the kernel below it; the
planner and vacuum work for the few queries and tables that they touch.
"""

OBSERVING = 0
"""The weight of what only makes things visible: it is worth having, and makes nothing faster."""

_FIGURE = re.compile(r"(?!part of ).*?([+-]\d+(?:[.,]\d+)?) ?%")
"""A gain of its own: `part of` a larger gain has no known size."""
OTHER_QUANTITY = "worst second"
"""Begins a figure that is no throughput: it steadies a server, and cannot be weighed against a gain."""
DECIDED: frozenset[Verdict] = frozenset({"helped", "hurt", "same"})
"""Verdicts that decide something."""
_INTERRUPTS = (Effect.RESTART, Effect.REBOOT)


def by_impact(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """What keeps data safe first, then the largest expected effect; the order given is no matter.

    Among equals, what needs a restart comes first (that is what a board decides on), then names decide.
    """
    return tuple(sorted(findings, key=_rank))


def expected_effect(finding: Finding) -> Fraction:
    """The least that any measured system gained, in percent; 0 without a figure, or where one lost.

    What was measured on this server outranks every document; a part's figure is that of its changes together.
    """
    if measured := decided_here(finding):
        return max(Fraction(0), Fraction(measured[0].part.percent))
    elsewhere = range_of(finding)
    return max(Fraction(0), elsewhere.low) if isinstance(elsewhere, EvidenceRange) else Fraction(0)


def range_of(finding: Finding) -> MeasuredRange:
    """What the systems that the change itself was measured on have in common."""
    own = (evidence.claim for evidence in finding.evidence if not evidence.near)
    return measured_range((claim, claim.id in finding.opposing) for claim in own)


def decided_here(finding: Finding) -> tuple[Proved, ...]:
    """The measurement of this change on this server, if its verdict decided anything."""
    here = finding.proved
    is_decided = isinstance(here, Proved) and here.is_of_this and here.part.verdict in DECIDED
    return (here,) if isinstance(here, Proved) and is_decided else ()


def nearest_evidence(finding: Finding) -> Nearest:
    """The measurement that says most about this machine: of the best fitting systems, the largest figure."""
    speaking = [
        evidence
        for evidence in finding.evidence
        if evidence.systems and evidence.speaks_for and evidence.claim.id not in finding.opposing
    ]
    return max(speaking, key=_nearness, default=NothingMeasured())


def _nearness(fitted: Fitted) -> tuple[Fraction, Fraction]:
    return FIT_WEIGHTS[fitted.fit], promised(fitted)


def promised(fitted: Fitted) -> Fraction:
    """In percent, whichever way; nothing where another quantity than throughput was measured."""
    return Fraction(0) if fitted.figure.startswith(OTHER_QUANTITY) else abs(percent_of(fitted.figure))


def percent_of(figure: str) -> Fraction:
    """The first gain or loss that a figure names, in percent with its sign; 0 if it names none.

    >>> percent_of("almost +12 %, together with effective_cache_size")
    Fraction(12, 1)
    """
    match = _FIGURE.match(figure)
    return Fraction(match[1].replace(",", ".")) if match else Fraction(0)


def weight_of(recommendation: Recommendation) -> int:
    """The weight of its group, unless it only makes things visible."""
    if only_observes(recommendation):
        return OBSERVING
    return GROUP_WEIGHTS[recommendation.group]


def is_safety(finding: Finding) -> bool:
    """Whether it keeps data safe: that comes before any gain."""
    return finding.recommendation.group == "durability"


def _rank(finding: Finding) -> tuple[bool, Fraction, int, bool, str]:
    recommendation = finding.recommendation
    interrupts = finding.takes_effect in _INTERRUPTS
    by_weight = -weight_of(recommendation), not interrupts, recommendation.id
    return not is_safety(finding), -expected_effect(finding), *by_weight
