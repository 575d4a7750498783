"""Options of `tunewiz watch`, and for the facts what it kept and what the server wrote itself."""

# ruff: noqa: PLC0415 - `--version` does not load what only these options need

from __future__ import annotations

import argparse
from pathlib import Path

from tunewiz.commands.connection_options import add_connection, add_probe, time_between

WEEK = 7 * 86_400
EVERY = 10
"""Seconds between two looks."""


def add_keeping(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument(
        "--keep",
        metavar="TIME",
        type=_kept_time,
        default=WEEK,
        help="how long looks are kept (default: 7d): the oldest make room for the newest",
    )
    parser.add_argument(
        "--every",
        metavar="TIME",
        type=_pause,
        default=EVERY,
        help="from one look to the next (default: 10s)",
    )
    parser.add_argument(
        "--ring", metavar="FILE", type=Path, help="the file that keeps them; without it, the server's own"
    )
    parser.add_argument(
        "--show", action="store_true", help="draw what was kept instead, with the busiest hour"
    )
    add_connection(parser)


def add_learned(parser: argparse.ArgumentParser) -> None:
    """What more there is to learn of a server than it tells at once: for its facts."""
    add_probe(parser)
    parser.add_argument(
        "--watched",
        metavar="FILE",
        type=Path,
        help="take the busiest hour of what `tunewiz watch` kept in this file; without it, of the server's "
        "own file if there is one",
    )
    parser.add_argument(
        "--log",
        metavar="PATH",
        type=Path,
        nargs="+",
        default=(),
        help="the server's log too: files or directories, also rotated and compressed ones (gz, bz2, xz)",
    )


def _kept_time(text: str) -> int:
    from tunewiz.core.values.units import Duration

    return time_between(text, Duration.parse("1min"), Duration.parse("400d"))


def _pause(text: str) -> int:
    from tunewiz.core.values.units import Duration

    return time_between(text, Duration.parse("1s"), Duration.parse("1h"))
