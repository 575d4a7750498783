"""`tunewiz prove compare`: a live server before and after a change, from facts with watched windows."""

from __future__ import annotations

from pathlib import Path

from tunewiz.commands.inputs import read_facts_file
from tunewiz.commands.named_files import write_text
from tunewiz.commands.options import Options
from tunewiz.commands.proof_status import REFUSED, status_of
from tunewiz.console import output
from tunewiz.console.exit_status import say
from tunewiz.core.comparison.live import NotCompared, compare_live
from tunewiz.core.comparison.sightings import HOW, NamedFacts
from tunewiz.core.proof.proof import Proof
from tunewiz.core.values.errors import UsageError
from tunewiz.formats.proof import proof_json
from tunewiz.text.observed import compared_lines

SUFFIX = ".json"


def run_compare(options: Options) -> int:
    """Print what was observed; exit status 0 faster, 1 slower, 3 the same, 4 undecided or refused."""
    if options.before is None or options.after is None:
        raise UsageError("prove compare: expected BEFORE and AFTER")
    result = compared(options.before, options.after)
    if isinstance(result, NotCompared):
        say("prove compare: " + "\n".join(compared_lines(result)))
        return REFUSED
    text = proof_json(result)
    if options.out is not None:
        write_text(options.out, text)
    if options.json:
        output.write(text)
    else:
        output.draw("".join(f"{line}\n" for line in compared_lines(result)))
    return status_of(result)


def compared(before: Path, after: Path) -> Proof | NotCompared:
    """What is found between two files or directories of facts; raises InputError and UsageError."""
    return compare_live(_read(before), _read(after))


def _read(path: Path) -> list[NamedFacts]:
    """The facts in a file or in all files of a directory, by name; raises InputError and UsageError."""
    files = [path]
    if path.is_dir():
        files = sorted(path for path in path.iterdir() if path.suffix == SUFFIX and path.is_file())
    if not files:
        raise UsageError(f"{path}: found no file of facts (*{SUFFIX}), expected one or more", f"{HOW}.")
    return [NamedFacts(file=str(file), facts=read_facts_file(file)) for file in files]
