"""What a look and sampled waits cost a server at work, and how long a look takes on a large one.

    .venv/bin/python benchmarks/health.py SOCKET_DIRECTORY PORT [PAIRS]
    .venv/bin/python benchmarks/health.py SOCKET_DIRECTORY PORT look [PAIRS]
    .venv/bin/python benchmarks/health.py SOCKET_DIRECTORY PORT large

All connect as PGUSER says, a superuser. The first runs pgbench (database `postgres`, its tables made
before: `pgbench -i -s 10`) in pairs of half a minute, in turn with and without `tunewiz health --waits`, and
prints what is lost, with its standard error, beside the processor time of the session that samples. The exit
status is 1 from 1 % of one core.

The second does the same with one look (`tunewiz health`) in every second half minute, and prints beside what
is lost the processor time of the program that looks.

The third makes 10,000 tables and 1,000 sessions (max_connections 1,100 at least), prints how long a look and
a sample take there, and drops them. The exit status is 1 from 30 seconds for the whole look.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager

import psutil
import psycopg
from psycopg import sql

SECONDS = 30
PAIRS = 6
AT_MOST = 0.01
"""Of one core."""
LARGE_TABLES, LARGE_SESSIONS, LARGE_SECONDS = 10_000, 1_000, 30.0
BATCH = 500


def main() -> int:
    """Measure and print."""
    directory, port, *more = sys.argv[1:]
    match more:
        case ["large"]:
            return large(directory, port)
        case ["look", *rest]:
            return looks(directory, port, int(rest[0]) if rest else PAIRS)
        case _:
            return paired(directory, port, int(more[0]) if more else PAIRS)


def paired(directory: str, port: str, pairs: int) -> int:
    """Pairs of pgbench runs, one of them sampled; whichever comes first alternates."""
    lost, shares = list[float](), list[float]()
    for number in range(pairs):
        rates = dict[bool, float]()
        for is_sampled in (number % 2 == 0, number % 2 == 1):
            if is_sampled:
                with sampling(directory, port) as session:
                    before = spent(session)
                    rates[True] = pgbench(directory, port)
                    shares.append((spent(session) - before) / SECONDS)
            else:
                rates[False] = pgbench(directory, port)
        lost.append(1 - rates[True] / rates[False])
    mean, error = statistics.mean(lost), statistics.stdev(lost) / len(lost) ** 0.5 if pairs > 1 else 0.0
    share = statistics.mean(shares)
    print(
        f"health --waits: {100 * mean:.2f} % fewer transactions (standard error {100 * error:.2f}, "
        f"{pairs} pairs of {SECONDS} s), {100 * share:.2f} % of a core for the session that samples"
    )
    return 1 if share >= AT_MOST else 0


def looks(directory: str, port: str, pairs: int) -> int:
    """Pairs of pgbench runs, a look in one of them; whichever comes first alternates."""
    lost, seconds = list[float](), list[float]()
    command = (sys.executable, "-m", "tunewiz", "health", "--json", "--host", directory, "--port", port)
    for number in range(pairs):
        rates = dict[bool, float]()
        for is_looked_at in (number % 2 == 0, number % 2 == 1):
            if is_looked_at:
                process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
                rates[True] = pgbench(directory, port)
                _, _, used = os.wait4(process.pid, 0)
                seconds.append(used.ru_utime + used.ru_stime)
            else:
                rates[False] = pgbench(directory, port)
        lost.append(1 - rates[True] / rates[False])
    error = statistics.stdev(lost) / len(lost) ** 0.5 if pairs > 1 else 0.0
    print(
        f"health: {100 * statistics.mean(lost):.2f} % fewer transactions in {SECONDS} s with one look "
        f"(standard error {100 * error:.2f}, {pairs} pairs), "
        f"{statistics.mean(seconds):.2f} s of processor time"
    )
    return 0


def pgbench(directory: str, port: str) -> float:
    """Transactions a second."""
    command = ("pgbench", "-h", directory, "-p", port, "-c", "2", "-j", "1", "-T", str(SECONDS), "postgres")
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    matched = re.search(r"tps = ([0-9.]+)", out)
    if matched is None:
        raise SystemExit(f"benchmarks/health.py: pgbench printed no rate: {out}")
    return float(matched[1])


@contextmanager
def sampling(directory: str, port: str) -> Generator[psutil.Process]:
    """The server's session while waits are sampled."""
    command = (sys.executable, "-m", "tunewiz", "health", "--waits", "60s", "--json")
    where = ("--host", directory, "--port", port)
    with subprocess.Popen((*command, *where), stdout=subprocess.DEVNULL) as process:
        yield psutil.Process(sampler(directory, port))
        process.terminate()


def sampler(directory: str, port: str) -> int:
    """The process of the session that samples: the one of ours that stays longer than any look."""
    ours = "select pid from pg_stat_activity where application_name = 'tunewiz'"
    with psycopg.connect(host=directory, port=port, dbname="postgres", autocommit=True) as connection:
        for _ in range(600):
            if row := connection.execute(f"{ours} and backend_start < now() - interval '8s'").fetchone():
                return int(row[0])
            time.sleep(0.1)
    raise SystemExit("benchmarks/health.py: no session sampled within a minute")


def spent(process: psutil.Process) -> float:
    """Seconds of processor time of a process."""
    times = process.cpu_times()
    return float(times.user + times.system)


def large(directory: str, port: str) -> int:
    """A look at many tables and sessions."""
    with ExitStack() as stack:
        where = f"host={directory} port={port} dbname=postgres"
        admin = stack.enter_context(psycopg.connect(where, autocommit=True))
        admin.execute("create schema large_look")
        stack.callback(drop_tables, admin)
        for first in range(0, LARGE_TABLES, BATCH):
            made = sql.SQL("create table large_look.{} (id serial primary key, n int)")
            admin.execute(sql.SQL(";").join(made.format(name) for name in batch(first)))
        for _ in range(LARGE_SESSIONS):
            stack.enter_context(psycopg.connect(where, autocommit=True))
        begun = time.perf_counter()
        command = (sys.executable, "-m", "tunewiz", "health", "--json", "--host", directory, "--port", port)
        subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
        look = time.perf_counter() - begun
        begun = time.perf_counter()
        admin.execute(
            "select wait_event_type, count(*) from pg_stat_activity where state = 'active' group by 1"
        )
        sample = time.perf_counter() - begun
    print(
        f"health at {LARGE_TABLES:,} tables and {LARGE_SESSIONS:,} sessions: {look:.1f} s, "
        f"a sample of waits {1_000 * sample:.1f} ms"
    )
    return 1 if look >= LARGE_SECONDS else 0


def batch(first: int) -> Iterator[sql.Identifier]:
    """Names of the tables from that number on."""
    return (sql.Identifier(f"t{number}") for number in range(first, first + BATCH))


def drop_tables(admin: psycopg.Connection[tuple[object, ...]]) -> None:
    """In parts: a transaction locks all that it drops."""
    for first in range(0, LARGE_TABLES, BATCH):
        names = (sql.SQL("large_look.{}").format(name) for name in batch(first))
        admin.execute(sql.SQL("drop table if exists {}").format(sql.SQL(", ").join(names)))
    admin.execute("drop schema large_look cascade")


if __name__ == "__main__":
    sys.exit(main())
