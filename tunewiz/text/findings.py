"""Findings as rows: the current and the proposed value, when it takes effect, risk, evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from rich.text import Text

from tunewiz.core.answers.answers import Replaced
from tunewiz.core.planning.decisions import is_open, is_refused, note_of
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.impact import decided_here, percent_of
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.targets import Effect
from tunewiz.core.recommendation.verdicts import Advice, Declined, Proposal
from tunewiz.core.values.cut import cut
from tunewiz.core.values.record import dataclass
from tunewiz.core.words.finding import GROUPS, FindingWords, name_of, words_of
from tunewiz.text.arrangement import AS_USUAL, Arrangement
from tunewiz.text.colors import ACCENT, CAUTION, CHANGES, DANGER
from tunewiz.text.evidence_marks import LAST, Joint, brackets, joint_of, legend, marks_of
from tunewiz.text.row import Row

DECIDE, BY_HAND, LEFT_ALONE = "For you to decide", "By hand", "Left alone"
MARKS = {"change": "[x]", "advise": "[ ]", "keep": " = ", "declined": "[-]", "not_applicable": " · "}
MEANINGS = {
    DECIDE: "[ ] changes nothing until you tick it",
    BY_HAND: "! has steps for you",
    LEFT_ALONE: "= is right already, · is of no use here",
}
"""The marks of a group, explained where they stand."""
RISK_STYLES = {"low": "", "medium": CAUTION, "high": DANGER}
_INTERRUPTS = (Effect.RESTART, Effect.REBOOT)
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
        evidence = max(map(_evidence_cells, opened), default=0)
        room = max(usual.name + usual.now + usual.then, width - _AROUND - evidence)
        present_needed = _needed(row.now.short for row in cells)
        planned_needed = _needed(words_of(finding, plan.start).then.short for finding in opened)
        present, planned = min(usual.now, present_needed), min(usual.then, planned_needed)
        name = min(room - present - planned, max(usual.name, _needed(row.name.short for row in cells)))
        planned = min(max(usual.then, planned_needed), room - name - present)
        return cls(name=name, now=max(present, min(present_needed, room - name - planned)), then=planned)


_AROUND = 19
"""Cells of a row's marks, of when it takes effect, and of its risk."""


def _evidence_cells(finding: Finding) -> int:
    """Its own marks, or the word for the second of a bracket."""
    return max(marks_of(finding, bracket).cell_len for bracket in (" ", LAST if joint_of(finding) else " "))


def _needed(texts: Iterable[str]) -> int:
    return max((len(text) for text in texts), default=0) + 1


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
    return Text("      " + "".join(names) + "takes   risk  evidence", style="dim")


def marks_in_words(findings: Iterable[Finding]) -> Text:
    """The legend of the list: the marks of evidence, and those of decisions that there are."""
    members = tuple(findings)
    others = (
        ("[-]", "declined", any(map(is_refused, members))),
        ("*", "note", any(map(note_of, members))),
    )
    shown = [Text.assemble((mark, "bold"), f" {meaning}") for mark, meaning, is_there in others if is_there]
    return Text("  ").join((legend(), *shown))


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
        yield from [(arrangement.heading, shown)] if shown else []


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
    sections = _sections(members)
    for title in (*GROUPS.values(), DECIDE, BY_HAND, *((LEFT_ALONE,) if everything else ())):
        group = [member for member, own in zip(members, sections, strict=True) if own == title]
        if group:
            yield title, _joined(sorted(group, key=effect_of, reverse=True))


def _sections(members: list[Finding]) -> list[str]:
    """The heading of each; changes that were measured together stand below that of the first subject."""
    sections = list(map(section, members))
    joints = [
        joint_of(member) if own in GROUPS.values() else None
        for member, own in zip(members, sections, strict=True)
    ]
    order = list(GROUPS.values())
    homes = dict[Joint, int]()
    for joint, own in zip(joints, sections, strict=True):
        if joint is not None:
            homes[joint] = min(homes.get(joint, len(order)), order.index(own))
    return [
        own if joint is None else order[homes[joint]] for joint, own in zip(joints, sections, strict=True)
    ]


def _joined(members: list[Finding]) -> list[Finding]:
    """What was measured together stands together."""
    joints = [joint_of(finding) for finding in members]
    first = [joints.index(joint) if joint else number for number, joint in enumerate(joints)]
    return [
        members[number] for number in sorted(range(len(members)), key=lambda number: (first[number], number))
    ]


def _group(title: str, members: list[Finding], plan: Plan, columns: Widths, width: int) -> Iterator[Row]:
    meaning = f"  {MEANINGS[title]}" if title in MEANINGS else ""
    yield Row(text=Text.assemble((title, "bold"), (meaning, "dim"), no_wrap=True))
    for finding, bracket in zip(members, brackets(members), strict=True):
        yield Row(key=finding.recommendation.id, text=_row(finding, plan, columns, width, bracket))


def _row(finding: Finding, plan: Plan, columns: Widths, width: int, bracket: str) -> Text:
    words = words_of(finding, plan.start)
    if isinstance(finding.verdict, Declined):
        room = max(10, width - columns.name - columns.now - 7)
        return Text.assemble(
            f"{_left_alone_mark(finding)}{'*' if note_of(finding) else ' '} ",
            *_name_and_now(words, columns),
            (_fitted(finding.because, room), "dim"),
        )
    return Text.assemble(
        _mark(finding),
        "* " if note_of(finding) else "  ",
        *_name_and_now(words, columns),
        (_fitted(words.then.short, columns.then), "bold"),
        (_fitted(words.takes, 8), ACCENT if finding.takes_effect in _INTERRUPTS else ""),
        (RISK_SHORT[words.risk].ljust(5), RISK_STYLES[words.risk]),
        marks_of(finding, bracket),
    )


def _name_and_now(words: FindingWords, columns: Widths) -> tuple[str, str]:
    return _fitted(words.name.short, columns.name), _fitted(words.now.short, columns.now)


def _mark(finding: Finding) -> tuple[str, str]:
    """The mark before the name, and its style."""
    if isinstance(finding.verdict, Advice) and finding.state == "advise":
        return " ! ", CAUTION
    return MARKS[finding.state], CHANGES if finding.state == "change" else "bold"


def _left_alone_mark(finding: Finding) -> str:
    """Whether it is right already: [-] is for what a person declined."""
    return MARKS["keep" if finding.state == "keep" else "not_applicable"]


def _fitted(text: str, width: int) -> str:
    return cut(text, width - 1).ljust(width)
