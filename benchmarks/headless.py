"""What the headless commands cost, as multiples of starting Python: comparable between machines.

    .venv/bin/python benchmarks/headless.py [RUNS] [OTHER_PYTHON]

Medians of RUNS (default 15) of the processor time that each command takes, its own and the system's on its
behalf: other work on the machine moves it little. All commands run in turn, so that what does falls on each.
OTHER_PYTHON is the interpreter of another checkout's .venv: its program runs in the same turns, and its times
stand beside as "before". Ends with 1 where a limit is exceeded.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

CHECKOUT = Path(__file__).parents[1]
EXAMPLE = CHECKOUT / "profiles" / "hosts" / "nvme-server.json"
BASE, PARSE = "python -c pass", "json.loads of the facts"
LIMITS: Mapping[str, float] = {"--version": 4, "--help": 4, "completion": 4, "plan": 10, "plan --json": 10}
"""Times of starting Python."""
READ = "import json, sys; json.loads(open(sys.argv[1], encoding='utf-8').read())"
COMPLETE = """
set -e; . "$1"; complete -F _tunewiz tunewiz
COMP_WORDS=(tunewiz plan --demo z13-l); COMP_CWORD=3; _tunewiz; [[ ${COMPREPLY[*]} == z13-lpar ]]
"""


def commands(python: str) -> dict[str, Sequence[str]]:
    """Command lines by the name under which they are printed."""
    tunewiz, facts = (python, "-m", "tunewiz"), str(EXAMPLE)
    completion = str(Path(python).parents[2] / "docs" / "completion" / "tunewiz")
    in_path = f"PATH={Path(python).parent}:/usr/bin:/bin"
    return {
        "--version": (*tunewiz, "--version"),
        "--help": (*tunewiz, "--help"),
        "plan --help": (*tunewiz, "plan", "--help"),
        "completion": ("env", in_path, "bash", "-c", COMPLETE, "bash", completion),
        "demo": (*tunewiz, "demo"),
        "explain": (*tunewiz, "explain"),
        "facts": (*tunewiz, "facts"),
        "plan": (*tunewiz, "plan", "--facts", facts),
        "plan --all": (*tunewiz, "plan", "--all", "--facts", facts),
        "plan --json": (*tunewiz, "plan", "--json", "--facts", facts),
    }


def processor_time(command: Sequence[str]) -> float:
    """Seconds of a processor, of its children too; ends the benchmark where the command fails.

    Run where no package lies: `-m` would take this checkout's for the other's.
    """
    with subprocess.Popen(command, cwd="/", stdout=subprocess.DEVNULL) as running:
        _, status, used = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
    if running.returncode:
        sys.exit(f"{' '.join(command)} ended with {running.returncode}")
    return used.ru_utime + used.ru_stime


def medians(lines: Mapping[str, Sequence[str]], runs: int) -> dict[str, float]:
    """Of each command; the first turn, which fills caches, does not count."""
    turns = [{name: processor_time(line) for name, line in lines.items()} for _ in range(runs + 1)][1:]
    return {name: statistics.median(turn[name] for turn in turns) for name in lines}


def measured(runs: int, other: str | None) -> dict[str, float]:
    """Medians by name; of the other program, as `before NAME`."""
    python, facts = sys.executable, str(EXAMPLE)
    lines: dict[str, Sequence[str]] = {BASE: (python, "-c", "pass"), PARSE: (python, "-c", READ, facts)}
    lines |= commands(python)
    if other is not None:
        lines |= {f"before {name}": line for name, line in commands(str(Path(other).absolute())).items()}
    return medians(lines, runs)


def row(name: str, seconds: Mapping[str, float]) -> str:
    """Of Markdown."""
    base, taken, before = seconds[BASE], seconds[name], seconds.get(f"before {name}")
    cells = [name, f"{taken * 1000:.1f} ms", f"{taken / base:.2f} x"]
    cells.append("" if before is None else f"{before / base:.2f} x")
    cells.append(f"{LIMITS[name]} x" if name in LIMITS else "")
    return f"| {' | '.join(cells)} |"


def main() -> int:
    """Measure and print; 1 where a limit is exceeded."""
    parser = argparse.ArgumentParser()
    parser.add_argument("runs", nargs="?", type=int, default=15)
    parser.add_argument("other_python", nargs="?")
    options = parser.parse_args()
    runs, other = options.runs, options.other_python
    seconds = measured(runs, other)
    print(f"| {runs} runs | processor time | of {BASE} | before | limit |\n|---|---|---|---|---|")
    for name in seconds:
        if not name.startswith("before "):
            print(row(name, seconds))
    return 1 if any(seconds[name] > limit * seconds[BASE] for name, limit in LIMITS.items()) else 0


if __name__ == "__main__":
    sys.exit(main())
