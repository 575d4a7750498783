"""A fleet for a person: groups with their decisions and differences, drift, and hosts without a plan."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import RenderableType
from rich.padding import Padding

from tunewiz.core.fleet.fleet import Fleet
from tunewiz.core.fleet.groups import Apart, Drift, HostGroup, drift_in, outliers
from tunewiz.core.fleet.history import SinceLast
from tunewiz.core.fleet.hosts import HostDecision
from tunewiz.core.fleet.remarks import of_hosts, some_of
from tunewiz.core.fleet.sections import (
    GROUPS_A_PAGE,
    ROWS_A_PAGE,
    WHOLE,
    ReportPage,
    Section,
    check_page,
    drift_pages,
    drift_sections,
    drift_title,
    groups_worst_first,
    plan_pages,
    plan_sections,
)
from tunewiz.core.fleet.waves import Waves
from tunewiz.core.planning.finding import State
from tunewiz.core.recommendation.targets import Effect
from tunewiz.core.values.plural import how_many
from tunewiz.core.words.finding import STATES, TAKES
from tunewiz.text.report import line, printed

MOST_DRIFTED = 10
"""Most drifted values to show of a group; groups.json lists all."""

_ROW = (32, 12, 2, 16, 7, 0)
"""Columns of a decision: longer cells move their own row alone."""
_CELLS = {"host": 20, "group": 9, "setting": 28, "rule": 30, "": 24, "recorded": 20}
_CELL = 12
"""Columns of the tables before the groups, by their heads; of the others."""


def fleet_text(fleet: Fleet, page: ReportPage = WHOLE) -> str:
    """The report, or a page of it; raises UsageError for a page beyond the last."""
    sections = plan_sections(fleet)
    pages = plan_pages(fleet, sections)
    check_page(page, pages)
    return printed((*_fleet(fleet, sections, page), *_footer(page.in_words(pages))))


def drift_text(fleet: Fleet, since: SinceLast, page: ReportPage = WHOLE) -> str:
    """What changed since the last collection, or a page of it; raises UsageError as above."""
    sections = drift_sections(fleet, since)
    pages = drift_pages(sections)
    check_page(page, pages)
    head = line(drift_title(since), "bold")
    return printed((head, *_sections(sections, page), *_footer(page.in_words(pages))))


def _footer(text: str) -> Iterator[RenderableType]:
    if text:
        yield line()
        yield line(text, "bold")


def _fleet(fleet: Fleet, sections: Sequence[Section], page: ReportPage) -> Iterator[RenderableType]:
    apart = outliers(fleet.groups)
    groups = how_many(len(fleet.groups), "group")
    yield line(f"{how_many(fleet.count, 'host')} in {groups}; each group is reviewed once", "bold")
    yield from _sections(sections, page)
    for group in page.of(groups_worst_first(fleet), GROUPS_A_PAGE):
        yield from group_lines(group, apart.get(group.name))
    if fleet.waves:
        yield line()
        yield line("Order", "bold")
        yield from (_indented(wave) for wave in waves_in_words(fleet.waves))
    if fleet.troubles:
        yield line()
        yield line("No setting helps these (tunewiz health --facts FILE)", "bold")
        for kind, hosts in fleet.troubles.items():
            yield _indented(f"{kind}: {how_many(len(hosts), 'host')}: {some_of(hosts)}")
    if fleet.failed:
        yield line()
        yield line(f"Not planned ({len(fleet.failed)}): named on standard error", "bold")


def _sections(sections: Sequence[Section], page: ReportPage) -> Iterator[RenderableType]:
    for section in sections:
        rows = page.of(section.rows, ROWS_A_PAGE)
        if rows:
            yield line()
            yield line(f"{section.title} ({len(section.rows):,})", "bold")
            widths = [_CELLS.get(head, _CELL) for head in section.head]
            yield from _aligned([section.head, *rows] if all(section.head) else rows, widths, by=2)


def group_lines(group: HostGroup, apart: Apart | None) -> Iterator[RenderableType]:
    """One group."""
    yield line()
    yield line(f"{group.name}: {how_many(len(group.hosts), 'host')}", "bold")
    yield _indented(some_of([host.host for host in group.hosts]))
    if apart is not None:
        yield _indented(f"differs from {apart.nearest}:")
        yield from (_indented(difference, by=4) for difference in apart.differences)
    shown: tuple[State, ...] = ("change", "advise")
    for state in shown:
        rows = [_row(decision, group) for decision in group.decisions if decision.state == state]
        if rows:
            yield _indented(f"{STATES[state]} ({len(rows)})")
            yield from _aligned(rows)
    if not group.decisions:
        yield _indented("nothing to change")
    yield from _drifted(tuple(drift_in(group)))


def _row(decision: HostDecision, group: HostGroup) -> tuple[str, ...]:
    takes = TAKES[Effect(decision.takes)]
    today, then = of_hosts(group.today(decision)), of_hosts(group.values(decision))
    return decision.name, today, "->", then, takes, decision.decided


def waves_in_words(waves: Waves) -> Iterator[str]:
    """A line for each wave."""
    for number, wave in enumerate(waves, start=1):
        yield f"wave {number}: {some_of(wave)}"


def drift_in_words(drift: Drift) -> str:
    """One value that drifted."""
    others = f"{float(drift.share):.0%} of the group has {drift.most}"
    return f"{drift.host}: {drift.name} is {drift.found}; {others}"


def _drifted(results: tuple[Drift, ...]) -> Iterator[RenderableType]:
    if results:
        yield _indented(f"Values today that differ from those of most hosts ({len(results)})")
        yield from (_indented(drift_in_words(drift), by=4) for drift in results[:MOST_DRIFTED])
    if len(results) > MOST_DRIFTED:
        yield _indented(f"and {len(results) - MOST_DRIFTED} more", by=4)


def _aligned(
    rows: Iterable[tuple[str, ...]], widths: Sequence[int] = _ROW, by: int = 4
) -> Iterator[RenderableType]:
    """Columns of a fixed width: a value that changes moves no other row, and two reports compare well."""
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=False))
        yield _indented("  ".join(cells).rstrip(), by=by)


def _indented(text: str, by: int = 2) -> Padding:
    return Padding(line(text), (0, 0, 0, by))
