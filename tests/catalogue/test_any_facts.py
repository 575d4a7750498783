"""Whatever a facts file may say, a plan or one clear refusal comes out; searched for by hypothesis."""

import dataclasses
from types import MappingProxyType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from made_up import ANSWERS, FACTS, TEXTS, told
from tunewiz.core.answers.answers import Answers
from tunewiz.core.answers.limits import COUNTED
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.server import PostgresServer, Setting
from tunewiz.core.planning.plan import BudgetUnknown, Plan
from tunewiz.core.recommendation.examples import DEFAULT_KERNEL
from tunewiz.core.recommendation.targets import HostTarget, PgTarget, SysctlTarget, SysfsTarget
from tunewiz.core.recommendation.verdicts import Proposal
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Fact, Known
from tunewiz.core.values.versions import SUPPORTED
from tunewiz.formats.plan import plan_json
from tunewiz.formats.records import answers_from_toml, answers_to_toml, facts_from_json, facts_to_json
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import default_answers, make_plan
from tunewiz.text.report import plan_table

KNOWLEDGE = load_knowledge()
KNOBS = sorted(
    {
        *DEFAULT_KERNEL,
        *(
            (target.fact or target.name) if isinstance(target, SysctlTarget) else target.fact
            for target in (recommendation.target for recommendation in KNOWLEDGE.catalogue)
            if isinstance(target, SysctlTarget | SysfsTarget)
        ),
    }
)
"""Every kernel setting that a recommendation looks at."""

COUNTS = st.sampled_from([0, 1, 2, 3, 100, 2**31, 2**64 - 1])
WORDS = st.one_of(TEXTS, st.sampled_from(["always", "madvise", "never", "default"]))


def _values(knob: str) -> SearchStrategy[Fact[int | str]]:
    return told(COUNTS) if knob.startswith(COUNTED) else told(COUNTS | st.just(-1) | WORDS)


@st.composite
def odd_facts(draw: st.DrawFn) -> Facts:
    """Made-up facts whose kernel and server have settings that recommendations look at."""
    facts = draw(FACTS)
    chosen = draw(st.lists(st.sampled_from(KNOBS), unique=True))
    knobs = {knob: draw(_values(knob)) for knob in chosen}
    kernel = dataclasses.replace(facts.kernel, settings=MappingProxyType(knobs))
    servers = tuple(draw(_with_settings(server)) for server in facts.postgres)
    return dataclasses.replace(facts, kernel=kernel, postgres=servers)


@st.composite
def _with_settings(draw: st.DrawFn, server: PostgresServer) -> PostgresServer:
    """The server with some of its major's settings at their bounds."""
    major = draw(st.sampled_from(SUPPORTED))
    infos = [
        setting_info
        for setting_info in KNOWLEDGE.settings[major].known.values()
        if setting_info.minimum and setting_info.maximum
    ]
    chosen = draw(st.lists(st.sampled_from(infos), max_size=12))
    values = {
        setting_info.name: Setting(
            value=draw(_bound(setting_info.minimum, setting_info.default, setting_info.maximum)),
            unit=setting_info.unit,
        )
        for setting_info in chosen
    }
    return dataclasses.replace(
        server, major=Known(str(major), "made up"), settings=Known(MappingProxyType(values), "made up")
    )


def _bound(*values: str | None) -> SearchStrategy[str]:
    return st.sampled_from([value for value in values if value is not None])


UNDECIDED = ANSWERS.map(lambda answers: dataclasses.replace(answers, decisions=MappingProxyType({})))


def planned(facts: Facts, answers: Answers) -> Plan | str:
    """The plan for the facts as files carry them, or the message that refuses them."""
    try:
        facts = facts_from_json(facts_to_json(facts), "facts.json")
        answers = answers_from_toml(answers_to_toml(answers), "answers.toml")
        return make_plan(facts, answers, KNOWLEDGE)
    except InputError as refused:
        return refused.message


def check_every_recommendation_is_answered(plan: Plan) -> None:
    """Each recommendation has its reason, whatever came of it."""
    assert len(plan.findings) == len(KNOWLEDGE.catalogue)
    assert all(finding.because for finding in plan.findings)


def check_it_can_be_shown(plan: Plan) -> None:
    """As a table and as JSON, and the same each time."""
    again = make_plan(plan.start.facts, plan.start.answers, KNOWLEDGE)
    assert plan_json(plan) == plan_json(again)
    assert plan_table(plan, answered=True) == plan_table(again, answered=True)


def check_the_memory_suffices(plan: Plan) -> None:
    """What is claimed fits, or is no more than is claimed today."""
    if not isinstance(plan.before, BudgetUnknown) and not isinstance(plan.after, BudgetUnknown):
        assert plan.after.fits or plan.after.claimed <= plan.before.claimed


def check_values_are_in_range(plan: Plan) -> None:
    """Every value is one that its target takes."""
    for finding in plan.findings:
        target, verdict = finding.recommendation.target, finding.verdict
        match target, verdict:
            case PgTarget(name=name), Proposal(value=value):
                assert plan.start.settings[name].canonical(value)
            case SysctlTarget(minimum=least, maximum=most), Proposal(value=value):
                assert least <= int(value) <= most
            case SysfsTarget(choices=choices), Proposal(value=value):
                assert value in choices
            case HostTarget(), Proposal(value=value):
                assert value.strip()
            case _:
                assert not isinstance(verdict, Proposal)


CHECKS = (
    check_every_recommendation_is_answered,
    check_it_can_be_shown,
    check_the_memory_suffices,
    check_values_are_in_range,
)

TOO_MUCH = [HealthCheck.too_slow, HealthCheck.data_too_large]
search = settings(max_examples=20, suppress_health_check=TOO_MUCH)
thorough_search = settings(max_examples=200, suppress_health_check=TOO_MUCH)


@search
@given(odd_facts(), UNDECIDED)
def test_any_facts_and_answers_give_a_plan_or_one_refusal(facts: Facts, answers: Answers) -> None:
    plan = planned(facts, answers)
    if isinstance(plan, str):
        assert plan.strip()
        return
    for check in CHECKS:
        check(plan)


@pytest.mark.slow
@pytest.mark.timeout(300)
@thorough_search
@given(odd_facts(), UNDECIDED)
def test_very_many_facts_and_answers_give_a_plan_or_one_refusal(facts: Facts, answers: Answers) -> None:
    plan = planned(facts, answers)
    for check in CHECKS:
        if not isinstance(plan, str):
            check(plan)


@search
@given(odd_facts())
def test_the_usual_answers_always_give_a_plan(facts: Facts) -> None:
    plan = planned(facts, default_answers(facts, KNOWLEDGE))
    assert isinstance(plan, Plan)
    for check in CHECKS:
        check(plan)


@pytest.mark.slow
@pytest.mark.timeout(300)
@thorough_search
@given(odd_facts())
def test_the_usual_answers_give_a_plan_for_very_many_facts(facts: Facts) -> None:
    plan = planned(facts, default_answers(facts, KNOWLEDGE))
    assert isinstance(plan, Plan)
    for check in CHECKS:
        check(plan)


@search
@given(odd_facts(), st.sampled_from([knob for knob in KNOBS if knob.startswith(COUNTED)]), WORDS)
def test_a_word_where_the_kernel_counts_is_refused_by_its_name(facts: Facts, knob: str, word: str) -> None:
    told_so = MappingProxyType({knob: Known(word, "made up")})
    kernel = dataclasses.replace(facts.kernel, settings=told_so)
    text = facts_to_json(dataclasses.replace(facts, kernel=kernel))
    with pytest.raises(InputError, match=f"kernel.settings.{knob}.*expected a whole number"):
        facts_from_json(text, "facts.json")
