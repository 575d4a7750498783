"""What tuning may cost: how much evidence is enough, and what may be interrupted."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import ClassVar, get_args

from textual.getters import query_one
from textual.widget import Widget
from textual.widgets import Input

from tunewiz.core.answers.answers import Answers, Posture, Risk
from tunewiz.core.answers.questions import KERNEL, REBOOT, RECOVERY_TIME, RESTART
from tunewiz.core.answers.steps import Step
from tunewiz.screens.form import Form
from tunewiz.screens.widgets.checkbox import Tick
from tunewiz.screens.widgets.choices import Choices
from tunewiz.screens.widgets.lines import Lines
from tunewiz.screens.widgets.question import Asked
from tunewiz.text.choice import Choice

POSTURES: tuple[Posture, ...] = get_args(Posture)
REMARKS = {Risk().posture: "the common answer"}


class RiskPage(Form):
    """Posture, interruptions, recovery."""

    STEP: ClassVar = Step.RISK
    postures = query_one("#posture", Choices)
    about = query_one("#about", Lines)
    restart = query_one("#restart", Tick)
    kernel = query_one("#kernel", Tick)
    reboot = query_one("#reboot", Tick)
    recovery = query_one("#recovery_time", Input)

    def hint(self) -> str:
        """What is never at stake."""
        return "No posture ever turns off fsync, full_page_writes or synchronous_commit."

    def body(self) -> Iterable[Widget]:
        """The questions."""
        risk, postures = self.journey.answers.risk, self.journey.knowledge.postures
        yield Lines("How much evidence is enough for a change to be ticked?", classes="heading")
        yield Choices(
            [Choice(key=each, title=postures[each].title, about=REMARKS.get(each, "")) for each in POSTURES],
            at=risk.posture,
            id="posture",
        )
        yield Lines("", id="about", classes="heading")
        yield Lines("What may it interrupt?", classes="heading")
        for question in (RESTART, KERNEL, REBOOT):
            yield Tick(
                question.title,
                question.about,
                value=question.shown(self.journey.answers),
                id=question.key,
            )
        yield Lines("")
        yield Asked.of(RECOVERY_TIME, self.journey.answers, id="recovery_time")

    def on_mount(self) -> None:
        """Say what the posture under the cursor means."""
        self.about.reserve(*((each.about, "") for each in self.journey.knowledge.postures.values()))
        self.watch(self.postures, "moved_to", self._tell)

    def _tell(self) -> None:
        under_cursor = next(filter(self.postures.is_at, POSTURES))
        self.about.write(self.journey.knowledge.postures[under_cursor].about, "")

    def _posture(self) -> Posture:
        return next(filter(self.postures.is_chosen, POSTURES))

    def answers(self) -> Answers:
        """With what the page says."""
        answers = self.journey.answers
        answers = dataclasses.replace(
            answers, risk=dataclasses.replace(answers.risk, posture=self._posture())
        )
        for question, tick in ((RESTART, self.restart), (KERNEL, self.kernel), (REBOOT, self.reboot)):
            answers = question.taken(answers, yes=tick.value)
        return RECOVERY_TIME.taken(answers, self.recovery.value)
