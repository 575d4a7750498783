"""To which step a page is left."""

from __future__ import annotations

from typing import assert_never

from tunewiz.core.facts import Facts
from tunewiz.core.flow import Step, back, forward
from tunewiz.screens.messages import StepLeft


def target(event: StepLeft, facts: Facts) -> Step:
    """The step that is shown next."""
    match event.to:
        case "forward":
            return forward(event.step, facts)
        case "back":
            return back(event.step, facts)
        case Step() as step:
            return step
        case _:
            assert_never(event.to)
