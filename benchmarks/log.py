"""How fast a server's log is read, beside reading the same bytes and counting their lines.

    .venv/bin/python benchmarks/log.py [MEGABYTES]

The log is made up (default 400 MB, mostly statements, one line in fifty a message that counts), lies in the
page cache, and is read on one core; what counts is processor time. The exit status is 1 below 200 MB/s.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from tunewiz.collect.logs.files import read_log

AT_LEAST = 200
STAMP = b"2026-11-20 12:00:00.123 UTC [4711] app@shop "
STATEMENT = (
    STAMP + b"LOG:  duration: 12.345 ms  statement: SELECT * FROM orders WHERE customer = 4711 AND day > 3\n"
)
MESSAGES = (
    b'LOG:  temporary file: path "base/pgsql_tmp/pgsql_tmp4711.0", size 12345678\n',
    b"LOG:  checkpoint starting: wal\n",
    b"LOG:  checkpoint complete: wrote 123 buffers (0.8%); distance=49152 kB, estimate=49152 kB\n",
)


def main() -> int:
    """Measure and print."""
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    part = b"".join(STATEMENT * 50 + STAMP + message for message in MESSAGES)
    with tempfile.TemporaryDirectory() as directory:
        log = Path(directory) / "postgresql.log"
        with log.open("wb") as out:
            for _ in range(size * 1_000_000 // len(part)):
                _ = out.write(part)
        lines, begun = 0, time.process_time()
        with log.open("rb") as stream:
            while block := stream.read(1 << 22):
                lines += block.count(b"\n")
        counted = time.process_time() - begun
        begun = time.process_time()
        seen = read_log([log])
        taken = time.process_time() - begun
        rate = seen.size.count / taken / 1_000_000
    print(f"log: {rate:.0f} MB/s, {taken / counted:.1f} x counting its {lines:,} lines; at least {AT_LEAST}")
    return 1 if rate < AT_LEAST else 0


if __name__ == "__main__":
    sys.exit(main())
