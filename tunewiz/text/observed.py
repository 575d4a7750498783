"""What was observed of a live server before and after a change, for the command, the page and `--plain`."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator

from rich.text import Text

from tunewiz.core.comparison.found_windows import WindowsFound
from tunewiz.core.comparison.live import NotCompared
from tunewiz.core.comparison.sightings import HOW
from tunewiz.core.proof.proof import Proof
from tunewiz.core.words.harmless import harmless
from tunewiz.core.words.proof import proof_lines

LABEL = 10
QUESTION = "What was observed before and after the change?"
SIDES = {
    "before": "Facts with a watched window from before the change, or a directory of them.",
    "after": "The same from after the change: the same hours of the week.",
}
_NOT_NAMED = "not named yet"


def compared_lines(entry: Proof | NotCompared) -> Iterator[str]:
    """The result, or why the two sides are not compared; a query in it may contain anything."""
    if isinstance(entry, NotCompared):
        yield "refused:"
        yield from (f"  {harmless(reason)}" for reason in entry.reasons)
    else:
        yield from map(harmless, proof_lines(entry))


def compare_command(before: str, after: str) -> str:
    """The command that prints the same."""
    return f"tunewiz prove compare {shlex.quote(before)} {shlex.quote(after)}"


def side_rows(before: str, after: str, windows: WindowsFound) -> Iterator[Text]:
    """What is compared, each with the time of its window if it is one of those found."""
    words = {window.file: f", {window.words}" for window in windows.windows}
    for label, file in (("before", before), ("after", after)):
        yield _row(label, f"{file}{words.get(file, '')}" if file else _NOT_NAMED)
    if before and after:
        yield _row("command", compare_command(before, after))


def window_rows(windows: WindowsFound) -> Iterator[Text]:
    """The windows that were found, and how to record one where one is missing."""
    if windows.windows:
        yield Text("Windows of this server, in the bundle's facts and in this directory:", style="bold")
    yield from (Text(f"  {harmless(window.file)}  {window.words}") for window in windows.windows)
    yield from (
        Text(f"  {harmless(omission.what)}: {harmless(omission.why)}") for omission in windows.left_out
    )
    if not windows.windows:
        yield Text("No watched window of this server is in the bundle's facts or in this directory.")
    if not windows.after:
        yield Text(f"{HOW}, at the same hour of the week as before the change.")


def result_rows(lines: Iterable[str]) -> Iterator[Text]:
    """A result; its first line is what counts."""
    first, *rest = lines
    yield Text(first, style="bold")
    yield from map(Text, rest)


def _row(label: str, text: str) -> Text:
    return Text.assemble((label.ljust(LABEL), "bold"), "\t", harmless(text))
