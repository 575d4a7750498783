"""How often something is claimed where nothing changed: at most one experiment in twenty, by simulation.

The noise is that of a small virtual machine: runs depend on the one before (autoregressive, 0.6), deviate by
6 %, one in twenty is spoilt by something else, and each is 0.5 % faster than the last. Of 400 experiments, a
way that claims 5 % wrongly is seen to claim more than 7.5 % about once in a hundred trials.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

import pytest

from tunewiz.core.proof.looks import planned_looks
from tunewiz.core.proof.ratios import SAME_WITHIN, claim, estimate
from tunewiz.core.proof.staircase import MeasuredCycle, contributions, drawn_order, steps_of

TRIALS = 400
MOST = 0.075 * TRIALS
DEPENDENCE, DEVIATION = 0.6, 0.06
SPOILT, SPOILT_BY = 0.05, 0.25
DRIFT = 0.005
GROUPS = ("memory", "WAL", "planner", "vacuum")
CLAIMS = ("helped", "hurt")


def noise(draw: Random) -> Callable[[], float]:
    """Log throughput of one run after the other, where nothing is changed."""
    level, number = 0.0, 0

    def run() -> float:
        nonlocal level, number
        level = DEPENDENCE * level + draw.gauss(0, DEVIATION * math.sqrt(1 - DEPENDENCE**2))
        spoilt = abs(draw.gauss(0, SPOILT_BY)) if draw.random() < SPOILT else 0.0
        number += 1
        return level + DRIFT * number - spoilt

    return run


def paired(run: Callable[[], float], draw: Random, effect: float) -> float:
    """The log ratio of one pair in drawn order."""
    first, second = run(), run()
    return (second - first if draw.random() < 1 / 2 else first - second) + effect


def looked_at(pairs: int, draw: Random, effect: float = 0.0) -> str:
    """What an experiment with fixed looks ends with."""
    run, logs = noise(draw), list[float]()
    for look in planned_looks(pairs):
        while len(logs) < look.pairs:
            logs.append(paired(run, draw, effect))
        name = claim(estimate(logs), look.risk, SAME_WITHIN, "higher")
        if name != "undecided":
            return name
    return "undecided"


def peeked_at(pairs: int, draw: Random) -> bool:
    """Whether looking after every pair would have claimed something."""
    run, logs = noise(draw), list[float]()
    for _ in range(pairs):
        logs.append(paired(run, draw, 0.0))
        if len(logs) > 2 and claim(estimate(logs), 0.05, SAME_WITHIN, "higher") in CLAIMS:
            return True
    return False


def ablated(cycles: int, draw: Random, effects: dict[str, float]) -> dict[str, str]:
    """What is claimed of each group."""
    run, measured = noise(draw), list[MeasuredCycle]()
    for _ in range(cycles):
        order = drawn_order(GROUPS, draw)
        figures = [
            math.exp(run() + sum(effects.get(group, 0.0) for group in step)) for step in steps_of(order)
        ]
        measured.append(MeasuredCycle(order=order, figures=tuple(figures)))
    return {
        name: claim(contribution, 0.05 / len(GROUPS), SAME_WITHIN, "higher")
        for name, contribution in contributions(measured).items()
    }


@pytest.mark.slow
@pytest.mark.parametrize("pairs", [4, 6, 8, 10, 16, 24])
def test_fixed_looks_claim_nothing_where_nothing_changed(pairs: int) -> None:
    draw = Random(pairs)  # noqa: S311 - a simulation
    assert sum(looked_at(pairs, draw) in CLAIMS for _ in range(TRIALS)) <= MOST


@pytest.mark.slow
def test_looking_after_every_pair_would_claim_too_often() -> None:
    draw = Random(1)  # noqa: S311 - a simulation
    assert sum(peeked_at(16, draw) for _ in range(TRIALS)) > 0.1 * TRIALS


@pytest.mark.slow
@pytest.mark.parametrize("cycles", [3, 4, 8])
def test_an_ablation_names_no_group_where_nothing_changed(cycles: int) -> None:
    draw = Random(cycles)  # noqa: S311 - a simulation
    wrong = sum(bool(set(ablated(cycles, draw, {}).values()) & set(CLAIMS)) for _ in range(TRIALS))
    assert wrong <= MOST


@pytest.mark.slow
def test_a_change_of_a_quarter_is_found_almost_always() -> None:
    draw = Random(2)  # noqa: S311 - a simulation
    result = [looked_at(16, draw, math.log(1.25)) for _ in range(TRIALS)]
    assert result.count("helped") > 0.95 * TRIALS
    assert "hurt" not in result


@pytest.mark.slow
def test_a_group_that_hurts_by_a_third_is_named_and_no_other_blamed() -> None:
    draw = Random(3)  # noqa: S311 - a simulation
    result = [ablated(4, draw, {"memory": math.log(2 / 3)}) for _ in range(TRIALS)]
    assert sum(row["memory"] == "hurt" for row in result) > 0.9 * TRIALS
    others = sum(any(row[name] in CLAIMS for name in GROUPS if name != "memory") for row in result)
    assert others <= MOST
