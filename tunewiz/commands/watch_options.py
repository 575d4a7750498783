"""Options of `tunewiz watch`, and those for facts from its samples and from the server's log."""

# ruff: noqa: PLC0415 - `--version` does not load what only these options need

from __future__ import annotations

import argparse
from pathlib import Path

from tunewiz.commands.connection_options import (
    ELSEWHERE,
    add_connection,
    add_probe,
    first_of,
    time_between,
)

WEEK = 7 * 86_400
EVERY = 10
"""Seconds between two samples."""


class WatchOptions(argparse.Namespace):
    """What was typed; the rest keeps the default given here."""

    probe: int = 0
    """Seconds to measure the storage of the chosen server."""
    watched: Path | None = None
    keep: int = 0
    """Seconds for which samples are kept."""
    every: int = 0
    """Seconds from one sample to the next."""
    ring: Path | None = None
    show: bool = False
    pgdata: Path | None = None
    """The data directory of the server to sample, running or not."""


def add_keeping(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument(
        "--keep",
        metavar="TIME",
        type=_kept_time,
        default=WEEK,
        help="how long to keep samples (default: 7d); the newest overwrite the oldest",
    )
    parser.add_argument(
        "--every",
        metavar="TIME",
        type=_pause,
        default=EVERY,
        help="time between samples (default: 10s)",
    )
    parser.add_argument(
        "--ring",
        metavar="FILE",
        type=Path,
        help="the file to keep them in; without it, the server's default file",
    )
    parser.add_argument(
        "--show", action="store_true", help="chart what was recorded instead, with the busiest hour"
    )
    parser.add_argument(
        "--pgdata",
        "-D",
        metavar="DIR",
        type=Path,
        help="select the server by its data directory, running or stopped",
    )
    add_connection(parser)


def add_learned(parser: argparse.ArgumentParser) -> None:
    """Options for facts about the server's past: recorded samples and its log."""
    add_probe(parser)
    parser.add_argument(
        "--watched",
        metavar="FILE",
        type=Path,
        help="use the busiest hour that `tunewiz watch` recorded in this file; without it, of the server's "
        "default file if there is one",
    )
    parser.add_argument(
        "--log",
        metavar="PATH",
        type=Path,
        nargs="+",
        default=(),
        help="also read the server's log: files or directories, including rotated and compressed "
        "ones (gz, bz2, xz)",
    )


def check_learned(options: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """End the program if one of the options for facts of a server cannot be used with the named machine."""
    other = first_of(options, ELSEWHERE)
    if options.probe and other is not None:
        parser.error(f"--probe: not allowed with {other}: it measures this host's storage")
    if options.waits and other is not None:
        parser.error(f"--waits: not allowed with {other}: it samples a server of this host at work")
    if options.deep and other is not None:
        parser.error(f"--deep: not allowed with {other}: it reads indexes of a server of this host")
    if options.watched is not None and options.watch:
        parser.error("--watched: not allowed with --watch: both provide samples of the server at work")
    made_up = first_of(options, ("demo", "collector"))
    named = first_of(options, ("watched",)) or ("--log" if options.log else None)
    if named is not None and made_up is not None:
        parser.error(f"{named}: not allowed with {made_up}: an example has no real server")


def _kept_time(text: str) -> int:
    from tunewiz.core.values.units import Duration

    return time_between(text, Duration.parse("1min"), Duration.parse("400d"))


def _pause(text: str) -> int:
    from tunewiz.core.values.units import Duration

    return time_between(text, Duration.parse("1s"), Duration.parse("1h"))
