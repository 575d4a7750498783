"""What the guard takes from the machine: processor time of a sample, beside the simplest question.

    PYTHONPATH=tests/support .venv/bin/python benchmarks/guard.py [RUNS]

A bundle is applied on an idle server with a short and with a long window, RUNS times (default 3) in turn. The
difference in processor time, of the scripts with all that they start and of the server's sessions, is divided
by the samples more. Beside it: `psql -c 'SELECT 1'`, the same way, in the same run. By default a sample is
taken every 5 s.
"""

from __future__ import annotations

import os
import resource
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from downtime import machine_of, served
from scripts import run, written

from pretend_root import PretendRoot
from real_postgres import Cluster

SHORT, LONG = 24, 64
"""Seconds of a window whose intervals last one second."""
QUESTIONS = 40
DEFAULT_INTERVAL = 5
TICKS = os.sysconf("SC_CLK_TCK")


def sessions_seconds(cluster: Cluster) -> float:
    """Processor time of the server's sessions that have ended."""
    postmaster = (cluster.data_directory / "postmaster.pid").read_text().split()[0]
    fields = Path(f"/proc/{postmaster}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[13]) + int(fields[14])) / TICKS


def cost(cluster: Cluster, work: Callable[[], None]) -> float:
    """Processor time in seconds, of the programs that it starts and of the server's sessions."""

    def spent() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime + sessions_seconds(cluster)

    before = spent()
    work()
    return spent() - before


def ask(cluster: Cluster) -> None:
    """The simplest question, each by a program and a session of its own."""
    for _ in range(QUESTIONS):
        cluster.query("SELECT 1")


def guarded(machine: PretendRoot, bundle: Path, window: int) -> None:
    """Applied, watched for the window, and rolled back."""
    options = ("--confirm-within", "3", "--watcher", "--guard", "--guard-baseline", "12")
    run(machine, bundle, "apply.sh", *options, "--guard-window", str(window))
    run(machine, bundle, "rollback.sh")


def main() -> None:
    """Print milliseconds of processor time, their ratio, and the share of one processor."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    with tempfile.TemporaryDirectory(prefix="tunewiz-guard-") as name, served() as cluster:
        beside = Path(name)
        bundle, machine = written(cluster, beside / "bundle"), machine_of(cluster, beside / "state")
        samples, questions = list[float](), list[float]()
        for _ in range(rounds):
            short = cost(cluster, lambda: guarded(machine, bundle, SHORT))
            long = cost(cluster, lambda: guarded(machine, bundle, LONG))
            samples.append((long - short) / (LONG - SHORT))
            questions.append(cost(cluster, lambda: ask(cluster)) / QUESTIONS)
    sample, question = statistics.median(samples), statistics.median(questions)
    print(
        f"a sample            {1000 * sample:6.0f} ms  ({', '.join(f'{1000 * one:.0f}' for one in samples)})"
    )
    print(f"psql, SELECT 1      {1000 * question:6.0f} ms")
    print(f"ratio               {sample / question:6.1f}")
    print(f"every {DEFAULT_INTERVAL} s           {100 * sample / DEFAULT_INTERVAL:6.2f} % of one processor")


if __name__ == "__main__":
    main()
