"""`tunewiz facts`: the facts of this host or of another one."""

from __future__ import annotations

from tunewiz.collect.script import collector
from tunewiz.commands.connection import named_first
from tunewiz.commands.host import read_captured, read_collected, read_host
from tunewiz.commands.named_files import write_text
from tunewiz.commands.options import Options
from tunewiz.console import output
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.learned_later import log_read, storage_probed, window_seen
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Known
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
    return _with_log(_with_watched(_read(options), options), options)


def _read(options: Options) -> Facts:
    if options.collected is not None:
        return read_collected(options.collected)
    if options.root is not None:
        return read_captured(options.root)
    return _with_probe(named_first(read_host(options.watch), options), options)


def _with_log(facts: Facts, options: Options) -> Facts:
    """The log is the chosen server's, which stands first."""
    if not options.log:
        return facts
    from tunewiz.collect.logs.files import read_log  # noqa: PLC0415 - few read a log

    if not facts.postgres:
        raise InputError("--log: found no server here whose log it could be, expected one")
    named = ", ".join(str(each) for each in options.log)
    return log_read(facts.postgres[0], Known(read_log(options.log), named))(facts)


def _with_watched(facts: Facts, options: Options) -> Facts:
    """Adds the busiest hour that was kept of the chosen server, the first one."""
    if options.watched is None:
        return facts
    from tunewiz.collect.ring.reading import read_ring  # noqa: PLC0415 - few name a file
    from tunewiz.collect.ring.window import busiest_hour  # noqa: PLC0415 - as above

    if not facts.postgres:
        raise InputError("--watched: found no server on this host, expected one that was watched")
    return window_seen(facts.postgres[0], busiest_hour(read_ring(options.watched), options.watched))(facts)


def _with_probe(facts: Facts, options: Options) -> Facts:
    """Adds the measured storage of the chosen server, the first one."""
    if not options.probe:
        return facts
    from tunewiz.commands.host import probe_host  # noqa: PLC0415 - few probe

    if not facts.postgres:
        raise InputError("--probe: found no server on this host, expected one whose storage to measure")
    return storage_probed(facts.postgres[0], probe_host(facts, facts.postgres[0], options.probe))(facts)
