"""The evidence for a finding in a few words: the same cell wherever a list has one."""

from __future__ import annotations

from tunewiz.core.answers.answers import Replaced
from tunewiz.core.planning.evidence_range import EvidenceRange
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.impact import decided_here, range_of
from tunewiz.core.words.evidence import range_in_short


def evidence_in_short(finding: Finding) -> str:
    """`+1.5..+12 %, 2 of 3`; without a range what it rests on: this server, documents or reasons."""
    if isinstance(finding.decision, Replaced):
        return "your value"
    if measured := decided_here(finding):
        return f"here: {measured[0].part.verdict}"
    measured_elsewhere = range_of(finding)
    if isinstance(measured_elsewhere, EvidenceRange):
        return range_in_short(measured_elsewhere)
    if any(observation.speaks_for for observation in finding.observed):
        return "seen here"
    return "documented" if finding.recommendation.basis == "well understood" else "reasoned"
