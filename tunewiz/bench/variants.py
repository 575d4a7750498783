"""Bundles with some of a plan's changes, values unchanged: the parts that an ablation measures."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random

from tunewiz.bench.run import BenchRun
from tunewiz.bench.switching import NOTHING, WHOLE
from tunewiz.bundle.render import rendered
from tunewiz.bundle.write import write_bundle
from tunewiz.core.answers.answers import Refused
from tunewiz.core.planning.finding import Finding, because_of
from tunewiz.core.planning.plan import Plan
from tunewiz.core.proof.staircase import drawn_order, steps_of

NOTE = "left out to measure the rest"
STEPS = "steps.txt"


def variant_name(members: Iterable[str], groups: Sequence[str]) -> str:
    """The name of the bundle with these groups: `part-0-2`; that of all of them; NOTHING without any."""
    numbers = sorted(groups.index(member) for member in members)
    if not numbers:
        return NOTHING
    return WHOLE if len(numbers) == len(groups) else f"part-{'-'.join(map(str, numbers))}"


def cycle_order(run: BenchRun, number: int) -> tuple[str, ...]:
    """The groups in the order of one cycle; the same again when a run is continued."""
    return drawn_order(
        tuple(group_of_changes.name for group_of_changes in run.groups),
        Random(f"{run.seed} cycle {number}"),  # noqa: S311 - nothing secret
    )


def needed_parts(run: BenchRun) -> frozenset[frozenset[str]]:
    """Every combination of groups that some cycle goes through, except none and all of them."""
    result = {step for number in range(run.pairs) for step in steps_of(cycle_order(run, number))}
    return frozenset(step for step in result if 0 < len(step) < len(run.groups))


def part_of(plan: Plan, ids: frozenset[str]) -> Plan:
    """The same plan with only these changes, values unchanged."""
    return dataclasses.replace(plan, findings=tuple(_kept(finding, ids) for finding in plan.findings))


def _kept(finding: Finding, ids: frozenset[str]) -> Finding:
    if not finding.changes or finding.recommendation.id in ids:
        return finding
    decision = Refused(note=NOTE)
    because = because_of(finding.verdict, decision)
    return dataclasses.replace(finding, decision=decision, state="declined", because=because)


def write_part(plan: Plan, ids: frozenset[str], directory: Path, facts_json: str, answers_toml: str) -> None:
    """The bundle of a part of the plan; raises BundleError."""
    write_bundle(part_of(plan, ids), directory, facts_json, answers_toml)


def is_written_from(plan: Plan, bundle: Path, facts_json: str, answers_toml: str) -> bool:
    """Whether a bundle does exactly what this plan does."""
    return rendered(plan, facts_json, answers_toml)[STEPS] == (bundle / STEPS).read_bytes()
