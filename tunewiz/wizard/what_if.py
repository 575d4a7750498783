"""What the plan would be with other memory, connections, size, posture or recovery time, before deciding."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal, get_args

from tunewiz.core.answers.answers import Answers, Posture
from tunewiz.core.answers.corrections import correctable
from tunewiz.core.answers.nearby_values import COUNTS, SIZES, TIMES, beside
from tunewiz.core.answers.parsing import checked
from tunewiz.core.answers.questions import CONNECTIONS, DATABASE_SIZE, RECOVERY_TIME, TypedQuestion
from tunewiz.core.planning.plan import Plan
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.names import expected_name
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import Bytes, Duration
from tunewiz.wizard.history import PlanInputs
from tunewiz.wizard.journey import Journey
from tunewiz.wizard.proved_plan import proved_plan

MovableKey = Literal["memory", "connections", "database_size", "posture", "recovery_time"]
MOVABLE_KEYS: tuple[MovableKey, ...] = get_args(MovableKey)
POSTURES: tuple[Posture, ...] = get_args(Posture)


@dataclass(frozen=True, kw_only=True, slots=True)
class Movable:
    """Something that can be moved."""

    title: str
    shown: Callable[[PlanInputs], str]
    """As it would be typed; empty where it is not known."""
    typed: Callable[[PlanInputs, str], PlanInputs]
    """The choices with what was typed; raises InputError."""
    beside: Callable[[str, str, int], str]
    """The next value up (1) or down (-1) from the first, of which the second holds; as it would be typed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Supposed:
    """A plan that follows from moved values, beside the one that holds."""

    journey: Journey
    choices: PlanInputs
    plan: Plan

    @classmethod
    def of(cls, journey: Journey) -> Supposed:
        """Nothing is moved yet."""
        return cls(journey=journey, choices=journey.choices, plan=journey.plan)

    @property
    def is_moved(self) -> bool:
        """Whether anything differs from what holds."""
        return self.choices != self.journey.choices

    def shown(self, key: MovableKey) -> str:
        """The supposed value, as it would be typed; empty where it is not known."""
        return MOVABLE[key].shown(self.choices)

    def held(self, key: MovableKey) -> str:
        """The value that holds, as it would be typed; empty where it is not known."""
        return MOVABLE[key].shown(self.journey.choices)

    def moved(self, key: MovableKey, by: int) -> Supposed:
        """With the next larger or smaller value; raises InputError where the plan has no place for it."""
        shown = self.shown(key)
        if not shown:
            raise InputError(f"{MOVABLE[key].title} is not known: enter types a value.")
        return self.typed(key, MOVABLE[key].beside(shown, self.held(key) or shown, by))

    def typed(self, key: MovableKey, text: str) -> Supposed:
        """With a typed value; raises InputError where it is none, or the plan has no place for it."""
        is_held = text == self.held(key)
        choices = _as_held(self, key) if is_held else MOVABLE[key].typed(self.choices, text)
        if choices == self.choices:
            return self
        if choices == self.journey.choices:
            return Supposed.of(self.journey)
        proved = proved_plan(choices.facts, choices.answers, self.journey.knowledge, self.journey.proof)
        return Supposed(journey=self.journey, choices=choices, plan=proved.plan)


def _as_held(supposed: Supposed, key: MovableKey) -> PlanInputs:
    """Back to the very value that holds: a fact as it was read is not the same typed by hand."""
    held = supposed.journey.choices
    if key == "memory":
        facts = dataclasses.replace(supposed.choices.facts, memory=held.facts.memory)
        return dataclasses.replace(supposed.choices, facts=facts)
    return MOVABLE[key].typed(supposed.choices, MOVABLE[key].shown(held))


def _question(question: TypedQuestion, next_to: Callable[[str, str, int], str]) -> Movable:
    def typed(choices: PlanInputs, text: str) -> PlanInputs:
        return dataclasses.replace(choices, answers=checked(question.taken(choices.answers, text)))

    return Movable(
        title=question.title,
        shown=lambda choices: question.shown(choices.answers),
        typed=typed,
        beside=next_to,
    )


def _memory(choices: PlanInputs, text: str) -> PlanInputs:
    facts = correctable("memory.total").correct(choices.facts, text)
    return dataclasses.replace(choices, facts=facts)


def _posture(choices: PlanInputs, text: str) -> PlanInputs:
    result: list[Posture] = [posture for posture in POSTURES if posture == text.lower()]
    if not result:
        raise InputError(f"Posture: expected {expected_name(text, POSTURES)}, found {text!r}")
    return dataclasses.replace(choices, answers=_with_posture(choices.answers, result[0]))


def _with_posture(answers: Answers, posture: Posture) -> Answers:
    return dataclasses.replace(answers, risk=dataclasses.replace(answers.risk, posture=posture))


def _next_posture(posture: str, _: str, by: int) -> str:
    names: tuple[str, ...] = POSTURES
    return names[min(max(names.index(posture) + by, 0), len(names) - 1)]


MOVABLE: Mapping[MovableKey, Movable] = MappingProxyType(
    {
        "memory": Movable(
            title=correctable("memory.total").title,
            shown=lambda choices: correctable("memory.total").shown(choices.facts),
            typed=_memory,
            beside=lambda value, held, by: beside(Bytes.parse(value), Bytes.parse(held), SIZES, by).pg(),
        ),
        "connections": _question(
            CONNECTIONS, lambda value, held, by: str(beside(int(value), int(held), COUNTS, by))
        ),
        "database_size": _question(
            DATABASE_SIZE,
            lambda value, held, by: beside(Bytes.parse(value), Bytes.parse(held), SIZES, by).pg(),
        ),
        "posture": Movable(
            title="Posture",
            shown=lambda choices: choices.answers.risk.posture,
            typed=_posture,
            beside=_next_posture,
        ),
        "recovery_time": _question(
            RECOVERY_TIME,
            lambda value, held, by: beside(Duration.parse(value), Duration.parse(held), TIMES, by).pg(),
        ),
    }
)
