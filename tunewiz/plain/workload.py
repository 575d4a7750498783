"""What the database is used for, and what tuning may cost."""

from __future__ import annotations

import dataclasses
from typing import get_args

from tunewiz.core.answers.answers import Posture, WorkloadKind
from tunewiz.core.answers.questions import (
    CONNECTIONS,
    DATABASE_SIZE,
    EVIDENCE,
    KERNEL,
    REBOOT,
    RECOVERY_TIME,
    REPLICAS,
    RESTART,
    TypedQuestion,
    YesNoQuestion,
)
from tunewiz.plain.line_io import Talk
from tunewiz.plain.prompts import ask_choice, ask_text, ask_yes_no
from tunewiz.plain.question_sequence import Question, answered, answered_or_told
from tunewiz.text.choice import Choice
from tunewiz.text.workload import suggestion
from tunewiz.wizard.journey import Journey


def _kind(talk: Talk, journey: Journey) -> Journey:
    presets = journey.knowledge.workloads
    kinds: dict[str, WorkloadKind] = {kind: kind for kind in get_args(WorkloadKind)}
    talk.say("", suggestion(journey).plain)
    choices = [
        Choice(key=key, title=presets[kind].title, about=presets[kind].about) for key, kind in kinds.items()
    ]
    kind = kinds[ask_choice(talk, choices, journey.answers.workload.kind)]
    if caution := presets[kind].caution:
        talk.say(f"Caution: {caution}")
    workload = dataclasses.replace(journey.answers.workload, kind=kind)
    return answered_or_told(talk, journey, dataclasses.replace(journey.answers, workload=workload))


def _posture(talk: Talk, journey: Journey) -> Journey:
    presets = journey.knowledge.postures
    postures: dict[str, Posture] = {argument: argument for argument in get_args(Posture)}
    talk.say("", EVIDENCE)
    choices = [
        Choice(key=key, title=presets[posture].title, about=presets[posture].about)
        for key, posture in postures.items()
    ]
    posture = postures[ask_choice(talk, choices, journey.answers.risk.posture)]
    risk = dataclasses.replace(journey.answers.risk, posture=posture)
    return answered_or_told(talk, journey, dataclasses.replace(journey.answers, risk=risk))


def _typed(question: TypedQuestion) -> Question:
    def ask(talk: Talk, journey: Journey) -> Journey:
        def take(text: str) -> Journey:
            return answered(talk, journey, question.taken(journey.answers, text))

        return ask_text(talk, question.title, question.about, question.shown(journey.answers), take)

    return ask


def _agreed(question: YesNoQuestion) -> Question:
    def ask(talk: Talk, journey: Journey) -> Journey:
        usual = question.shown(journey.answers)
        yes = ask_yes_no(talk, question.title, question.about, usual=usual)
        return answered_or_told(talk, journey, question.taken(journey.answers, yes=yes))

    return ask


WORKLOAD_QUESTIONS = (_kind, *map(_typed, (CONNECTIONS, DATABASE_SIZE, REPLICAS)))
RISK_QUESTIONS = (_posture, *map(_agreed, (RESTART, KERNEL, REBOOT)), _typed(RECOVERY_TIME))
