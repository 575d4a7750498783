"""A plan as far as another one can be compared with it, whether just made or read from a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from tunewiz.core.planning.finding import State
from tunewiz.core.values.record import dataclass
from tunewiz.core.words.finding import NOTHING, SEE_STEPS


@dataclass(frozen=True, kw_only=True, slots=True)
class ItemWords:
    """A recommendation as shown to people, from `in_words` of plan.json."""

    name: str
    now: str
    then: str

    @property
    def before(self) -> str:
        """The current value; a default that stands for one that was not read is called so."""
        is_default = self.now.startswith("(") and self.now.endswith(")")
        return f"{self.now[1:-1]} (the default)" if is_default else self.now


@dataclass(frozen=True, kw_only=True, slots=True)
class PlannedItem:
    """What one plan says of one recommendation."""

    id: str
    state: State
    because: str
    computed: str | None
    steps: tuple[str, ...]
    in_words: ItemWords

    @property
    def outcome(self) -> str:
        """The value after the plan, and who brings it about."""
        present, planned = self.in_words.before, self.in_words.then
        match self.state:
            case "change":
                return planned
            case "advise":
                return "by hand: see its steps" if planned == SEE_STEPS else f"{planned}, for you to decide"
            case "keep":
                return "right already" if present == NOTHING else f"{present}, right already"
            case "declined":
                return "left alone" if present == NOTHING else f"{present}, left alone"
            case "not_applicable":
                return "not applicable"
            case _:
                assert_never(self.state)

    @property
    def reason(self) -> str:
        """The computation where something is proposed, otherwise the reason in words."""
        proposes = self.state in ("change", "advise")
        return self.computed if proposes and self.computed else self.because


@dataclass(frozen=True, kw_only=True, slots=True)
class ComparedPlan:
    """One side of a comparison."""

    name: str
    """As it was named on the command line."""
    inputs: Mapping[str, str]
    """What the plan was made from, by dotted key: `answers.workload.connections`."""
    items: Mapping[str, PlannedItem]
    """By recommendation id."""
