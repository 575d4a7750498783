"""`tunewiz facts`: the facts of this host or of another one."""

from __future__ import annotations

from tunewiz.collect.script import collector
from tunewiz.commands.connection import named_first
from tunewiz.commands.host import read_captured, read_collected, read_host
from tunewiz.commands.learned import with_learned
from tunewiz.commands.named_files import write_text
from tunewiz.commands.options import Options
from tunewiz.console import output
from tunewiz.core.facts.facts import Facts
from tunewiz.formats.records import facts_to_json


def run_facts(options: Options) -> int:
    """Print the facts, or write them to a file; or the script that collects them elsewhere."""
    text = collector() if options.collector else facts_to_json(_facts(options))
    if options.out is None:
        output.write(text)
    else:
        write_text(options.out, text)
    return 0


def _facts(options: Options) -> Facts:
    return with_learned(_read(options), options)


def _read(options: Options) -> Facts:
    if options.collected is not None:
        return read_collected(options.collected)
    if options.root is not None:
        return read_captured(options.root)
    return named_first(read_host(options.watch), options)
