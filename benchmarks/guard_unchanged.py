"""How often the guard calls a change unhealthy that changes nothing: real servers under a load that wanders.

    PYTHONPATH=tests/support .venv/bin/python benchmarks/guard_unchanged.py [SERVERS] [ROUNDS]

SERVERS (default 12) run beside each other, and each applies a bundle and rolls it back ROUNDS times (default
9), with the guard's own lengths: 60 s before the change and 300 s after it, about six and a half minutes a
round. Half of the bundles are reloaded (maintenance_work_mem), half restart the server (shared_buffers from
128MB to 136MB), and half of the servers have pg_stat_statements. Each verdict is printed, and in the end how
many there were of each kind.

The load is pgbench's TPC-B in pieces of 15 s. The rate of each piece wanders around 12 transactions a second,
and one piece in thirty is three times as busy.
"""

from __future__ import annotations

import math
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

from downtime import served

from pretend_root import PretendRoot
from real_postgres import Cluster
from server_in_root import bundle_for, machine_of

FIRST_PORT = 54800
MEAN_RATE = 12
PIECE_SECONDS = 15
MEMORY, WANDERS = 0.9, 0.12
"""How much of its distance from the mean (as a logarithm) a rate keeps, and what is added by chance."""
SPIKE, SPIKES = 3.0, 1 / 30
OPTIONS = ("--confirm-within", "11", "--watcher", "--guard")
VERDICT = re.compile(r"^(HEALTHY|UNHEALTHY|UNDECIDED): (.*)$", re.MULTILINE)


def rates(chance: random.Random) -> Generator[float]:
    """Transactions a second, of one piece of the load after another."""
    distance = 0.0
    while True:
        distance = MEMORY * distance + chance.gauss(0, WANDERS)
        yield MEAN_RATE * math.exp(distance) * (SPIKE if chance.random() < SPIKES else 1)


@contextmanager
def under_load(cluster: Cluster, chance: random.Random) -> Generator[None]:
    """As long as it lasts; pgbench is begun again after a restart."""
    programs, over = cluster.programs.bin_directory, threading.Event()
    where = ("-h", cluster.socket_directory, "-p", str(cluster.port))
    cluster.run(programs / "pgbench", "-i", "-q", "-s", "2", *where, "postgres")

    def work() -> None:
        for rate in rates(chance):
            options = ("-n", "-c", "4", "-T", str(PIECE_SECONDS), "-R", f"{rate:.1f}")
            quiet = subprocess.DEVNULL
            with subprocess.Popen(
                (programs / "pgbench", *options, *where, "postgres"),
                user=cluster.os_user,
                stdout=quiet,
                stderr=quiet,
            ) as piece:
                while piece.poll() is None and not over.wait(0.2):
                    pass
                piece.kill()
            if over.wait(0.3):
                return

    clients = threading.Thread(target=work)
    clients.start()
    try:
        yield
    finally:
        over.set()
        clients.join()


def run(machine: PretendRoot, *command: str | Path) -> str:
    """What a script said, however long it took, and its exit status."""
    where = {"TUNEWIZ_ROOT": str(machine.root), "TUNEWIZ_STATE_DIR": str(machine.state)}
    ran = subprocess.run(
        ("sh", *command),
        env={**os.environ, **where},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return f"{ran.stdout}exit status {ran.returncode}"


def verdict(said: str) -> str:
    """The guard's, with its reason."""
    match = VERDICT.search(said)
    return f"{match[1]}: {match[2]}" if match else f"NO VERDICT: {said}"


def judged(number: int, rounds: int) -> list[str]:
    """The verdicts on one server, printed as they come."""
    verdicts = list[str]()
    with ExitStack() as stack:
        beside = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tunewiz-guard-")))
        libraries = "pg_stat_statements" if number % 4 < 2 else ""  # noqa: PLR2004 - half of the servers
        cluster = stack.enter_context(served(FIRST_PORT + number, shared_preload_libraries=libraries))
        if libraries:
            cluster.query("CREATE EXTENSION pg_stat_statements")
        wanted = {"pg.shared_buffers": "136MB"} if number % 2 else {"pg.maintenance_work_mem": "96MB"}
        bundle, machine = (
            bundle_for(cluster, beside / "bundle", wanted),
            machine_of(cluster, beside / "state"),
        )
        stack.enter_context(under_load(cluster, random.Random(number)))  # noqa: S311 - a load, no secret
        for _ in range(rounds):
            verdicts.append(verdict(run(machine, bundle / "apply.sh", *OPTIONS)))
            print(time.strftime("%H:%M:%S"), number, *wanted, verdicts[-1], flush=True)
            run(machine, bundle / "rollback.sh")
    return verdicts


def main() -> None:
    """Print each verdict, and how many of each kind."""
    servers = int(sys.argv[1]) if len(sys.argv) > 1 else 12
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 9  # noqa: PLR2004 - the second argument
    with ThreadPoolExecutor(servers) as pool:
        verdicts = [
            one for several in pool.map(judged, range(servers), [rounds] * servers) for one in several
        ]
    for kind, count in Counter(one.partition(":")[0] for one in verdicts).most_common():
        print(f"{kind:10} {count:4} of {len(verdicts)}")


if __name__ == "__main__":
    main()
