"""What was considered and left alone: counted by reason, then listed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tunewiz.bundle.review.blocks import Block, Bullets, Line, Paragraph, heading, line, names
from tunewiz.bundle.review.typed import typed
from tunewiz.core.answers.answers import Refused
from tunewiz.core.planning.finding import Finding, State
from tunewiz.core.planning.plan import Plan
from tunewiz.core.words.finding import STATES, name_of

LEFT: tuple[State, ...] = ("keep", "declined", "not_applicable")
_SUBJECT = re.compile(r"^.* (?:is|are) (?=not known: )")
"""What a reason begins with and its item repeats: without it several items share one reason."""
_NEWER = re.compile(r"^\S+ first appeared in PostgreSQL \S+, this server is (\S+)$")
TITLE = "Considered and left alone"


def left_alone(plan: Plan) -> Iterator[Block]:
    """The section, unless nothing was left alone."""
    by_state: Mapping[State, list[Finding]] = {
        state: [finding for finding in plan.findings if finding.state == state] for state in LEFT
    }
    counts = [f"{STATES[state].lower()}: {len(row)}" for state, row in by_state.items() if row]
    if not counts:
        return
    yield heading(2, TITLE)
    yield Paragraph((line(f"{'; '.join(counts)}.".capitalize()),))
    yield Bullets(tuple(item for row in by_state.values() for item in _reasons(row)))


def _reasons(findings: list[Finding]) -> Iterator[Line]:
    """An item for each reason, with all that it holds for."""
    for because, row in _by_reason(findings).items():
        is_note = any(isinstance(finding.decision, Refused) for finding in row)
        reason = line(because) if is_note else typed(because)
        yield (*names(*sorted(name_of(finding).short for finding in row)), *line(": "), *reason)


def _by_reason(findings: list[Finding]) -> Mapping[str, list[Finding]]:
    reasons = dict[str, list[Finding]]()
    for finding in sorted(findings, key=lambda finding: finding.recommendation.id):
        reasons.setdefault(_reason(finding), []).append(finding)
    return reasons


def _reason(finding: Finding) -> str:
    """What is right already needs no reason of its own; a person's refusal carries the note."""
    if finding.state == "keep" and not isinstance(finding.decision, Refused):
        return "as it should be"
    if newer := _NEWER.match(finding.because):
        return f"came with a later version than {newer[1]}"
    return _SUBJECT.sub("", finding.because)
