"""Text about a server that was watched at work: for its page and for `--plain`."""

from __future__ import annotations

from tunewiz.core.facts.server import PostgresServer, Window
from tunewiz.core.health.waits import waits_in_words
from tunewiz.core.values.known import Known, Unknown, known_or
from tunewiz.core.values.plural import how_many, in_millions, with_share
from tunewiz.core.values.units import Bytes, Duration, in_words

WATCH_SECONDS = 60
"""How long the wizard watches unless stopped; the headless `--watch` accepts any time."""


def can_be_watched(server: PostgresServer) -> bool:
    """Whether it is running and has answered."""
    return server.running and isinstance(server.activity, Known)


def why_not_watched(server: PostgresServer) -> str:
    """Why it cannot be watched."""
    if not server.running:
        return "it is not running"
    return server.activity.why if isinstance(server.activity, Unknown) else "it reports no activity"


def seen_in_words(window: Window) -> str:
    """What was seen, in a line."""
    counts = (
        ("transactions", window.commits),
        ("rows written", window.rows_written),
        ("temporary files", window.temp_files),
        ("sessions at most", window.connections_peak),
    )
    parts = [f"{in_millions(fact.value)} {name}" for name, fact in counts if isinstance(fact, Known)]
    if isinstance(window.wal_bytes, Known):
        parts.append(f"{Bytes(window.wal_bytes.value).human()} of WAL")
    if isinstance(window.checkpoints_timed, Known) and isinstance(window.checkpoints_requested, Known):
        forced, timed = window.checkpoints_requested.value, window.checkpoints_timed.value
        parts.append(with_share(forced + timed, "checkpoint", forced, "forced"))
    time = in_words(Duration(1_000 * window.seconds))
    samples = how_many(window.samples, "sample")
    counted = f"Watched at work for {time}: {', '.join(parts) or 'no data'} ({samples})."
    waits = known_or(window.waits, None)
    return counted if waits is None else f"{counted} {waits_in_words(waits)}."


def not_watched(why: Unknown) -> str:
    """Why nothing was seen."""
    return f"It could not be watched: {why.why}"
