"""What each change of a printed plan is known to gain, and what those cells mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tunewiz.core.planning.finding import Finding
from tunewiz.core.words.finding_evidence import evidence_in_short
from tunewiz.text.evidence_marks import TOGETHER, joint_of


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
