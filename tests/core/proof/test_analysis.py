"""What measured runs come to: claims of each metric and each group, and what could not be compared."""

from collections.abc import Mapping
from math import exp, isclose
from types import MappingProxyType

import pytest

from tunewiz.core.proof.analysis import (
    ClaimRule,
    can_show,
    groups_of_cycles,
    margin_for,
    metrics_of_cycles,
    metrics_of_pairs,
    unusable,
)
from tunewiz.core.proof.looks import ONLY_RISK
from tunewiz.core.proof.metrics import MetricName
from tunewiz.core.proof.proof import Arm, Cycle, Pair
from tunewiz.core.proof.ratios import SAME_WITHIN

RULE = ClaimRule(primary="throughput", risk=0.02, margin=SAME_WITHIN)
NOISE = (1.0, 1.01, 0.99, 1.005, 0.995)
MEMBERS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"memory": ("pg.shared_buffers",), "wal": ("pg.max_wal_size",)}
)


def arm(**figures: float) -> Arm:
    named: dict[MetricName, float] = {
        "throughput": figures.get("throughput", 1000.0),
        "latency_99": figures.get("latency_99", 20.0),
    }
    return Arm(figures=named)


def pair(before: Arm, after: Arm) -> Pair:
    return Pair(order="before first", before=before, after=after)


def pairs(throughput: float = 1.0, latency: float = 1.0) -> list[Pair]:
    """As many as there is noise, with this ratio of after to before."""
    return [
        pair(arm(), arm(throughput=1000 * throughput * noise, latency_99=20 * latency * noise))
        for noise in NOISE
    ]


def test_each_metric_is_claimed_in_the_direction_that_is_better() -> None:
    metrics = metrics_of_pairs(pairs(throughput=1.3, latency=1.3), RULE)
    assert {name: metric.verdict for name, metric in metrics.items()} == {
        "throughput": "helped",
        "latency_99": "hurt",
    }
    assert metrics["throughput"].low < 1.3 < metrics["throughput"].high
    assert isclose(metrics["throughput"].ratio, 1.3, rel_tol=0.01)


def test_the_primary_metric_has_the_risk_of_its_look_and_the_others_share_their_own() -> None:
    metrics = metrics_of_pairs(pairs(), RULE)
    assert isclose(metrics["throughput"].level, 1 - RULE.risk)
    assert isclose(metrics["latency_99"].level, 1 - ONLY_RISK)


@pytest.mark.parametrize("other", [Arm(figures={"throughput": 1000.0}), arm(latency_99=0.0)])
def test_a_metric_that_one_run_lacks_is_not_claimed_and_told(other: Arm) -> None:
    some = [*pairs(), pair(arm(), other)]
    assert set(metrics_of_pairs(some, RULE)) == {"throughput"}
    (left_out,) = unusable([entry for one in some for entry in (one.before, one.after)])
    assert left_out.why in ("only 11 of 12 runs have it", "it was 0 in 1 of 12 runs")


def test_one_pair_claims_nothing() -> None:
    assert not metrics_of_pairs(pairs()[:1], RULE)


def test_what_a_server_can_show_follows_from_pairs_of_the_same() -> None:
    shown = can_show(pairs(), "throughput", 8)
    assert shown is not None
    assert 1 < shown < 1.1
    assert margin_for(shown) == max(SAME_WITHIN, shown)
    assert margin_for(1.2) == 1.2
    assert margin_for(None) == SAME_WITHIN


def test_too_few_pairs_of_the_same_do_not_tell_what_can_be_shown() -> None:
    stopped = pair(arm(), arm(throughput=0.0))
    assert can_show(pairs()[:1], "throughput", 8) is None
    assert can_show([pairs()[0], stopped], "throughput", 8) is None
    assert can_show(pairs(), "throughput", 1) is None


def cycle(order: tuple[str, str], effects: Mapping[str, float], noise: float) -> Cycle:
    """None, the first group, both, the second, none."""
    first, second = (effects[text] for text in order)
    logs = (0.0, first, first + second, second, noise)
    return Cycle(order=order, runs=tuple(arm(throughput=1000 * exp(log)) for log in logs))


def cycles(memory: float, wal: float) -> list[Cycle]:
    effects = {"memory": memory, "wal": wal}
    return [
        cycle(("memory", "wal") if number % 2 else ("wal", "memory"), effects, noise - 1)
        for number, noise in enumerate(NOISE)
    ]


def test_what_helps_and_what_hurts_is_named_with_what_belongs_to_it() -> None:
    test_what_helps = groups_of_cycles(cycles(memory=0.3, wal=-0.2), MEMBERS, RULE)
    assert [
        (group_result.name, group_result.ids, group_result.verdict) for group_result in test_what_helps
    ] == [
        ("memory", ("pg.shared_buffers",), "helped"),
        ("wal", ("pg.max_wal_size",), "hurt"),
    ]
    assert all(isclose(group_result.level, 1 - RULE.risk / 2) for group_result in test_what_helps)


def test_the_whole_of_a_cycle_is_everything_against_nothing() -> None:
    whole = metrics_of_cycles(cycles(memory=0.3, wal=-0.2), RULE)
    assert isclose(whole["throughput"].ratio, exp(0.1), rel_tol=0.01)
    assert whole["throughput"].verdict == "helped"
    assert whole["latency_99"].verdict == "same"


def test_one_cycle_or_a_run_that_stood_still_claims_nothing() -> None:
    one = cycles(memory=0.3, wal=-0.2)[:1]
    still = Cycle(order=("memory", "wal"), runs=(arm(throughput=0.0), *one[0].runs[1:]))
    for some in (one, [*one, still]):
        assert groups_of_cycles(some, MEMBERS, RULE) == ()
        assert "throughput" not in metrics_of_cycles(some, RULE)
