"""Proofs that nobody measured: believable figures for tests, and what they would be evidence of.

tests/proofs/synthetic-*.json are such proofs as files. They are kept and not made anew: the last digits of a
logarithm are not the same on every machine.
"""

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from random import Random
from types import MappingProxyType

from pretend_root import DATA
from small_plans import WANTED, small_facts, small_plan
from tunewiz.core.facts.facts import Facts
from tunewiz.core.planning.plan import Plan
from tunewiz.core.proof.analysis import (
    ClaimRule,
    can_show,
    groups_of_cycles,
    margin_for,
    metrics_of_cycles,
    metrics_of_pairs,
)
from tunewiz.core.proof.looks import ONLY_RISK
from tunewiz.core.proof.measured_parts import NO_PROOF, ProofGiven
from tunewiz.core.proof.metrics import MetricName
from tunewiz.core.proof.proof import (
    Arm,
    ClaimVerdict,
    Cycle,
    GroupResult,
    Look,
    MeasuredChange,
    MetricResult,
    Pair,
    PairOrder,
    Proof,
    ProofBundle,
    ProofHost,
    ProofScript,
    ProofServer,
    ProofWorkload,
    Verdict,
)
from tunewiz.core.proof.staircase import drawn_order, steps_of
from tunewiz.core.recommendation.verdicts import Proposal
from tunewiz.core.values.known import Known, known_or
from tunewiz.core.values.units import Bytes
from tunewiz.formats.proof import proof_from_json

PROOFS = Path(__file__).resolve().parents[1] / "proofs"
ENOUGH_PAIRS, SAME_PAIRS, CYCLES = 10, 3, 4
NOISE = 0.012
"""Deviation of one run's logarithm."""
SECONDS = 90
RATIOS: Mapping[ClaimVerdict, tuple[float, float, float]] = {
    "helped": (1.12, 1.07, 1.18),
    "hurt": (0.90, 0.86, 0.94),
    "same": (1.00, 0.98, 1.02),
    "undecided": (1.04, 0.94, 1.15),
}


def kept(name: str) -> Proof:
    """A proof of tests/proofs."""
    file = PROOFS / f"{name}.json"
    return proof_from_json(file.read_text(), str(file))


def measured_plan(proof: ProofGiven = NO_PROOF) -> Plan:
    """The plan that the kept proofs are of."""
    facts = small_facts(
        include_directory=Known(f"{DATA}/conf.d", "test"),
        system_identifier=Known("7400000000000000001", "test"),
    )
    return small_plan(facts, {**WANTED, "pg.jit": "off"}, proof=proof)


EFFECTS: Mapping[str, float] = {"memory and huge pages": 1.14, "I/O and planner": 1.0, "kernel": 0.91}
MEMBERS: Mapping[str, tuple[str, ...]] = {
    "memory and huge pages": ("kernel.nr_hugepages", "pg.shared_buffers", "pg.work_mem"),
    "I/O and planner": ("pg.jit",),
    "kernel": ("kernel.dirty_bytes", "kernel.transparent_hugepage"),
}


def changes_of(plan: Plan) -> tuple[MeasuredChange, ...]:
    """What a measurement of the plan's bundle would have switched on and off."""
    return tuple(
        MeasuredChange(
            id=change.recommendation.id,
            before=known_or(plan.start.current(change.recommendation.target), ""),
            value=change.verdict.value,
        )
        for change in plan.changes
        if isinstance(change.verdict, Proposal)
    )


def origin_of(facts: Facts, major: str) -> tuple[ProofHost, ProofServer]:
    """The machine and its first server, as a measurement there would name them."""
    host, server = facts.host, facts.postgres[0]
    return (
        ProofHost(
            name=known_or(host.name, ""),
            identity=known_or(host.identity, ""),
            architecture=known_or(host.architecture, ""),
            processors=8,
            memory=known_or(facts.memory.total, Bytes(0)).count,
        ),
        ProofServer(
            major=major,
            data_directory=known_or(server.data_directory, ""),
            system_identifier=known_or(server.system_identifier, ""),
        ),
    )


def told(plan: Plan, verdict: Verdict, groups: Mapping[str, ClaimVerdict] = MappingProxyType({})) -> Proof:
    """A proof of the plan that says this, without any runs; groups are named by their ids, one each."""
    host, server = origin_of(plan.start.facts, str(plan.start.major))
    parts = tuple(_group(name, key) for name, key in groups.items())
    return Proof(
        kind="bench",
        host=host,
        server=server,
        bundle=ProofBundle(digest="0" * 64, changes=changes_of(plan)),
        workload=ProofWorkload(source="builtin"),
        verdict=verdict,
        metrics=MappingProxyType({"throughput": _metric("same" if verdict == "observed" else verdict)}),
        groups=parts,
    )


def _metric(verdict: ClaimVerdict) -> MetricResult:
    ratio, low, high = RATIOS[verdict]
    return MetricResult(ratio=ratio, low=low, high=high, level=0.95, verdict=verdict, within=1.2)


def _group(name: str, verdict: ClaimVerdict) -> GroupResult:
    ratio, low, high = RATIOS[verdict]
    ids = tuple(name.split("+"))
    return GroupResult(name=name, ids=ids, ratio=ratio, low=low, high=high, level=0.95, verdict=verdict)


def with_runs(plan: Plan, effect: float, seed: int) -> Proof:
    """Pairs of a plan that multiplies throughput by the effect, with noise, and what is claimed of them."""
    draw = Random(seed)  # noqa: S311 - nothing secret
    same = tuple(_pair(draw, 1.0) for _ in range(SAME_PAIRS))
    pairs = tuple(_pair(draw, effect) for _ in range(ENOUGH_PAIRS))
    resolution = can_show(same, "throughput", ENOUGH_PAIRS)
    rule = ClaimRule(primary="throughput", risk=0.045, margin=margin_for(resolution))
    metrics = metrics_of_pairs(pairs, rule)
    verdict = metrics["throughput"].verdict
    return dataclasses.replace(
        _empty(plan, seed),
        verdict=verdict,
        can_show=resolution,
        metrics=metrics,
        pairs=pairs,
        same_pairs=same,
        looks=(Look(pairs=6, level=0.995, verdict="undecided"), Look(pairs=10, level=0.955, verdict=verdict)),
    )


def with_cycles(
    plan: Plan, effects: Mapping[str, float], members: Mapping[str, tuple[str, ...]], seed: int
) -> Proof:
    """The same ablated: each group multiplies throughput by its effect."""
    draw = Random(seed)  # noqa: S311 - nothing secret
    same = tuple(_pair(draw, 1.0) for _ in range(SAME_PAIRS))
    cycles = tuple(_cycle(draw, effects) for _ in range(CYCLES))
    resolution = can_show(same, "throughput", CYCLES)
    rule = ClaimRule(primary="throughput", risk=ONLY_RISK, margin=margin_for(resolution))
    metrics = metrics_of_cycles(cycles, rule)
    return dataclasses.replace(
        _empty(plan, seed),
        verdict=metrics["throughput"].verdict,
        can_show=resolution,
        metrics=metrics,
        same_pairs=same,
        cycles=cycles,
        groups=groups_of_cycles(cycles, members, rule),
    )


def _empty(plan: Plan, seed: int) -> Proof:
    proof = told(plan, "undecided")
    return dataclasses.replace(
        proof,
        host=dataclasses.replace(proof.host, name="synthetic"),
        workload=ProofWorkload(
            source="builtin",
            scripts=(ProofScript(name="tpcb-like", weight=1, writes=True),),
            clients=16,
            scale=300,
            run_seconds=SECONDS,
            rate=1_150.0,
            seed=seed,
        ),
        seconds=6_600,
        finished="2026-11-24T08:30:00Z",
        cannot_tell=(
            "This proof is synthetic: its figures were made up for the tests of this program.",
            "pgbench's own transactions are not those of your applications.",
        ),
    )


def _pair(draw: Random, effect: float) -> Pair:
    orders: tuple[PairOrder, ...] = ("before first", "after first")
    order = draw.choice(orders)
    return Pair(order=order, before=_arm(draw, 1.0), after=_arm(draw, effect))


def _cycle(draw: Random, effects: Mapping[str, float]) -> Cycle:
    order = drawn_order(tuple(effects), draw)
    return Cycle(order=order, runs=tuple(_arm(draw, _product(effects, step)) for step in steps_of(order)))


def _product(effects: Mapping[str, float], names: frozenset[str]) -> float:
    product = 1.0
    for name in sorted(names):
        product *= effects[name]
    return product


def _arm(draw: Random, effect: float) -> Arm:
    """One run: a stall now and then, as a checkpoint makes it."""
    speed = 1_640 * effect * (1 + draw.gauss(0, NOISE))
    series = _series(draw, speed)
    figures: dict[MetricName, float] = {
        "throughput": round(speed, 1),
        "latency_95": round(14.2 / effect * (1 + draw.gauss(0, 2 * NOISE)), 3),
        "latency_99": round(38.5 / effect * (1 + draw.gauss(0, 4 * NOISE)), 3),
        "worst_second": min(series),
        "wal_per_transaction": round(1_480 * (1 + draw.gauss(0, NOISE)), 1),
        "cpu_per_transaction": round(4.6 / effect * (1 + draw.gauss(0, NOISE)), 3),
    }
    return Arm(figures=MappingProxyType(figures), series=series)


def _series(draw: Random, speed: float) -> tuple[int, ...]:
    at = draw.randrange(20, SECONDS - 10)
    return tuple(
        round(speed * (0.55 if at <= second < at + 4 else 1) * (1 + draw.gauss(0, 0.03)))
        for second in range(SECONDS)
    )
