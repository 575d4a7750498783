"""Options for connecting to a server of this host, as libpq names them, and for probing its storage.

And those for a server to which nothing connects, as a provider runs it: its facts, and its settings.
"""

# ruff: noqa: PLC0415 - `--version` does not load what only these options need

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tunewiz.core.values.units import Bytes, Duration

CONNECTION = ("host", "port", "dbname", "username", "service")
WHICH_SERVER = ("host", "port", "service")
"""Those that name a server: databases and roles may have the same names on another."""
"""By their names in the options."""
MAX_PORT = 65_535
MAX_CORES = 4096
_OPTIONS = (
    (("--host",), "HOST", "the server's socket directory, or a name of this host"),
    (("--port",), "PORT", "the port that it listens on"),
    (("--dbname",), "NAME", "the database to connect to"),
    (("--username", "--user"), "ROLE", "the role to connect as; passwords come from where psql finds them"),
    (("--service",), "SERVICE", "a service of pg_service.conf instead of these"),
)
ELSEWHERE = ("facts", "demo", "root", "collected", "resume", "reopen", "collector", "pg_settings")
"""Options for machines to which nothing connects."""
_FLAGS = {"collected": "from", "pg_settings": "pg-settings"}
"""Options whose name differs from their attribute's."""
WAITS_SECONDS = 60
"""The default time for sampling waits."""
DEEP_SECONDS = 60
"""The default time of a deep look."""
PROBE_SECONDS = 60
"""The default time of a probe."""


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
    named, other = first_of(options, CONNECTION), first_of(options, ELSEWHERE)
    if named is not None and other is not None:
        parser.error(f"{named}: not allowed with {other}: it selects a server on this host")
    if options.pgdata is not None and (place := first_of(options, WHICH_SERVER)):
        parser.error(f"{place}: not allowed with --pgdata: both select a server")


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


def add_waits(parser: argparse._ActionsContainer) -> None:  # pyright: ignore[reportPrivateUsage] - as above
    """Seconds, 0 if it is not given."""
    parser.add_argument(
        "--waits",
        metavar="TIME",
        nargs="?",
        type=_waiting_time,
        const=WAITS_SECONDS,
        default=0,
        help="also sample, up to four times a second, what this host's server waits for (default: 60s, at "
        "most); Ctrl-C stops early",
    )


def add_deep(parser: argparse._ActionsContainer) -> None:  # pyright: ignore[reportPrivateUsage] - as above
    """Seconds, 0 if it is not given."""
    parser.add_argument(
        "--deep",
        metavar="TIME",
        nargs="?",
        type=_deep_time,
        const=DEEP_SECONDS,
        default=0,
        help="also let amcheck read as many B-tree indexes and tables as this time allows (default: 60s; at "
        "most 1h), and look for files that belong to no table; Ctrl-C stops early",
    )


def add_probe(parser: argparse.ArgumentParser) -> None:
    """Seconds, 0 if it is not given."""
    parser.add_argument(
        "--probe",
        metavar="TIME",
        nargs="?",
        type=_probing_time,
        const=PROBE_SECONDS,
        default=0,
        help="also measure the storage of the server's data, within this time (default: 60s): reads of its "
        "own files, pg_test_fsync, pg_test_timing; the device is busy for a tenth of it at most; "
        "Ctrl-C stops "
        "early",
    )


def first_of(options: argparse.Namespace, names: Iterable[str]) -> str | None:
    """The first of these options that was given, as typed; None if none was."""
    result = next((name for name in names if getattr(options, name) not in {None, False}), None)
    return None if result is None else f"--{_FLAGS.get(result, result)}"


def time_between(text: str, least: Duration, most: Duration) -> int:
    """Whole seconds; argparse names the option in its message."""
    from tunewiz.core.values.units import Duration, UnitError

    try:
        time = Duration.parse(text)
    except UnitError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    if not least <= time <= most:
        raise argparse.ArgumentTypeError(f"found {text}, expected {least.pg()} to {most.pg()}")
    return time.seconds


def _time(text: str) -> int:
    from tunewiz.core.answers.server_limits import MAX_WINDOW, MIN_WINDOW

    return time_between(text, MIN_WINDOW, MAX_WINDOW)


def _waiting_time(text: str) -> int:
    from tunewiz.core.answers.server_limits import MAX_WAITS, MIN_WINDOW

    return time_between(text, MIN_WINDOW, MAX_WAITS)


def _deep_time(text: str) -> int:
    from tunewiz.core.answers.server_limits import MAX_DEEP, MIN_WINDOW

    return time_between(text, MIN_WINDOW, MAX_DEEP)


def _probing_time(text: str) -> int:
    from tunewiz.core.answers.probe_limits import MAX_PROBE, MIN_PROBE

    return time_between(text, MIN_PROBE, MAX_PROBE)


def add_export(parser: argparse.ArgumentParser) -> None:
    """For whom, in which form, and where it is written."""
    for_whom = parser.add_mutually_exclusive_group(required=True)
    for_whom.add_argument(
        "--service",
        dest="managed_by",
        metavar="SERVICE",
        choices=("rds", "aurora", "cloudsql", "azure", "aiven"),
        help="rds, aurora (Amazon), cloudsql (Google), azure (flexible server) or aiven",
    )
    for_whom.add_argument(
        "--operator",
        metavar="OPERATOR",
        choices=("cloudnativepg", "pgo", "percona", "zalando", "stackgres", "kubeblocks"),
        help="cloudnativepg, pgo, percona, zalando, stackgres or kubeblocks, for manifests in a repository",
    )
    parser.add_argument(
        "--format",
        dest="export_format",
        metavar="FORMAT",
        choices=("terraform", "cli", "kustomize", "helm", "manifest"),
        help="for a service terraform (the default), or cli: a script for sh with the provider's "
        "command-line program; for an operator kustomize (the default) or helm; for kubeblocks manifest",
    )
    parser.add_argument(
        "--undo",
        action="store_true",
        help="for a service or kubeblocks: print instead what takes it back, from the same facts",
    )
    parser.add_argument("-o", "--out", metavar="FILE", type=Path, help="write to this file")


def add_stated(parser: argparse.ArgumentParser) -> None:
    """What a person says of a managed server's machine."""
    parser.add_argument(
        "--memory", metavar="SIZE", type=_memory, help="with --pg-settings: the server's memory, such as 64GB"
    )
    parser.add_argument("--cores", metavar="N", type=_cores, help="with --pg-settings: its processors")


def _memory(typed: str) -> Bytes:
    from tunewiz.core.values.units import Bytes, UnitError

    try:
        size = Bytes.parse(typed)
    except UnitError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    if not size:
        raise argparse.ArgumentTypeError(f"found {typed!r}, expected more than nothing")
    return size


def _cores(typed: str) -> int:
    if typed.isascii() and typed.isdigit() and 0 < int(typed[:9]) <= MAX_CORES:
        return int(typed)
    raise argparse.ArgumentTypeError(f"found {typed!r}, expected a number from 1 to {MAX_CORES}")
