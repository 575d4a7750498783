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


def comparison_text(found: Comparison) -> str:
    """Two plans side by side."""
    return printed(_comparison(found))


def peer_comparison_text(found: PeerComparison) -> str:
    """Another generator beside the plan."""
    return printed(_beside(found))


def _comparison(found: Comparison) -> Iterator[RenderableType]:
    yield line(f"A  {found.one.name}", "bold")
    yield line(f"B  {found.other.name}", "bold")
    if found.inputs:
        yield line()
        yield line("Made from", "bold")
        yield from _rows((input_in_words(each.key), each.one, each.other) for each in found.inputs)
    if found.differences:
        yield line()
        yield line(f"{how_many(len(found.differences), 'difference')}", "bold")
        yield from _rows(
            ((each.one.in_words.name, each.one.outcome, each.other.outcome) for each in found.differences),
            [each.why for each in found.differences],
        )
    yield from _only("A", found.only_one)
    yield from _only("B", found.only_other)
    yield line()
    yield line(f"The same in both: {how_many(found.same, 'recommendation')}")


def _only(side: str, items: Sequence[PlannedItem]) -> Iterator[RenderableType]:
    if items:
        yield line()
        yield line(f"Only in {side}, by another version of tunewiz", "bold")
        yield from _rows((each.in_words.name, each.outcome) for each in items)


def _beside(found: PeerComparison) -> Iterator[RenderableType]:
    peer = found.peer
    yield line(f"{peer.name} {peer.version} beside this plan", "bold")
    yield line(f"rules  {peer.url}")
    yield line(f"asked  {_asked(found)}")
    yield Padding(line(peer.about, "dim"), (0, 0, 0, 7))
    if found.differences:
        yield line()
        yield line(
            f"{how_many(len(found.differences), 'difference')}: the setting, {peer.name}, this plan", "bold"
        )
        yield from _rows(
            ((each.setting, each.peer, each.plan) for each in found.differences),
            [each.why for each in found.differences],
        )
    yield from _names("The same in both", found.same)
    yield from _names(f"Changed by this plan, not set by {peer.name}", found.unset)


def _names(title: str, names: Sequence[str]) -> Iterator[RenderableType]:
    if names:
        yield line()
        yield line(f"{title} ({len(names)})", "bold")
        yield Padding(line(", ".join(names)), (0, 0, 0, 2))


def _asked(found: PeerComparison) -> str:
    peer, asked = found.peer, found.asked
    storage = peer.storage.get(asked.storage, "")
    told = (
        asked.memory.short(),
        how_many(asked.processors, "processor"),
        how_many(asked.connections, "connection"),
        peer.workloads.get(asked.workload, ""),
        f"{storage} (assumed: not known here)" if storage and asked.storage_assumed else storage,
        f"PostgreSQL {asked.major}",
    )
    return ", ".join(part for part in told if part)


def _rows(rows: Iterable[tuple[str, ...]], reasons: Sequence[str] = ()) -> Iterator[RenderableType]:
    """Values in columns, and below each line its reason."""
    lines = list(rows)
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for place, row in enumerate(lines):
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield Padding(line("  ".join(cells).rstrip()), (0, 0, 0, 2))
        if reasons:
            yield Padding(line(reasons[place], "dim"), (0, 0, 0, 6))
