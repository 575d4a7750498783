"""Servers of every health: what is worse gets no less, what is better changes no more, no silent jumps."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cliffs import NAMED, cliffs
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.planning.weighing import Weighed
from tunewiz.knowledge.loading import load_knowledge
from two_servers import HEALTHY, MACHINE, STRAINED
from watched import activity, with_statistics

KNOWLEDGE = load_knowledge()
PAIRS = {
    "reads": ("blocks_hit", "blocks_read"),
    "spills": ("temp_files", "temp_bytes"),
    "checkpoints": ("checkpoints_requested", "checkpoints_timed"),
    "dead rows": ("live_rows", "dead_rows"),
    "age": ("transaction_age",),
}
"""What is counted together; a share of 0 is the server that is well, 1 the one that suffers."""
TOLD = (
    *NAMED,
    "were forced",
    "temporary file",
    "page lookups were hits",
    "rows are dead",
    "against wraparound",
    "autovacuum does not keep up",
)
"""Thresholds in words: what a finding says when one of the server's own numbers decides."""
AT_STAKE = frozenset(
    recommendation.id
    for recommendation in KNOWLEDGE.catalogue
    if recommendation.witnesses and recommendation.id != "pg.effective_cache_size"
)
shares = st.fractions(0, 1, max_denominator=1000)
few = settings(max_examples=25, database=None, derandomize=True, deadline=None)
many = settings(max_examples=250, database=None, derandomize=True, deadline=None)


def counted(health: Mapping[str, Fraction]) -> dict[str, int]:
    """Between the two servers."""
    between = dict(HEALTHY)
    for name, share in health.items():
        for pair in PAIRS[name]:
            between[pair] = int(HEALTHY[pair] + (STRAINED[pair] - HEALTHY[pair]) * share)
    return between


def planned(health: Mapping[str, Fraction]) -> Plan:
    return plan_of(KNOWLEDGE.catalogue, with_statistics(MACHINE, since=activity(**counted(health))))


def finding(plan: Plan, name: str) -> Finding:
    return next(entry for entry in plan.findings if entry.recommendation.id == name)


def in_force(plan: Plan, name: str) -> Fraction:
    shown = plan.end.will_be(name)
    if name == "autovacuum_vacuum_cost_limit" and shown == "-1":
        shown = plan.end.will_be("vacuum_cost_limit")
    return Fraction(plan.end.settings[name].canonical(shown))


NEVER_LESS = {
    "checkpoints": "max_wal_size",
    "spills": "work_mem",
    "reads": "shared_buffers",
    "dead rows": "autovacuum_vacuum_cost_limit",
    "age": "autovacuum_vacuum_cost_limit",
}


def check_monotone(what: str, one: Fraction, other: Fraction) -> None:
    """What is worse gets no less of what helps."""
    better, worse = sorted((one, other))
    name = NEVER_LESS[what]
    assert in_force(planned({what: better}), name) <= in_force(planned({what: worse}), name)


def check_changes(one: Mapping[str, Fraction], other: Mapping[str, Fraction]) -> None:
    """Of two servers of which one is better in everything, it is not the one that is changed more."""
    better = {name: min(one[name], other[name]) for name in PAIRS}
    worse = {name: max(one[name], other[name]) for name in PAIRS}

    def changes(health: Mapping[str, Fraction]) -> set[str]:
        plan = planned(health)
        return {name for name in AT_STAKE if finding(plan, name).changes}

    assert changes(better) <= changes(worse)


health = st.fixed_dictionaries(dict.fromkeys(PAIRS, shares))


@few
@given(st.sampled_from(sorted(NEVER_LESS)), shares, shares)
def test_what_is_worse_never_gets_less(what: str, one: Fraction, other: Fraction) -> None:
    check_monotone(what, one, other)


@pytest.mark.slow
@many
@given(st.sampled_from(sorted(NEVER_LESS)), shares, shares)
def test_what_is_worse_never_gets_less_anywhere(what: str, one: Fraction, other: Fraction) -> None:
    check_monotone(what, one, other)


@few
@given(health, health)
def test_a_healthier_server_is_never_changed_more(
    one: Mapping[str, Fraction], other: Mapping[str, Fraction]
) -> None:
    check_changes(one, other)


@pytest.mark.slow
@many
@given(health, health)
def test_a_healthier_server_is_never_changed_more_anywhere(
    one: Mapping[str, Fraction], other: Mapping[str, Fraction]
) -> None:
    check_changes(one, other)


@pytest.mark.slow
@pytest.mark.parametrize("what", sorted(PAIRS))
def test_no_value_jumps_without_a_word_as_a_server_gets_worse(what: str) -> None:
    plans = [planned({what: Fraction(step, 60)}) for step in range(61)]
    result = [cliff for before, after in pairwise(plans) for cliff in cliffs(before, after, TOLD)]
    assert result == []


def test_every_finding_that_a_server_bears_on_tells_what_it_rests_on() -> None:
    plan = planned({})
    for entry in plan.findings:
        assert isinstance(entry.weighed, Weighed) is bool(entry.recommendation.witnesses)
        if isinstance(entry.weighed, Weighed):
            enough = any(observation.enough for observation in entry.weighed.seen)
            assert (entry.weighed.sure == "seen") is enough
