"""Findings as rows: the current and the proposed value, when it takes effect, risk, evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import assert_never

from rich.text import Text

from tunewiz.core.answers.answers import Replaced
from tunewiz.core.planning.decisions import is_open, note_of
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.impact import decided_here, percent_of
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.verdicts import Advice, Declined, Proposal
from tunewiz.core.values.cut import cut
from tunewiz.core.words.finding import GROUPS, FindingWords, name_of, words_of
from tunewiz.text.arrangement import AS_USUAL, Arrangement
from tunewiz.text.colors import CAUTION, CHANGES, DANGER
from tunewiz.text.row import Row

DECIDE, BY_HAND, LEFT_ALONE = "For you to decide", "By hand", "Left alone"
MARKS = {"change": "[x]", "advise": "[ ]", "keep": " = ", "declined": "[-]", "not_applicable": " · "}
RISK_STYLES = {"low": "", "medium": CAUTION, "high": DANGER}
RISK_SHORT = {"low": "low", "medium": "med", "high": "HIGH"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Widths:
    """Column widths that fit a terminal."""

    name: int
    now: int
    then: int

    @classmethod
    def of(cls, width: int) -> Widths:
        """For a list this wide; the evidence gets the rest."""
        spare = max(0, width - 79)
        return cls(name=25 + spare // 4, now=10 + spare // 8, then=13 + spare // 5)

    @classmethod
    def fitted(cls, plan: Plan, width: int, *, everything: bool) -> Widths:
        """For what the plan has to show: a column gives the cells that it leaves empty to the names.

        They do not depend on a filter or a search: columns that move are hard to read.
        """
        usual = cls.of(width)
        findings = [finding for finding in plan.findings if everything or is_open(finding)]
        cells = [words_of(finding, plan.start) for finding in findings]
        opened = [finding for finding in findings if is_open(finding)]
        evidence = max((len(grounds_of(finding)) for finding in opened), default=0)
        room = max(usual.name + usual.now + usual.then, width - _AROUND - evidence)
        now = min(usual.now, _needed(row.now.short for row in cells))
        then = min(usual.then, _needed(words_of(finding, plan.start).then.short for finding in opened))
        name = min(room - now - then, max(usual.name, _needed(row.name.short for row in cells)))
        return cls(name=name, now=now, then=min(usual.then, room - name - now))


_AROUND = 19
"""Cells of a row's marks, of when it takes effect, and of its risk."""


def _needed(texts: Iterable[str]) -> int:
    return max((len(text) for text in texts), default=0) + 1


_LIT = 6
"""Mark, star and blanks before the name."""


def grounds_of(finding: Finding) -> str:
    """Its evidence in two words: the closest measurement, else documentation."""
    if isinstance(finding.decision, Replaced):
        return "your value"
    if measured := decided_here(finding):
        return f"here: {measured[0].part.verdict}"
    speaking = [evidence for evidence in finding.evidence if evidence.speaks_for]
    best = next(
        (evidence for evidence in speaking if evidence.fit == "like"), speaking[0] if speaking else None
    )
    if best is None or not best.systems:
        return "documented" if finding.recommendation.basis == "well understood" else "reasoned"
    percent = percent_of(best.figure)
    if not percent:
        return "like yours" if best.fit == "like" else "unlike"
    return f"{float(percent):+.0f}% {'like' if best.fit == 'like' else 'unlike'}"


def effect_of(finding: Finding) -> float:
    """The largest measured gain in percent, 0 if there is none: the most valuable comes first."""
    if measured := decided_here(finding):
        return max(0.0, measured[0].part.percent)
    speaking = (evidence for evidence in finding.evidence if evidence.speaks_for)
    return max((float(percent_of(evidence.figure)) for evidence in speaking), default=0.0)


def heading(plan: Plan, width: int, *, everything: bool) -> Text:
    """The names of the columns."""
    columns = Widths.fitted(plan, width, everything=everything)
    names = ("setting".ljust(columns.name), "now".ljust(columns.now), "then".ljust(columns.then))
    return Text("      " + "".join(names) + "takes   risk evidence", style="dim")


def rows_of(
    plan: Plan, width: int, *, find: str, everything: bool, arrangement: Arrangement = AS_USUAL
) -> tuple[Row, ...]:
    """All rows as arranged: those that match the search; what is left alone only on request."""
    columns = Widths.fitted(plan, width, everything=everything)
    findings = [finding for finding in plan.findings if find.lower() in _searched(finding)]
    everything = everything or bool(find) or arrangement.shown == "mine"
    groups = _arranged(findings, arrangement, everything=everything)
    return tuple(row for title, members in groups for row in _group(title, members, plan, columns, width))


def _arranged(
    findings: list[Finding], arrangement: Arrangement, *, everything: bool
) -> Iterator[tuple[str, list[Finding]]]:
    """With a heading for each subject, or with one for all in the order that was chosen."""
    members = arrangement.of(findings)
    if arrangement.order == "subject":
        yield from grouped(members, everything=everything)
    else:
        shown = [member for member in members if everything or section(member) != LEFT_ALONE]
        yield from [(f"All, by {arrangement.order}", shown)] if shown else []


def _searched(finding: Finding) -> str:
    recommendation = finding.recommendation
    return (
        f"{recommendation.id} {recommendation.title} {recommendation.group} {name_of(finding).short}".lower()
    )


def section(finding: Finding) -> str:
    """The heading that a finding is listed under."""
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
    """Each heading with its findings, the greatest effect first."""
    members = list(findings)
    for title in (*GROUPS.values(), DECIDE, BY_HAND, *((LEFT_ALONE,) if everything else ())):
        group = [member for member in members if section(member) == title]
        if group:
            yield title, sorted(group, key=effect_of, reverse=True)


def _group(title: str, members: list[Finding], plan: Plan, columns: Widths, width: int) -> Iterator[Row]:
    yield Row(text=Text(title, style="bold"))
    longest = columns.name - 1
    for finding in members:
        lit = _LIT + min(len(name_of(finding).short), longest)
        yield Row(key=finding.recommendation.id, text=_row(finding, plan, columns, width), lit=lit)


def _row(finding: Finding, plan: Plan, columns: Widths, width: int) -> Text:
    words = words_of(finding, plan.start)
    if isinstance(finding.verdict, Declined):
        room = max(10, width - columns.name - columns.now - 7)
        return Text.assemble(
            f"{MARKS[finding.state]}{'*' if note_of(finding) else ' '} ",
            *_name_and_now(words, columns),
            (_fitted(finding.because, room), "dim"),
        )
    return Text.assemble(
        _mark(finding),
        "* " if note_of(finding) else "  ",
        *_name_and_now(words, columns),
        (_fitted(words.then.short, columns.then), "bold"),
        _fitted(words.takes, 8),
        (RISK_SHORT[words.risk].ljust(5), RISK_STYLES[words.risk]),
        grounds_of(finding),
    )


def _name_and_now(words: FindingWords, columns: Widths) -> tuple[str, str]:
    return _fitted(words.name.short, columns.name), _fitted(words.now.short, columns.now)


def _mark(finding: Finding) -> tuple[str, str]:
    """The mark before the name, and its style."""
    if isinstance(finding.verdict, Advice) and finding.state == "advise":
        return " ! ", CAUTION
    return MARKS[finding.state], CHANGES if finding.state == "change" else "bold"


def _fitted(text: str, width: int) -> str:
    return cut(text, width - 1).ljust(width)
