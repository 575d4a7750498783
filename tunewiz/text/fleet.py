"""A fleet for a person: groups with their decisions and differences, drift, and hosts without a plan."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import RenderableType
from rich.padding import Padding

from tunewiz.core.fleet.fleet import Fleet
from tunewiz.core.fleet.groups import Apart, Drift, HostGroup, drift_in, outliers
from tunewiz.core.fleet.hosts import HostDecision
from tunewiz.core.fleet.waves import Waves
from tunewiz.core.planning.finding import State
from tunewiz.core.recommendation.targets import Effect
from tunewiz.core.values.plural import how_many
from tunewiz.core.words.finding import STATES, TAKES
from tunewiz.text.report import line, printed, usual_width

MOST_NAMES = 3
"""Most hosts to name; groups.json lists all."""
MOST_DRIFTED = 10
"""Most drifted values to show of a group; groups.json lists all."""

WIDEST_CELL = 28
"""Longer ones move their own row alone."""


def fleet_text(fleet: Fleet) -> str:
    """The whole report."""
    return printed(_fleet(fleet))


def _fleet(fleet: Fleet) -> Iterator[RenderableType]:
    apart = outliers(fleet.groups)
    groups = how_many(len(fleet.groups), "group")
    yield line(f"{how_many(fleet.count, 'host')} in {groups}; each group is reviewed once", "bold")
    for group in fleet.groups:
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


def of_hosts(values: Sequence[str]) -> str:
    """The different values of a group's hosts, in words.

    >>> of_hosts(["4GB"]), of_hosts(["1GB", "2GB"]), of_hosts(["1GB", "2GB", "4GB", "8GB"])
    ('4GB', '1GB or 2GB by host', '4 values by host')
    """
    if len(values) == 1:
        return values[0]
    if len(values) <= MOST_NAMES:
        return f"{', '.join(values[:-1])} or {values[-1]} by host"
    return f"{how_many(len(values), 'value')} by host"


def some_of(names: Sequence[str]) -> str:
    """A few names, and how many more there are."""
    rest = len(names) - MOST_NAMES
    text = ", ".join(names[:MOST_NAMES])
    return f"{text} and {how_many(rest, 'other')}" if rest > 0 else text


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


def _aligned(rows: Iterable[tuple[str, ...]]) -> Iterator[RenderableType]:
    kept = tuple(rows)
    widths = [usual_width(column, WIDEST_CELL) for column in zip(*kept, strict=True)]
    for row in kept:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield _indented("  ".join(cells).rstrip(), by=4)


def _indented(text: str, by: int = 2) -> Padding:
    return Padding(line(text), (0, 0, 0, by))
