"""Options for the servers of this host: libpq's own, none of them for a password, and how long to watch."""

from __future__ import annotations

import argparse

CONNECTION = ("host", "port", "dbname", "username", "service")
"""By their names in the options."""
MAX_PORT = 65_535
_OPTIONS = (
    (("--host",), "HOST", "the server's socket directory, or a name of this host"),
    (("--port",), "PORT", "the port that it listens on"),
    (("--dbname",), "NAME", "the database to connect to"),
    (("--username", "--user"), "ROLE", "the role to connect as; passwords come from where psql finds them"),
    (("--service",), "SERVICE", "a service of pg_service.conf instead of these"),
)
_ELSEWHERE = ("facts", "demo", "root", "collected", "resume", "reopen", "collector")
"""Options for machines to which nothing connects."""


def add_connection(parser: argparse.ArgumentParser, prefix: str = "") -> None:
    """Add the options to a command.

    Args:
        parser: The command's.
        prefix: Before their names, where a command's own must not override them.
    """
    group = parser.add_argument_group("connection")
    for (flag, *others), takes, about in _OPTIONS:
        name, kind = f"{prefix}{flag.removeprefix('--')}", _port if takes == "PORT" else str
        group.add_argument(flag, *others, dest=name, metavar=takes, type=kind, help=about)


def _port(text: str) -> int:
    if text.isascii() and text.isdigit() and 1 <= int(text) <= MAX_PORT:
        return int(text)
    raise argparse.ArgumentTypeError(f"found {text!r}, expected 1 to {MAX_PORT}")


def check_connection(options: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """End the program if a server is named beside a machine to which nothing connects."""
    named = next((name for name in CONNECTION if getattr(options, name) is not None), None)
    other = next((name for name in _ELSEWHERE if getattr(options, name) not in {None, False}), None)
    if named is not None and other is not None:
        flag = "from" if other == "collected" else other
        parser.error(f"--{named}: not allowed with --{flag}: it names a server on this host")


def names_server(options: argparse.Namespace) -> bool:
    """Whether the command line says how to connect."""
    return any(getattr(options, name) is not None for name in CONNECTION)


def add_watch(parser: argparse._ActionsContainer) -> None:  # pyright: ignore[reportPrivateUsage] - argparse's name for parsers and groups
    """Seconds, 0 if it is not given."""
    parser.add_argument(
        "--watch",
        metavar="TIME",
        type=_time,
        default=0,
        help="watch this host's running servers at work for this long (60s, 10min); Ctrl-C stops early",
    )


def _time(text: str) -> int:
    """Whole seconds; argparse names the option in its message."""
    # ruff: noqa: PLC0415 - `--version` does not load what only this option needs
    from tunewiz.core.answers.limits import MAX_WINDOW, MIN_WINDOW
    from tunewiz.core.values.units import Duration, UnitError

    try:
        time = Duration.parse(text)
    except UnitError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    if not MIN_WINDOW <= time <= MAX_WINDOW:
        raise argparse.ArgumentTypeError(f"found {text}, expected 2s to 1d")
    return time.seconds
