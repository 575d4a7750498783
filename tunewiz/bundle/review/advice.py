"""What the scripts do not do: what is left to a person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tunewiz.bundle.review.blocks import (
    Block,
    Line,
    Numbered,
    Paragraph,
    Span,
    TableBlock,
    heading,
    line,
)
from tunewiz.bundle.review.change import COLUMNS, at_a_glance
from tunewiz.bundle.review.typed import typed
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.impact import by_impact
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.verdicts import Advice

FOR_PEOPLE = "For a person to look at"


def for_people(plan: Plan) -> Iterator[Block]:
    """A table of what is open, then the steps of what takes several."""
    if not plan.advised:
        return
    advised = by_impact(plan.advised)
    yield heading(2, FOR_PEOPLE)
    yield Paragraph(
        (line("The scripts do none of this; accept an open proposal in the answers to have a bundle do it."),)
    )
    yield TableBlock((*COLUMNS, "why"), tuple(_row(finding, plan) for finding in advised))
    for finding in advised:
        yield from _steps(finding)


def _row(finding: Finding, plan: Plan) -> tuple[Line, ...]:
    return (*at_a_glance(finding, plan.start), typed(finding.because))


def _steps(finding: Finding) -> Iterator[Block]:
    if not isinstance(finding.verdict, Advice) or not finding.verdict.steps:
        return
    yield heading(3, finding.recommendation.title)
    yield Numbered(tuple(map(typed, finding.verdict.steps)))
    if finding.verdict.undo:
        yield Paragraph(((*line("To undo: "), *_joined(finding.verdict.undo)),))


def _joined(steps: Sequence[str]) -> Iterator[Span]:
    for number, step in enumerate(steps):
        yield from line(" ") if number else ()
        yield from typed(step)
