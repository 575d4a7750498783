"""The progress of a run: lines of JSON in a file, which any number of readers may follow."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tunewiz.core.values.errors import InputError
from tunewiz.formats import json as strict_json
from tunewiz.formats.structure import structure

ProgressKind = Literal["step", "figure", "question"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ProgressLine:
    """One line of progress."""

    kind: ProgressKind
    text: str
    at: int
    """Seconds since 1970."""


@dataclass(frozen=True, slots=True)
class ProgressFile:
    """Writes progress to a file."""

    file: Path

    def tell(self, text: str) -> None:
        """Report what is being done."""
        self._write("step", text)

    def figure(self, text: str) -> None:
        """Report a figure just measured, which is not a result yet."""
        self._write("figure", text)

    def ask(self, text: str) -> None:
        """Ask a person whether to continue."""
        self._write("question", text)

    def _write(self, kind: ProgressKind, text: str) -> None:
        # Neither measuring nor putting everything back needs it, so a full disk may lose it.
        with suppress(OSError), self.file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps({"kind": kind, "text": text, "at": int(time.time())}) + "\n")


def lines_from(file: Path, number: int) -> Iterator[ProgressLine]:
    """The lines after the first `number`; none without a file; an incomplete last one is left out."""
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return
    for line in text.splitlines()[number:]:
        try:
            yield structure(strict_json.loads(line, str(file)), ProgressLine, str(file))
        except InputError:
            return
