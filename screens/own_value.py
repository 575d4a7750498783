"""The questions for a value of the administrator's own, and for a note to the reviewer."""

from __future__ import annotations

from tunewiz.core.planning.decisions import note_of
from tunewiz.core.planning.finding import Finding
from tunewiz.core.recommendation.verdicts import Proposal
from tunewiz.core.words.finding import name_of, then_of
from tunewiz.screens.ask import AskText
from tunewiz.wizard.journey import Journey, with_value


def value_question(finding: Finding, journey: Journey) -> AskText:
    """Ask for a value, checked before it is accepted."""

    def check(text: str) -> None:
        with_value(journey, finding, text)

    about, value = _asked(finding)
    return AskText(name_of(finding).short, about, value=value, check=check)


def note_question(finding: Finding) -> AskText:
    """Ask for a note for the reviewer."""
    about = "A note for the reviewer of the bundle; it appears in REVIEW.md."
    return AskText(name_of(finding).short, about, value=note_of(finding))


def _asked(finding: Finding) -> tuple[str, str]:
    """The question for a value, and the value filled in beforehand."""
    match finding.verdict:
        case Proposal(value=value, computed=computed):
            return f"Proposed: {then_of(finding).short}   {computed}", value
        case _:
            return "A directory there, absent or empty: the bundle does the rest.", ""
