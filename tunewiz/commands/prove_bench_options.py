"""The options of `tunewiz prove bench`."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

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


def seconds(text: str) -> int:
    """A time on the command line, in whole seconds."""
    # ruff: noqa: PLC0415 - `--version` does not load what only this option needs
    from tunewiz.core.values.units import Duration, UnitError

    try:
        number = Duration.parse(text).seconds
    except UnitError as error:
        raise argparse.ArgumentTypeError(f"found {text!r}, expected a time such as 90s, 30min, 2h") from error
    if not number:
        raise argparse.ArgumentTypeError(f"found {text!r}, expected a second or more")
    return number


class WholeNumber:
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


def add_proof_output(parser: argparse.ArgumentParser) -> None:
    """Where the proof goes."""
    parser.add_argument("-o", "--out", metavar="FILE", type=Path, help="write proof.json to this file")
    parser.add_argument("--json", action="store_true", help="print proof.json instead of text")


def add_seed(parser: argparse.ArgumentParser, repeats: str) -> None:
    """What makes a run draw the same again."""
    parser.add_argument("--seed", metavar="N", type=WholeNumber(0, 999_999_999), help=f"repeat {repeats}")


def add_bench(parser: argparse.ArgumentParser) -> None:
    """Add them."""
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
    add_proof_output(parser)
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
        help="scripts made from the statements of --dbname in pg_stat_statements, weighted by calls; with "
        "--copy those that the copy counted: for the server's own, give its log with --from-log",
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
        type=WholeNumber(1, MAX_CLIENTS),
        help="number of clients; by default two for each processor",
    )
    parser.add_argument(
        "--scale",
        metavar="N",
        type=WholeNumber(1, 1_000_000),
        help="pgbench's scale factor; by default from the answers' database size, limited by disk space",
    )


def _amount(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--pairs",
        metavar="N",
        type=WholeNumber(2, MAX_PAIRS),
        help="most pairs of runs (with --ablate: cycles); by default 16, or what the budget allows",
    )
    parser.add_argument(
        "--same-pairs",
        metavar="N",
        type=WholeNumber(2, MAX_PAIRS),
        help="pairs with nothing changed (A/A) that show this server's noise first; by default 3",
    )
    parser.add_argument(
        "--run",
        metavar="TIME",
        type=seconds,
        help="length of a run; by default 1.2 times the longer checkpoint_timeout, or 5min without writes, "
        "less if the budget demands it",
    )
    parser.add_argument(
        "--budget",
        metavar="TIME",
        type=seconds,
        help="plan everything within this time: fewer pairs, shorter runs; refused if nothing useful fits",
    )
    add_seed(parser, "the orders and random numbers of an earlier run")
    parser.add_argument(
        "--metric",
        choices=METRICS,
        default="throughput",
        metavar="NAME",
        help="what the verdict rests on: throughput (the default), latency_95, latency_99, worst_second, "
        "wal_per_transaction or cpu_per_transaction",
    )
