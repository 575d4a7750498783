"""One step of the dialogue: questions in a row, each of which can be gone back from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from tunewiz.core.answers.answers import Answers
from tunewiz.core.answers.parsing import checked
from tunewiz.core.values.errors import InputError
from tunewiz.plain.talk import BackAsked, Talk
from tunewiz.wizard.journey import Journey

Question: TypeAlias = Callable[[Talk, Journey], Journey]
"""Asks, and tells what is known after the answer; raises BackAsked."""


Keep: TypeAlias = Callable[[Journey], None]
"""Puts what is known on disk."""


def asked_in_turn(questions: Sequence[Question], talk: Talk, journey: Journey, keep: Keep) -> Journey:
    """After the last question; back from the first raises BackAsked."""
    number = 0
    while number < len(questions):
        try:
            journey = questions[number](talk, journey)
        except BackAsked:
            if number == 0:
                raise
            number -= 1
        else:
            keep(journey)
            number += 1
    return journey


def answered(talk: Talk, journey: Journey, answers: Answers) -> Journey:
    """With these answers; values set by hand that fit no more are put aside, which is told.

    Raises:
        InputError: An answer is impossible, or there is no plan for it.
    """
    done = journey.changed(journey.facts, checked(answers))
    if done.put_aside:
        talk.complain(done.put_aside)
    return done.journey


def answered_or_told(talk: Talk, journey: Journey, answers: Answers) -> Journey:
    """The same; an answer without a plan is told and changes nothing."""
    try:
        return answered(talk, journey, answers)
    except InputError as error:
        talk.complain(str(error))
        return journey
