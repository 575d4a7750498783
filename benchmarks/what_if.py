"""How long the what-if panel takes for a key, beside making the plan alone.

    .venv/bin/python benchmarks/what_if.py [RUNS]

For every example machine the values are moved up and down; printed are the medians over RUNS (default 5)
rounds and the slowest key. 1 is the exit status where the median key takes more than 50 ms.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Iterator

from tunewiz.core.values.errors import InputError
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.knowledge.profiles import demo_names
from tunewiz.planning import default_answers, make_plan
from tunewiz.text.what_if import moved_lines, rows_of
from tunewiz.wizard.journey import begin
from tunewiz.wizard.what_if import MOVABLE_KEYS, Supposed

LIMIT = 0.050
"""Seconds for a key on the machine that the project is made on."""


def keys(machine: str) -> Iterator[tuple[float, float]]:
    """Seconds for each key, and for the plan alone that it leads to."""
    facts, knowledge = demo_facts(machine), load_knowledge()
    supposed = Supposed.of(begin(facts, default_answers(facts, knowledge), knowledge))
    for key in MOVABLE_KEYS:
        for by in (-1, 1, 1):
            begun = time.perf_counter()
            try:
                supposed = supposed.moved(key, by)
            except InputError:
                continue
            _ = rows_of(supposed), moved_lines(supposed)
            shown = time.perf_counter()
            _ = make_plan(supposed.choices.facts, supposed.choices.answers, knowledge)
            yield shown - begun, time.perf_counter() - shown


def main() -> int:
    """Measure and print."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    taken = [pair for _ in range(runs) for machine in demo_names() for pair in keys(machine)]
    key = statistics.median(first for first, _ in taken)
    plan = statistics.median(second for _, second in taken)
    slowest = max(first for first, _ in taken)
    print(f"what-if, a key: median {key * 1000:.1f} ms, {key / plan:.1f} x the plan alone; ", end="")
    print(f"slowest {slowest * 1000:.0f} ms; limit {LIMIT * 1000:.0f} ms")
    return 1 if key > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())
