"""Which lines of the scripts can be deleted, and how one is known again when the others have moved."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tunewiz.bundle.parts import PREAMBLE, READS_PREAMBLE
from tunewiz.bundle.parts import SCRIPTS as SCRIPTS_RUN

SCRIPTS = Path("tunewiz/bundle/scripts")
KINDS = Path("tunewiz/kinds")
"""Both below the checkout."""

_OPENS = re.compile(r"^(\w+)\(\) \{$")


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """A line that says something, with the function it stands in (empty: none)."""

    script: str
    number: int
    text: str
    function: str
    time: int
    """How often the same text stood in that function before."""

    @property
    def key(self) -> str:
        """What stays the same when other lines come and go."""
        return "\t".join((self.script, self.function, str(self.time), self.text.strip()))

    def __str__(self) -> str:
        return f"{self.script}:{self.number}: {self.text.strip()}"


def lines_of(checkout: Path, script: str) -> Iterator[Line]:
    """Every line but comments, empty ones, and a case for the rest that does nothing."""
    function, observation = "", Counter[tuple[str, str]]()
    for number, text in enumerate(script_file(checkout, script).read_text().splitlines(), 1):
        opening = _OPENS.match(text)
        function = opening[1] if opening else function
        if text.strip() not in {"", "*) ;;"} and not text.lstrip().startswith("#"):
            place = (function, text.strip())
            yield Line(script=script, number=number, text=text, function=function, time=observation[place])
            observation[place] += 1
        function = "" if text == "}" else function


def places_of(checkout: Path, line: Line) -> list[str]:
    """Where it stands in a bundle, as script:number: a line of the preamble in each script."""
    header, _, preamble = script_file(checkout, PREAMBLE).read_text().partition("\n\n")
    before, length = header.count("\n") + 2, preamble.count("\n")
    texts = {name: script_file(checkout, name).read_text() for name in SCRIPTS_RUN}
    starts = {name: text.partition(READS_PREAMBLE)[0].count("\n") for name, text in texts.items()}
    if line.script == PREAMBLE:
        return [f"{name}:{start + line.number - before}" for name, start in starts.items()]
    moved = length - READS_PREAMBLE.count("\n") if line.number > starts.get(line.script, line.number) else 0
    return [f"{line.script}:{line.number + moved}"]


def scripts_of(checkout: Path) -> list[str]:
    """The names of all: of those that bundles share, and of those of each kind of action."""
    result = (*(checkout / SCRIPTS).glob("*.sh"), *(checkout / KINDS).glob("*/*.sh"))
    return sorted(entry.name for entry in result)


def script_file(checkout: Path, script: str) -> Path:
    """Where the script of that name stands."""
    return next((checkout / KINDS).glob(f"*/{script}"), checkout / SCRIPTS / script)


def without(content: str, line: Line) -> str:
    """The script without the line."""
    lines = content.splitlines(keepends=True)
    return "".join(lines[: line.number - 1] + lines[line.number :])
