"""The question before the wizard ends."""

from __future__ import annotations

from tunewiz.screens.ask import AskOne
from tunewiz.text.choice import Choice

KEEP, FORGET, STAY = "keep", "forget", "stay"

_STAY = Choice(key=STAY, title="Cancel")


def question(*, has_begun: bool) -> AskOne:
    """The question depends on whether there is something to come back to."""
    if not has_begun:
        return AskOne("Leave tunewiz?", ("Nothing was changed.",), (Choice(key=FORGET, title="Leave"), _STAY))
    choices = (
        Choice(key=KEEP, title="Leave", about="`tunewiz --resume` continues from here"),
        Choice(key=FORGET, title="Leave and discard", about="facts, answers and decisions are deleted"),
        _STAY,
    )
    return AskOne("Leave tunewiz?", ("Nothing was changed on this machine.",), choices)
