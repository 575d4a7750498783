"""What the command line prints for people: the plan as a table, and how text is printed.

Everything shown may come from a file or a machine: control characters are shown, never sent to the terminal.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from tunewiz.core.answers.answers import Accepted, Replaced
from tunewiz.core.facts.facts import Facts
from tunewiz.core.health.waits import waits_in_words, waits_of_plan
from tunewiz.core.planning.budget import MemoryBudget
from tunewiz.core.planning.decisions import is_refused
from tunewiz.core.planning.finding import Finding, State
from tunewiz.core.planning.impact import by_impact
from tunewiz.core.planning.plan import Plan
from tunewiz.core.planning.urgent import FIRST
from tunewiz.core.recommendation.situation import NoServer
from tunewiz.core.values.known import Known, MaybeFact
from tunewiz.core.values.plural import how_many
from tunewiz.core.words.decided import decided_in_words
from tunewiz.core.words.finding import GROUPS, NOT_KNOWN, STATES, name_of, words_of
from tunewiz.core.words.harmless import harmless
from tunewiz.core.words.memory import parts_in_words
from tunewiz.text.evidence_marks import gains, gains_explained

PIPED_WIDTH = 100
"""Columns if the width of the reader's window is unknown."""
NARROWEST = 60

_SETTLED: tuple[State, ...] = ("keep", "declined", "not_applicable")
"""States in which nothing is left to do or to decide."""
_GLUE = "\ue000"
"""Stands for a non-breaking space; a private-use character, which harmless() never lets through."""
_WIDEST_CELLS = (28, 8, 2, 12, 20)
"""Of name, value now, arrow, value then and how it takes effect: the few longer ones move their line, and all
others fit into 100 columns."""
INDENT = 2
"""Cells before a row of values, and before its evidence where that needs a line of its own."""
_PERCENT = re.compile(r"(?<=\d) (?=%)")


def plan_table(plan: Plan, *, answered: bool) -> str:
    """The plan for a person, with all that was considered."""
    return printed((*_head(plan, answered=answered), *_findings(plan), *_budget(plan), *_warnings(plan)))


def plan_in_short(plan: Plan, *, answered: bool) -> str:
    """What is to be done and decided, the warnings, and how much more was considered."""
    return printed(
        (
            *_head(plan, answered=answered),
            *_changes(plan),
            *_decisions(plan),
            *_refused(plan),
            *_warnings(plan),
            *_counts(plan),
        )
    )


def printed(parts: Iterable[RenderableType]) -> str:
    """As text: with colour on a terminal, unless NO_COLOR is set or the terminal is dumb."""
    plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM", "dumb") == "dumb"
    # There is none if it was closed (>&-).
    colours = not plain and sys.__stdout__ is not None and sys.stdout.isatty()
    console = Console(
        file=io.StringIO(),
        width=paper_width(),
        force_terminal=colours,
        color_system="standard" if colours else None,
        no_color=not colours,
        highlight=False,
        markup=False,
        emoji=False,
    )
    with console.capture() as captured:
        for part in parts:
            console.print(part)
    return "".join(f"{line.rstrip()}\n" for line in captured.get().replace(_GLUE, " ").splitlines())


def paper_width() -> int:
    """Columns of what is printed."""
    return max(NARROWEST, shutil.get_terminal_size((PIPED_WIDTH, 24)).columns)


def line(text: str = "", style: str = "") -> Text:
    """Text that is safe to print: a number and its percent sign stay on one line."""
    return Text(_PERCENT.sub(_GLUE, harmless(text)), style=style)


def _value(fact: MaybeFact[str]) -> str:
    return fact.value if isinstance(fact, Known) else "?"


def machine_line(facts: Facts) -> str:
    """A machine in one line."""
    cpu, memory = facts.cpu, facts.memory
    cores = f"{how_many(cpu.cores.value, 'core')}" if isinstance(cpu.cores, Known) else "? cores"
    total = memory.total.value.human() if isinstance(memory.total, Known) else "? memory"
    return harmless(f"{_value(facts.host.architecture)}, {cores}, {total}, {_servers(facts)}")


def _servers(facts: Facts) -> str:
    """Each release once."""
    counted = Counter(f"PostgreSQL {_value(server.release)}" for server in facts.postgres)
    several = (f"{name} ({count} servers)" if count > 1 else name for name, count in counted.items())
    return ", ".join(several) or "no PostgreSQL"


def _head(plan: Plan, *, answered: bool) -> Iterator[RenderableType]:
    start, answers = plan.start, plan.start.answers
    yield line(f"{_value(start.facts.host.name)}: {machine_line(start.facts)}", "bold")
    for warning in plan.warnings:
        if warning.code in FIRST:
            yield Padding(line(f"First: {warning.text}"), (0, 0, 0, 2))
    server = start.server
    if not isinstance(server, NoServer):
        running = "running" if server.running else "stopped"
        yield line(f"server    PostgreSQL {start.major} in {_value(server.data_directory)}, {running}")
    workload, risk = answers.workload, answers.risk
    yield line(
        f"workload  {workload.kind}, {how_many(workload.connections, 'connection')}, "
        f"{workload.database_size.human()}"
    )
    accepts = [name for name in ("restart", "reboot", "kernel") if getattr(risk, name)]
    yield line(
        f"risk      {risk.posture}; accepted: {', '.join(accepts) or 'nothing'}; "
        f"recovery within {risk.recovery_time.pg()}"
    )
    if waits := waits_of_plan(plan):
        yield line(f"waits     {waits_in_words(waits)}")
    if not answered:
        yield line("          assumed: change this with --answers FILE")


def _findings(plan: Plan) -> Iterator[RenderableType]:
    yield from _changes(plan)
    advised = by_impact(plan.advised)
    yield from _headed("advise", advised)
    yield from _open(advised, plan)
    for state in _SETTLED:
        findings = _grouped(finding for finding in plan.findings if finding.state == state)
        yield from _headed(state, findings)
        if findings:
            yield _reasons(findings)


def _changes(plan: Plan) -> Iterator[RenderableType]:
    changes = by_impact(plan.changes)
    yield from _headed("change", changes)
    if legend := gains_explained(changes):
        yield Padding(line(legend, "dim"), (0, 0, 0, INDENT))
    yield from _open(changes, plan)


def _decisions(plan: Plan) -> Iterator[RenderableType]:
    """What is left to people, a line for each."""
    advised = by_impact(plan.advised)
    yield from _headed("advise", advised)
    yield from _rows(advised, plan)


def _refused(plan: Plan) -> Iterator[RenderableType]:
    """What somebody has declined, and why: it is missing above on purpose."""
    findings = _grouped(filter(is_refused, plan.findings))
    if findings:
        yield line()
        yield line(f"Declined ({len(findings)})", "bold")
        yield _reasons(findings)


def _counts(plan: Plan) -> Iterator[RenderableType]:
    counted = Counter(finding.state for finding in plan.findings)
    yield line()
    yield line(", ".join(f"{STATES[state]}: {counted[state]}" for state in _SETTLED if counted[state]))
    if isinstance(plan.after, MemoryBudget):
        before = plan.before.claimed.human() if isinstance(plan.before, MemoryBudget) else NOT_KNOWN
        after, total = plan.after.claimed.human(), plan.after.total.human()
        yield line(f"Memory when the server is busy: {before} now, {after} then, of {total}")
    else:
        yield line(f"Memory: {plan.after.why}")
    yield line("All of it, with the reasons: the same command with --all. One in full: tunewiz explain ID")


def _headed(state: State, findings: Sequence[Finding]) -> Iterator[RenderableType]:
    if findings:
        yield line()
        yield line(f"{STATES[state]} ({len(findings)})", "bold")


def _open(findings: Sequence[Finding], plan: Plan) -> Iterator[RenderableType]:
    """What is proposed: a line of values for each finding, and below it the reason and a person's note."""
    for finding, row in zip(findings, _rows(findings, plan), strict=True):
        yield row
        for reason in _reasons_of(finding):
            yield Padding(line(reason, "dim"), (0, 0, 0, 6))


def _reasons_of(finding: Finding) -> tuple[str, ...]:
    """Why it is proposed, and the note of whoever decided on it."""
    match finding.decision:
        case Replaced(note=note) if note:
            return (decided_in_words(finding.decision),)
        case Accepted(note=note) if note:
            return finding.because, decided_in_words(finding.decision)
        case _:
            return (finding.because,)


def _rows(findings: Sequence[Finding], plan: Plan) -> Iterator[RenderableType]:
    """The values of each finding on a line."""
    rows = [(*_row(finding, plan), gain) for finding, gain in zip(findings, gains(findings), strict=True)]
    columns = zip(*(row[:-1] for row in rows), strict=True)
    widths = [usual_width(*bounded) for bounded in zip(columns, _WIDEST_CELLS, strict=bool(rows))]
    for *row, evidence in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        values = line("  ".join((*cells, "")))
        grounds = Text(harmless(evidence).replace(" ", _GLUE))
        if INDENT + values.cell_len + grounds.cell_len > paper_width():
            values = Text.assemble(values, "\n", " " * INDENT)
        yield Padding(values + grounds, (0, 0, 0, INDENT))


def usual_width(column: tuple[str, ...], widest: int) -> int:
    """Of a column: one long text makes its own row wide, not all the others."""
    return max((len(cell) for cell in column if len(cell) <= widest), default=0)


def _row(finding: Finding, plan: Plan) -> tuple[str, ...]:
    words = words_of(finding, plan.start)
    takes = f"{words.takes}, risk {words.risk}"
    return words.name.short, words.now.short, "->", words.then.short, takes


def _reasons(findings: list[Finding]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    table.add_column()
    table.add_column(ratio=1)
    for finding in findings:
        table.add_row(line(f"  {name_of(finding).short}"), line(finding.because))
    return table


def _grouped(findings: Iterable[Finding]) -> list[Finding]:
    order = list(GROUPS)
    return sorted(
        findings, key=lambda finding: (order.index(finding.recommendation.group), finding.recommendation.id)
    )


def _budget(plan: Plan) -> Iterator[RenderableType]:
    yield line()
    if not isinstance(plan.after, MemoryBudget):
        yield line(f"Memory: {plan.after.why}")
        return
    yield line("Memory when the server is busy", "bold")
    before = dict(parts_in_words(plan.before)) if isinstance(plan.before, MemoryBudget) else {}
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("")
    table.add_column("now", justify="right")
    table.add_column("then", justify="right")
    for part, size_after in parts_in_words(plan.after):
        size_before = before[part].human() if part in before else NOT_KNOWN
        table.add_row(f"  {part}", size_before, size_after.human())
    yield table


def _warnings(plan: Plan) -> Iterator[RenderableType]:
    others = [warning for warning in plan.warnings if warning.code not in FIRST]
    if others:
        yield line()
        yield line("Careful", "bold")
    for warning in others:
        yield Padding(line(warning.text), (0, 0, 0, 2))
