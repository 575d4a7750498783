"""All choices of a run, to take back and to make again: answers, corrections, decisions, notes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TypeAlias

from tunewiz.core.answers.answers import Answers
from tunewiz.core.answers.differences import differences
from tunewiz.core.facts.facts import Facts
from tunewiz.core.values.record import dataclass

MOST = 500
"""States that are remembered: more than a person makes in a run. They share most of their parts."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PlanInputs:
    """What a plan follows from."""

    facts: Facts
    answers: Answers


@dataclass(frozen=True, kw_only=True, slots=True)
class Moved:
    """The choices that hold now, and what changed by going there, in words."""

    history: History
    choices: PlanInputs
    words: str


@dataclass(frozen=True, kw_only=True, slots=True)
class NothingThere:
    """There is no earlier or no later state."""


Travel: TypeAlias = Moved | NothingThere


@dataclass(frozen=True, kw_only=True, slots=True)
class History:
    """The states before and after the present one."""

    past: tuple[PlanInputs, ...] = ()
    future: tuple[PlanInputs, ...] = ()

    def after(self, before: PlanInputs, present: PlanInputs) -> History:
        """With one more choice: what had been taken back is gone. Unchanged if nothing was chosen."""
        if before == present:
            return self
        return History(past=(*self.past, before)[-MOST:])

    def undone(self, present: PlanInputs) -> Travel:
        """The state before the last choice."""
        if not self.past:
            return NothingThere()
        *past, choices = self.past
        history = History(past=tuple(past), future=(present, *self.future))
        return Moved(history=history, choices=choices, words=_words("Undone", present, choices))

    def redone(self, present: PlanInputs) -> Travel:
        """The state after the choice that was taken back last."""
        if not self.future:
            return NothingThere()
        choices, *future = self.future
        history = History(past=(*self.past, present), future=tuple(future))
        return Moved(history=history, choices=choices, words=_words("Redone", present, choices))

    def learned(self, before: PlanInputs, learned: Callable[[Facts], Facts]) -> History:
        """With one more state to go back to: what was learned since changed the plan."""
        return History(past=(*self.past, before)[-MOST:], future=self.with_facts(learned).future)

    def with_facts(self, learned: Callable[[Facts], Facts]) -> History:
        """The same choices with what was learned since, such as a watched window: that is no choice."""

        def known(choices: PlanInputs) -> PlanInputs:
            return dataclasses.replace(choices, facts=learned(choices.facts))

        return History(past=tuple(map(known, self.past)), future=tuple(map(known, self.future)))


def _words(verb: str, before: PlanInputs, after: PlanInputs) -> str:
    changed = differences((before.facts, before.answers), (after.facts, after.answers))
    return f"{verb}: {'; '.join(changed) or 'one choice'}"


NO_HISTORY = History()
