"""The plan that scripts read: the same bytes everywhere, told apart from every other."""

import json
from pathlib import Path
from typing import Any

import pytest

from fixtures_golden import Golden
from situations import declines, plan, proposes, recommendation, situation
from tunewiz.core.answers.answers import Refused, Replaced
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.targets import AdviceTarget, SysctlTarget
from tunewiz.core.recommendation.verdicts import Advice
from tunewiz.formats.plan import plan_document, plan_json
from tunewiz.formats.records import answers_from_toml
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.planning import make_plan

ANSWERS = Path(__file__).resolve().parent.parent / "answers"
DIRTY = SysctlTarget(name="vm.dirty_bytes", twin="vm.dirty_ratio", unit="bytes")


def document(made: Plan) -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(plan_json(made))
    return plain


def only(made: Plan) -> dict[str, Any]:
    recommendations: list[dict[str, Any]] = document(made)["recommendations"]
    (result,) = recommendations
    return result


@pytest.mark.parametrize(("machine", "answers"), [("z13-lpar", "oltp-9.5"), ("nvme-server", "mixed-running")])
def test_the_plan_of_an_example_machine_is_the_reviewed_one(
    golden: Golden, machine: str, answers: str
) -> None:
    file = ANSWERS / f"{answers}.toml"
    said = answers_from_toml(file.read_text(), file.name)
    made = make_plan(demo_facts(machine), said, load_knowledge())
    golden(f"plan-{machine}.json", plan_json(made))


def test_a_change_tells_from_what_to_what_and_how_it_was_computed() -> None:
    test_a_change_tells = only(plan(proposes("pg.work_mem", "8MB")))
    assert (
        test_a_change_tells["state"],
        test_a_change_tells["current"],
        test_a_change_tells["proposed"],
    ) == ("change", "4MB", "8MB")
    assert (test_a_change_tells["default"], test_a_change_tells["unit"], test_a_change_tells["computed"]) == (
        "4MB",
        "kB",
        "8MB = 8MB",
    )
    assert test_a_change_tells["target"] == {"kind": "postgres", "name": "work_mem"}
    assert (
        test_a_change_tells["takes_effect"],
        test_a_change_tells["risk"],
        test_a_change_tells["decision"],
    ) == ("reload", "low", None)


def test_a_kernel_setting_tells_the_kernels_own_unit_and_default() -> None:
    result = only(plan(proposes("kernel.dirty_bytes", "536870912", target=DIRTY)))
    assert (result["current"], result["proposed"], result["unit"]) == ("0", "536870912", "bytes")
    assert (result["default"], result["takes_effect"]) == ("0", "now")


def test_what_is_left_alone_proposes_nothing() -> None:
    result = only(plan(declines("pg.jit")))
    assert (result["state"], result["proposed"], result["computed"]) == ("declined", None, None)
    assert result["because"] == "a test says no"


def test_a_setting_that_the_major_lacks_has_neither_default_nor_unit() -> None:
    result = only(plan(proposes("pg.jit", "off"), now=situation(Given(major="9.6"))))
    assert (result["state"], result["default"], result["unit"]) == ("not_applicable", None, None)
    assert (result["current"], result["current_from"]) == (
        None,
        "jit first appeared in PostgreSQL 11, this server is 9.6",
    )


def test_advice_has_steps_and_is_done_by_hand() -> None:
    advice = Advice(because="none", steps=("mkswap /swap",), undo=("swapoff /swap",), computed="0 < 1")
    swap = recommendation("kernel.swap", lambda _: advice, target=AdviceTarget(name="swap"))
    test_advice_has_steps = only(plan(swap))
    assert (
        test_advice_has_steps["state"],
        test_advice_has_steps["takes_effect"],
        test_advice_has_steps["computed"],
    ) == ("advise", "manual", "0 < 1")
    assert test_advice_has_steps["steps"] == ["mkswap /swap"]


def test_what_was_said_is_told_with_its_note() -> None:
    said = situation(decisions={"pg.jit": Replaced(value="off", note="agreed"), "pg.work_mem": Refused()})
    made = document(plan(proposes("pg.jit", "on"), proposes("pg.work_mem", "8MB"), now=said))
    assert [value["decision"] for value in made["recommendations"]] == [
        {"set": "off", "note": "agreed"},
        {"decline": True},
    ]
    assert made["answers"]["decisions"] == {
        "pg.jit": {"set": "off", "note": "agreed"},
        "pg.work_mem": {"decline": True},
    }


def test_recommendations_stand_in_the_order_of_their_ids_whatever_was_decided_first() -> None:
    some = (proposes("pg.work_mem", "8MB"), declines("pg.autovacuum"), declines("kernel.swap"))
    one, other = plan(*some), plan(*reversed(some))
    assert plan_json(one) == plan_json(other)
    ids = [value["id"] for value in document(one)["recommendations"]]
    assert ids == sorted(ids)


def test_the_budget_is_told_with_and_without_the_plan() -> None:
    budget = document(plan(proposes("pg.shared_buffers", "16GB")))["memory_budget"]
    assert budget["buffers"] == 16 * 2**30
    assert budget["before"]["buffers"] < budget["buffers"]
    assert budget["fits"] is True


def test_a_budget_that_cannot_be_told_says_why() -> None:
    made = document(plan(declines("pg.jit"), now=situation(Given(memory_unknown=True))))
    assert made["memory_budget"]["why"] == "the size of memory is not known: not part of the example"


def test_a_document_is_plain_data() -> None:
    made = plan(proposes("pg.work_mem", "8MB"))
    assert json.loads(json.dumps(plan_document(made))) == plan_document(made)
