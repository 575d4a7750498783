"""What is said of a fleet before its groups, and of its drift: tables with a title, a page at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from math import ceil
from typing import TypeAlias, TypeVar

from tunewiz.core.fleet.concerns import HostConcerns, worrying
from tunewiz.core.fleet.fleet import Fleet
from tunewiz.core.fleet.groups import HostGroup, drift_in
from tunewiz.core.fleet.history import FIRST, CollectionHead, SinceLast
from tunewiz.core.fleet.remarks import AGAINST_PLAN, of_hosts, some_of
from tunewiz.core.recommendation.targets import Effect
from tunewiz.core.values.errors import UsageError
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.record import dataclass
from tunewiz.core.words.finding import TAKES

Entry = TypeVar("Entry")
Cells: TypeAlias = tuple[str, ...]
GROUPS_A_PAGE = 5
ROWS_A_PAGE = 25


@dataclass(frozen=True, kw_only=True, slots=True)
class Section:
    """A table."""

    title: str
    head: Cells
    rows: tuple[Cells, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ReportPage:
    """The part of a report that is shown."""

    number: int
    """From 1; 0 for all of it."""

    def of(self, entries: Sequence[Entry], size: int) -> Sequence[Entry]:
        """Those of this page."""
        first = (self.number - 1) * size
        return entries[first : first + size] if self.number else entries

    def in_words(self, pages: int) -> str:
        """Which page it is, and how to see the others; empty where there is only one."""
        if self.number == 0 or pages == 1:
            return ""
        return f"Page {self.number} of {pages}: --page N shows another, --all everything"


WHOLE = ReportPage(number=0)


def check_page(page: ReportPage, pages: int) -> None:
    """Raises UsageError for a page beyond the last."""
    if page.number > pages:
        raise UsageError(f"--page: found {page.number}, expected at most {pages}")


def plan_pages(fleet: Fleet, sections: Sequence[Section]) -> int:
    """How many pages there are of a fleet's plan."""
    return max(drift_pages(sections), ceil(len(fleet.groups) / GROUPS_A_PAGE))


def drift_pages(sections: Sequence[Section]) -> int:
    """How many pages there are of tables; at least one."""
    return max(1, *(ceil(len(section.rows) / ROWS_A_PAGE) for section in sections), 0)


def groups_worst_first(fleet: Fleet) -> tuple[HostGroup, ...]:
    """Those with the worst host first; groups without a concern as they are, the largest first."""
    worst = dict[str, tuple[int, ...]]()
    for concerns in worrying(fleet):
        worst.setdefault(concerns.group, concerns.weight)
    none = (0,) * 5
    return tuple(sorted(fleet.groups, key=lambda group: [-count for count in worst.get(group.name, none)]))


def plan_sections(fleet: Fleet) -> tuple[Section, ...]:
    """Rules that are not kept, and hosts to look at; those without rows are left out."""
    hosts = worrying(fleet)
    return tuple(_with_rows(_rules(fleet), _hosts(hosts), _groups(fleet)))


def _with_rows(*sections: Section) -> Iterator[Section]:
    return (section for section in sections if section.rows)


def _rules(fleet: Fleet) -> Section:
    rows = tuple(
        (
            violation.rule.demands[0],
            f"expired on {violation.rule.until}"
            if violation.kind == "expired"
            else f"not kept on {how_many(len(violation.hosts), 'host')}: {some_of(violation.hosts)}",
            f"{violation.rule.reason} ({violation.rule.owner})",
        )
        for violation in fleet.violations
    )
    return Section(
        title="Rules of the shop that are not kept", head=("rule", "", "reason and owner"), rows=rows
    )


def _hosts(hosts: Sequence[HostConcerns]) -> Section:
    rows = tuple((concerns.plan.host, concerns.group, concerns_in_words(concerns)) for concerns in hosts)
    return Section(title="Hosts to look at, the worst first", head=("host", "group", "why"), rows=rows)


def _groups(fleet: Fleet) -> Section:
    """All groups at a glance, where they fill more than a page."""
    groups = groups_worst_first(fleet) if len(fleet.groups) > GROUPS_A_PAGE else ()
    rows = tuple(
        (
            group.name,
            *(
                f"{number:,}"
                for number in (
                    len(group.hosts),
                    sum(decision.state == "change" for decision in group.decisions),
                    sum(decision.state == "advise" for decision in group.decisions),
                    len(group.differs),
                    sum(1 for _ in drift_in(group)),
                    sum(host.restart for host in group.hosts),
                )
            ),
        )
        for group in groups
    )
    head = ("group", "hosts", "changes", "to decide", "differ", "drift", "restarts")
    return Section(title="Groups, the worst first", head=head, rows=rows)


def concerns_in_words(concerns: HostConcerns) -> str:
    """What is wrong with a host, counted, and named where it is little."""
    return "; ".join(_concerns(concerns))


def _concerns(concerns: HostConcerns) -> Iterator[str]:
    plan = concerns.plan
    if plan.broken:
        yield f"breaks {some_of([demand for demand, _ in plan.broken])}"
    if plan.against:
        yield f"today against {some_of([f'{demand} ({value})' for demand, value in plan.against])}"
    if concerns.changed:
        names = [f"{change.name} {change.before} -> {change.after}" for change in concerns.changed]
        yield f"changed: {some_of(names)}"
    if concerns.drift:
        yield f"unlike its group: {some_of([f'{drift.name} {drift.found}' for drift in concerns.drift])}"
    if plan.troubles:
        yield f"no setting helps: {some_of(plan.troubles)}"
    if concerns.outlier:
        yield "few hosts are planned like it"


def drift_sections(fleet: Fleet, since: SinceLast) -> tuple[Section, ...]:
    """What changed since the last collection, the worst first; those without rows are left out."""
    hosts = sorted((host for group in fleet.groups for host in group.hosts), key=lambda host: host.host)
    changed = tuple(
        (change.host, change.name, change.before, change.after, AGAINST_PLAN[change.against_plan])
        for change in sorted(since.changed, key=lambda change: not change.is_drift)
    )
    against = tuple((host.host, demand, value) for host in hosts for demand, value in host.against)
    replanned = tuple(
        (change.host, change.name, change.value, change.planned_before or "-", change.planned or "-")
        for change in since.replanned
    )
    return tuple(
        _with_rows(
            _rules(fleet),
            Section(title="Values that break a rule today", head=("host", "rule", "today"), rows=against),
            Section(
                title="Values that changed",
                head=("host", "setting", "before", "today", "against the plan"),
                rows=changed,
            ),
            Section(title="Hosts", head=("host", ""), rows=tuple(_moved(since))),
            Section(
                title="Planned otherwise, though the value is as it was",
                head=("host", "setting", "today", "planned before", "planned today"),
                rows=replanned,
            ),
            _trend(since.trend),
        )
    )


def _moved(since: SinceLast) -> Iterator[Cells]:
    yield from ((host, "has no facts any more") for host in since.gone)
    yield from ((host, "cannot be planned any more") for host in since.lost)
    for unread in since.unread:
        count = how_many(len(unread.names), "value")
        yield unread.host, f"{count} cannot be read any more: {some_of(unread.names)}"
    yield from ((change.host, f"keeps {change.rule} again") for change in since.mended)
    yield from ((host, "is new") for host in since.new)


def _trend(heads: Sequence[CollectionHead]) -> Section:
    """A line for each collection, the newest first."""
    rows = tuple(
        (
            moment(head.at),
            *(f"{number:,}" for number in (head.counts.hosts, head.counts.failed)),
            *(f"{number:,}" for number in (head.counts.changed, head.counts.off_plan, head.counts.against)),
        )
        for head in reversed(heads)
    )
    head = ("recorded", "hosts", "not planned", "changed", "off the plan", "against rules")
    return Section(title="Collections", head=head, rows=rows)


def moment(at: int) -> str:
    """A time that is the same on every machine.

    >>> moment(0)
    '1970-01-01 00:00 UTC'
    """
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M} UTC"


def drift_title(since: SinceLast) -> str:
    """What is compared."""
    if since.last == FIRST.last:
        return "The first collection: nothing to compare with yet"
    drifted, changed = len(since.drifted), len(since.changed)
    applied = f", {changed - drifted:,} more as planned" if changed > drifted else ""
    when = moment(since.last[0].at)
    return f"Since {when}: {how_many(drifted, 'value')} changed that no plan asked for{applied}"


def decision_cells(group: HostGroup) -> Iterator[tuple[str, Cells]]:
    """The state of each decision of a group, and its cells: setting, today, planned, how it takes effect."""
    for decision in group.decisions:
        today, then = of_hosts(group.today(decision)), of_hosts(group.values(decision))
        yield decision.state, (decision.name, today, then, TAKES[Effect(decision.takes)], decision.decided)
