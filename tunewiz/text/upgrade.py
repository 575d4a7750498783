"""What an upgrade does to a server's settings, first what keeps the new one from starting."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from tunewiz.core.facts.facts import Facts
from tunewiz.core.recommendation.target_words import EMPTY
from tunewiz.core.upgrade.items import Upgrade, UpgradeItem
from tunewiz.core.values.known import known_or
from tunewiz.core.values.plural import how_many
from tunewiz.core.words.harmless import harmless
from tunewiz.text.report import line, paper_width, printed
from tunewiz.text.wrapping import hanging

LABEL = 10
"""Cells of a label before its text."""
INDENT = "  "


def upgrade_text(upgrade: Upgrade, facts: Facts) -> str:
    """The whole report."""
    width = paper_width()
    return printed(
        line(row.plain, str(row.style))
        for text in upgrade_lines(upgrade, facts)
        for row in hanging(text, width)
    )


def upgrade_lines(upgrade: Upgrade, facts: Facts) -> Iterator[Text]:
    """Head, groups in the order of their urgency, and the lines of a configuration that was put right."""
    yield from _head(upgrade, facts)
    for title, items in _groups(upgrade):
        if items:
            yield Text()
            yield Text(f"{title} ({len(items)})", style="bold")
        for item in items:
            yield from _item(item)
    yield Text()
    yield Text(_ending(upgrade))


def _head(upgrade: Upgrade, facts: Facts) -> Iterator[Text]:
    name = harmless(known_or(facts.host.name, "this server"))
    yield Text(f"{name}: from PostgreSQL {upgrade.old} to {upgrade.new}", style="bold")
    yield _labelled("settings", harmless(upgrade.how))


def _groups(upgrade: Upgrade) -> Iterator[tuple[str, Sequence[UpgradeItem]]]:
    items = upgrade.items
    calm = [item for item in items if not item.needs_hand]
    known = [item for item in calm if item.kind not in ("default", "new")]
    yield f"Keeps PostgreSQL {upgrade.new} from starting", [item for item in items if item.stops]
    yield (
        "Stops pg_upgrade, and the restore of a dump, at its statement",
        [item for item in items if item.stops_restore],
    )
    yield "Has another effect: look at it", [item for item in items if item.hand]
    yield "Taken, with something to know", known
    yield "Nobody set it, and its default changes", [item for item in calm if item.kind == "default"]
    planned = [item for item in calm if item.kind == "new"]
    yield f"Worth setting anew, by the plan for PostgreSQL {upgrade.new}", planned


def _item(item: UpgradeItem) -> Iterator[Text]:
    yield Text()
    yield Text(f"{INDENT}\t{harmless(f'{item.setting} = {item.value or EMPTY}')}")
    if item.place:
        yield _below("where", item.place)
    yield _below("why", item.because)
    if instead := _instead(item):
        yield _below("write", instead)
    if item.source:
        yield _below("source", item.source)


def _instead(item: UpgradeItem) -> str:
    """What to write in its place; that the line goes, where nothing else is to be written."""
    if item.instead:
        return ", ".join(f"{name} = {value}" for name, value in item.instead.items())
    if item.stops_restore:
        return "nothing: take the value back before the upgrade, by RESET"
    return "nothing: remove the line" if item.stops and item.kind == "removed" else ""


def _ending(upgrade: Upgrade) -> str:
    stops = sum(item.stops for item in upgrade.items)
    hand = sum(item.needs_hand for item in upgrade.items)
    if not hand:
        return f"PostgreSQL {upgrade.new} starts with these settings: nothing has to be done."
    start = f"{how_many(stops, 'setting')} would keep the new server from starting" if stops else ""
    rest = f"{how_many(hand - stops, 'setting')} {'more ' if stops else ''}to look at" if hand - stops else ""
    return f"{'; '.join(part for part in (start, rest) if part)}."


def _below(label: str, text: str) -> Text:
    return _labelled(f"{INDENT * 2}{label}", harmless(text))


def _labelled(label: str, text: str) -> Text:
    return Text.assemble((label.ljust(LABEL + len(INDENT) * label.startswith(INDENT)), "dim"), "\t", text)
