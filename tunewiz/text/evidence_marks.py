"""The evidence for a finding as marks of one cell, the same in the list, the pane and the explanation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from rich.text import Text

from tunewiz.core.answers.answers import Replaced
from tunewiz.core.planning.decisions import is_open, is_refused
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.impact import decided_here, percent_of
from tunewiz.core.recommendation.evidence import Fitted
from tunewiz.core.values.record import dataclass
from tunewiz.core.words.finding_evidence import evidence_in_short
from tunewiz.text.colors import ACCENT

LIKE, ELSEWHERE, DOCUMENTED, HERE = "●", "○", "≡", "✓"
"""In ASCII: @ o d v, which no other mark of the page is."""
LEGEND = ((LIKE, "like yours"), (ELSEWHERE, "elsewhere"), (DOCUMENTED, "documented"), (HERE, "seen here"))
FIRST, MIDDLE, LAST = "┌", "├", "└"
"""Bracket what was measured together."""
TOGETHER = "together"


_WITH = re.compile(r"together with (\w+)")


@dataclass(frozen=True, kw_only=True, slots=True)
class Joint:
    """A measured gain of several changes together: no one of them can claim it alone."""

    names: frozenset[str]
    percent: Fraction


def leading(finding: Finding) -> Fitted | None:
    """The evidence that the list shows: of a system like this one, otherwise the first that speaks for it."""
    speaking = [
        evidence
        for evidence in finding.evidence
        if evidence.speaks_for and evidence.claim.id not in finding.opposing
    ]
    like = [evidence for evidence in speaking if evidence.fit == "like"]
    return next(iter((*like, *speaking)), None)


def mark_of(fitted: Fitted) -> str:
    """Measured on a system like this one or elsewhere; documented where nothing was measured."""
    if not fitted.systems:
        return DOCUMENTED
    return LIKE if fitted.fit == "like" else ELSEWHERE


def joint_of(finding: Finding) -> Joint | None:
    """The gain that the list shows for it, if it is one of several changes together."""
    if not is_open(finding) or isinstance(finding.decision, Replaced) or decided_here(finding):
        return None
    best = leading(finding)
    if best is None or not best.systems or not percent_of(best.figure):
        return None
    names = {name.partition(".")[2] for name in best.claim.speaks_of} | set(_WITH.findall(best.figure))
    return Joint(names=frozenset(names), percent=percent_of(best.figure)) if len(names) > 1 else None


def brackets(findings: Sequence[Finding]) -> tuple[str, ...]:
    """For each row of a list, its part of the bracket around neighbours that were measured together.

    What was declined has no part in it: its gain is not to be had.
    """
    own_joints = [None if is_refused(finding) else joint_of(finding) for finding in findings]
    joints = [None, *own_joints, None]
    return tuple(
        _part(own is not None and own == above, own is not None and own == below)
        for above, own, below in zip(joints, joints[1:], joints[2:], strict=False)
    )


def _part(with_above: bool, with_below: bool) -> str:  # noqa: FBT001 - both sides of a row
    if with_above:
        return MIDDLE if with_below else LAST
    return FIRST if with_below else " "


def marks_of(finding: Finding, bracket: str = " ") -> Text:
    """Its evidence in a few cells, after its part of a bracket."""
    if isinstance(finding.decision, Replaced):
        return Text(f"{bracket}your value")
    return Text.assemble(bracket, Text(" ").join(_marks(finding, bracket)))


def _marks(finding: Finding, bracket: str) -> Iterator[Text]:
    best = leading(finding)
    is_known = finding.recommendation.basis == "well understood"
    is_seen = any(observation.speaks_for for observation in finding.observed)
    measured = decided_here(finding)
    if measured:
        yield Text.assemble((HERE, ACCENT), f" {measured[0].part.verdict}")
    elif bracket in (MIDDLE, LAST):
        yield Text(TOGETHER, style="dim")
    elif best is not None and best.systems:
        yield _measured(best)
    elif not is_known and not is_seen:
        yield Text("reasoned")
    if is_seen and not measured:
        yield Text(HERE, style=ACCENT)
    if is_known:
        yield Text(DOCUMENTED)


def _measured(best: Fitted) -> Text:
    percent = percent_of(best.figure)
    figure = f" {float(percent):+.0f}%" if percent else ""
    return Text.assemble((mark_of(best), ACCENT if best.fit == "like" else ""), figure)


def legend() -> Text:
    """What each mark means."""
    return Text("  ").join(Text.assemble((mark, "bold"), f" {meaning}") for mark, meaning in LEGEND)


def gains(findings: Sequence[Finding]) -> tuple[str, ...]:
    """A cell for each; a gain that several of them have together is marked: it counts once."""
    joints = [joint_of(finding) for finding in findings]
    counted = Counter(joint for joint in joints if joint)
    return tuple(
        f"{evidence_in_short(finding)} {TOGETHER}"
        if joint and counted[joint] > 1
        else evidence_in_short(finding)
        for finding, joint in zip(findings, joints, strict=True)
    )


def gains_explained(findings: Sequence[Finding]) -> str:
    """What the cells mean where they are more than one figure for one change; else empty."""
    cells = gains(findings)
    parts = (
        f"{TOGETHER}: one gain of several" if any(cell.endswith(TOGETHER) for cell in cells) else "",
        "2 of 3: on so many of the measured systems" if any(" of " in cell for cell in cells) else "",
    )
    return "; ".join(filter(None, parts))
