"""Options of the wizard, typed without a command."""

from __future__ import annotations

import argparse
from pathlib import Path

from tunewiz.commands.connection_options import CONNECTION, add_connection

FACTS = "facts of another machine (JSON); without it, this host is read"
DEMO = "an example machine (`tunewiz demo` lists them)"
ANSWERS = "workload, risks and decisions (TOML)"
PROOF = "a proof.json from this server: unticks what hurt, ticks what helped"
OF_THE_WIZARD = (
    *("facts", "demo", "answers", "proof", "resume", "reopen", "fleet", "out", "plain", "ascii", "mouse"),
    *CONNECTION,
)
"""Kept apart while parsing: argparse would overwrite them with the command's defaults."""


def add_wizard(parser: argparse.ArgumentParser) -> None:
    """Add the options of the wizard."""
    _machine(parser)
    parser.add_argument(
        "--answers",
        dest="wizard_answers",
        metavar="FILE",
        type=Path,
        help=f"start with these: {ANSWERS}; with --fleet, also a directory",
    )
    parser.add_argument("--proof", dest="wizard_proof", metavar="FILE", type=Path, help=PROOF)
    _screen(parser)
    parser.add_argument(
        "--out", dest="wizard_out", metavar="DIR", type=Path, help="directory to write the bundle to"
    )
    add_connection(parser, "wizard_")


def _machine(parser: argparse.ArgumentParser) -> None:
    """Which machine, or which many."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--facts", dest="wizard_facts", metavar="FILE", type=Path, help=FACTS)
    which.add_argument("--demo", dest="wizard_demo", metavar="NAME", help=DEMO)
    which.add_argument(
        "--resume",
        dest="wizard_resume",
        metavar="NAME",
        nargs="?",
        const="",
        help="continue where the last run stopped, or the session of that name (`tunewiz sessions`)",
    )
    which.add_argument(
        "--reopen",
        dest="wizard_reopen",
        metavar="BUNDLE",
        type=Path,
        help="start from the machine and the answers of a bundle that was written earlier",
    )
    which.add_argument(
        "--fleet",
        dest="wizard_fleet",
        metavar="DIR",
        type=Path,
        help="many servers: a directory of facts, or one written by `tunewiz fleet write`",
    )


def _screen(parser: argparse.ArgumentParser) -> None:
    """How the wizard shows itself."""
    parser.add_argument(
        "--plain",
        dest="wizard_plain",
        action="store_true",
        help="ask line by line: for screen readers, serial consoles and dumb terminals",
    )
    parser.add_argument(
        "--ascii",
        dest="wizard_ascii",
        action=argparse.BooleanOptionalAction,
        help="draw with ASCII characters only, or not; by default, as the locale and TERM suggest",
    )
    parser.add_argument(
        "--mouse",
        dest="wizard_mouse",
        action="store_true",
        help="use the mouse too; without it, the terminal's own selection works",
    )
