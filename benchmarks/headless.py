"""How long the headless commands take, as multiples of starting Python: comparable between machines.

    .venv/bin/python benchmarks/headless.py [RUNS]

The median of RUNS (default 9) is printed; `facts | plan` is the pipe that has to stay under a second.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

TUNEWIZ = f"{sys.executable} -m tunewiz"
BASE = f"{sys.executable} -c pass"
LIMITS: Mapping[str, float] = {"--version": 0.08, "facts | plan": 1.0}
"""Seconds on the machine that the project is made on."""


def commands(facts: Path) -> dict[str, str]:
    """Command lines by the name under which they are printed."""
    return {
        "python -c pass": BASE,
        "--version": f"{TUNEWIZ} --version",
        "demo": f"{TUNEWIZ} demo",
        "explain": f"{TUNEWIZ} explain",
        "facts": f"{TUNEWIZ} facts",
        "plan --json": f"{TUNEWIZ} plan --facts {facts} --json",
        "plan": f"{TUNEWIZ} plan --facts {facts}",
        "facts | plan": f"{TUNEWIZ} facts | {TUNEWIZ} plan --facts /dev/stdin --json",
    }


def median(line: str, runs: int) -> float:
    """Seconds that the line takes; the first run, which fills caches, does not count."""
    taken = list[float]()
    for _ in range(runs + 1):
        begun = time.perf_counter()
        subprocess.run(["sh", "-c", line], stdout=subprocess.DEVNULL, check=True)
        taken.append(time.perf_counter() - begun)
    return statistics.median(taken[1:])


def main() -> int:
    """Measure and print; 1 where a limit is exceeded."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    with tempfile.TemporaryDirectory() as directory:
        facts = Path(directory) / "facts.json"
        subprocess.run(["sh", "-c", f"{TUNEWIZ} facts -o {facts}"], check=True)
        seconds = {name: median(line, runs) for name, line in commands(facts).items()}
    base = seconds["python -c pass"]
    for name, taken in seconds.items():
        limit = f"  limit {LIMITS[name]:.2f} s" if name in LIMITS else ""
        print(f"{name:<16} {taken * 1000:7.0f} ms  {taken / base:5.1f} x{limit}")
    return 1 if any(seconds[name] > limit for name, limit in LIMITS.items()) else 0


if __name__ == "__main__":
    sys.exit(main())
