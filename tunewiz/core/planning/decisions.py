"""Changes the answers by the administrator's yes, no, value or note."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from types import MappingProxyType

from tunewiz.core.answers.answers import Accepted, Answers, Decision, Refused, Replaced
from tunewiz.core.planning.finding import Finding, NotDecided
from tunewiz.core.recommendation.targets import HostTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, Proposal
from tunewiz.core.values.record import dataclass


def is_open(finding: Finding) -> bool:
    """Whether it can be accepted or declined: there is a proposal or advice."""
    return isinstance(finding.verdict, Proposal | Advice)


def is_refused(finding: Finding) -> bool:
    """Whether a person declined what was proposed or advised."""
    return is_open(finding) and isinstance(finding.decision, Refused)


def is_undecided(finding: Finding) -> bool:
    """Whether it waits for a person's decision, or for what a person does by hand."""
    return is_open(finding) and not finding.changes and not is_refused(finding)


@dataclass(frozen=True, kw_only=True, slots=True)
class Tally:
    """How many findings there are of each kind; each is of one."""

    changes: int
    undecided: int
    refused: int
    left_alone: int


def tally(findings: Sequence[Finding]) -> Tally:
    """Counts them."""
    return Tally(
        changes=sum(finding.changes for finding in findings),
        undecided=sum(map(is_undecided, findings)),
        refused=sum(map(is_refused, findings)),
        left_alone=len(findings) - sum(map(is_open, findings)),
    )


def takes_value(finding: Finding) -> bool:
    """Whether a value can be set by hand: instead of a proposal or advice."""
    target = finding.recommendation.target
    is_place = isinstance(target, HostTarget) and bool(target.takes)
    return isinstance(finding.verdict, Proposal) or (is_place and isinstance(finding.verdict, Advice))


def why_no_value(finding: Finding) -> str:
    """Why no value can be set by hand, for a finding that takes none."""
    match finding.verdict:
        case Declined(because=because):
            return f"No value is proposed here that could be another: {because}."
        case Advice():
            return "This is advice with steps to do by hand; there is no single value. Enter shows the steps."
        case Proposal():
            return "It takes a value."


def toggled(finding: Finding, answers: Answers) -> Answers:
    """Accept what was declined, and the other way round; the note stays, a value set by hand goes."""
    note = note_of(finding)
    taken = finding.state == "change" or (isinstance(finding.verdict, Advice) and finding.state == "advise")
    return _with(finding, Refused(note=note) if taken else Accepted(note=note), answers)


def replaced(finding: Finding, value: str, answers: Answers) -> Answers:
    """This value instead of the proposed one; the note stays."""
    return _with(finding, Replaced(value=value, note=note_of(finding)), answers)


def noted(finding: Finding, note: str, answers: Answers) -> Answers:
    """The current decision with a note: if there is none yet, what is shown becomes the decision."""
    match finding.decision:
        case Accepted() | Refused() | Replaced() as decision:
            return _with(finding, dataclasses.replace(decision, note=note), answers)
        case NotDecided():
            shown = finding.state == "change" or isinstance(finding.verdict, Advice)
            return _with(finding, Accepted(note=note) if shown else Refused(note=note), answers)


def note_of(finding: Finding) -> str:
    """The decision's note; empty if there is none."""
    return "" if isinstance(finding.decision, NotDecided) else finding.decision.note


def put_aside(names: frozenset[str], answers: Answers) -> Answers:
    """The answers without decisions about these recommendations."""
    rest = {name: decision for name, decision in answers.decisions.items() if name not in names}
    return dataclasses.replace(answers, decisions=MappingProxyType(rest))


def _with(finding: Finding, decision: Decision, answers: Answers) -> Answers:
    decisions = {**answers.decisions, finding.recommendation.id: decision}
    return dataclasses.replace(answers, decisions=MappingProxyType(decisions))
