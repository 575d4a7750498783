"""The options of `tunewiz prove` and its subcommands."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from tunewiz.commands.connection_options import add_connection
from tunewiz.commands.parser import CommandLineParser

if TYPE_CHECKING:
    from tunewiz.core.proof.metrics import MetricName

ProveName: TypeAlias = Literal["bench", "compare", "plans", "show"]
BUILTINS = ("tpcb-like", "simple-update", "select-only")
"""pgbench's own scripts."""
MAX_WEIGHT = 1_000_000
MAX_CLIENTS = 10_000
MAX_PAIRS = 200
METRICS = (
    *("throughput", "latency_95", "latency_99", "worst_second"),
    *("wal_per_transaction", "cpu_per_transaction"),
)
"""What pgbench can measure, by the names in proof.json."""

_SCRIPT = re.compile(r"(?P<file>.+)@(?P<weight>[0-9]{1,7})")


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


def seconds(text: str) -> int:
    """A time on the command line, in whole seconds."""
    # ruff: noqa: PLC0415 - `--version` does not load what only this option needs
    from tunewiz.core.values.units import Duration, UnitError

    try:
        found = Duration.parse(text).seconds
    except UnitError as error:
        raise argparse.ArgumentTypeError(f"found {text!r}, expected a time such as 90s, 30min, 2h") from error
    if not found:
        raise argparse.ArgumentTypeError(f"found {text!r}, expected a second or more")
    return found


class Count:
    """A whole number within limits on the command line."""

    def __init__(self, least: int, most: int) -> None:
        self.least, self.most = least, most

    def __call__(self, text: str) -> int:
        """The number; raises ArgumentTypeError."""
        if text.isascii() and text.isdigit() and self.least <= int(text[:9]) <= self.most:
            return int(text)
        raise argparse.ArgumentTypeError(f"found {text!r}, expected {self.least} to {self.most}")


def _weighted(text: str) -> tuple[Path, int]:
    """A script with its weight, by default 1: FILE or FILE@WEIGHT, as for pgbench."""
    matched = _SCRIPT.fullmatch(text)
    if matched is None:
        return Path(text), 1
    weight = int(matched["weight"])
    if not 1 <= weight <= MAX_WEIGHT:
        raise argparse.ArgumentTypeError(f"found the weight {weight}, expected 1 to {MAX_WEIGHT}")
    return Path(matched["file"]), weight


def _bench(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bundle", metavar="BUNDLE", type=Path, help="the directory of the bundle")
    _scripts(parser)
    _workload(parser)
    _amount(parser)
    parser.add_argument(
        "--copy",
        metavar="DIR",
        type=Path,
        help="measure PostgreSQL's settings on a running copy of the server, whose data directory this is",
    )
    parser.add_argument(
        "--window",
        metavar="TIME",
        type=seconds,
        help="connected clients may be disturbed for this long; then everything is put back",
    )
    parser.add_argument(
        "--ablate",
        action="store_true",
        help="measure what each part of the plan contributes, and name the parts that hurt",
    )
    parser.add_argument(
        "--single", action="store_true", help="with --ablate: measure single changes instead of groups"
    )
    parser.add_argument(
        "--answers-out",
        metavar="FILE",
        type=Path,
        help="with --ablate: write the bundle's answers, with everything that hurt declined",
    )
    parser.add_argument("-o", "--out", metavar="FILE", type=Path, help="write proof.json to this file")
    parser.add_argument("--json", action="store_true", help="print proof.json instead of text")
    parser.add_argument("--yes", action="store_true", help="continue without asking after the A/A pairs")
    parser.add_argument(
        "--resume",
        dest="resume_run",
        action="store_true",
        help="show the run of this bundle that is in progress, or continue an interrupted one",
    )


def _scripts(parser: argparse.ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--builtin",
        choices=BUILTINS,
        metavar="NAME",
        help=f"a built-in script of pgbench: {', '.join(BUILTINS)}; the first is the default",
    )
    which.add_argument(
        "--script",
        dest="scripts",
        metavar="FILE",
        type=_weighted,
        action="append",
        default=[],
        help="your own pgbench script, FILE or FILE@WEIGHT; several are mixed by weight",
    )
    which.add_argument(
        "--from-statements",
        action="store_true",
        help="scripts made from the statements of --dbname in pg_stat_statements, weighted by calls",
    )
    which.add_argument(
        "--from-log",
        dest="logs",
        metavar="FILE",
        type=Path,
        action="append",
        default=[],
        help="scripts made from the statements of --dbname in this server log, which must have durations",
    )


def _workload(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--with-writes",
        action="store_true",
        help="with --from-statements or --from-log: include statements that change rows",
    )
    parser.add_argument(
        "--dbname",
        metavar="NAME",
        help="run on copies of this database, which must have no connections, instead of pgbench's tables",
    )
    parser.add_argument(
        "--clients",
        metavar="N",
        type=Count(1, MAX_CLIENTS),
        help="number of clients; by default two for each processor",
    )
    parser.add_argument(
        "--scale",
        metavar="N",
        type=Count(1, 1_000_000),
        help="pgbench's scale factor; by default from the answers' database size, limited by disk space",
    )


def _amount(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--pairs",
        metavar="N",
        type=Count(2, MAX_PAIRS),
        help="most pairs of runs (with --ablate: cycles); by default 16, or what the budget allows",
    )
    parser.add_argument(
        "--same-pairs",
        metavar="N",
        type=Count(2, MAX_PAIRS),
        help="pairs with nothing changed (A/A) that show this server's noise first; by default 3",
    )
    parser.add_argument(
        "--run",
        metavar="TIME",
        type=seconds,
        help="length of a run; by default 1.2 times the longer checkpoint_timeout, or 5min without writes",
    )
    parser.add_argument("--budget", metavar="TIME", type=seconds, help="end after this time, finished or not")
    parser.add_argument(
        "--seed",
        metavar="N",
        type=Count(0, 999_999_999),
        help="repeat the orders and random numbers of an earlier run",
    )
    parser.add_argument(
        "--metric",
        choices=METRICS,
        default="throughput",
        metavar="NAME",
        help="what the verdict rests on: throughput (the default), latency_95, latency_99, worst_second, "
        "wal_per_transaction or cpu_per_transaction",
    )


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
    ("bench", "Run pgbench with and without a bundle's changes, in pairs of random order", _bench),
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
