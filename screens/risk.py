"""The risk step: how much evidence is enough, and what may be interrupted."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import ClassVar, get_args

from textual.getters import query_one
from textual.widget import Widget
from textual.widgets import Input

from tunewiz.core.answers.answers import Answers, Posture, Risk
from tunewiz.core.answers.questions import EVIDENCE, KERNEL, REBOOT, RECOVERY_TIME, RESTART
from tunewiz.core.answers.steps import Step
from tunewiz.screens.form import Form
from tunewiz.screens.widgets.checkbox import Checkbox
from tunewiz.screens.widgets.choices import Choices
from tunewiz.screens.widgets.lines import Lines
from tunewiz.screens.widgets.question import QuestionField
from tunewiz.text.choice import Choice

POSTURES: tuple[Posture, ...] = get_args(Posture)
REMARKS = {Risk().posture: "the usual answer"}


class RiskPage(Form):
    """Posture, interruptions, recovery."""

    STEP: ClassVar = Step.RISK
    postures = query_one("#posture", Choices)
    about = query_one("#about", Lines)
    restart = query_one("#restart", Checkbox)
    kernel = query_one("#kernel", Checkbox)
    reboot = query_one("#reboot", Checkbox)
    recovery = query_one("#recovery_time", Input)

    def hint(self) -> str:
        """What is never put at risk."""
        return "No posture ever turns off fsync, full_page_writes or synchronous_commit."

    def body(self) -> Iterable[Widget]:
        """The questions."""
        risk, postures = self.journey.answers.risk, self.journey.knowledge.postures
        yield Lines(EVIDENCE, classes="heading")
        yield Choices(
            [
                Choice(key=posture, title=postures[posture].title, about=REMARKS.get(posture, ""))
                for posture in POSTURES
            ],
            at=risk.posture,
            id="posture",
        )
        yield Lines("", id="about", classes="heading")
        yield Lines("What may it interrupt?", classes="heading")
        for question in (RESTART, KERNEL, REBOOT):
            yield Checkbox(
                question.title,
                question.about,
                value=question.shown(self.journey.answers),
                id=question.key,
            )
        yield Lines("")
        yield QuestionField.of(RECOVERY_TIME, self.journey.answers, id="recovery_time")

    def on_mount(self) -> None:
        """Explain the posture under the cursor."""
        self.about.reserve(*((posture.about, "") for posture in self.journey.knowledge.postures.values()))
        self.watch(self.postures, "moved_to", self._tell)

    def _tell(self) -> None:
        under_cursor = next(filter(self.postures.is_at, POSTURES))
        self.about.write(self.journey.knowledge.postures[under_cursor].about, "")

    def _posture(self) -> Posture:
        return next(filter(self.postures.is_chosen, POSTURES))

    def answers(self) -> Answers:
        """The journey's answers with those of the page."""
        answers = self.journey.answers
        answers = dataclasses.replace(
            answers, risk=dataclasses.replace(answers.risk, posture=self._posture())
        )
        for question, tick in ((RESTART, self.restart), (KERNEL, self.kernel), (REBOOT, self.reboot)):
            answers = question.taken(answers, yes=tick.value)
        return RECOVERY_TIME.taken(answers, self.recovery.value)
