"""`tunewiz facts`: what this host, or a captured one, is."""

from __future__ import annotations

from pathlib import Path

from tunewiz import output
from tunewiz.commands.host import read_captured, read_host
from tunewiz.core.errors import TunewizError
from tunewiz.options import Options
from tunewiz.records import facts_to_json


def run_facts(options: Options) -> int:
    """Print the facts, or write them to a file."""
    facts = read_host() if options.root is None else read_captured(options.root)
    text = facts_to_json(facts)
    if options.out is None:
        output.write(text)
    else:
        _write(options.out, text)
    return 0


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="ascii")
    except OSError as error:
        raise TunewizError(f"{file}: cannot be written: {error.strerror or error}") from error
