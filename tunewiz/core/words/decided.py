"""What the administrator decided about a finding, in words."""

from __future__ import annotations

from typing import assert_never

from tunewiz.core.answers.answers import Accepted, Refused, Replaced
from tunewiz.core.planning.finding import DecisionState, NotDecided


def decided_in_words(decision: DecisionState) -> str:
    """The decision with its note; empty where nothing was decided."""
    match decision:
        case Accepted(note=note):
            return _noted("accepted", note)
        case Replaced(note=note):
            return _noted("value set by hand", note)
        case Refused(note=note):
            return _noted("declined", note)
        case NotDecided():
            return ""
        case _:
            assert_never(decision)


def _noted(decided: str, note: str) -> str:
    return f"{decided}: {note}" if note else decided
