"""From measured arms to what may be claimed: metrics of pairs, contributions of groups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from tunewiz.core.proof.looks import ONLY_RISK
from tunewiz.core.proof.metrics import METRIC_NAMES, METRICS, MetricName
from tunewiz.core.proof.proof import Arm, Cycle, GroupResult, MetricResult, Omission, Pair
from tunewiz.core.proof.ratios import LEAST_PAIRS, SAME_WITHIN, Estimate, claim, estimate, log_ratios
from tunewiz.core.proof.resolution import smallest_shown
from tunewiz.core.proof.staircase import MeasuredCycle, contributions, totals
from tunewiz.core.values.record import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class ClaimRule:
    """How claims are made; settled before the first run."""

    primary: MetricName
    """What the verdict rests on. The others share one risk of their own, and decide nothing."""
    risk: float
    """Of a false claim in the primary metric."""
    margin: float
    """The ratio within which both sides count as the same where no difference was found."""


def margin_for(can_show: float | None) -> float:
    """What counts as the same: nothing smaller than what this server can show."""
    return SAME_WITHIN if can_show is None else max(SAME_WITHIN, can_show)


def can_show(same_pairs: Sequence[Pair], primary: MetricName, pairs: int) -> float | None:
    """The smallest ratio that so many pairs will probably show; None where the A/A pairs do not say."""
    figures = _figures(same_pairs, primary)
    usable = [pair for pair in figures if min(pair) > 0]
    if min(len(usable), pairs) < LEAST_PAIRS:
        return None
    return smallest_shown(log_ratios(usable), pairs)


def metrics_of_pairs(pairs: Sequence[Pair], rule: ClaimRule) -> Mapping[MetricName, MetricResult]:
    """Of every metric that all pairs have, once there are two pairs."""
    metrics = dict[MetricName, Estimate]()
    for name in METRIC_NAMES:
        if figures := _usable(pairs, name):
            metrics[name] = estimate(log_ratios(figures))
    return _results(metrics, rule)


def metrics_of_cycles(cycles: Sequence[Cycle], rule: ClaimRule) -> Mapping[MetricName, MetricResult]:
    """Of everything together against nothing, where it was ablated: a cycle is one observation."""
    metrics = dict[MetricName, Estimate]()
    for name in METRIC_NAMES:
        measured = _measured_cycles(cycles, name)
        if len(measured) >= LEAST_PAIRS:
            metrics[name] = estimate(totals(measured))
    return _results(metrics, rule)


def groups_of_cycles(
    cycles: Sequence[Cycle], members: Mapping[str, tuple[str, ...]], rule: ClaimRule
) -> tuple[GroupResult, ...]:
    """What each group contributes to the primary metric; all of them share the risk of one false claim."""
    measured = _measured_cycles(cycles, rule.primary)
    if len(measured) < LEAST_PAIRS:
        return ()
    risk = rule.risk / len(members)
    better = METRICS[rule.primary].better
    result = contributions(measured)
    return tuple(
        GroupResult(
            name=name,
            ids=ids,
            ratio=(interval := result[name].interval(1 - risk)).ratio,
            low=interval.low,
            high=interval.high,
            level=1 - risk,
            verdict=claim(result[name], risk, rule.margin, better),
        )
        for name, ids in members.items()
    )


def unusable(arms: Sequence[Arm]) -> Iterator[Omission]:
    """Metrics that were measured and cannot be compared, with the reason."""
    for name in METRIC_NAMES:
        figures = [arm.figures[name] for arm in arms if name in arm.figures]
        if figures and min(figures) <= 0:
            yield Omission(
                what=METRICS[name].title, why=f"it was 0 in {figures.count(0)} of {len(arms)} runs"
            )
        elif figures and len(figures) < len(arms):
            yield Omission(what=METRICS[name].title, why=f"only {len(figures)} of {len(arms)} runs have it")


def _results(results: Mapping[MetricName, Estimate], rule: ClaimRule) -> Mapping[MetricName, MetricResult]:
    others = max(1, len(results) - 1)
    return MappingProxyType(
        {
            name: _result(name, entry, rule, rule.risk if name == rule.primary else ONLY_RISK / others)
            for name, entry in results.items()
        }
    )


def _result(name: MetricName, entry: Estimate, rule: ClaimRule, risk: float) -> MetricResult:
    interval = entry.interval(1 - risk)
    return MetricResult(
        ratio=interval.ratio,
        low=interval.low,
        high=interval.high,
        level=1 - risk,
        verdict=claim(entry, risk, rule.margin, METRICS[name].better),
        within=entry.within(risk),
    )


def _figures(pairs: Sequence[Pair], name: MetricName) -> list[tuple[float, float]]:
    return [
        (pair.before.figures[name], pair.after.figures[name])
        for pair in pairs
        if name in pair.before.figures and name in pair.after.figures
    ]


def _usable(pairs: Sequence[Pair], name: MetricName) -> list[tuple[float, float]]:
    """The figures of all pairs, or none: a metric that some pairs lack says nothing that can be trusted."""
    figures = _figures(pairs, name)
    whole = len(figures) == len(pairs) >= LEAST_PAIRS
    return figures if whole and all(min(pair) > 0 for pair in figures) else []


def _measured_cycles(cycles: Sequence[Cycle], name: MetricName) -> list[MeasuredCycle]:
    """One metric of all cycles, or none."""
    measured_cycles = [[arm.figures.get(name, 0.0) for arm in cycle.runs] for cycle in cycles]
    if any(min(figures) <= 0 for figures in measured_cycles):
        return []
    return [
        MeasuredCycle(order=cycle.order, figures=tuple(figures))
        for cycle, figures in zip(cycles, measured_cycles, strict=True)
    ]
