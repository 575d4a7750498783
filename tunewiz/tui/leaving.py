"""The question before the wizard ends."""

from __future__ import annotations

from tunewiz.screens.ask import AskOne
from tunewiz.text.choice import Choice

KEEP, FORGET, STAY = "keep", "forget", "stay"

_STAY = Choice(key=STAY, title="Stay")


def question(*, has_begun: bool) -> AskOne:
    """What is asked depends on whether there is something to come back to."""
    if not has_begun:
        return AskOne("Leave tunewiz?", ("Nothing was changed.",), (Choice(key=FORGET, title="Leave"), _STAY))
    choices = (
        Choice(key=KEEP, title="Leave", about="`tunewiz --resume` goes on from here"),
        Choice(key=FORGET, title="Leave and forget", about="facts, answers and decisions go"),
        _STAY,
    )
    return AskOne("Leave tunewiz?", ("Nothing was changed on this machine.",), choices)
