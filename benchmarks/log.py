"""How fast a server's log is read in each of its formats, beside reading the same bytes and counting lines.

    .venv/bin/python benchmarks/log.py [MEGABYTES]

The logs are made up (default 400 MB each, mostly statements, one line in fifty a message that counts), lie in
the page cache, and are read on one core; what counts is processor time. The exit status is 1 below 200 MB/s.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tunewiz.collect.logs.files import read_log

AT_LEAST = 200
STATEMENT = "duration: 12.345 ms  statement: SELECT * FROM orders WHERE customer = 4711 AND day > 3"
MESSAGES = (
    'temporary file: path "base/pgsql_tmp/pgsql_tmp4711.0", size 12345678',
    "checkpoint starting: wal",
    "checkpoint complete: wrote 123 buffers (0.8%); distance=49152 kB, estimate=49152 kB",
)
WHEN = "2026-11-20 12:00:00.123 UTC"


def as_text(message: str) -> str:
    """A line of log_destination = stderr."""
    return f"{WHEN} [4711] app@shop LOG:  {message}\n"


def as_csv(message: str) -> str:
    """A line of csvlog: a quote is doubled."""
    result = message.replace('"', '""')
    before = f'{WHEN},"app","shop",4711,"10.0.0.1:5432",655d0000.1267,1,"SELECT",{WHEN},3/42,0,LOG,00000'
    return f'{before},"{result}",,,,,,,,,"psql","client backend",,0\n'


def as_json(message: str) -> str:
    """A line of jsonlog (15 and newer)."""
    about = {"timestamp": WHEN, "user": "app", "dbname": "shop", "pid": 4711, "error_severity": "LOG"}
    return (
        json.dumps({**about, "message": message, "backend_type": "client backend"}, separators=(",", ":"))
        + "\n"
    )


FORMATS: dict[str, Callable[[str], str]] = {
    "postgresql.log": as_text,
    "postgresql.csv": as_csv,
    "postgresql.json": as_json,
}


def rate_of(log: Path, line: Callable[[str], str], size: int) -> float:
    """Megabytes a second, printed beside counting the lines."""
    part = "".join(line(STATEMENT) * 50 + line(message) for message in MESSAGES).encode()
    times = size * 1_000_000 // len(part)
    with log.open("wb") as out:
        for _ in range(times):
            _ = out.write(part)
    lines, begun = 0, time.process_time()
    with log.open("rb") as stream:
        while block := stream.read(1 << 22):
            lines += block.count(b"\n")
    counted = time.process_time() - begun
    begun = time.process_time()
    observation = read_log([log])
    taken = time.process_time() - begun
    result = sum(temp_file.files for temp_file in observation.temp_files)
    if result != times:
        raise SystemExit(f"{log.name}: found {result} temporary files, expected {times}")
    rate = observation.size.count / taken / 1_000_000
    print(f"{log.suffix[1:]}: {rate:.0f} MB/s, {taken / counted:.1f} x counting its {lines:,} lines")
    return rate


def main() -> int:
    """Measure and print."""
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    with tempfile.TemporaryDirectory() as directory:
        rates = [rate_of(Path(directory) / name, line, size) for name, line in FORMATS.items()]
    print(f"at least {AT_LEAST} MB/s")
    return 1 if min(rates) < AT_LEAST else 0


if __name__ == "__main__":
    sys.exit(main())
