"""The page of each step; its module is imported when it is first shown, or before.

If it were imported only when shown, the review page would appear with a noticeable delay.
"""

# ruff: noqa: PLC0415 - see above

from __future__ import annotations

from importlib import import_module
from typing import assert_never

from tunewiz.core.answers.steps import Step
from tunewiz.screens.step_page import StepPage
from tunewiz.wizard.bundle_preview import Preview
from tunewiz.wizard.journey import Journey

LATER = (
    *("tunewiz.screens.server", "tunewiz.screens.workload", "tunewiz.screens.risk"),
    *("tunewiz.screens.recommendations", "tunewiz.screens.explain", "tunewiz.screens.ask"),
    *(
        "tunewiz.bundle.preview",
        "tunewiz.screens.study",
        "tunewiz.screens.upgrade",
        "tunewiz.screens.review",
        "tunewiz.screens.write",
        "tunewiz.screens.written",
        "tunewiz.screens.proving",
    ),
)
"""In the order in which they are shown."""


def get_ready() -> None:
    """Import what later pages need, while a person reads the first."""
    for name in LATER:
        import_module(name)


def new_page(step: Step, journey: Journey, preview: Preview) -> StepPage:
    """The page of a step of a journey; the welcome page belongs to none."""
    page: StepPage
    match step:
        case Step.WELCOME | Step.MACHINE:
            from tunewiz.screens.machine import MachinePage

            page = MachinePage(journey)
        case Step.SERVER:
            from tunewiz.screens.server import ServerPage

            page = ServerPage(journey)
        case Step.WORKLOAD:
            from tunewiz.screens.workload import WorkloadPage

            page = WorkloadPage(journey)
        case Step.RISK:
            from tunewiz.screens.risk import RiskPage

            page = RiskPage(journey)
        case Step.RECOMMENDATIONS:
            from tunewiz.screens.recommendations import Recommendations

            page = Recommendations(journey)
        case Step.REVIEW:
            from tunewiz.screens.review import Review

            page = Review(journey, preview)
        case Step.WRITE:
            from tunewiz.screens.write import Write

            page = Write(journey, preview)
        case _:
            assert_never(step)
    return page
