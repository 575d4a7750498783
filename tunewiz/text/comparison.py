"""A comparison for a person: of two plans, or of the plan with another generator."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import RenderableType
from rich.padding import Padding

from tunewiz.core.comparison.differences import Comparison
from tunewiz.core.comparison.input_words import input_in_words
from tunewiz.core.comparison.peer_differences import PeerComparison
from tunewiz.core.comparison.planned import PlannedItem
from tunewiz.core.values.plural import how_many
from tunewiz.text.report import line, printed


def comparison_text(comparison: Comparison) -> str:
    """Two plans side by side."""
    return printed(_comparison(comparison))


def peer_comparison_text(comparison: PeerComparison) -> str:
    """Another generator beside the plan."""
    return printed(_beside(comparison))


def _comparison(comparison: Comparison) -> Iterator[RenderableType]:
    yield line(f"A  {comparison.one.name}", "bold")
    yield line(f"B  {comparison.other.name}", "bold")
    if comparison.inputs:
        yield line()
        yield line("Made from", "bold")
        yield from _rows(
            (input_in_words(difference.key), difference.one, difference.other)
            for difference in comparison.inputs
        )
    if comparison.differences:
        yield line()
        yield line(f"{how_many(len(comparison.differences), 'difference')}", "bold")
        yield from _rows(
            (
                (difference.one.in_words.name, difference.one.outcome, difference.other.outcome)
                for difference in comparison.differences
            ),
            [difference.why for difference in comparison.differences],
        )
    yield from _only("A", comparison.only_one)
    yield from _only("B", comparison.only_other)
    yield line()
    yield line(f"The same in both: {how_many(comparison.same, 'recommendation')}")


def _only(side: str, items: Sequence[PlannedItem]) -> Iterator[RenderableType]:
    if items:
        yield line()
        yield line(f"Only in {side}, by another version of tunewiz", "bold")
        yield from _rows((item.in_words.name, item.outcome) for item in items)


def _beside(comparison: PeerComparison) -> Iterator[RenderableType]:
    peer = comparison.peer
    yield line(f"{peer.name} {peer.version} beside this plan", "bold")
    yield line(f"rules  {peer.url}")
    yield line(f"asked  {_asked(comparison)}")
    yield Padding(line(peer.about, "dim"), (0, 0, 0, 7))
    if comparison.differences:
        yield line()
        yield line(
            f"{how_many(len(comparison.differences), 'difference')}: the setting, {peer.name}, this plan",
            "bold",
        )
        yield from _rows(
            ((difference.setting, difference.peer, difference.plan) for difference in comparison.differences),
            [difference.why for difference in comparison.differences],
        )
    yield from _names("The same in both", comparison.same)
    yield from _names(f"Changed by this plan, not set by {peer.name}", comparison.unset)


def _names(title: str, names: Sequence[str]) -> Iterator[RenderableType]:
    if names:
        yield line()
        yield line(f"{title} ({len(names)})", "bold")
        yield Padding(line(", ".join(names)), (0, 0, 0, 2))


def _asked(comparison: PeerComparison) -> str:
    peer, machine = comparison.peer, comparison.asked
    storage = peer.storage.get(machine.storage, "")
    result = (
        machine.memory.short(),
        how_many(machine.processors, "processor"),
        how_many(machine.connections, "connection"),
        peer.workloads.get(machine.workload, ""),
        f"{storage} (assumed: not known here)" if storage and machine.storage_assumed else storage,
        f"PostgreSQL {machine.major}",
    )
    return ", ".join(part for part in result if part)


def _rows(rows: Iterable[tuple[str, ...]], reasons: Sequence[str] = ()) -> Iterator[RenderableType]:
    """Values in columns, and below each line its reason."""
    lines = list(rows)
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for place, row in enumerate(lines):
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield Padding(line("  ".join(cells).rstrip()), (0, 0, 0, 2))
        if reasons:
            yield Padding(line(reasons[place], "dim"), (0, 0, 0, 6))
