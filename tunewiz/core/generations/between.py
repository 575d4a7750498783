"""What differs between the states after two bundles, and how one of them is returned to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from tunewiz.core.generations.generation import BundleHistory, Generation


@dataclass(frozen=True, kw_only=True, slots=True)
class GenerationDifference:
    """A value that is not the same after two bundles."""

    name: str
    before: str
    """After the first."""
    value: str
    """After the second; both in words."""


_Values: TypeAlias = Mapping[str, tuple[str, str]]
"""By name a value as the plan's data have it, and in words."""


def state_after(history: BundleHistory, generation: Generation) -> tuple[Generation, ...]:
    """The bundles that make up the state to which a return leads, the oldest first.

    Of one that is not in place, the state that it made on top of those before it that are.
    """
    order = generation.order
    before = (
        one
        for one in reversed(history.generations)
        if order is not None and one.is_in_place and one.order is not None and one.order < order
    )
    return (*before, generation)


def differences_between(
    history: BundleHistory, first: Generation, second: Generation
) -> tuple[GenerationDifference, ...]:
    """What differs between the states after the two, by name."""
    states = (state_after(history, first), state_after(history, second))
    origins = _origins((*states[0], *states[1]))
    differences = _differences(_values(states[0]), _values(states[1]), origins)
    return tuple(sorted(differences, key=lambda one: one.name))


def _values(state: tuple[Generation, ...]) -> _Values:
    """The values of a state: of two changes of the same, the later one's."""
    owners, result = dict[str, str](), dict[str, tuple[str, str]]()
    for change in (change for generation in state for change in generation.changes):
        for key in change.keys:
            result.pop(owners.get(key, ""), None)
        owners.update((key, change.name) for key in change.keys)
        result[change.name] = change.value, change.value_in_words
        if change.twin:
            result[change.twin] = "0", "0"
    return result


def _origins(generations: tuple[Generation, ...]) -> _Values:
    """What each value was before any of these bundles."""
    result = dict[str, tuple[str, str]]()
    for generation in sorted(set(generations), key=lambda one: one.order or 0):
        for change in generation.changes:
            result.setdefault(change.name, (change.before, change.before_in_words))
            result.setdefault(change.twin, (change.twin_before, change.twin_before))
    return result


def _differences(first: _Values, second: _Values, origins: _Values) -> Iterator[GenerationDifference]:
    for name in first.keys() | second.keys():
        before, value = (values.get(name, origins[name]) for values in (first, second))
        if before[0] != value[0]:
            # Sizes in words are rounded.
            shown = 1 if before[1] != value[1] else 0
            yield GenerationDifference(name=name, before=before[shown], value=value[shown])


@dataclass(frozen=True, kw_only=True, slots=True)
class GenerationReturn:
    """How the state after a bundle is returned to."""

    to: Generation
    rolls_back: tuple[Generation, ...]
    """The bundles that were applied later, the newest first."""
    script_directory: str
    """Of a bundle whose rollback.sh knows --to; empty where none is there."""
    why_not: str
    """Why there is no way, in a sentence without its full stop; empty where there is one."""


def return_to(history: BundleHistory, generation: Generation) -> GenerationReturn:
    """How the state after it is returned to, as rollback.sh --to does it."""
    rolls_back = history.after(generation)
    able = (one.scripts for one in (generation, *history.generations) if one.returns)
    return GenerationReturn(
        to=generation,
        rolls_back=rolls_back,
        script_directory=next(able, ""),
        why_not=_why_not(history, generation, rolls_back),
    )


def _why_not(history: BundleHistory, generation: Generation, rolls_back: tuple[Generation, ...]) -> str:
    if generation.outcome == "lost":
        return "its records are lost or damaged"
    if not generation.is_in_place:
        return "it is not in force: apply it again, or return to one that is"
    if unclear := history.unclear_after(generation):
        names = ", ".join(one.records for one in unclear)
        return f"records of bundles that may have been applied later are lost or damaged: {names}"
    if without := [one.id for one in rolls_back if not one.scripts]:
        return f"the scripts of {', '.join(without)} are no longer where they were: put them there again"
    return "" if rolls_back else "nothing that was applied later is in force"
