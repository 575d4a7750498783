"""What the database is used for: suggested from the server's own statistics where there is one."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import ClassVar, get_args

from rich.text import Text
from textual.getters import query_one
from textual.widget import Widget
from textual.widgets import Input

from tunewiz.core.answers.answers import Answers, WorkloadKind
from tunewiz.core.answers.questions import CONNECTIONS, DATABASE_SIZE, REPLICAS
from tunewiz.core.answers.steps import Step
from tunewiz.core.recommendation.presets import WorkloadPreset
from tunewiz.screens.form import Form
from tunewiz.screens.widgets.choices import Choices
from tunewiz.screens.widgets.lines import Lines
from tunewiz.screens.widgets.question import QuestionField
from tunewiz.text.choice import Choice
from tunewiz.text.workload import remark, suggestion

KINDS: tuple[WorkloadKind, ...] = get_args(WorkloadKind)


class WorkloadPage(Form):
    """Kind, connections, size, standbys."""

    STEP: ClassVar = Step.WORKLOAD

    kinds = query_one("#kind", Choices)
    about = query_one("#about", Lines)
    connections = query_one("#connections", Input)
    database_size = query_one("#database_size", Input)
    replicas = query_one("#replicas", Input)

    def hint(self) -> str:
        """A reminder that none of this is final."""
        return "Not sure? Keep the marked answer: every recommendation says what it rests on."

    def body(self) -> Iterable[Widget]:
        """The questions."""
        workload = self.journey.answers.workload
        presets = self.journey.knowledge.workloads
        yield Lines(suggestion(self.journey), classes="heading")
        yield Choices(
            [Choice(key=kind, title=presets[kind].title, about=remark(self.journey, kind)) for kind in KINDS],
            at=workload.kind,
            id="kind",
        )
        yield Lines("", id="about", classes="heading")
        yield QuestionField.of(CONNECTIONS, self.journey.answers, id="connections")
        yield QuestionField.of(DATABASE_SIZE, self.journey.answers, id="database_size")
        yield QuestionField.of(REPLICAS, self.journey.answers, id="replicas")

    def on_mount(self) -> None:
        """Explain the workload under the cursor."""
        self.about.reserve(*(_told(workload) for workload in self.journey.knowledge.workloads.values()))
        self.watch(self.kinds, "moved_to", self._tell)

    def _tell(self) -> None:
        under_cursor = next(filter(self.kinds.is_at, KINDS))
        preset = self.journey.knowledge.workloads[under_cursor]
        self.about.write(*_told(preset))

    def _kind(self) -> WorkloadKind:
        return next(filter(self.kinds.is_chosen, KINDS))

    def answers(self) -> Answers:
        """The journey's answers with those of the page."""
        answers = self.journey.answers
        answers = dataclasses.replace(
            answers, workload=dataclasses.replace(answers.workload, kind=self._kind())
        )
        answers = CONNECTIONS.taken(answers, self.connections.value)
        answers = DATABASE_SIZE.taken(answers, self.database_size.value)
        return REPLICAS.taken(answers, self.replicas.value)


def _told(preset: WorkloadPreset) -> tuple[Text | str, ...]:
    caution = (Text.assemble(("Caution: ", "bold"), preset.caution),) if preset.caution else ()
    return (preset.about, *caution, "")
