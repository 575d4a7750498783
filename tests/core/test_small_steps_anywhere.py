"""No number that somebody chose moves by less than a half, whatever and wherever it is: searched."""

import dataclasses
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from tunewiz.core.planning.budget import MemoryBudget
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.planning.small_steps import NEEDED
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.values.pg_settings import SettingError
from tunewiz.core.values.rounding import NOTICEABLE
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import example_situation

KNOWLEDGE = load_knowledge()
FACTORS = [Fraction(7, 10), Fraction(3, 4), Fraction(9, 10), Fraction(11, 10), Fraction(5, 4), Fraction(7, 5)]
SERVERS = st.builds(
    Given,
    major=st.sampled_from(["11", "13", "15", "17", "18", "19"]),
    memory=st.sampled_from(["16GB", "128GB", "1TB"]),
    available=st.just("15GB"),
    cores=st.sampled_from([2, 8, 32, 96]),
    connections=st.sampled_from([20, 100, 500]),
    disk=st.sampled_from(["nvme", "ssd", "san", "hdd"]),
    workload=st.sampled_from(["oltp", "mixed", "analytics", "read_mostly"]),
    database_size=st.sampled_from(["20GB", "500GB", "5TB"]),
    posture=st.sampled_from(["cautious", "balanced", "bold"]),
)
search = settings(max_examples=8, deadline=None)


def planned(server: Given) -> Plan:
    return plan_of(KNOWLEDGE.catalogue, example_situation(server, KNOWLEDGE))


def number(plan: Plan, name: str, text: str) -> Fraction | None:
    """The number in the setting's own unit; None where it is a word, or a meaning of its own."""
    info = plan.start.settings[name]
    if info.vartype not in ("integer", "real"):
        return None
    value = Fraction(info.canonical(text))
    return value if value > 0 else None


def near(plan: Plan, factor: Fraction) -> dict[str, str]:
    """What the plan sets, times the factor, as far as PostgreSQL takes it."""
    chosen = dict[str, str]()
    for change in plan.changes:
        target = change.recommendation.target
        if isinstance(target, PgTarget) and (value := number(plan, target.name, change.sets)):
            info = plan.start.settings[target.name]
            is_whole = info.vartype == "integer"
            text = str(int(value * factor)) if is_whole else f"{float(value * factor):g}"
            try:
                if not info.same(text, plan.start.default(target.name)):
                    chosen[target.name] = info.show(text)
            except SettingError:
                continue
    return chosen


def fits(plan: Plan) -> bool:
    """Whether memory is enough for what the server has today."""
    return isinstance(plan.before, MemoryBudget) and plan.before.fits


@search
@given(SERVERS, st.sampled_from(FACTORS))
def test_whoever_chose_nearly_what_would_be_proposed_is_left_alone(server: Given, factor: Fraction) -> None:
    chosen = near(planned(server), factor)
    plan = planned(dataclasses.replace(server, settings=chosen))
    for change in plan.changes:
        name = change.recommendation.target.name
        if name in chosen and name not in NEEDED and not change.observed:
            before, after = number(plan, name, chosen[name]), number(plan, name, change.sets)
            if before is not None and after is not None:
                assert max(before, after) >= min(before, after) * NOTICEABLE or not fits(plan), name


@search
@given(SERVERS)
def test_whoever_chose_far_less_is_not(server: Given) -> None:
    first = planned(server)
    second = planned(dataclasses.replace(server, settings={"shared_buffers": "256MB"}))
    if "shared_buffers" in first.end.chosen and first.end.will_be_size("shared_buffers").count > 2**30:
        assert second.end.chosen["shared_buffers"] == first.end.chosen["shared_buffers"]
