"""The options of `tunewiz prove` and its subcommands."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from tunewiz.commands.connection_options import add_connection
from tunewiz.commands.parser import CommandLineParser
from tunewiz.commands.prove_bench_options import add_bench

if TYPE_CHECKING:
    from tunewiz.core.proof.metrics import MetricName

ProveName: TypeAlias = Literal["bench", "compare", "plans", "show"]


class ProveOptions(argparse.Namespace):
    """The options after `tunewiz prove`."""

    parser: CommandLineParser | None = None
    """The subcommand's parser; None for other commands."""
    prove: ProveName | None = None
    bundle: Path | None = None
    copy: Path | None = None
    """A data directory."""
    builtin: str | None = None
    scripts: Sequence[tuple[Path, int]] = ()
    from_statements: bool = False
    logs: Sequence[Path] = ()
    with_writes: bool = False
    clients: int | None = None
    scale: int | None = None
    pairs: int | None = None
    same_pairs: int | None = None
    run: int | None = None
    """Seconds of one measured run at full speed."""
    budget: int | None = None
    """Seconds."""
    window: int | None = None
    """Seconds."""
    metric: MetricName = "throughput"
    ablate: bool = False
    single: bool = False
    answers_out: Path | None = None
    seed: int | None = None
    yes: bool = False
    resume_run: bool = False
    before: Path | None = None
    """A facts file, or a directory of them."""
    after: Path | None = None
    shown: Path | None = None
    """A proof.json."""


_JSON = "as JSON, for scripts"


def add_prove(parser: argparse.ArgumentParser) -> None:
    """Add the subcommands."""
    commands = parser.add_subparsers(
        dest="prove", metavar="WHAT", required=True, parser_class=CommandLineParser
    )
    for name, about, add in _SUBCOMMANDS:
        command = commands.add_parser(name, help=about, description=f"{about}.", allow_abbrev=False)
        add(command)
        command.set_defaults(parser=command)


def _compare(parser: argparse.ArgumentParser) -> None:
    """Of `prove compare`."""
    about = "facts with a watched window (`tunewiz facts --watch 1h -o FILE`), or a directory of them, from"
    parser.add_argument("before", metavar="BEFORE", type=Path, help=f"{about} before the change")
    parser.add_argument("after", metavar="AFTER", type=Path, help="the same from after the change")
    parser.add_argument("-o", "--out", metavar="FILE", type=Path, help="write proof.json to this file")
    parser.add_argument("--json", action="store_true", help="print proof.json instead of text")


def _plans(parser: argparse.ArgumentParser) -> None:
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


def _show(parser: argparse.ArgumentParser) -> None:
    """Of `prove show`."""
    parser.add_argument(
        "shown", metavar="PROOF", type=Path, help="proof.json, as `prove bench` and `prove compare` write it"
    )
    parser.add_argument("--json", action="store_true", help=_JSON)


_SUBCOMMANDS = (
    ("bench", "Run pgbench with and without a bundle's changes, in pairs of random order", add_bench),
    (
        "compare",
        "Compare a live server before and after a change, the same queries at the same hours",
        _compare,
    ),
    (
        "plans",
        "Show which query plans would change under the plan's settings; nothing is executed",
        _plans,
    ),
    ("show", "Print the result in a proof.json", _show),
)
