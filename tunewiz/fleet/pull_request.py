"""A fleet's plan or drift as Markdown for a pull request: whatever a host or a person wrote is only shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tunewiz.bundle.review.markdown import code
from tunewiz.core.fleet.fleet import Fleet
from tunewiz.core.fleet.groups import HostGroup
from tunewiz.core.fleet.history import SinceLast
from tunewiz.core.fleet.remarks import some_of
from tunewiz.core.fleet.sections import (
    GROUPS_A_PAGE,
    ROWS_A_PAGE,
    ReportPage,
    Section,
    check_page,
    decision_cells,
    drift_pages,
    drift_sections,
    drift_title,
    groups_worst_first,
    plan_pages,
    plan_sections,
)
from tunewiz.core.values.plural import how_many

_HEAD = ("setting", "today", "planned", "takes effect", "decided")


def plan_markdown(fleet: Fleet, page: ReportPage) -> str:
    """The plan, or a page of it; raises UsageError for a page beyond the last."""
    sections = (*plan_sections(fleet), *_left_out(fleet))
    pages = plan_pages(fleet, sections)
    check_page(page, pages)
    return _joined((*_plan(fleet, sections, page), page.in_words(pages)))


def drift_markdown(fleet: Fleet, since: SinceLast, page: ReportPage) -> str:
    """What changed since the last collection, or a page of it; raises UsageError as above."""
    sections = drift_sections(fleet, since)
    pages = drift_pages(sections)
    check_page(page, pages)
    head = ("# tunewiz: drift", f"{drift_title(since)}.")
    return _joined((*head, *_sections(sections, page), page.in_words(pages)))


def _joined(blocks: Iterable[str]) -> str:
    return "\n\n".join(block for block in blocks if block) + "\n"


def _plan(fleet: Fleet, sections: Sequence[Section], page: ReportPage) -> Iterator[str]:
    groups = how_many(len(fleet.groups), "group")
    failed = f"; {how_many(len(fleet.failed), 'host')} not planned" if fleet.failed else ""
    yield "# tunewiz: plan"
    yield f"{how_many(fleet.count, 'host')} in {groups}{failed}."
    yield from _sections(sections, page)
    for group in page.of(groups_worst_first(fleet), GROUPS_A_PAGE):
        yield from _group(group)


def _left_out(fleet: Fleet) -> Iterator[Section]:
    """Hosts without a plan, and answers without a host."""
    if fleet.failed:
        failed = tuple((failure.host, failure.why) for failure in fleet.failed)
        yield Section(title="Not planned", head=("host", "why"), rows=failed)
    if fleet.messages:
        messages = tuple((text,) for text in fleet.messages)
        yield Section(title="Answers for no host", head=("file",), rows=messages)


def _group(group: HostGroup) -> Iterator[str]:
    yield f"## {group.name}: {how_many(len(group.hosts), 'host')}"
    yield code(some_of([host.host for host in group.hosts]))
    for state, title in (("change", "To change:"), ("advise", "For you to decide:")):
        rows = tuple(cells for of_state, cells in decision_cells(group) if of_state == state)
        if rows:
            yield title
            yield _table(_HEAD, rows)
    if not group.decisions:
        yield "Nothing to change."


def _sections(sections: Sequence[Section], page: ReportPage) -> Iterator[str]:
    for section in sections:
        rows = page.of(section.rows, ROWS_A_PAGE)
        if rows:
            yield f"## {section.title} ({len(section.rows):,})"
            yield _table(section.head, rows)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Every cell is code: no name in it mentions a person, opens a link or draws a picture.

    Cells are not padded: a value that changes moves no other row.
    """
    cells = ([code(cell) if cell else "" for cell in row] for row in rows)
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *cells))
