"""Two plans side by side: what differs, and why; nothing is said of what is the same."""

import pytest

from situations import declines, plan, proposes, recommendation, situation
from tunewiz.core.answers.answers import Refused
from tunewiz.core.comparison.differences import Comparison, compared
from tunewiz.core.comparison.input_words import INPUTS, input_in_words
from tunewiz.core.comparison.peer_differences import PeerComparison, PeerDifference, beside
from tunewiz.core.comparison.peer_rules import PEER_RULES
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.verdicts import Proposal
from tunewiz.core.values.known import MissingFact
from tunewiz.formats.compared import compared_plan
from tunewiz.formats.plan import plan_document
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.knowledge.peers import load_peer, peer_names
from tunewiz.knowledge.profiles import demo_names
from tunewiz.planning import default_answers, make_plan

NOT_ASKED = frozenset({"dl185", "ice-lake", "power10", "z13-sandbox"})
"""Of these the memory or the number of processors is unknown."""


def beside_each_other(one: Plan, other: Plan) -> Comparison:
    return compared(compared_plan(plan_document(one), "one"), compared_plan(plan_document(other), "other"))


def example(name: str) -> Plan:
    facts, knowledge = demo_facts(name), load_knowledge()
    return make_plan(facts, default_answers(facts, knowledge), knowledge)


@pytest.mark.parametrize("name", demo_names())
def test_a_plan_is_the_same_as_itself(name: str) -> None:
    comparison = beside_each_other(example(name), example(name))
    assert not comparison.differs
    assert (comparison.inputs, comparison.differences) == ((), ())
    assert comparison.same == len(load_knowledge().catalogue)


@pytest.mark.parametrize("name", [name for name in demo_names() if name != "nvme-server"])
def test_of_two_machines_every_recommendation_is_either_the_same_or_a_difference(name: str) -> None:
    there, back = (
        beside_each_other(example("nvme-server"), example(name)),
        beside_each_other(example(name), example("nvme-server")),
    )
    assert there.same + len(there.differences) == len(load_knowledge().catalogue)
    assert [difference.one for difference in there.differences] == [
        difference.other for difference in back.differences
    ]
    assert all(
        (difference.one.outcome, difference.one.steps) != (difference.other.outcome, difference.other.steps)
        for difference in there.differences
    )
    assert {difference.key for difference in there.inputs} <= INPUTS.keys()


def only_difference(one: Plan, other: Plan) -> tuple[str, str, str]:
    (difference,) = beside_each_other(one, other).differences
    return difference.one.outcome, difference.other.outcome, difference.why


def test_other_computations_are_both_told() -> None:
    one, other = plan(proposes("pg.work_mem", "8MB")), plan(proposes("pg.work_mem", "16MB"))
    assert only_difference(one, other) == ("8MB", "16MB", "A: 8MB = 8MB. B: 16MB = 16MB")


def test_what_only_one_plan_proposes_has_the_other_ones_reason() -> None:
    one, other = plan(proposes("pg.work_mem", "8MB")), plan(declines("pg.work_mem"))
    before, after, why = only_difference(one, other)
    assert (before, after) == ("8MB", "4MB, left alone")
    assert why.startswith("A: 8MB = 8MB. B: ")


def test_a_decision_is_told_with_its_note() -> None:
    wanted = proposes("pg.work_mem", "8MB")
    refused = plan(wanted, now=situation(decisions={"pg.work_mem": Refused(note="agreed")}))
    comparison = beside_each_other(plan(wanted), refused)
    assert [(difference.key, difference.other) for difference in comparison.inputs] == [
        ("answers.decisions.pg.work_mem", "decline (agreed)")
    ]
    assert comparison.differences[0].why == "A: 8MB = 8MB. B: declined by the administrator: agreed"


def test_the_same_computation_that_only_one_plan_selects_is_told_so() -> None:
    def offered(*, ticked: bool) -> Plan:
        verdict = Proposal(value="8MB", because="so", computed="4MB x 2", ticked=ticked)
        return plan(recommendation("pg.work_mem", lambda _: verdict))

    before, after, why = only_difference(offered(ticked=True), offered(ticked=False))
    assert (before, after) == ("8MB", "8MB, for you to decide")
    assert why == "both: 4MB x 2; only A selects it"


def test_a_recommendation_that_only_one_version_knows_is_told_apart() -> None:
    comparison = beside_each_other(plan(proposes("pg.work_mem", "8MB")), plan(proposes("pg.jit", "off")))
    assert [item.id for item in comparison.only_one] == ["pg.work_mem"]
    assert [item.id for item in comparison.only_other] == ["pg.jit"]
    assert comparison.differs
    assert (comparison.differences, comparison.same) == ((), 0)


def test_an_input_of_another_version_is_named_by_its_last_part() -> None:
    assert input_in_words("answers.risk.moon_phase") == "moon phase"
    assert input_in_words("answers.decisions.pg.jit") == "decision on pg.jit"


def test_every_input_of_every_example_has_words() -> None:
    keys = {key for name in demo_names() for key in compared_plan(plan_document(example(name)), name).inputs}
    assert keys <= INPUTS.keys()


def beside_peer(made: Plan, peer: str) -> PeerComparison:
    return beside(made, load_peer(peer), PEER_RULES[peer])


@pytest.mark.parametrize("name", sorted(NOT_ASKED))
def test_a_generator_cannot_be_asked_about_a_machine_of_unknown_size(name: str) -> None:
    with pytest.raises(MissingFact, match=r"the (size of memory|number of processors) is not known"):
        beside_peer(example(name), "pgtune")


def of_setting(comparison: PeerComparison, name: str) -> PeerDifference:
    return next(difference for difference in comparison.differences if difference.setting == name)


@pytest.mark.parametrize("peer", peer_names())
@pytest.mark.parametrize("name", [name for name in demo_names() if name not in NOT_ASKED])
def test_each_setting_of_a_generator_is_the_same_or_differs_with_both_reasons(name: str, peer: str) -> None:
    comparison = beside_peer(example(name), peer)
    differing = {peer_difference.setting for peer_difference in comparison.differences}
    assert differing.isdisjoint(comparison.same)
    assert differing | set(comparison.same) == PEER_RULES[peer](comparison.asked).keys()
    for difference in comparison.differences:
        rule, _, ours = difference.why.partition(f"{comparison.peer.rules[difference.setting]}. This ")
        assert rule == f"{peer}: "
        assert ours.startswith(("plan: ", "server refuses it: "))


def test_values_are_compared_by_meaning_and_not_by_their_letters() -> None:
    given = Given(memory="64GB", connections=200, settings={"max_wal_size": "8192MB", "jit": "false"})
    assert {"max_wal_size", "jit"} <= set(beside_peer(plan(now=situation(given)), "pgtune").same)


def test_what_a_generator_sets_and_this_plan_does_not_judge_is_told_so() -> None:
    peer_difference = of_setting(beside_peer(plan(), "timescaledb-tune"), "autovacuum_naptime")
    assert (peer_difference.peer, peer_difference.plan) == ("10s", "1min, as it is")
    assert peer_difference.why.endswith(
        "This plan: it has no recommendation for this setting and leaves it as it is"
    )


def test_what_this_plan_changes_and_a_generator_does_not_set_is_listed() -> None:
    comparison = beside_peer(
        plan(proposes("pg.log_lock_waits", "on"), proposes("pg.work_mem", "8MB")), "pgtune"
    )
    assert comparison.unset == ("log_lock_waits",)


def test_a_value_that_is_only_advised_is_told_beside_the_one_in_force() -> None:
    verdict = Proposal(value="8MB", because="so", computed="4MB x 2", ticked=False)
    made = plan(recommendation("pg.work_mem", lambda _: verdict))
    assert of_setting(beside_peer(made, "pgtune"), "work_mem").plan == "4MB (8MB if you decide so)"
