"""`tunewiz facts`: the facts of this host or of another one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tunewiz.collect.script import collector
from tunewiz.commands.connection import named_first
from tunewiz.commands.host import read_captured, read_collected, read_host
from tunewiz.commands.learned import with_learned
from tunewiz.commands.named_files import read_text, write_text
from tunewiz.commands.options import Options
from tunewiz.console import output
from tunewiz.console.exit_status import say
from tunewiz.core.facts.facts import Facts
from tunewiz.core.values.errors import UsageError
from tunewiz.core.values.known import Known, known_or
from tunewiz.formats.records import facts_to_json


def run_facts(options: Options) -> int:
    """Print the facts, or write them to a file; or the script that collects them elsewhere."""
    if options.pg_settings is None and (options.memory is not None or options.cores is not None):
        raise UsageError("--memory, --cores: expected --pg-settings FILE beside them")
    text = collector() if options.collector else facts_to_json(_facts(options))
    if options.out is None:
        output.write(text)
    else:
        write_text(options.out, text)
    return 0


def _facts(options: Options) -> Facts:
    facts = with_learned(_read(options), options)
    for line in _learned_in_words(facts, options):
        say(line)
    return facts


def _learned_in_words(facts: Facts, options: Options) -> Iterator[str]:
    """What was learned of servers beside the facts: a file of facts tells it to no person."""
    from tunewiz.text.measuring import log_in_words, probed_in_words  # noqa: PLC0415 - few ask for it
    from tunewiz.text.watching import not_watched, seen_in_words  # noqa: PLC0415 - as above

    if options.watch:
        for server in facts.postgres:
            match server.window:
                case Known(value=window):
                    line = seen_in_words(window)
                case unknown:
                    line = not_watched(unknown)
            yield f"port {known_or(server.port, 'unknown')}: {line}" if len(facts.postgres) > 1 else line
    for server in facts.postgres[:1]:
        if options.probe:
            yield probed_in_words(server.probe)
        if options.log:
            yield log_in_words(server.log)


def _read(options: Options) -> Facts:
    if options.demo is not None:
        from tunewiz.knowledge.loading import demo_facts  # noqa: PLC0415 - few ask for it

        return demo_facts(options.demo)
    if options.collected is not None:
        return read_collected(options.collected)
    if options.root is not None:
        return read_captured(options.root)
    if options.pg_settings is not None:
        return _managed(options, options.pg_settings)
    return named_first(read_host(options.watch), options)


def _managed(options: Options, file: Path) -> Facts:
    from tunewiz.managed.stated_facts import managed_facts  # noqa: PLC0415 - few ask for it

    if options.memory is None or options.cores is None:
        raise UsageError("--pg-settings: expected --memory SIZE and --cores N beside it")
    return managed_facts(read_text(file), str(file), options.memory, options.cores)
