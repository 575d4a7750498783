"""What the administrator's yes, no, value and note do to the answers."""

from __future__ import annotations

import dataclasses
from types import MappingProxyType

from tunewiz.core.answers.answers import Accepted, Answers, Decision, Refused, Replaced
from tunewiz.core.planning.finding import Finding, Undecided
from tunewiz.core.recommendation.targets import HostTarget
from tunewiz.core.recommendation.verdicts import Advice, Proposal


def is_open(finding: Finding) -> bool:
    """Whether a yes or no means something: there is a proposal or advice."""
    return isinstance(finding.verdict, Proposal | Advice)


def takes_value(finding: Finding) -> bool:
    """Whether a value of one's own means something: beside a proposal, or in the place of advice."""
    target = finding.recommendation.target
    is_place = isinstance(target, HostTarget) and bool(target.takes)
    return isinstance(finding.verdict, Proposal) or (is_place and isinstance(finding.verdict, Advice))


def toggled(finding: Finding, answers: Answers) -> Answers:
    """Yes becomes no, no becomes yes; the note stays, a value of one's own is given up with a no."""
    note = note_of(finding)
    taken = finding.state == "change" or (isinstance(finding.verdict, Advice) and finding.state == "advise")
    return _with(finding, Refused(note=note) if taken else Accepted(note=note), answers)


def replaced(finding: Finding, value: str, answers: Answers) -> Answers:
    """This value instead of the proposed one; the note stays."""
    return _with(finding, Replaced(value=value, note=note_of(finding)), answers)


def noted(finding: Finding, note: str, answers: Answers) -> Answers:
    """The decision as it stands, with a note: one that nobody took yet is taken as it is shown."""
    match finding.said:
        case Accepted() | Refused() | Replaced() as said:
            return _with(finding, dataclasses.replace(said, note=note), answers)
        case Undecided():
            shown = finding.state == "change" or isinstance(finding.verdict, Advice)
            return _with(finding, Accepted(note=note) if shown else Refused(note=note), answers)


def note_of(finding: Finding) -> str:
    """The note that stands with the decision; empty where there is none."""
    return "" if isinstance(finding.said, Undecided) else finding.said.note


def put_aside(names: frozenset[str], answers: Answers) -> Answers:
    """Without what was said of these recommendations."""
    rest = {name: said for name, said in answers.decisions.items() if name not in names}
    return dataclasses.replace(answers, decisions=MappingProxyType(rest))


def _with(finding: Finding, decision: Decision, answers: Answers) -> Answers:
    decisions = {**answers.decisions, finding.recommendation.id: decision}
    return dataclasses.replace(answers, decisions=MappingProxyType(decisions))
