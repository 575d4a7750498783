"""`tunewiz history`: the bundles that were applied on this host, one of them in detail, or two compared."""

from __future__ import annotations

from pathlib import Path

from tunewiz.bundle.records import read_history
from tunewiz.commands.options import Options
from tunewiz.console import output
from tunewiz.core.generations.between import differences_between, return_to
from tunewiz.core.generations.generation import STATE_DIRECTORY, BundleHistory, Generation
from tunewiz.core.values.errors import UsageError
from tunewiz.core.values.names import meant
from tunewiz.formats.generations import (
    AppliedBundles,
    TwoGenerations,
    generation_json,
    history_json,
    two_generations_json,
)
from tunewiz.text.generations import generation_text, history_text, two_generations_text

CHANGED = 1
DAMAGED = 1
TWO = 2
SHORTEST = 4
"""Digits of an id that are enough if no other begins with them."""


def run_history(options: Options) -> int:
    """Print what was applied here; 1 if two differ, or if records of what is shown are damaged."""
    if len(options.generations) > TWO:
        raise UsageError(f"history: found {len(options.generations)} ids, expected two at most")
    state = (options.state or Path(STATE_DIRECTORY)).absolute()
    history = read_history(state)
    bundles = AppliedBundles(state=str(state), history=history, last=options.last)
    chosen = tuple(_chosen(history, typed) for typed in options.generations)
    match chosen:
        case ():
            text = history_json(bundles) if options.history_format == "json" else history_text(bundles)
            return _written(text, bundles.listed)
        case (one,):
            way = return_to(history, one)
            text = (
                generation_json(bundles, way)
                if options.history_format == "json"
                else generation_text(bundles, way)
            )
            return _written(text, chosen)
        case _:
            return _compare(options, bundles, chosen[0], chosen[1])


def _written(text: str, shown: tuple[Generation, ...]) -> int:
    output.write(text)
    return DAMAGED if any(generation.damage for generation in shown) else 0


def _compare(options: Options, bundles: AppliedBundles, a: Generation, b: Generation) -> int:
    two = TwoGenerations(a=a, b=b, differences=differences_between(bundles.history, a, b))
    output.write(
        two_generations_json(bundles, two)
        if options.history_format == "json"
        else two_generations_text(bundles, two)
    )
    return CHANGED if two.differences else 0


def _chosen(history: BundleHistory, typed: str) -> Generation:
    """The bundle with that id; raises UsageError."""
    by_name = {generation.records: generation for generation in history.generations}
    if typed in by_name:
        return by_name[typed]
    begin_so = [name for name in by_name if name.startswith(typed) and len(typed) >= SHORTEST]
    current = [name for name in begin_so if by_name[name].is_current]
    if len(current) == 1:
        return by_name[current[0]]
    if len(begin_so) > 1:
        raise UsageError(f"history: {typed!r} is the start of {' and '.join(sorted(begin_so))}")
    hint = meant(typed, by_name) or "`tunewiz history` lists them."
    raise UsageError(f"history: found no bundle {typed!r} that was applied here", hint)
