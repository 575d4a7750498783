"""The options of `tunewiz fleet`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias, get_args

FleetAction: TypeAlias = Literal["collect", "plan", "write", "drift", "dashboard"]
FormatName: TypeAlias = Literal["text", "markdown", "junit", "sarif", "json", "prometheus"]
_DIGITS = 10
_ACTIONS = "|".join(get_args(FleetAction))


@dataclass(frozen=True, kw_only=True, slots=True)
class FormatChoice:
    """How a report is written, and where."""

    name: FormatName
    file: Path | None
    """None for standard output."""


class FleetOptions(argparse.Namespace):
    """What may be typed after `tunewiz fleet`."""

    fleet_action: FleetAction = "plan"
    fleet_facts: Sequence[Path] = ()
    """Files of facts, and directories of them."""
    formats: Sequence[FormatChoice] | None = None
    exit_code: bool = False
    """Whether the exit status says what was found."""
    page: int | None = None
    history: Path | None = None
    """A directory of collections."""
    collections_kept: int | None = None
    inventories: Sequence[Path] | None = None


def add_fleet(parser: argparse.ArgumentParser) -> None:
    """Add them."""
    parser.add_argument(
        "fleet_action",
        metavar=_ACTIONS,
        choices=get_args(FleetAction),
        help="collect: write a playbook that reads the hosts; plan: show groups and differences; "
        "write: reviews, bundles and an Ansible project that applies them; drift: what changed since the "
        "last time; dashboard: print a dashboard for Grafana",
    )
    parser.add_argument(
        "fleet_facts",
        metavar="FACTS",
        nargs="*",
        default=(),
        type=Path,
        help="facts (*.json) or collector output (*.tunewiz), one file for each host, or directories of them",
    )
    parser.add_argument(
        "--answers",
        metavar="PATH",
        type=Path,
        help="workload, risks and decisions (TOML): one file for all hosts, or a directory with "
        "default.toml, environments/, labels/, groups/, hosts/, policy.toml and inventory/",
    )
    parser.add_argument(
        "--inventory",
        dest="inventories",
        metavar="PATH",
        type=Path,
        action="append",
        help="plan, write, drift: groups, roles and other labels of the hosts: an Ansible inventory (INI, or "
        "JSON of `ansible-inventory --list`), or JSON of `kubectl get pods` or `patronictl list`; may be "
        "repeated",
    )
    parser.add_argument("--json", action="store_true", help="plan: groups.json, for scripts")
    _add_report(parser)
    parser.add_argument(
        "-o", "--out", metavar="DIR", type=Path, help="collect, write: a directory that does not exist yet"
    )


def _add_report(parser: argparse.ArgumentParser) -> None:
    """How plan and drift are told, and where drift keeps what it compares with."""
    parser.add_argument(
        "--format",
        dest="formats",
        metavar="FORMAT[=FILE]",
        type=_format,
        action="append",
        help="plan, drift: text (the default), markdown, junit, sarif, json or prometheus, on standard "
        "output or in a file; may be repeated with files",
    )
    parser.add_argument(
        "--exit-code",
        action="store_true",
        help="plan, drift: end with 0 where there is nothing to do, 1 where hosts could not be planned or "
        "answers are for no host, 3 for changes, 4 for a rule that is not kept or has expired, 5 for drift",
    )
    parser.add_argument(
        "--page", metavar="N", type=_from_one, help="plan, drift: this page of a long text; the first is 1"
    )
    parser.add_argument("--all", dest="whole", action="store_true", help="plan, drift: all pages at once")
    parser.add_argument(
        "--history",
        metavar="DIR",
        type=Path,
        help="drift: the directory of earlier collections, to which this one is added",
    )
    parser.add_argument(
        "--keep",
        dest="collections_kept",
        metavar="N",
        type=_from_one,
        help="drift: the number of collections to keep there, 30 by default",
    )


def _format(typed: str) -> FormatChoice:
    name, equals, file = typed.partition("=")
    known: tuple[FormatName, ...] = get_args(FormatName)
    for choice in known:
        if choice == name and (file or not equals):
            return FormatChoice(name=choice, file=Path(file) if equals else None)
    expected = ", ".join(known)
    raise argparse.ArgumentTypeError(f"found {typed!r}, expected one of {expected}, or FORMAT=FILE")


def _from_one(typed: str) -> int:
    if typed.isascii() and typed.isdecimal() and len(typed) < _DIGITS and int(typed) > 0:
        return int(typed)
    raise argparse.ArgumentTypeError(f"found {typed!r}, expected a whole number from 1")
