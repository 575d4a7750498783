"""How long reading a configuration of 10,000 lines takes, as a multiple of splitting it into lines.

    .venv/bin/python benchmarks/reader.py [LINES]

The file has what real ones have: comments, quotes, units, blank lines, an include_dir and duplicates.
The median of 9 runs is printed; the ratio compares between machines.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tunewiz.collect.postgres.conf import read_configuration
from tunewiz.collect.system import LiveSystem

LINES = 10_000
RUNS = 9
KINDS = (
    "# a comment of usual length, which says what the next line does and when",
    "work_mem = 24MB",
    "log_line_prefix = '%m [%p] it''s %q%u@%d '   # quoted",
    "",
    "  shared_buffers='16GB'",
    "checkpoint_timeout 15min",
    "custom.name = 'x\\ty'",
)


def seconds(action_in_words: Callable[[], object]) -> float:
    """The median of some runs."""
    taken = list[float]()
    for _ in range(RUNS):
        begin = time.perf_counter()
        action_in_words()
        taken.append(time.perf_counter() - begin)
    return statistics.median(taken)


def main() -> None:
    """Print the times and their ratio."""
    lines = int(sys.argv[1]) if len(sys.argv) > 1 else LINES
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "postgresql.conf"
        text = "\n".join(KINDS[number % len(KINDS)] for number in range(lines))
        file.write_text(f"{text}\ninclude_dir = 'conf.d'\n")
        (file.parent / "conf.d").mkdir()
        configuration = read_configuration(LiveSystem(), str(file), folder)
        reading = seconds(lambda: read_configuration(LiveSystem(), str(file), folder))
        splitting = seconds(lambda: [line.strip() for line in file.read_text().splitlines()])
    print(
        f"{lines:,} lines, {len(configuration.assignments):,} of them settings, "
        f"{len(configuration.problems)} problems"
    )
    print(f"read in {1000 * reading:.1f} ms; split into lines in {1000 * splitting:.2f} ms")
    print(f"ratio {reading / splitting:.0f}")


if __name__ == "__main__":
    main()
