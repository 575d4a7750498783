"""What each front end shows of a plan's findings, read back from its real output.

Every reader gives texts by recommendation id and by what they are: name, now, then, takes, risk.
"""

import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, TypeAlias

from tunewiz.bundle.placing import placed
from tunewiz.bundle.render import rendered
from tunewiz.bundle.review.advice import FOR_PEOPLE
from tunewiz.bundle.review.left_alone import TITLE
from tunewiz.bundle.review.markdown import BELOW
from tunewiz.bundle.review.page_one import CHANGES, OUT_OF_REACH, REST_OUT_OF_REACH
from tunewiz.core.answers.answers import Answers
from tunewiz.core.facts.facts import Facts
from tunewiz.core.planning.decisions import is_open
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.impact import by_impact
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.core.words.finding import name_of
from tunewiz.formats.plan import plan_json
from tunewiz.formats.records import answers_to_toml, facts_to_json
from tunewiz.knowledge.loading import Knowledge, load_knowledge
from tunewiz.plain.advice import recommendations
from tunewiz.plain.line_io import Talk
from tunewiz.text.evidence_marks import gains_explained
from tunewiz.text.explanation import explained
from tunewiz.text.finding_detail import in_full, in_short
from tunewiz.text.findings import Widths, grouped, rows_of
from tunewiz.text.report import plan_table
from tunewiz.wizard.journey import begin

Shown: TypeAlias = Mapping[str, Mapping[str, str]]

SHOWN_OF_ALL = ("name",)
SHOWN_OF_OPEN = ("name", "now", "then", "takes", "risk")
"""Of findings that a person can say yes or no to."""
WIDE = 400
"""Columns in which nothing is cut or wrapped."""
BEFORE_NAME = 5
"""Cells of a row before the name: mark and star."""
GROUPS = (
    "memory",
    "writing",
    "planner",
    "vacuum",
    "connections",
    "durability",
    "kernel",
    "storage",
    "host",
)
STATES = {
    "To change": "change",
    "For you to decide": "advise",
    "Right already": "keep",
    "Left alone": "declined",
    "Not applicable, or not known": "not_applicable",
}


def in_plan_command(plan: Plan) -> Shown:
    """`tunewiz plan`, on a terminal of any width (COLUMNS) in which nothing is wrapped."""
    result = dict[str, Mapping[str, str]]()
    waiting, legend = list[Finding](), gains_explained(list(by_impact(_of_state(plan, "change"))))
    for line in plan_table(plan, answered=True).splitlines():
        if heading := re.fullmatch(r"(\S.*) \((\d+)\)", line):
            waiting = _listed(plan, STATES[heading[1]])
            assert len(waiting) == int(heading[2])
        elif waiting and re.match(r"  \S", line) and line.strip() != legend:
            finding = waiting.pop(0)
            result[finding.recommendation.id] = _plan_row(finding, line.strip())
    return result


def _of_state(plan: Plan, state: str) -> list[Finding]:
    return [finding for finding in plan.findings if finding.state == state]


def _listed(plan: Plan, state: str) -> list[Finding]:
    result = _of_state(plan, state)
    if state in {"change", "advise"}:
        return list(by_impact(result))
    return sorted(result, key=lambda one: (GROUPS.index(one.recommendation.group), one.recommendation.id))


def _plan_row(finding: Finding, line: str) -> Mapping[str, str]:
    if not is_open(finding) or finding.state == "declined":
        return {"name": re.split(r"\s{2,}", line)[0]}
    name, now, _, then, takes, _ = re.split(r"\s{2,}", line)
    effect, _, risk = takes.partition(", risk ")
    return {"name": name, "now": now, "then": then, "takes": effect, "risk": risk}


def in_wizard_list(plan: Plan, width: int = WIDE) -> Shown:
    """The list of recommendations with everything in it."""
    rows = {row.key: row.text.plain for row in rows_of(plan, width, find="", everything=True) if row.key}
    columns = Widths.fitted(plan, width, everything=True)
    return {one.recommendation.id: _cells(one, rows[one.recommendation.id], columns) for one in plan.findings}


def _cells(finding: Finding, row: str, columns: Widths) -> Mapping[str, str]:
    widths = (columns.name, columns.now, *((columns.then, 8, 5) if is_open(finding) else ()))
    cells, rest = dict[str, str](), row[BEFORE_NAME:]
    for what, wide in zip(SHOWN_OF_OPEN, widths, strict=False):
        cells[what], rest = rest[:wide].rstrip(), rest[wide:]
    return cells


def in_wizard_pane(plan: Plan) -> Shown:
    """The pane below the list."""
    rows = {one.recommendation.id: in_short(one, plan, WIDE, 40)[0].plain for one in plan.findings}
    return {name: {"name": row.strip().partition("  ")[0]} for name, row in rows.items()}


def in_wizard_page(plan: Plan) -> Shown:
    """The page about one recommendation."""
    return {one.recommendation.id: dict(_labelled(one, plan)) for one in plan.findings}


def _labelled(finding: Finding, plan: Plan) -> Iterator[tuple[str, str]]:
    for text in in_full(finding, plan):
        if not text.plain:
            return
        label, _, words = text.plain.partition("\t")
        if label.strip() == "takes":
            effect, _, risk = words.partition(", risk ")
            yield from (("takes", effect), ("risk", risk))
        elif label.strip() in ("setting", "now", "then"):
            yield label.strip().replace("setting", "name"), words


def in_plain_run(facts: Facts, answers: Answers, knowledge: Knowledge) -> tuple[Shown, Shown]:
    """What `--plain` lists, and what it says of each open recommendation that is chosen from the list."""
    journey = begin(facts, answers, knowledge)
    subjects = dict(grouped(journey.plan.findings, everything=True))
    sink = io.StringIO()
    typed = list[str]()
    for number, members in enumerate(subjects.values(), start=2):
        chosen = (f"{place}\n\n" for place, one in enumerate(members, start=2) if is_open(one))
        typed.append(f"{number}\n{''.join(chosen)}\n")
    source = io.BytesIO("".join((*typed, "\n")).encode())
    talk = Talk(source=source, sink=sink, encoding="utf-8", width=WIDE * 10, repeats=False)
    _ = recommendations(talk, journey, lambda _: None)
    order = [finding for members in subjects.values() for finding in members if is_open(finding)]
    return _plain_listing(sink.getvalue(), subjects), _plain_details(sink.getvalue(), order)


def _plain_listing(output: str, subjects: Mapping[str, list[Finding]]) -> Shown:
    result = dict[str, Mapping[str, str]]()
    for title, members in subjects.items():
        lines = output.partition(f"\n{title}:\n")[2].splitlines()[1 : len(members) + 1]
        for finding, line in zip(members, lines, strict=True):
            result[finding.recommendation.id] = _plain_line(finding, line)
    return result


def _plain_line(finding: Finding, line: str) -> Mapping[str, str]:
    about = re.fullmatch(r" *\d+\. (?P<name>.*?) \[[a-z ]+\]: (?P<rest>.*)", line)
    assert about is not None, line
    if not is_open(finding):
        return {"name": about["name"], "now": about["rest"].removesuffix(f"; {finding.because}")}
    cells = re.fullmatch(
        r"(.*) -> (.*), (at once|reload|restart|reboot|by hand), risk (\w+), .*", about["rest"]
    )
    assert cells is not None, line
    return dict(zip(SHOWN_OF_OPEN, (about["name"], *cells.groups()), strict=True))


def _plain_details(output: str, order: list[Finding]) -> Shown:
    starts = [f"{finding.recommendation.title}\nnow: " for finding in order]
    return {
        finding.recommendation.id: dict(_plain_detail(output, start))
        for finding, start in zip(order, starts, strict=True)
    }


def _plain_detail(output: str, start: str) -> Iterator[tuple[str, str]]:
    before, _, after = output.partition(start)
    yield "name", before.splitlines()[-1].partition(" [")[0]
    for line in f"now: {after}".splitlines():
        label, _, words = line.partition(": ")
        if label == "why":
            return
        if label == "takes":
            effect, _, risk = words.partition(", risk ")
            yield from (("takes", effect), ("risk", risk))
        elif label in ("now", "then"):
            yield label, words


def in_review(plan: Plan, facts: Facts, answers: Answers) -> Shown:
    """REVIEW.md: page one's tables, what is left to a person, and the list of what is left alone."""
    files = rendered(plan, facts_to_json(facts), answers_to_toml(answers))
    text, places = files["REVIEW.md"].decode(), placed(plan)
    tables = {
        CHANGES: places.findings,
        OUT_OF_REACH: [unreachable.finding for unreachable in places.out_of_reach],
        FOR_PEOPLE: plan.advised,
    }
    shown = {name: {"name": words} for name, words in _left_alone(plan, text)}
    for title, findings in tables.items():
        rows = (*_rows(_section(text, title)), *_more_rows(text, title)) if findings else ()
        for finding, row in zip(by_impact(findings), rows, strict=True):
            shown[finding.recommendation.id] = dict(_named(row))
    return shown


def _more_rows(text: str, title: str) -> Iterable[Mapping[str, str]]:
    """Those of the appendix, where page one had no room for them."""
    rest = _section(text, REST_OUT_OF_REACH) if title == OUT_OF_REACH else ""
    return _rows(rest) if rest else ()


def _section(text: str, title: str) -> str:
    return text.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def _named(row: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for key, words in row.items():
        if key in ("setting", *SHOWN_OF_OPEN):
            yield ("name" if key == "setting" else key), words


def _left_alone(plan: Plan, text: str) -> Iterator[tuple[str, str]]:
    listed = set(re.findall(r"`([^`]+)`(?=, `|: )", _section(text, TITLE)))
    for finding in plan.findings:
        if (name := name_of(finding).short) in listed:
            yield finding.recommendation.id, name


def _rows(text: str) -> Iterator[Mapping[str, str]]:
    """The columns of the table, and the cells that follow it in a list."""
    head, _rule, *lines = (_cut_up(line) for line in text.splitlines() if line.startswith("| "))
    for cells in lines:
        mark = f"- `{cells[0]}`: " if head[0] else f"{cells[0]}. "
        rest = next((line for line in text.splitlines() if line.startswith(mark)), "")
        listed = re.findall(r"(?:: |; )(then|takes|risk): ([^;]+)", rest)
        columns = {name: cell for name, cell in zip(head, cells, strict=True) if cell != BELOW}
        yield {name: _as_text(cell) for name, cell in listed} | columns


def _cut_up(line: str) -> list[str]:
    """The cells of a row of Markdown as text."""
    cells = re.split(r"(?<!\\) \| ", line.removeprefix("| ").removesuffix(" |"))
    return [_as_text(cell) for cell in cells]


def _as_text(cell: str) -> str:
    return re.sub(r"\\(?=[^\w\s])", "", cell).replace("`", "").strip()


def in_plan_json(plan: Plan) -> Shown:
    """The words in plan.json."""
    document: dict[str, Any] = json.loads(plan_json(plan))
    result: list[dict[str, Any]] = document["recommendations"]
    return {one["id"]: one["in_words"] for one in result}


@cache
def in_explanation() -> Shown:
    """`tunewiz explain`, which knows no machine: the name alone."""
    knowledge = load_knowledge()
    return {
        recommendation.id: _explained(recommendation, knowledge) for recommendation in knowledge.catalogue
    }


def _explained(recommendation: Recommendation, knowledge: Knowledge) -> Mapping[str, str]:
    what = explained(recommendation, knowledge).splitlines()[1]
    name = re.sub(r"^(PostgreSQL setting|kernel setting|change of the host:|advice:) ", "", what)
    return {"name": name.partition("; ")[0]}
