"""Options of `tunewiz export`, and those for the facts of servers on which nobody has a shell."""

from __future__ import annotations

import argparse
from pathlib import Path

from tunewiz.core.values.units import Bytes, UnitError

_MOST_CORES = 4096


def add_export(parser: argparse.ArgumentParser) -> None:
    """For whom, in which form, and where it is written."""
    parser.add_argument(
        "--service",
        dest="managed_by",
        metavar="SERVICE",
        choices=("rds", "aurora", "cloudsql", "azure", "aiven"),
        required=True,
        help="rds, aurora (Amazon), cloudsql (Google), azure (flexible server) or aiven",
    )
    parser.add_argument(
        "--format",
        dest="export_format",
        metavar="FORMAT",
        choices=("terraform", "cli"),
        default="terraform",
        help="terraform (the default), or cli: a script for sh with the provider's command-line program",
    )
    parser.add_argument(
        "--undo", action="store_true", help="print instead what takes it back, from the same facts"
    )
    parser.add_argument("-o", "--out", metavar="FILE", type=Path, help="write to this file")


def add_stated(parser: argparse.ArgumentParser) -> None:
    """What a person says of a managed server's machine."""
    parser.add_argument(
        "--memory", metavar="SIZE", type=_memory, help="with --pg-settings: the server's memory, such as 64GB"
    )
    parser.add_argument("--cores", metavar="N", type=_cores, help="with --pg-settings: its processors")


def _memory(typed: str) -> Bytes:
    try:
        size = Bytes.parse(typed)
    except UnitError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    if not size:
        raise argparse.ArgumentTypeError(f"found {typed!r}, expected more than nothing")
    return size


def _cores(typed: str) -> int:
    if typed.isascii() and typed.isdigit() and 0 < int(typed[:9]) <= _MOST_CORES:
        return int(typed)
    raise argparse.ArgumentTypeError(f"found {typed!r}, expected a number from 1 to {_MOST_CORES}")
