"""What `--probe`, `--waits`, `--deep`, `--watched` and `--log` add to the facts of the first server."""

# ruff: noqa: PLC0415 - rarely needed

from __future__ import annotations

import os
from pathlib import Path

from tunewiz.commands.options import Options
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.learned_later import (
    log_read,
    looked_deeper,
    storage_probed,
    waits_sampled,
    window_seen,
)
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Known, known_or


def with_learned(facts: Facts, options: Options) -> Facts:
    """The facts with everything that the options add.

    Args:
        facts: Of this host, or of another machine (`--facts`, `--from`, `--root`).
        options: The parsed options.

    Raises:
        InputError: There is no server, or a file does not fit it.
    """
    with_looks = _with_deep(_with_waits(_with_probe(facts, options), options), options)
    return _with_log(_with_watched(with_looks, options), options)


def _first(facts: Facts, option: str, expected: str) -> PostgresServer:
    if not facts.postgres:
        raise InputError(f"{option}: found no server here, expected one {expected}")
    return facts.postgres[0]


def _with_log(facts: Facts, options: Options) -> Facts:
    if not options.log:
        return facts
    from tunewiz.collect.logs.files import read_log

    server = _first(facts, "--log", "whose log it could be")
    named = ", ".join(str(path) for path in options.log)
    return log_read(server, Known(read_log(options.log), named))(facts)


def _with_watched(facts: Facts, options: Options) -> Facts:
    """The facts with the busiest hour from a file of samples, which must be of the chosen server."""
    if options.watched is None:
        return facts
    from tunewiz.collect.ring.reading import read_ring
    from tunewiz.collect.ring.window import busiest_hour

    server = _first(facts, "--watched", "that was watched")
    ring = read_ring(options.watched)
    _check_owner(facts, options.watched, ring.head.directory, here=reads_host(options))
    return window_seen(server, busiest_hour(ring, options.watched))(facts)


def _check_owner(facts: Facts, ring: Path, directory: str, *, here: bool) -> None:
    """On another machine the path may go through a link that cannot be resolved here, so it is accepted."""
    first, *others = (_data_directory(server, here=here) for server in facts.postgres)
    if directory == first or not (here or directory in others):
        return
    hint = (
        "Name its server with --port or --host." if here else "Plans are for the first server of the facts."
    )
    raise InputError(
        f"--watched: {ring}: found samples of the server in {directory}, expected "
        f"{first or 'one whose data directory is known'}",
        hint if directory in others else "",
    )


def _data_directory(server: PostgresServer, *, here: bool) -> str:
    known = known_or(server.data_directory, "")
    return os.path.realpath(known) if known and here else known


def reads_host(options: Options) -> bool:
    """Whether the facts are this host's, read now."""
    elsewhere = (options.facts, options.demo, options.root, options.collected)
    return all(entry is None for entry in elsewhere)


def _with_waits(facts: Facts, options: Options) -> Facts:
    if not options.waits:
        return facts
    from tunewiz.commands.host import sample_host_waits

    server = _first(facts, "--waits", "whose sessions to look at")
    return waits_sampled(server, sample_host_waits(server, options.waits))(facts)


def _with_deep(facts: Facts, options: Options) -> Facts:
    if not options.deep:
        return facts
    from tunewiz.commands.host import look_deeper_at_host

    server = _first(facts, "--deep", "whose indexes and files to look at")
    return looked_deeper(server, look_deeper_at_host(server, options.deep))(facts)


def _with_probe(facts: Facts, options: Options) -> Facts:
    if not options.probe:
        return facts
    from tunewiz.commands.host import probe_host

    server = _first(facts, "--probe", "whose storage to measure")
    return storage_probed(server, probe_host(facts, server, options.probe))(facts)
