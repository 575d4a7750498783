"""When a very large shared_buffers is right: with and without the kernel's page cache, under a memory limit.

    PYTHONPATH=tests/support .venv/bin/python benchmarks/large_buffers.py RESULTS [ROUNDS] [--bin DIRECTORY]

As root, on Linux. A server of PostgreSQL 16 or newer (DIRECTORY has its programs) gets a control group of
768 MB, and shared_buffers of 25, 40 and 75 % of it: once as usual, once with `debug_io_direct = data`, which
keeps its data files out of the page cache, as direct I/O of a file system does. Each of ROUNDS (default 5)
tries all six in random order with reads around a hot middle of 1.1 GB, and with pgbench's own transactions.
Before each the server's files leave the page cache and the server starts; 8 s of the same work warm it, 12 s
count. Each figure is appended to RESULTS, a line of JSON, so that a run that was cut off goes on. The output
is a table: throughput and 99th percentile relative to 25 % with the page cache in the same round, throughput
also to the same size with it, with the interval of 95 % (t on logarithms). Takes five minutes a round.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path

from evicted_files import evict
from memory_limit import LimitedGroup, limited_group

from fixtures_postgres import configure, describe, directory_of, initialize, programs_in, unprivileged_user
from real_postgres import Cluster, run_as
from tunewiz.core.proof.ratios import Interval, estimate, log_ratios

LIMIT_MB = 768
SCALE = 75
"""1.1 GB of pgbench's accounts: half as much again as the limit."""
PARTS = (25, 40, 75)
"""shared_buffers in percent of the limit: the usual quarter, the most that PostgreSQL's manual thinks useful,
and the share of the study of VxFS."""
WARM, SECONDS, CLIENTS = 8, 12, 8
PORT = 54_997
SAMPLED = 0.2
"""Part of the transactions whose latency is logged."""
LEVEL = 0.95
HOT_READS = """\\set aid random_gaussian(1, 100000 * :scale, 5)
SELECT abalance FROM pgbench_accounts WHERE aid = :aid;
"""
"""Two thirds of the reads fall on the middle fifth of the rows, 95 % on two fifths (pgbench's manual)."""
HEAD = (
    "| shared_buffers | throughput | 99th percentile | throughput, page cache of that size = 1 "
    "| a second, median |"
)
WORKLOADS = ("hot reads", "transactions")
IN_PLACE: Mapping[str, str] = {"max_wal_size": "8GB", "checkpoint_timeout": "1h", "max_connections": "40"}
"""No checkpoint falls into 20 seconds: only the writing of evicted pages is compared."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Way:
    """How the server uses its memory."""

    part: int
    direct: bool

    @property
    def in_words(self) -> str:
        """For the table."""
        return f"{self.part} %, {'direct I/O' if self.direct else 'page cache'}"


USUAL = Way(part=25, direct=False)
WAYS = tuple(Way(part=part, direct=direct) for part, direct in product(PARTS, (False, True)))


@dataclass(frozen=True, kw_only=True, slots=True)
class Figures:
    """What one run gave."""

    round: int
    workload: str
    part: int
    direct: bool
    throughput: float
    """Transactions a second."""
    p99: float
    """99th percentile of latency in milliseconds."""
    load: float
    """Load average just before it; the run before has raised it."""

    @property
    def run(self) -> tuple[int, str, Way]:
        """What tells it from the others."""
        return self.round, self.workload, Way(part=self.part, direct=self.direct)


def main() -> int:
    """Measure what RESULTS lacks, and print the table."""
    options = _options()
    measured = read(options.results)
    left = [run for run in planned(options.rounds) if run not in {figures.run for figures in measured}]
    if left:
        measured += _measured(left, Path(options.bin), options.results)
    print("\n".join(table(measured)))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="When a very large shared_buffers is right.")
    _ = parser.add_argument("results", type=Path)
    _ = parser.add_argument("rounds", type=int, nargs="?", default=5)
    _ = parser.add_argument("--bin", default="/usr/lib/postgresql/18/bin")
    return parser.parse_args()


def planned(rounds: int) -> Iterator[tuple[int, str, Way]]:
    """Every run, in an order that is drawn within each round."""
    chance = random.Random(0)  # noqa: S311 - an order, not a secret
    for number in range(1, rounds + 1):
        runs = [(number, workload, way) for workload, way in product(WORKLOADS, WAYS)]
        chance.shuffle(runs)
        yield from runs


def read(results: Path) -> list[Figures]:
    """What was measured before."""
    lines = results.read_text(encoding="utf-8").splitlines() if results.exists() else []
    return [Figures(**json.loads(line)) for line in lines]


def _measured(runs: Sequence[tuple[int, str, Way]], programs: Path, results: Path) -> Iterator[Figures]:
    user = unprivileged_user()
    with ExitStack() as undo:
        group = undo.enter_context(limited_group(LIMIT_MB))
        directory = undo.enter_context(directory_of(user))
        cluster = describe("plain", programs_in(programs), user, directory, PORT)
        _fill(cluster)
        undo.callback(_stop, cluster)
        for number, workload, way in runs:
            figures = _run(cluster, group, number, workload, way)
            with results.open("a", encoding="utf-8") as file:
                _ = file.write(f"{json.dumps(asdict(figures))}\n")
            print(f"round {number}: {workload}, {way.in_words}: {figures.throughput:,.0f}/s", flush=True)
            yield figures


def _fill(cluster: Cluster) -> None:
    initialize(cluster.programs, cluster.os_user, cluster.data_directory)
    cluster.run("mkdir", cluster.socket_directory)
    configure(cluster, IN_PLACE)
    _ = (cluster.directory / "hot.sql").write_text(HOT_READS, encoding="ascii")
    (cluster.directory / "hot.sql").chmod(0o644)
    cluster.start()
    _ = _pgbench(cluster, "-i", "-q", "-s", str(SCALE))
    _ = cluster.query("CREATE EXTENSION pg_prewarm")
    cluster.stop()


def _stop(cluster: Cluster) -> None:
    if cluster.is_running():
        cluster.stop(mode="immediate")


def _run(cluster: Cluster, group: LimitedGroup, number: int, workload: str, way: Way) -> Figures:
    buffers, direct = way.part * LIMIT_MB // 100, "data" if way.direct else ""
    settings = f"shared_buffers = {buffers}MB\ndebug_io_direct = '{direct}'\n"
    cluster.run(
        "sh", "-c", f"printf '%s' \"$1\" > '{cluster.data_directory}/postgresql.auto.conf'", "sh", settings
    )
    evict(cluster.data_directory)
    load = os.getloadavg()[0]
    cluster.start()
    postmaster = (cluster.data_directory / "postmaster.pid").read_text(encoding="utf-8").split()[0]
    group.take(int(postmaster))
    for relation in ("pgbench_accounts_pkey", "pgbench_accounts"):
        _ = cluster.query(f"SELECT pg_prewarm('{relation}')")
    _ = _work(cluster, workload, WARM)
    result = _work(cluster, workload, SECONDS, "-l", f"--sampling-rate={SAMPLED}")
    cluster.stop()
    return Figures(
        round=number,
        workload=workload,
        part=way.part,
        direct=way.direct,
        throughput=float(re.findall(r"^tps = ([\d.]+) \(without", result, re.MULTILINE)[0]),
        p99=_latency(cluster.directory),
        load=load,
    )


def _work(cluster: Cluster, workload: str, seconds: int, *options: str) -> str:
    script = ("-f", "hot.sql", "-D", f"scale={SCALE}") if workload == "hot reads" else ()
    at_work = ("-n", "-M", "prepared", "-c", str(CLIENTS), "-j", "2", "-T", str(seconds))
    return _pgbench(cluster, *at_work, *options, *script)


def _pgbench(cluster: Cluster, *options: str) -> str:
    """The server's own pgbench, else the machine's."""
    own = cluster.programs.bin_directory / "pgbench"
    where = ("-h", cluster.socket_directory, "-p", str(cluster.port), "postgres")
    program = own if own.exists() else Path("pgbench")
    return run_as(cluster.os_user, (program, *options, *where), directory=cluster.directory, environment={})


def _latency(directory: Path) -> float:
    """The 99th percentile of what was logged, in milliseconds; the logs are removed."""
    microseconds = list[int]()
    for log in directory.glob("pgbench_log.*"):
        microseconds += (int(line.split()[2]) for line in log.read_text(encoding="ascii").splitlines())
        log.unlink()
    return statistics.quantiles(microseconds, n=100)[98] / 1000


def table(measured: Sequence[Figures]) -> Iterator[str]:
    """As Markdown."""
    for workload in WORKLOADS:
        yield from (f"\n{workload}\n", HEAD, "|---|---|---|---|---|")
        for way in WAYS:
            usual = pairs_of(measured, workload, USUAL, way)
            cached = pairs_of(measured, workload, Way(part=way.part, direct=False), way)
            yield f"| {way.in_words} | {' | '.join(_cells(usual, cached))} |"


def pairs_of(
    measured: Sequence[Figures], workload: str, one: Way, other: Way
) -> Sequence[tuple[Figures, Figures]]:
    """The figures of both ways in each round that has both."""
    by_run = {figures.run: figures for figures in measured}
    rounds = sorted({figures.round for figures in measured})
    runs = (((number, workload, one), (number, workload, other)) for number in rounds)
    return [(by_run[before], by_run[after]) for before, after in runs if {before, after} <= by_run.keys()]


def _cells(
    usual: Sequence[tuple[Figures, Figures]], cached: Sequence[tuple[Figures, Figures]]
) -> Iterator[str]:
    yield _ratio([(one.throughput, other.throughput) for one, other in usual])
    yield _ratio([(one.p99, other.p99) for one, other in usual])
    yield _ratio([(one.throughput, other.throughput) for one, other in cached])
    yield f"{statistics.median(other.throughput for _, other in usual):,.0f}" if usual else ""


def _ratio(pairs: Sequence[tuple[float, float]]) -> str:
    if len(pairs) < 2:  # noqa: PLR2004 - no interval without a second pair
        return "too few rounds"
    return _in_words(estimate(log_ratios(pairs)).interval(LEVEL))


def _in_words(interval: Interval) -> str:
    return f"{interval.ratio:.2f} ({interval.low:.2f} to {interval.high:.2f})"


if __name__ == "__main__":
    sys.exit(main())
