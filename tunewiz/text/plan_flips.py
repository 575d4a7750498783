"""Which query plans change under the plan's settings, for a person at a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rich.text import Text

from tunewiz.core.facts.facts import Facts
from tunewiz.core.proof.plan_flips import PlanFlips, PlannedStatement
from tunewiz.core.proof.statement_text import shown
from tunewiz.core.values.known import known_or
from tunewiz.core.values.plural import how_many
from tunewiz.core.words.harmless import harmless
from tunewiz.text.report import line, paper_width, printed
from tunewiz.text.wrapping import hanging

NO_SETTINGS = "The plan changes no setting that PostgreSQL's planner reads: all query plans stay the same."
COSTS = (
    "Each cost is computed under its own settings: costs compare plans under the same settings, "
    "and say nothing about the time that a query takes. Nothing was executed."
)


def plan_flips_text(plan_flips: PlanFlips, facts: Facts) -> str:
    """The whole report."""
    width = paper_width()
    return printed(
        line(row.plain, str(row.style)) for text in _told(plan_flips, facts) for row in hanging(text, width)
    )


def _told(plan_flips: PlanFlips, facts: Facts) -> Iterator[Text]:
    yield Text(
        f"{harmless(known_or(facts.host.name, 'this server'))}: plans under the new settings", style="bold"
    )
    if not plan_flips.settings:
        yield Text(NO_SETTINGS)
        return
    for setting in plan_flips.settings:
        yield Text(f"  {setting.name}: {harmless(setting.before)} -> {harmless(setting.after)}")
    yield Text()
    yield Text(_summary(plan_flips))
    for statement in plan_flips.flips:
        yield from _flip(statement)
    if plan_flips.flips:
        yield Text()
        yield Text(COSTS)
    yield from _skipped(plan_flips)


def _summary(plan_flips: PlanFlips) -> str:
    planned = how_many(len(plan_flips.planned), "statement")
    share = f"{100 * plan_flips.stands_for:.0f}% of the time counted by pg_stat_statements"
    if not plan_flips.planned:
        return "No statement could be planned."
    count = len(plan_flips.flips)
    flips = f"{count} would be executed in another way" if count else "no plan changes"
    return f"{planned} planned ({share}), by {plan_flips.how}: {flips}."


def _flip(statement: PlannedStatement) -> Iterator[Text]:
    yield Text()
    yield Text(f"  {harmless(shown(statement.text))}", style="bold")
    per_call = statement.milliseconds / max(1, statement.calls)
    yield Text(
        f"    in {harmless(statement.database)}, {how_many(statement.calls, 'call')}, "
        f"{per_call:.2f} ms each, cost {statement.before.cost:,.0f} -> {statement.after.cost:,.0f}"
    )
    for change in statement.changes:
        yield Text(f"    {harmless(change)}")


def _skipped(plan_flips: PlanFlips) -> Iterator[Text]:
    if not plan_flips.skipped:
        return
    yield Text()
    yield Text(f"Not planned ({len(plan_flips.skipped)})", style="bold")
    for why, count in sorted(Counter(statement.why for statement in plan_flips.skipped).items()):
        yield Text(f"  {how_many(count, 'statement')}: {harmless(why)}")
