"""The options of `tunewiz bundle` for servers that somebody else configures."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, get_args

if TYPE_CHECKING:
    from tunewiz.core.planning.target_names import TargetName


class TargetOptions(argparse.Namespace):
    """The target options of a bundle."""

    target: TargetName = "host"
    member: Sequence[Path] = ()
    """Facts of the other members of a Patroni cluster."""


def add_target(parser: argparse.ArgumentParser) -> None:
    """Add them."""
    parser.add_argument(
        "--target",
        metavar="TARGET",
        type=_target,
        default="host",
        help="what manages the server's settings: host (files, the default), "
        "patroni, cloudnativepg, pgo, zalando or autobase",
    )
    parser.add_argument(
        "--member",
        metavar="FILE",
        type=Path,
        nargs="+",
        default=(),
        help="facts of the other members, for patroni and autobase: what fits only one host is "
        "written separately",
    )


def _target(typed: str) -> TargetName:
    """The target; its names are imported only here, as the wizard's first page does not need them."""
    from tunewiz.core.planning.target_names import TargetName  # noqa: PLC0415 - as above
    from tunewiz.core.values.names import expected_name  # noqa: PLC0415 - as above

    known: tuple[TargetName, ...] = get_args(TargetName)
    for name in known:
        if name == typed:
            return name
    raise argparse.ArgumentTypeError(f"found {typed!r}, expected {expected_name(typed, known)}")
