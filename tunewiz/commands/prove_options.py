"""The options of `tunewiz prove` and its subcommands."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from tunewiz.commands.connection_options import add_connection
from tunewiz.commands.parser import CommandLineParser
from tunewiz.commands.prove_bench_options import (
    MAX_PAIRS,
    WholeNumber,
    add_bench,
    add_proof_output,
    add_seed,
    seconds,
)

if TYPE_CHECKING:
    from tunewiz.core.proof.metrics import MetricName

ProveName: TypeAlias = Literal["bench", "compare", "plans", "show", "switchback"]
BLOCK_SECONDS, BLOCKS = 1_800, 32
"""By default: 16 hours, the last planned look."""


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
    ids: Sequence[str] = ()
    """The changes to switch back and forth."""
    block: int = 0
    """Seconds."""
    blocks: int = 0
    pause: int | None = None
    """Seconds after each switch that do not count."""
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
    add_proof_output(parser)


def _plans(parser: argparse.ArgumentParser) -> None:
    """Of `prove plans`."""
    parser.add_argument(
        "--facts", metavar="FILE", type=Path, help="plan from these facts (JSON), read on this host earlier"
    )
    _answers(parser)
    parser.add_argument("--json", action="store_true", help=_JSON)
    add_connection(parser)


def _answers(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--answers",
        metavar="FILE",
        type=Path,
        help="workload, risks and decisions (TOML); without it, the defaults",
    )


def _switchback(parser: argparse.ArgumentParser) -> None:
    """Of `prove switchback`."""
    parser.add_argument(
        "ids", metavar="ID", nargs="*", help="changes of the plan that a reload puts in force: pg.work_mem"
    )
    parser.add_argument(
        "--block",
        metavar="TIME",
        type=seconds,
        default=BLOCK_SECONDS,
        help="how long one value stays in force (default: 30min)",
    )
    parser.add_argument(
        "--blocks",
        metavar="N",
        type=WholeNumber(4, 2 * MAX_PAIRS),
        default=BLOCKS,
        help="number of blocks, an even one (default: 32)",
    )
    parser.add_argument(
        "--pause",
        metavar="TIME",
        type=seconds,
        help="time after each switch that does not count (default: a tenth of a block, at least 30s)",
    )
    _answers(parser)
    add_seed(parser, "the order of an earlier run")
    parser.add_argument("--yes", action="store_true", help="begin without asking")
    add_proof_output(parser)
    parser.add_argument(
        "--resume",
        dest="resume_run",
        action="store_true",
        help="follow the run in progress or show its result; after an interruption, put everything back",
    )
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
    (
        "switchback",
        "Switch settings that a reload changes back and forth on the live server, in random blocks",
        _switchback,
    ),
)
