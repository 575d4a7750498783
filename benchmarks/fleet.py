"""Time and memory of `tunewiz fleet plan` against the number of hosts, each with facts of its own.

    .venv/bin/python benchmarks/fleet.py [HOSTS ...]

By default 10, 1,000 and 10,000 hosts. Each file has about 150 kB: a server with all settings, its
counters and the busiest tables; memory, processors and counters differ from host to host.
Elapsed time also depends on the machine's other load; the processor time of all our processes does not, nor
does its ratio to parsing such a file with the standard library's json.
"""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tunewiz.core.values.versions import Major
from tunewiz.knowledge.loading import load_settings

HOSTS = (10, 1_000, 10_000)
MAX_PROCESSOR = 120
"""Seconds of a processor for 10,000 hosts: 60 s on two of them."""
MAX_MEGABYTES = 500
WANTED_SIZE = 150_000
GIB = 2**30
EXAMPLE = Path(__file__).parents[1] / "profiles" / "hosts" / "nvme-server.json"


@dataclass(frozen=True, kw_only=True, slots=True)
class Cost:
    """What one fleet took."""

    seconds: float
    processor: float
    megabytes: float
    groups: int


TABLE = {
    "schema": "public",
    "last_vacuum": "",
    "last_autovacuum": "2026-10-01 02:03:04+00",
    "last_analyze": "",
    "last_autoanalyze": "2026-10-01 02:03:04+00",
    "page_bytes": 8192,
    "options": {},
}
COUNTED = (
    *("bytes", "live_rows", "dead_rows", "inserted", "updated", "hot_updated", "deleted"),
    *("changed_since_analyze", "sequential_scans", "rows_by_sequential_scans", "index_scans"),
    *("transaction_age", "multixact_age", "main_bytes"),
)


def facts(number: int, settings: dict[str, dict[str, object]]) -> str:
    """The facts of one host, as JSON of the usual size."""
    drawn = random.Random(number)  # noqa: S311 - the same fleet each time
    document: dict[str, Any] = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    memory = drawn.choice([32, 64, 128, 256, 512]) * GIB - drawn.randrange(GIB // 4)
    document["host"] |= {"name": f"db{number:05}", "identity": f"{drawn.getrandbits(256):064x}"}
    document["memory"] |= {"total": memory, "available": memory // 2}
    cores = drawn.choice([8, 16, 32, 64])
    document["cpu"] |= {"online": cores * 2, "cores": cores}
    (server,) = document["postgres"]
    server |= {"system_identifier": str(drawn.getrandbits(62)), "settings": settings}
    server["activity"] |= {"databases_size": drawn.randrange(10 * GIB, 2000 * GIB)}
    without = ("host.identity", "postgres.0.system_identifier")
    document["unknown"] = {key: why for key, why in document["unknown"].items() if key not in without}
    length = len(json.dumps(document, indent=2))
    tables = [table(drawn, place) for place in range((WANTED_SIZE - length) // TABLE_SIZE)]
    server["tables"] = [{"database": "app", "tables": tables, "unused_indexes": [], "bare_foreign_keys": []}]
    return json.dumps(document, indent=2)


TABLE_SIZE = 870
"""Bytes of one table in the file."""


def table(drawn: random.Random, place: int) -> dict[str, object]:
    """A table with counters of its own."""
    counters = {name: drawn.randrange(10**9) for name in COUNTED}
    return {**TABLE, "name": f"orders_{place}", **counters}


def all_settings() -> dict[str, dict[str, object]]:
    """All settings of pg_settings, some of them set in a file."""
    known = load_settings()[Major.parse("16")].known
    place = "/var/lib/pgsql/16/data/postgresql.conf:64"
    return {
        name: {
            "value": info.default,
            "unit": info.unit,
            "source": "default",
            "sourcefile": place if info.needs_restart else None,
            "pending_restart": False,
        }
        for name, info in known.items()
    }


def once(directory: Path) -> Cost:
    """Plan the fleet with the command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.perf_counter()
    command = [sys.executable, "-m", "tunewiz", "fleet", "plan", str(directory), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as running:
        watch = Watch(running.pid)
        assert running.stdout is not None  # noqa: S101 - a pipe, as asked for
        printed = running.stdout.read()
        status = running.wait()
        seconds = time.perf_counter() - begun
        most = watch.end()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if status:
        sys.exit(f"{' '.join(command)} ended with {status}")
    return Cost(
        seconds=seconds,
        processor=after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        megabytes=most,
        groups=len(json.loads(printed)["groups"]),
    )


class Watch:
    """Samples the total memory of a process and its children until it is ended."""

    def __init__(self, process: int) -> None:
        self._process, self._most, self._ended = process, 0.0, threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        while not self._ended.wait(0.1):
            self._most = max(self._most, sum(map(proportional, family(self._process))))

    def end(self) -> float:
        """The highest sample, in megabytes."""
        self._ended.set()
        self._thread.join()
        return self._most


def family(process: int) -> Iterator[int]:
    """A process and all its descendants."""
    yield process
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            children = task.read_text().split()
        except OSError:
            continue
        for child in children:
            yield from family(int(child))


def proportional(process: int) -> float:
    """Megabytes of a process; shared memory is divided among its users (PSS)."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")), 0.0)


def main() -> int:
    """Measure and print; 1 where a limit is exceeded."""
    counts = [int(entry) for entry in sys.argv[1:]] or list(HOSTS)
    settings, costs = all_settings(), dict[int, Cost]()
    with tempfile.TemporaryDirectory() as name:
        directory, written = Path(name), 0
        for count in counts:
            for number in range(written, count):
                (directory / f"db{number:05}.json").write_text(facts(number, settings), encoding="ascii")
            written = count
            costs[count] = once(directory)
        text = (directory / "db00000.json").read_text(encoding="ascii")
    begun = time.process_time()
    for _ in range(100):
        json.loads(text)
    parsed = (time.process_time() - begun) / 100
    print(f"{os.cpu_count()} processors; json reads a file of {len(text):,} bytes in {parsed * 1000:.2f} ms")
    print(" hosts  on the clock  of processors  a host  as json reads  memory  groups")
    for count, cost in costs.items():
        result = cost.processor / count
        print(
            f"{count:6}  {cost.seconds:10.1f} s  {cost.processor:11.1f} s  {result * 1000:4.1f} ms"
            f"  {result / parsed:11.1f} x  {cost.megabytes:3.0f} MB  {cost.groups:6}"
        )
    largest = costs[counts[-1]]
    return 1 if largest.processor > MAX_PROCESSOR or largest.megabytes > MAX_MEGABYTES else 0


if __name__ == "__main__":
    sys.exit(main())
