"""The options of `tunewiz fleet`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TypeAlias

FleetAction: TypeAlias = Literal["collect", "plan", "write"]


class FleetOptions(argparse.Namespace):
    """What may be typed after `tunewiz fleet`."""

    fleet_action: FleetAction = "plan"
    fleet_facts: Sequence[Path] = ()
    """Files of facts, and directories of them."""


def add_fleet(parser: argparse.ArgumentParser) -> None:
    """Add them."""
    parser.add_argument(
        "fleet_action",
        metavar="collect|plan|write",
        choices=("collect", "plan", "write"),
        help="collect: write a playbook that reads the hosts; plan: show groups and differences; "
        "write: reviews, bundles and an Ansible project that applies them",
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
        "default.toml, groups/, hosts/ and policy.toml",
    )
    parser.add_argument("--json", action="store_true", help="plan: groups.json, for scripts")
    parser.add_argument(
        "-o", "--out", metavar="DIR", type=Path, help="collect, write: a directory that does not exist yet"
    )
