"""What the first seconds after a cold restart cost, with small and large shared_buffers and with autoprewarm.

    PYTHONPATH=tests/support .venv/bin/python benchmarks/cold_start.py [ROUNDS [SCALE [SECONDS]]]

As root, on a machine where the kernel's page cache may be dropped. Each of ROUNDS (default 3) tries the three
ways in an order of its own: the server is warmed, stopped, the page cache dropped, the server started, and
pgbench reads (-S, 16 clients) for SECONDS (default 40). SCALE (default 200, about 3 GB) must fit into half of
memory. Printed is the throughput of each way against the defaults of the same round: lowest, median, highest.
"""

from __future__ import annotations

import os
import random
import re
import statistics
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from fixtures_postgres import (
    configure,
    describe,
    directory_of,
    initialize,
    installed_programs,
    unprivileged_user,
)
from real_postgres import Cluster

CLIENTS = 16
PORT = 54_999
DEFAULTS = (3, 200, 40)
"""Rounds, scale, seconds."""
WAYS: Mapping[str, Mapping[str, str]] = {
    "defaults": {"shared_buffers": "128MB"},
    "large buffers": {"shared_buffers": "BUFFERS"},
    "large buffers, autoprewarm": {"shared_buffers": "BUFFERS", "shared_preload_libraries": "pg_prewarm"},
}
MEGABYTES_A_SCALE = 16
"""Of pgbench's tables and their index."""


def main() -> int:
    """Measure and print."""
    given = [*map(int, sys.argv[1:])]
    rounds, scale, seconds = (*given, *DEFAULTS[len(given) :])
    programs, user = installed_programs(), unprivileged_user()
    if os.geteuid() != 0 or isinstance(programs, str):
        print("cold_start.py: needs root, to drop the page cache, and a PostgreSQL server", file=sys.stderr)
        return 2
    with directory_of(user) as directory:
        cluster = describe("plain", programs, user, directory, PORT)
        initialize(programs, user, cluster.data_directory)
        cluster.run("mkdir", cluster.socket_directory)
        configure(cluster, {"max_wal_size": "8GB"})
        cluster.start()
        try:
            _ = _pgbench(cluster, "-i", "-q", "-s", str(scale))
            _print(list(_measured(cluster, rounds, scale, seconds)))
        finally:
            cluster.stop()
    return 0


def _pgbench(cluster: Cluster, *options: str) -> str:
    where = ("-h", cluster.socket_directory, "-p", str(cluster.port), "postgres")
    return cluster.run(cluster.programs.bin_directory / "pgbench", *options, *where)


def _measured(cluster: Cluster, rounds: int, scale: int, seconds: int) -> Iterator[Mapping[str, float]]:
    chance = random.Random(0)  # noqa: S311 - an order, not a secret
    for _ in range(rounds):
        order = [*WAYS]
        chance.shuffle(order)
        yield {way: _first_seconds(cluster, WAYS[way], scale, seconds) for way in order}


def _first_seconds(cluster: Cluster, way: Mapping[str, str], scale: int, seconds: int) -> float:
    """Transactions a second, from a start with nothing cached."""
    _ = cluster.query("ALTER SYSTEM RESET ALL")
    for name, value in way.items():
        planned = value.replace("BUFFERS", f"{MEGABYTES_A_SCALE * scale}MB")
        _ = cluster.query(f"ALTER SYSTEM SET {name} = '{planned}'")
    cluster.restart()
    _ = cluster.query("SELECT sum(abalance) FROM pgbench_accounts")
    read = ("-S", "-n", "-c", str(CLIENTS), "-j", "2", "-T", str(seconds))
    _ = _pgbench(cluster, *read)
    cluster.stop()
    os.sync()
    _ = Path("/proc/sys/vm/drop_caches").write_text("3")
    cluster.start()
    said = _pgbench(cluster, *read)
    (found,) = re.findall(r"^tps = ([\d.]+) \(without", said, re.MULTILINE)
    return float(found)


def _print(rounds: list[Mapping[str, float]]) -> None:
    for way in WAYS:
        ratios = sorted(each[way] / each["defaults"] for each in rounds)
        print(f"{way}: {ratios[0]:.2f} {statistics.median(ratios):.2f} {ratios[-1]:.2f} x the defaults")


if __name__ == "__main__":
    sys.exit(main())
