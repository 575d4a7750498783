"""Whether a test misses a line: a plugin for pytest that collects once and forks for each deletion.

Reads the file MUTATION_WORK (JSON: the lines' keys, the trace, where results go) and deletes each line in the
checkout that it runs in. Of a deletion only those tests are asked that execute the line, the likeliest first,
then those that failed under the trace, of which nobody knows what they execute.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from mutation_lines import Line, lines_of, script_file, without

_SET_CHILD_SUBREAPER = 36
"""Of prctl(2): what a test leaves running becomes our child, and can be ended."""
_NOT_MISSED, _MISSED = 0, 1
_DURATION_UNKNOWN = 5.0


@dataclass(kw_only=True, slots=True)
class Judge:
    """What is known of the tests, and what each has missed so far."""

    items: dict[str, pytest.Item]
    seconds: dict[str, float]
    reached: dict[str, set[str]]
    """By the key of a line."""
    untraced: list[str]
    most: int
    """Tests for one line."""
    missed: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def tests_of(self, line: Line, lines: Iterable[Line]) -> list[str]:
        """The tests that execute the line; of one that no trace shows, those that execute its function."""
        result = self.reached.get(line.key) or {
            test
            for entry in lines
            if entry.function == line.function
            for test in self.reached.get(entry.key, ())
        }
        likeliest = sorted(result & self.items.keys(), key=lambda test: (-self.worth(line, test), test))
        traced = in_turn(likeliest)[: self.most]
        return [*traced, *(test for test in self.untraced if test in self.items and test not in traced)]

    def worth(self, line: Line, test: str) -> float:
        """How many deletions of that script the test has missed, for the time that it takes."""
        here, everywhere = self.missed[line.script][test], sum(entry[test] for entry in self.missed.values())
        return (0.1 + everywhere + 5 * here) / (0.2 + self.seconds.get(test, _DURATION_UNKNOWN))


def in_turn(tests: list[str]) -> list[str]:
    """The first of each file, then the second of each: tests of one file notice the same."""
    before = Counter[str]()
    turns: list[tuple[int, str]] = []
    for test in tests:
        file = test.partition("::")[0]
        turns.append((before[file], test))
        before[file] += 1
    return [test for _, test in sorted(turns, key=lambda entry: entry[0])]


def pytest_runtestloop(session: pytest.Session) -> bool:
    """Judges each line of the work, in the place of running the tests once."""
    work = json.loads(Path(os.environ["MUTATION_WORK"]).read_text())
    ctypes.CDLL(None, use_errno=True).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    reached: defaultdict[str, set[str]] = defaultdict(set)
    for test, (_, _, keys) in work["traced"].items():
        for key in keys:
            reached[key].add(test)
    judge = Judge(
        items={item.nodeid: item for item in session.items},
        seconds={test: seconds for test, (seconds, _, _) in work["traced"].items()},
        reached=reached,
        untraced=[test for test, (_, passed, _) in work["traced"].items() if not passed],
        most=work["most"],
    )
    for script, by in work["missed"]:
        judge.missed[script][by] += 1
    leave_out(judge, judge.untraced)
    checkout = Path.cwd()
    for script in work["scripts"]:
        lines = list(lines_of(checkout, script))
        for line in (line for line in lines if line.key in work["keys"]):
            by = noticed_by(judge, line, lines, script_file(checkout, script))
            judge.missed[script][by] += 1
            with Path(work["results"]).open("a") as results:
                results.write(f"{by or '-'}\t{line.key}\n")
            if not by:
                print(f"not missed  {line}", flush=True)
    return True


def leave_out(judge: Judge, doubtful: list[str]) -> None:
    """Drops those of the tests that fail without a deletion: they would miss every line."""
    for test in doubtful:
        if first_to_fail([judge.items[test]]) is not None:
            print(f"left out, it fails without a deletion: {test}", flush=True)
            del judge.items[test]


def noticed_by(judge: Judge, line: Line, lines: list[Line], file: Path) -> str:
    """Which test, or the shell, notices that the line is gone; empty where nothing does."""
    whole = file.read_text()
    file.write_text(without(whole, line))
    try:
        if subprocess.run(("sh", "-n", file), capture_output=True, check=False).returncode != 0:
            return "sh -n"
        result = judge.tests_of(line, lines)
        failed = first_to_fail([judge.items[test] for test in result])
    finally:
        file.write_text(whole)
    if failed is None:
        return ""
    if first_to_fail([judge.items[result[failed]]]) is None:
        return result[failed]
    print(f"left out, it fails without a deletion too: {result[failed]}", flush=True)
    del judge.items[result[failed]]
    return noticed_by(judge, line, lines, file)


def first_to_fail(items: list[pytest.Item]) -> int | None:
    """The place of the first test that fails, tried in a process of its own."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        silence = os.open(os.devnull, os.O_RDWR)
        for descriptor in range(3):
            os.dup2(silence, descriptor)
        os.write(writing, str(run(items)).encode())
        os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    end_what_is_left()
    with os.fdopen(reading) as fdopen:
        said = fdopen.read()
    # Said nothing: the deletion brought the process of the tests down.
    number = int(said) if said else 0
    return None if number < 0 else number


def run(items: list[pytest.Item]) -> int:
    """Runs tests until one fails; its place, or less than zero."""
    for number, item in enumerate(items):
        before = item.session.testsfailed
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        if item.session.testsfailed > before:
            return number
    return -1


def end_what_is_left() -> None:
    """Ends processes that the tests have left behind: they have become our children."""
    while True:
        children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
        if not children:
            return
        for child in map(int, children):
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
