"""Findings as rows: what is in force, what is proposed, what it takes, how risky, how well founded."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import assert_never

from rich.text import Text

from tunewiz.core.answers import Replaced
from tunewiz.core.decisions import note_of
from tunewiz.core.finding import Finding
from tunewiz.core.known import Known
from tunewiz.core.model import (
    Advice,
    AdviceTarget,
    Declined,
    Effect,
    HostTarget,
    PgTarget,
    Proposal,
    SysctlTarget,
    SysfsTarget,
)
from tunewiz.core.plan import Plan
from tunewiz.core.target_words import value_in_words
from tunewiz.screens.widgets.row import Row

GROUPS = {
    "memory": "Memory",
    "writing": "Writing",
    "planner": "Planner",
    "vacuum": "Vacuum",
    "connections": "Connections",
    "durability": "Durability",
    "kernel": "Kernel",
    "storage": "Storage",
    "host": "Host",
}
DECIDE, BY_HAND, LEFT_ALONE = "For you to decide", "By hand", "Left alone"
MARKS = {"change": "[x]", "advise": "[ ]", "keep": " = ", "declined": "[-]", "not_applicable": " · "}
TAKES = {
    Effect.NOW: "at once",
    Effect.RELOAD: "reload",
    Effect.RESTART: "restart",
    Effect.REBOOT: "reboot",
    Effect.MANUAL: "by hand",
}
RISK_STYLES = {"low": "", "medium": "bold", "high": "bold red"}
RISK_SHORT = {"low": "low", "medium": "med", "high": "HIGH"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Widths:
    """Columns that fit a terminal."""

    name: int
    now: int
    then: int

    @classmethod
    def of(cls, width: int) -> Widths:
        """For a list this wide; what is left is the evidence's."""
        spare = max(0, width - 79)
        return cls(name=25 + spare // 4, now=10 + spare // 8, then=13 + spare // 5)


def name_of(finding: Finding) -> str:
    """What a DBA calls the target."""
    target = finding.recommendation.target
    match target:
        case PgTarget(name=name) | SysctlTarget(name=name):
            return name
        case SysfsTarget() | HostTarget() | AdviceTarget():
            return finding.recommendation.id.partition(".")[2]
        case _:
            assert_never(target)


def current_value(finding: Finding, plan: Plan) -> str:
    """What is in force now; in brackets the default, where what is in force could not be read."""
    target = finding.recommendation.target
    current = plan.start.current(target)
    if isinstance(current, Known):
        return value_in_words(target, current.value)
    match target:
        case PgTarget(name=name) if plan.start.settings.has(name):
            return f"({plan.start.default(name)})"
        case PgTarget() | SysctlTarget() | SysfsTarget():
            return "?"
        case HostTarget() | AdviceTarget():
            return (finding.verdict.before if isinstance(finding.verdict, Proposal) else "") or "-"
        case _:
            assert_never(target)


def current_in_words(finding: Finding, plan: Plan) -> str:
    """The same in full: with where it was learned, or that it was not."""
    shown = current_value(finding, plan)
    current = plan.start.current(finding.recommendation.target)
    if isinstance(current, Known):
        return f"{shown} ({current.how})"
    return f"not read; its default is {shown.strip('()')}" if shown.startswith("(") else "not known"


def proposed_value(finding: Finding) -> str:
    """What is proposed; a dash where nothing is."""
    match finding.verdict:
        case Proposal(value=value):
            return value_in_words(finding.recommendation.target, value)
        case Advice():
            return "see steps"
        case Declined():
            return "-"
        case _:
            assert_never(finding.verdict)


def risk_of(finding: Finding) -> str:
    """low, medium or high."""
    verdict = finding.verdict
    own = isinstance(verdict, Proposal) and verdict.risk != "as usual"
    return str(verdict.risk if own and isinstance(verdict, Proposal) else finding.recommendation.risk)


_LIT = 6
"""Mark, star and blanks before the name."""
_FIGURE = re.compile(r"(?!part of ).*?([+-]\d+(?:[.,]\d+)?) ?%")
"""A gain of its own: how large a part of one was is not known."""


def grounds_of(finding: Finding) -> str:
    """On what it rests, in two words: the closest measurement, else documentation."""
    if isinstance(finding.said, Replaced):
        return "your value"
    speaking = [each for each in finding.evidence if each.fit != "opposite" and not each.near]
    best = next((each for each in speaking if each.fit == "like"), speaking[0] if speaking else None)
    if best is None or not best.systems:
        return "documented" if finding.recommendation.basis == "well understood" else "reasoned"
    figure = _FIGURE.match(best.claim.figure)
    if figure is None:
        return "like yours" if best.fit == "like" else "unlike"
    return f"{float(figure[1].replace(',', '.')):+.0f}% {best.fit}"


def effect_of(finding: Finding) -> float:
    """The largest measured gain in percent, 0 where none was: what is worth most stands first."""
    speaking = (each.claim.figure for each in finding.evidence if each.fit != "opposite" and not each.near)
    found = (_FIGURE.match(figure) for figure in speaking)
    return max((float(each[1].replace(",", ".")) for each in found if each), default=0.0)


def heading(width: int) -> Text:
    """The names of the columns."""
    columns = Widths.of(width)
    names = ("setting".ljust(columns.name), "now".ljust(columns.now), "then".ljust(columns.then))
    return Text("      " + "".join(names) + "takes   risk evidence", style="dim")


def rows_of(plan: Plan, width: int, *, find: str, everything: bool) -> tuple[Row, ...]:
    """All rows, grouped; those that match what is looked for, and what is left alone only when asked."""
    found = [each for each in plan.findings if find.lower() in _searched(each)]
    groups = grouped(found, everything=everything or bool(find))
    return tuple(row for title, members in groups for row in _group(title, members, plan, width))


def _searched(finding: Finding) -> str:
    recommendation = finding.recommendation
    return f"{recommendation.id} {recommendation.title} {recommendation.group} {name_of(finding)}".lower()


def section(finding: Finding) -> str:
    """The heading that a finding stands under."""
    match finding.verdict:
        case Declined():
            return LEFT_ALONE
        case Advice():
            return BY_HAND
        case Proposal(ticked=ticked):
            return GROUPS[finding.recommendation.group] if ticked else DECIDE
        case _:
            assert_never(finding.verdict)


def grouped(findings: Iterable[Finding], *, everything: bool) -> Iterator[tuple[str, list[Finding]]]:
    """Each heading with what stands under it, the greatest effect first."""
    members = list(findings)
    for title in (*GROUPS.values(), DECIDE, BY_HAND, *((LEFT_ALONE,) if everything else ())):
        group = [each for each in members if section(each) == title]
        if group:
            yield title, sorted(group, key=effect_of, reverse=True)


def _group(title: str, members: list[Finding], plan: Plan, width: int) -> Iterator[Row]:
    yield Row(text=Text(title, style="bold"))
    longest = Widths.of(width).name - 1
    for finding in members:
        lit = _LIT + min(len(name_of(finding)), longest)
        yield Row(key=finding.recommendation.id, text=_row(finding, plan, width), lit=lit)


def _row(finding: Finding, plan: Plan, width: int) -> Text:
    columns, risk = Widths.of(width), risk_of(finding)
    name = name_of(finding)
    if isinstance(finding.verdict, Declined):
        room = max(10, width - columns.name - columns.now - 7)
        return Text.assemble(
            f"{MARKS[finding.state]}{'*' if note_of(finding) else ' '} ",
            _fitted(name, columns.name),
            _fitted(current_value(finding, plan), columns.now),
            (_fitted(finding.because, room), "dim"),
        )
    return Text.assemble(
        (_mark(finding), "bold"),
        "* " if note_of(finding) else "  ",
        _fitted(name, columns.name),
        _fitted(current_value(finding, plan), columns.now),
        (_fitted(proposed_value(finding), columns.then), "bold"),
        _fitted(TAKES[finding.takes_effect], 8),
        (RISK_SHORT[risk].ljust(5), RISK_STYLES[risk]),
        grounds_of(finding),
    )


def _mark(finding: Finding) -> str:
    advice = isinstance(finding.verdict, Advice) and finding.state == "advise"
    return " ! " if advice else MARKS[finding.state]


def _fitted(text: str, width: int) -> str:
    return text.ljust(width) if len(text) < width else f"{text[: width - 2]}… "
