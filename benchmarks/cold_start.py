"""What the first seconds after a cold restart cost, with small and large shared_buffers and with autoprewarm.

    PYTHONPATH=tests/support .venv/bin/python benchmarks/cold_start.py [ROUNDS [SCALE [SECONDS]]]

Each of ROUNDS (default 6) tries the three ways in random order: the server is warmed (the table and its
index are read into its buffers) and stopped, its files are evicted from the kernel's page cache, the server
is started, and pgbench reads (-S, 16 clients) for SECONDS (default 20). SCALE (default 200, about 3 GB) must
fit into half of memory. Only the server's own files leave the cache, so nobody else on the machine is
disturbed and root is not needed; caches of a hypervisor stay warm. The output is the throughput of each way
relative to the defaults of the same round, and with autoprewarm relative to without: lowest, median, highest.
"""

from __future__ import annotations

import random
import re
import statistics
import sys
from collections.abc import Iterator, Mapping

from evicted_files import evict

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
DEFAULTS = (6, 200, 20)
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
    if isinstance(programs, str):
        print(f"cold_start.py: {programs}", file=sys.stderr)
        return 2
    with directory_of(user) as directory:
        cluster = describe("plain", programs, user, directory, PORT)
        initialize(programs, user, cluster.data_directory)
        cluster.run("mkdir", cluster.socket_directory)
        configure(cluster, {"max_wal_size": "8GB"})
        cluster.start()
        try:
            _ = _pgbench(cluster, "-i", "-q", "-s", str(scale))
            _ = cluster.query("CREATE EXTENSION pg_prewarm")
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
        result = {way: _first_seconds(cluster, WAYS[way], scale, seconds) for way in order}
        print(" ".join(f"{way}: {result[way]:.0f}/s;" for way in WAYS), flush=True)
        yield result


def _first_seconds(cluster: Cluster, way: Mapping[str, str], scale: int, seconds: int) -> float:
    """Transactions a second, from a start with nothing cached."""
    _ = cluster.query("ALTER SYSTEM RESET ALL")
    for name, value in way.items():
        planned = value.replace("BUFFERS", f"{MEGABYTES_A_SCALE * scale}MB")
        _ = cluster.query(f"ALTER SYSTEM SET {name} = '{planned}'")
    cluster.restart()
    for relation in ("pgbench_accounts", "pgbench_accounts_pkey"):
        _ = cluster.query(f"SELECT pg_prewarm('{relation}')")
    cluster.stop()
    evict(cluster.data_directory)
    cluster.start()
    said = _pgbench(cluster, "-S", "-n", "-c", str(CLIENTS), "-j", "2", "-T", str(seconds))
    (actual,) = re.findall(r"^tps = ([\d.]+) \(without", said, re.MULTILINE)
    return float(actual)


def _print(rounds: list[Mapping[str, float]]) -> None:
    defaults, large, prewarmed = WAYS
    for one, other in ((large, defaults), (prewarmed, defaults), (prewarmed, large)):
        ratios = sorted(entry[one] / entry[other] for entry in rounds)
        print(f"{one}: {ratios[0]:.2f} {statistics.median(ratios):.2f} {ratios[-1]:.2f} x {other}")


if __name__ == "__main__":
    sys.exit(main())
