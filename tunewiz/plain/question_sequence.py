"""One step of the dialogue: questions in a row, with the way back from each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from tunewiz.core.answers.answers import Answers
from tunewiz.core.answers.parsing import checked
from tunewiz.core.values.errors import InputError
from tunewiz.plain.line_io import BackRequested, Talk
from tunewiz.wizard.journey import Journey

Question: TypeAlias = Callable[[Talk, Journey], Journey]
"""Asks, and returns the journey with the answer; raises BackRequested."""


Keep: TypeAlias = Callable[[Journey], None]
"""Saves the journey on disk."""


def ask_in_turn(questions: Sequence[Question], talk: Talk, journey: Journey, keep: Keep) -> Journey:
    """The journey after the last question; going back from the first raises BackRequested."""
    number = 0
    while number < len(questions):
        try:
            journey = questions[number](talk, journey)
        except BackRequested:
            if number == 0:
                raise
            number -= 1
        else:
            keep(journey)
            number += 1
    return journey


def answered(talk: Talk, journey: Journey, answers: Answers) -> Journey:
    """With these answers; values set by hand that no longer fit are dropped, with a message.

    Raises:
        InputError: An answer is impossible, or there is no plan for it.
    """
    done = journey.changed(journey.facts, checked(answers))
    if done.put_aside:
        talk.complain(done.put_aside)
    return done.journey


def answered_or_told(talk: Talk, journey: Journey, answers: Answers) -> Journey:
    """The same; an answer without a plan is reported and changes nothing."""
    try:
        return answered(talk, journey, answers)
    except InputError as error:
        talk.complain(str(error))
        return journey
