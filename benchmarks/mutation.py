"""Deletes each line of the scripts in turn: a line that no test misses is not needed, or not tested.

    .venv/bin/python benchmarks/mutation.py --results FILE [OPTION ...] [SCRIPT ...]

Without a script: every one of a bundle. The tests run once under a trace, which tells who executes which
line; a deletion is then shown to those tests alone. A run that was stopped continues where it was: what
stands in the results file is not asked again, but for --again, which asks anew of lines that were not missed.
Works on copies of the checkout. Exit status 1 where a line was not missed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import mutation_trace
from mutation_lines import Line, lines_of, places_of, scripts_of

CHECKOUT = Path(__file__).resolve().parent.parent
LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", ".mutation", "build", "dist"
)
SEED = 1
"""Of a sample: the same lines each time."""
NOBODY = "-"

TESTS = (
    "tests/bundle/test_*.py",
    "tests/kinds/test_*.py",
    *(f"tests/postgres/test_{entry}_*.py" for entry in ("bundle", "faults", "kind")),
)
"""All tests that run a script."""
Traced = dict[str, tuple[float, bool, list[str]]]
"""For each test: its seconds, whether it passed under the trace, the keys of the lines that it executes."""


def main() -> int:
    """Tells each line that is not missed, then the score of each script."""
    result = arguments()
    scripts = result.scripts or scripts_of(CHECKOUT)
    lines = [line for script in scripts for line in lines_of(CHECKOUT, script)]
    if result.sample:
        lines = random.Random(SEED).sample(lines, min(result.sample, len(lines)))  # noqa: S311 - no secret
    known = results(result.results)
    ask = [line for line in lines if line.key not in known or (result.again and known[line.key] == NOBODY)]
    with tempfile.TemporaryDirectory(prefix="tunewiz-mutants-") as directory:
        Path(directory).chmod(0o755)  # tests run scripts as other users too
        if ask:
            traced = trace(Path(directory), result.results.with_suffix(".traced"))
            judge(ask, traced, result, Path(directory))
    return tell(lines, results(result.results))


def arguments() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--results", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--sample", type=int, default=0, help="so many lines only, drawn by a fixed seed")
    parser.add_argument(
        "--most", type=int, default=10_000, help="so many tests for a line; then it counts as not missed"
    )
    parser.add_argument("--again", action="store_true", help="ask anew of lines that were not missed")
    parser.add_argument("scripts", nargs="*")
    args = parser.parse_args()
    args.results = args.results.resolve()
    args.results.parent.mkdir(parents=True, exist_ok=True)
    return args


def results(file: Path) -> dict[str, str]:
    """Who missed each line, by its key; the last word counts."""
    known = file.read_text().splitlines() if file.exists() else []
    return {key: by for by, _, key in (line.partition("\t") for line in known)}


def trace(directory: Path, file: Path) -> Traced:
    """Which test executes what; of what the file holds, only changed files of tests are traced anew."""
    kept = json.loads(file.read_text()) if file.exists() else {"files": {}, "tests": {}}
    checksums = {name: hashlib.sha256((CHECKOUT / name).read_bytes()).hexdigest() for name in test_files()}
    changed = [name for name in checksums if kept["files"].get(name) != checksums[name]]
    old = {
        test: entry
        for test, entry in kept["tests"].items()
        if test.partition("::")[0] in checksums.keys() - changed
    }
    traced = old | (run_traced(directory, changed) if changed else {})
    file.write_text(json.dumps({"files": checksums, "tests": traced}))
    return traced


def run_traced(directory: Path, files: list[str]) -> Traced:
    """Runs the tests of some files under the trace."""
    print(f"tracing {len(files)} files of tests ...", flush=True)
    copy, programs, out = copied(directory / "traced"), directory / "programs", directory / "trace.json"
    mutation_trace.prepare(copy, programs, out)
    path = {"PATH": f"{programs}:{os.environ['PATH']}", "MUTATION_TRACED": str(out)}
    # A test may fail because it is traced; its judge tries it without.
    pytest(copy, "mutation_trace", path, files, "--timeout=120", "--tb=line").wait()
    keys = {
        traced_line: line.key
        for name in scripts_of(CHECKOUT)
        for line in lines_of(CHECKOUT, name)
        for traced_line in places_of(CHECKOUT, line)
    }
    loads: Traced = json.loads(out.read_text())
    return {
        test: (seconds, passed, [keys[place] for place in places if place in keys])
        for test, (seconds, passed, places) in loads.items()
    }


def test_files() -> list[str]:
    """Those of tests that run a script."""
    return sorted(str(path.relative_to(CHECKOUT)) for pattern in TESTS for path in CHECKOUT.glob(pattern))


def judge(
    lines: list[Line],
    traced: Traced,
    entry: argparse.Namespace,
    directory: Path,
) -> None:
    """Shares the lines among as many judges as were asked for, and waits for them."""
    running: list[subprocess.Popen[bytes]] = []
    for number in range(entry.jobs):
        mine = lines[number :: entry.jobs]
        work = directory / f"work-{number}.json"
        work.write_text(
            json.dumps(
                {
                    "keys": [line.key for line in mine],
                    "scripts": list(dict.fromkeys(line.script for line in mine)),
                    "traced": traced,
                    "most": entry.most,
                    "missed": [(key.partition("\t")[0], by) for key, by in results(entry.results).items()],
                    "results": str(entry.results),
                }
            )
        )
        copy = copied(directory / f"job-{number}")
        base = f"--basetemp={directory / f'tests-{number}'}"
        variables = {"MUTATION_WORK": str(work)}
        running.append(pytest(copy, "mutation_judge", variables, test_files(), base))
    for item in running:
        item.wait()


def copied(directory: Path) -> Path:
    """A copy of the checkout."""
    shutil.copytree(CHECKOUT, directory, ignore=LEFT_OUT)
    return directory


def pytest(
    copy: Path, plugin: str, variables: dict[str, str], files: list[str], *more: str
) -> subprocess.Popen[bytes]:
    """The tests of a copy, with one of our plugins."""
    off = [word for name in ("randomly", "cacheprovider") for word in ("-p", f"no:{name}")]
    command = (
        sys.executable,
        "-m",
        "pytest",
        *off,
        "-p",
        plugin,
        "-q",
        "-s",
        "-m",
        "not slow",
        *more,
        *files,
    )
    server = subprocess.run(
        (CHECKOUT / ".ci" / "postgres.sh", "--find"), capture_output=True, text=True, check=True
    )
    own = {
        "TUNEWIZ_PG_BIN": server.stdout.strip(),
        "PYTHONPATH": str(Path(__file__).resolve().parent),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return subprocess.Popen(command, cwd=copy, env={**os.environ, **own, **variables})


def tell(lines: list[Line], known: dict[str, str]) -> int:
    """Every line that was not missed, then the score of each script."""
    judged = [line for line in lines if line.key in known]
    survivors = [line for line in judged if known[line.key] == NOBODY]
    for line in survivors:
        print(f"not missed  {line}")
    for row in scores(judged, survivors):
        print(row)
    return 1 if survivors or len(judged) < len(lines) else 0


def scores(judged: list[Line], survivors: list[Line]) -> Iterator[str]:
    """Missed lines of all that were judged, for each script and in sum."""
    for script in (*dict.fromkeys(line.script for line in judged), ""):
        all_, left = (sum(line.script.endswith(script) for line in group) for group in (judged, survivors))
        share = 100 * (all_ - left) / max(all_, 1)
        yield f"{script or 'in sum':14} {all_ - left:5} of {all_:5} missed ({share:.1f} %)"


if __name__ == "__main__":
    sys.exit(main())
