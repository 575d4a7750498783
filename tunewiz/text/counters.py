"""The server's own counters: shares as bars, and how they went while it was watched as curves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import assert_never

from rich.text import Text

from tunewiz.core.facts.server import Activity, Curve, Curved, PostgresServer, Window
from tunewiz.core.health.waits import sampled_waits, shares_of
from tunewiz.core.values.known import Fact, Known, known_or
from tunewiz.core.values.plural import in_millions
from tunewiz.core.values.units import Bytes, Duration, in_words
from tunewiz.text.bars import bar, sparkline

LABEL, NUMBER, BAR = 24, 8, 20
CURVE = 22
"""Cells of a curve, which leave room for the words after it in 80."""
NAMES: Mapping[Curved, str] = MappingProxyType(
    {
        "commits": "transactions",
        "rollbacks": "rolled-back transactions",
        "rows_written": "rows written",
        "temp_bytes": "temporary files",
        "wal_bytes": "WAL",
        "checkpoints": "checkpoints",
        "connections": "sessions",
    }
)
WHOLE = 100
MILLISECONDS = 1_000


def counters(server: PostgresServer) -> tuple[Text, ...]:
    """Title and bars; nothing if the server reported none of these counters."""
    match server.window, server.activity:
        case Known(value=window), _:
            observation = f"while it was watched, {in_words(Duration(MILLISECONDS * window.seconds))}"
            rows = (*_shares(window), *_curves(window), *_waits(server))
        case _, Known(value=activity):
            since = activity.since.value[:10] if isinstance(activity.since, Known) else "its last reset"
            observation, rows = f"since {since}", tuple(_shares(activity))
        case _:
            return ()
    return (Text(f"What this server counted {observation}:"), *rows) if rows else ()


def _shares(counted: Window | Activity) -> Iterator[Text]:
    yield from _share("blocks found in memory", counted.blocks_hit, counted.blocks_read)
    yield from _share("rows that were writes", counted.rows_written, counted.rows_read)
    yield from _share("rolled-back transactions", counted.rollbacks, counted.commits)
    yield from _share("forced checkpoints", counted.checkpoints_requested, counted.checkpoints_timed)


def _waits(server: PostgresServer) -> Iterator[Text]:
    """What active sessions waited for, if it was sampled."""
    waits = known_or(sampled_waits(server), None)
    shares = () if waits is None else shares_of(waits)
    whole = sum(share.count for share in shares)
    for share in shares:
        label = "at work" if share.kind == "CPU" else f"waits: {share.kind}"
        number = f"{WHOLE * share.count / whole:.1f} %".rjust(NUMBER)
        drawn = bar(share.count, whole, BAR).ljust(BAR)
        text = f" {label.ljust(LABEL)}{number}  {drawn}  of active time"
        yield Text(text, no_wrap=True, overflow="ellipsis")


def _curves(window: Window) -> Iterator[Text]:
    for curve in window.curves:
        if most := max(curve.values):
            drawn = sparkline(curve.values, CURVE).ljust(CURVE)
            text = f" {NAMES[curve.counted].ljust(LABEL)}  {drawn}  {_at_most(curve, window, most)}"
            yield Text(text, no_wrap=True, overflow="ellipsis")


def _at_most(curve: Curve, window: Window, most: int) -> str:
    match curve.counted:
        case "wal_bytes" | "temp_bytes":
            return f"up to {Bytes(most).human()} a second"
        case "commits" | "rollbacks" | "rows_written":
            return f"up to {in_millions(most)} a second"
        case "connections":
            return f"{min(curve.values):,} to {most:,} at once"
        case "checkpoints":
            made = (window.checkpoints_timed, window.checkpoints_requested)
            return f"{sum(fact.value for fact in made if isinstance(fact, Known)):,} in all"
        case _:
            assert_never(curve.counted)


def _share(label: str, part: Fact[int], rest: Fact[int]) -> Iterator[Text]:
    if isinstance(part, Known) and isinstance(rest, Known) and part.value + rest.value > 0:
        whole = part.value + rest.value
        number = f"{WHOLE * part.value / whole:.1f} %".rjust(NUMBER)
        drawn = bar(part.value, whole, BAR).ljust(BAR)
        text = f" {label.ljust(LABEL)}{number}  {drawn}  of {in_millions(whole)}"
        yield Text(text, no_wrap=True, overflow="ellipsis")
