"""The rows of the pages about many hosts: the groups, and what differs within one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from tunewiz.core.fleet.fleet import Fleet
from tunewiz.core.fleet.groups import Apart, HostGroup
from tunewiz.core.fleet.hosts import FailedHost
from tunewiz.core.fleet.remarks import some_of
from tunewiz.core.fleet.summary import GroupSummary, NotApart
from tunewiz.core.values.cut import cut
from tunewiz.core.values.plural import how_many
from tunewiz.core.words.harmless import harmless
from tunewiz.fleet.open_fleet import OpenFleet, Since
from tunewiz.text.fleet import drift_in_words
from tunewiz.text.fleet_resumed import RESUMED, since_in_words
from tunewiz.text.rollout import HOST
from tunewiz.text.row import Row

GROUP, FAILED, UNUSED, SINCE = "group ", "failed ", "unused ", "since "
"""Prefixes of the rows' keys."""
_NAME, _COUNT = 12, 9
_HEADS = ("hosts", "change", "advice", "differ", "drift", "restarts")
_GAP = 2
MAX_SHOWN = 3
"""Drifted values, or differences from a larger group, that fit below the list."""


def groups_heading() -> Text:
    """Above the groups."""
    cells = "".join(f"{head:>{_COUNT}}" for head in _HEADS)
    return Text(f" {'group':<{_NAME}}{cells}", style="dim", no_wrap=True)


def fleet_in_words(fleet: Fleet) -> str:
    """How many hosts and groups there are."""
    failed = f" · {how_many(len(fleet.failed), 'host')} not planned" if fleet.failed else ""
    return f"{how_many(fleet.count, 'host')} in {how_many(len(fleet.groups), 'group')}{failed}"


def fleet_rows(opened: OpenFleet, results: Sequence[GroupSummary]) -> Iterator[Row]:
    """Groups, then what changed since they were saved, then hosts without a plan and answers for no host."""
    fleet = opened.fleet
    for summary in results:
        yield Row(key=f"{GROUP}{summary.group.name}", text=_group(summary))
    changed = tuple(since_in_words(opened.since))
    if changed:
        yield Row(text=Text(RESUMED, style="bold"))
    for number, words in enumerate(changed):
        yield Row(key=f"{SINCE}{number}", text=Text.assemble(("! ", "bold red"), words))
    if fleet.failed:
        yield Row(text=Text(f"Not planned ({len(fleet.failed):,})", style="bold"))
    for number, failed in enumerate(fleet.failed):
        text = Text.assemble(
            ("! ", "bold red"), f"{cut(harmless(failed.host), HOST):<{HOST}}  ", harmless(failed.why)
        )
        yield Row(key=f"{FAILED}{number}", text=text)
    if fleet.unused:
        yield Row(text=Text("Answers for no host", style="bold"))
    for number, why in enumerate(fleet.unused):
        yield Row(key=f"{UNUSED}{number}", text=Text.assemble(("! ", "bold red"), harmless(why)))


def _group(summary: GroupSummary) -> Text:
    numbers = (
        *(len(summary.group.hosts), summary.changes, summary.advice),
        *(len(summary.differs), len(summary.drift), summary.restarts),
    )
    cells = "".join(f"{number:>{_COUNT},}" for number in numbers)
    odd = "" if isinstance(summary.apart, NotApart) else "  outlier"
    return Text.assemble((f"{summary.group.name:<{_NAME}}", "bold"), cells, (odd, "yellow"))


def about_group(summary: GroupSummary) -> Iterator[Text]:
    """What the hosts have in common, and what differs."""
    group = summary.group
    alike = len(group.decisions) - len(summary.differs)
    yield _labelled("hosts", some_of([host.host for host in group.hosts]))
    yield _labelled("alike", f"PostgreSQL {group.major}; {how_many(alike, 'decision')} without differences")
    if summary.differs:
        yield _labelled("differ", some_of(summary.differs))
    match summary.apart:
        case Apart(nearest=nearest, differences=differences):
            yield _labelled("outlier", f"unlike {nearest}: {_first(differences, MAX_SHOWN)}")
        case NotApart():
            pass
    if summary.drift:
        yield _labelled("drift", _first([drift_in_words(drift) for drift in summary.drift], 1))


def _first(texts: Sequence[str], most: int) -> str:
    more = f"; and {len(texts) - most} more" if len(texts) > most else ""
    return f"{'; '.join(texts[:most])}{more}"


def about_failed(failed: FailedHost) -> Iterator[Text]:
    """Why there is no plan for a host, in full."""
    yield _labelled("host", harmless(failed.host))
    yield _labelled("file", harmless(failed.source))
    yield _labelled("why", harmless(failed.why))


def about_since(since: Since, number: int) -> Iterator[Text]:
    """One change since the session was saved, in full."""
    yield _labelled("since", tuple(since_in_words(since))[number])


class DifferenceTable:
    """What differs within a group: a row for each host, and as many columns as fit."""

    def __init__(self, group: HostGroup) -> None:
        self._hosts = tuple(host.host for host in group.hosts)
        self._columns = tuple((decision.name, values) for decision, values in group.differs.items())
        self._widths = tuple(max(len(name), *map(len, values)) for name, values in self._columns)

    @property
    def count(self) -> int:
        """Columns."""
        return len(self._columns)

    def _shown(self, first: int, width: int) -> range:
        """The columns that fit; at least one."""
        room, last = width - HOST - 1, first
        while last < self.count and (room := room - _GAP - self._widths[last]) >= 0:
            last += 1
        return range(first, max(last, min(first + 1, self.count)))

    def last_first(self, width: int) -> int:
        """The first column from which the rest fit."""
        return next(at for at in range(self.count + 1) if self._shown(at, width).stop == self.count)

    def heading(self, first: int, width: int) -> Text:
        """The names of the columns."""
        cells = (f"{self._columns[at][0]:>{self._widths[at] + _GAP}}" for at in self._shown(first, width))
        return Text(f" {'host':<{HOST}}{''.join(cells)}", style="dim", no_wrap=True)

    def rows(self, first: int, width: int) -> Iterator[Row]:
        """A row for each host."""
        shown = self._shown(first, width)
        for number, host in enumerate(self._hosts):
            cells = (f"{self._columns[at][1][number]:>{self._widths[at] + _GAP}}" for at in shown)
            yield Row(key=host, text=Text(f"{cut(host, HOST):<{HOST}}{''.join(cells)}"), lit=HOST)

    def in_words(self, first: int, width: int) -> str:
        """Which columns are shown."""
        shown = self._shown(first, width)
        return f"columns {shown.start + 1} to {shown.stop} of {self.count}" if self.count else ""


def _labelled(label: str, words: str) -> Text:
    return Text.assemble((f"{label:<8}", "bold"), "\t", words)
