"""Samples of a server, charted over the days they were recorded, with its busiest hour."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from textwrap import wrap
from typing import assert_never

from tunewiz.core.facts.history import Hour, Kept, ServerHistory
from tunewiz.core.health.waits import waits_in_words
from tunewiz.core.values.plural import how_many, in_millions
from tunewiz.core.values.units import Bytes, Duration, in_words
from tunewiz.text.bars import sparkline

LABEL = 18
COLUMNS = 80
NAMES: dict[Kept, str] = {
    "commits": "transactions",
    "wal_bytes": "WAL",
    "checkpoints": "checkpoints",
    "hits": "found in memory",
    "temp_bytes": "temporary files",
    "connections": "sessions",
}
_MILLISECONDS = 1_000


def history_text(history: ServerHistory, place: str) -> str:
    """Everything, for a terminal of 80 columns."""
    return "".join(f"{line}\n" for line in _text(history, place))


def _text(history: ServerHistory, place: str) -> Iterator[str]:
    yield f"{history.directory}, {_time(history.begin)} to {_time(history.end)} UTC"
    yield f"{place}: {how_many(history.looks, 'sample')}, one every {_long(history.every)}{_but(history)}"
    yield ""
    cells = max((len(line.values) for line in history.lines), default=0)
    for line in history.lines:
        known = [value for value in line.values if value is not None]
        drawn = sparkline(line.values, cells) if known else "not known"
        remark = _remark(line.counted, known) if known else ""
        yield f" {NAMES[line.counted].ljust(LABEL)}{drawn.ljust(cells)}  {remark}".rstrip()
    if history.busiest is not None:
        yield f" {'busiest hour'.ljust(LABEL)}{_marked(history.busiest)}"
        yield ""
        yield _busiest(history.busiest)
    if history.waits is not None:
        yield ""
        yield from wrap(f"{waits_in_words(history.waits)}.", COLUMNS)


def _but(history: ServerHistory) -> str:
    """Interruptions and damage."""
    counted = (
        (history.restarts, "restart"),
        (history.resets, "reset of statistics"),
        (history.gaps, "gap"),
        (history.damaged, "damaged sample"),
    )
    result = [_how_many(number, noun) for number, noun in counted if number]
    return f"; {', '.join(result)}" if result else ""


def _how_many(number: int, noun: str) -> str:
    first, of, rest = noun.partition(" of ")
    return f"{how_many(number, first)}{of}{rest}"


def _marked(hour: Hour) -> str:
    return " " * hour.parts.start + "^" * len(hour.parts)


def _busiest(hour: Hour) -> str:
    return f"The busiest {_long(hour.seconds)}: {hour.when}. `tunewiz facts` bases the plan on it."


def _remark(counted: Kept, values: list[int]) -> str:
    most = max(values)
    match counted:
        case "commits":
            return f"up to {in_millions(most)} a second"
        case "wal_bytes" | "temp_bytes":
            return f"up to {Bytes(most).human()}/s" if most else "none"
        case "checkpoints":
            return f"{sum(values):,} in all"
        case "hits":
            return f"{min(values)} to {most} %"
        case "connections":
            return f"{min(values):,} to {most:,}"
        case _:
            assert_never(counted)


def _time(milliseconds: int) -> str:
    return f"{datetime.fromtimestamp(milliseconds / _MILLISECONDS, UTC):%Y-%m-%d %H:%M}"


def _long(seconds: int) -> str:
    return in_words(Duration(_MILLISECONDS * seconds))
