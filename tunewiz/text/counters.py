"""The server's own counters as bars: cache hits, writes, rollbacks, forced checkpoints."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from tunewiz.core.facts.server import Activity, PostgresServer, Window
from tunewiz.core.values.known import Fact, Known
from tunewiz.core.values.plural import in_millions
from tunewiz.core.values.units import Duration, in_words
from tunewiz.text.bars import bar

LABEL, NUMBER, BAR = 24, 8, 20
WHOLE = 100
MILLISECONDS = 1_000


def counters(server: PostgresServer) -> tuple[Text, ...]:
    """Title and bars; nothing if the server reported none of these counters."""
    match server.window, server.activity:
        case Known(value=window), _:
            seen = f"while it was watched, {in_words(Duration(MILLISECONDS * window.seconds))}"
            rows = tuple(_shares(window))
        case _, Known(value=activity):
            since = activity.since.value[:10] if isinstance(activity.since, Known) else "its last reset"
            seen, rows = f"since {since}", tuple(_shares(activity))
        case _:
            return ()
    return (Text(f"What this server counted {seen}:"), *rows) if rows else ()


def _shares(counted: Window | Activity) -> Iterator[Text]:
    yield from _share("blocks found in memory", counted.blocks_hit, counted.blocks_read)
    yield from _share("rows that were writes", counted.rows_written, counted.rows_read)
    yield from _share("rolled-back transactions", counted.rollbacks, counted.commits)
    yield from _share("forced checkpoints", counted.checkpoints_requested, counted.checkpoints_timed)


def _share(label: str, part: Fact[int], rest: Fact[int]) -> Iterator[Text]:
    if isinstance(part, Known) and isinstance(rest, Known) and part.value + rest.value > 0:
        whole = part.value + rest.value
        number = f"{WHOLE * part.value / whole:.1f} %".rjust(NUMBER)
        drawn = bar(part.value, whole, BAR).ljust(BAR)
        told = f" {label.ljust(LABEL)}{number}  {drawn}  of {in_millions(whole)}"
        yield Text(told, no_wrap=True, overflow="ellipsis")
