"""The part of the server's page on which one sees the server being watched at work."""

from __future__ import annotations

from rich.text import Text

from tunewiz.core.facts_server import PostgresServer, Window
from tunewiz.core.known import Fact, Known
from tunewiz.core.recovery import in_words
from tunewiz.core.units import Bytes, Duration
from tunewiz.screens.widgets.lines import Lines

WATCH_SECONDS = 60
"""How long the wizard watches unless it is told to stop: the headless `--watch` takes any time."""
CELLS = 20
"""Of the progress bar."""
NOT_YET = f"w: watch the server at work for {WATCH_SECONDS} s; the plan then rests on what it does."


def can_be_watched(server: PostgresServer) -> bool:
    """Whether it runs and has answered."""
    return server.running and isinstance(server.activity, Known)


class Watching(Lines):
    """How far it is, then what was seen."""

    def __init__(self) -> None:
        super().__init__(NOT_YET, id="watching", classes="heading")

    def show_progress(self, passed: float) -> None:
        """So many seconds are over."""
        done = min(CELLS, int(CELLS * passed / WATCH_SECONDS))
        bar = "█" * done + "░" * (CELLS - done)
        words = f" {passed:.0f} of {WATCH_SECONDS} s   w: long enough   k: skip"
        self.write(Text.assemble("Watching the server at work ", (bar, "bold"), words))

    def show_skipped(self) -> None:
        """Nothing is to come of it."""
        self.write(f"It was not watched. {NOT_YET}")

    def show_seen(self, seen: Fact[Window]) -> None:
        """What it did, or why that is not known."""
        match seen:
            case Known(value=window):
                self.write(f"{seen_in_words(window)} (w: again)")
            case unknown:
                self.write(f"It could not be watched: {unknown.why} (w: again)")


def seen_in_words(window: Window) -> str:
    """What was seen, in a line."""
    counts = (
        ("transactions", window.commits),
        ("rows written", window.rows_written),
        ("temporary files", window.temp_files),
        ("sessions at the most", window.connections_peak),
    )
    parts = [f"{fact.value:,} {name}" for name, fact in counts if isinstance(fact, Known)]
    if isinstance(window.wal_bytes, Known):
        parts.append(f"{Bytes(window.wal_bytes.value).human()} of WAL")
    if isinstance(window.checkpoints_timed, Known) and isinstance(window.checkpoints_requested, Known):
        forced, timed = window.checkpoints_requested.value, window.checkpoints_timed.value
        parts.append(f"{forced + timed:,} checkpoints, {forced:,} of them forced")
    time = in_words(Duration(1_000 * window.seconds))
    return f"Watched at work for {time}: {', '.join(parts) or 'it told nothing'}."
