"""The options of the `tunewiz prove` subcommands that run no benchmark."""

from __future__ import annotations

import argparse
from pathlib import Path

from tunewiz.commands.connection_options import add_connection

_JSON = "as JSON, for scripts"


def add_plans(parser: argparse.ArgumentParser) -> None:
    """Of `prove plans`."""
    parser.add_argument(
        "--facts", metavar="FILE", type=Path, help="plan from these facts (JSON), read on this host earlier"
    )
    parser.add_argument(
        "--answers",
        metavar="FILE",
        type=Path,
        help="workload, risks and decisions (TOML); without it, the defaults",
    )
    parser.add_argument("--json", action="store_true", help=_JSON)
    add_connection(parser)


def add_show(parser: argparse.ArgumentParser) -> None:
    """Of `prove show`."""
    parser.add_argument("shown", metavar="PROOF", type=Path, help="proof.json, as `prove bench -o` writes it")
    parser.add_argument("--json", action="store_true", help=_JSON)
