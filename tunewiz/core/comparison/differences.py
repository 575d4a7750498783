"""What differs between two plans: their inputs, their values, and why."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.comparison.planned import ComparedPlan, PlannedItem
from tunewiz.core.values.record import dataclass

ABSENT = "-"
"""Shown for an input that only the other plan has."""


@dataclass(frozen=True, kw_only=True, slots=True)
class InputDifference:
    """One input in which two plans differ."""

    key: str
    one: str
    other: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """One recommendation of which two plans make something else."""

    one: PlannedItem
    other: PlannedItem

    @property
    def why(self) -> str:
        """The computations or reasons; where these are the same, what else differs."""
        if self.one.reason != self.other.reason:
            return f"A: {self.one.reason}. B: {self.other.reason}"
        return f"both: {self.one.reason}; {self._beyond_the_reason}"

    @property
    def _beyond_the_reason(self) -> str:
        """What differs where the reason is the same."""
        before = self.one.in_words.before, self.other.in_words.before
        states = {"A": self.one.state, "B": self.other.state}
        selecting = [side for side, state in states.items() if state == "change"]
        if len(selecting) == 1:
            return f"only {selecting[0]} selects it"
        if before[0] != before[1]:
            return f"now {before[0]} in A, {before[1]} in B"
        return "the steps differ" if self.one.steps != self.other.steps else "the decision differs"


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """Two plans, side by side."""

    one: ComparedPlan
    other: ComparedPlan
    inputs: tuple[InputDifference, ...]
    differences: tuple[Difference, ...]
    """In the order of the recommendations' ids."""
    same: int
    """Recommendations of which both make the same."""
    only_one: tuple[PlannedItem, ...]
    """Recommendations that only the first plan knows: another version of the program made the other."""
    only_other: tuple[PlannedItem, ...]

    @property
    def differs(self) -> bool:
        """Whether anything that comes of the plans differs."""
        return bool(self.differences or self.only_one or self.only_other)


def compared(one: ComparedPlan, other: ComparedPlan) -> Comparison:
    """The two plans side by side."""
    both = sorted(one.items.keys() & other.items.keys())
    pairs = [Difference(one=one.items[name], other=other.items[name]) for name in both]
    result = tuple(pair for pair in pairs if _result(pair.one) != _result(pair.other))
    return Comparison(
        one=one,
        other=other,
        inputs=tuple(_inputs(one, other)),
        differences=result,
        same=len(pairs) - len(result),
        only_one=tuple(one.items[name] for name in sorted(one.items.keys() - other.items.keys())),
        only_other=tuple(other.items[name] for name in sorted(other.items.keys() - one.items.keys())),
    )


def _result(item: PlannedItem) -> tuple[str, tuple[str, ...]]:
    return item.outcome, item.steps


def _inputs(one: ComparedPlan, other: ComparedPlan) -> Iterator[InputDifference]:
    for key in dict.fromkeys((*one.inputs, *other.inputs)):
        first, second = one.inputs.get(key, ABSENT), other.inputs.get(key, ABSENT)
        if first != second:
            yield InputDifference(key=key, one=first, other=second)
