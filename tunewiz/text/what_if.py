"""The what-if panel in words: what was moved, and everything that moves with it."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.impact import by_impact
from tunewiz.core.planning.plan import Plan
from tunewiz.core.values.plural import how_many
from tunewiz.core.words.finding import words_of
from tunewiz.text.row import Row
from tunewiz.wizard.what_if import MOVABLE, MOVABLE_KEYS, MovableKey, Supposed

MARK = "*"
"""Before what is not as it was: seen without colour."""
TITLE, NAME = 26, 32
"""Cells of a row's title, and of a change's name."""


def rows_of(supposed: Supposed) -> tuple[Row, ...]:
    """One row for each value that can be moved."""
    return tuple(Row(text=_row(supposed, key), key=key) for key in MOVABLE_KEYS)


def _row(supposed: Supposed, key: MovableKey) -> Text:
    shown, held = supposed.shown(key), supposed.held(key)
    is_moved = shown != held
    title = MOVABLE[key].title.ljust(TITLE)
    value = f"< {shown or 'not known'} >".ljust(16)
    was = f"now {held or 'not known'}" if is_moved else ""
    return Text.assemble(MARK if is_moved else " ", " ", title, (value, "bold"), (was, "dim"))


def moved_lines(supposed: Supposed) -> tuple[Text, ...]:
    """What moves: values, warnings; or that nothing does."""
    moved = tuple(_moved(supposed))
    if moved:
        return moved
    return (Text("Nothing in the plan changes." if supposed.is_moved else "Nothing is moved yet."),)


def counted(supposed: Supposed) -> str:
    """How many recommendations come out differently."""
    return f"{how_many(len(_different(supposed)), 'recommendation')} differ" if supposed.is_moved else ""


def followed(before: Plan, after: Plan) -> str:
    """What the plan has now instead of what it had, in a sentence; empty if it is the same."""
    was_of = {finding.recommendation.id: finding for finding in before.findings}
    moved = by_impact(_different_in(before, after))
    if not moved:
        return ""
    first, *others = sorted(
        moved, key=lambda finding: not (finding.changes or was_of[finding.recommendation.id].changes)
    )
    was, name = outcome(was_of[first.recommendation.id], before), words_of(first, after.start).name.short
    more = f", and {len(others):,} more" if others else ""
    return f"The plan has changed: {name} {was} -> {outcome(first, after)}{more}"


def _moved(supposed: Supposed) -> Iterator[Text]:
    before = {finding.recommendation.id: finding for finding in supposed.journey.plan.findings}
    held, plan = supposed.journey.plan, supposed.plan
    for finding in by_impact(_different(supposed)):
        was = outcome(before[finding.recommendation.id], held)
        name = words_of(finding, plan.start).name.short
        yield Text(f"{MARK} {name.ljust(NAME)}\t{was} -> {outcome(finding, plan)}")
    yield from _warnings(held, plan)


def _different(supposed: Supposed) -> tuple[Finding, ...]:
    return _different_in(supposed.journey.plan, supposed.plan)


def _different_in(before: Plan, after: Plan) -> tuple[Finding, ...]:
    pairs = zip(before.findings, after.findings, strict=True)
    return tuple(then for was, then in pairs if outcome(was, before) != outcome(then, after))


def outcome(finding: Finding, plan: Plan) -> str:
    """The value after the plan, and whether the bundle sets it."""
    words = words_of(finding, plan.start)
    match finding.state:
        case "change":
            return words.then.short
        case "advise":
            return f"{words.then.short}, for you to decide"
        case "keep":
            return f"{words.now.short}, right already"
        case "declined":
            return f"{words.now.short}, left alone"
        case "not_applicable":
            return "not applicable"


def _warnings(held: Plan, plan: Plan) -> Iterator[Text]:
    before, after = {warning.text for warning in held.warnings}, {warning.text for warning in plan.warnings}
    for text in sorted(after - before):
        yield Text(f"{MARK} warning: \t{text}")
    for text in sorted(before - after):
        yield Text(f"{MARK} no longer: \t{text}")
