"""A plan keeps to one memory budget, whatever single recommendations would like."""

import pytest

from situations import declines, finding, plan, proposes, recommendation, situation
from tunewiz.core.answers.answers import Replaced
from tunewiz.core.planning.budget import MemoryBudget
from tunewiz.core.planning.plan import BudgetUnknown, actions_of
from tunewiz.core.recommendation.actions import ByHand, PgSetting, Sysctl, SysfsValue
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.targets import AdviceTarget, SysctlTarget, SysfsTarget
from tunewiz.core.recommendation.verdicts import Advice
from tunewiz.core.values.errors import InputError

THP = SysfsTarget(name="/sys/thp/enabled", fact="thp.enabled", choices=("always", "never"))
DIRTY = SysctlTarget(name="vm.dirty_bytes", twin="vm.dirty_ratio", unit="bytes")
SMALL = Given(memory="4GB", available="3GB", connections=100)


def test_what_would_exceed_the_budget_is_held_back() -> None:
    made = plan(proposes("pg.work_mem", "1GB"), proposes("pg.jit", "off"), now=situation(SMALL))
    assert finding(made, "pg.work_mem").because == "the memory budget has no room for it"
    assert finding(made, "pg.jit").state == "change"
    assert isinstance(made.after, MemoryBudget)
    assert made.after.fits


def test_what_claims_memory_for_sorts_gives_way_before_the_buffers() -> None:
    made = plan(
        proposes("pg.shared_buffers", "1536MB", gives_way=2),
        proposes("pg.work_mem", "32MB", gives_way=1),
        now=situation(SMALL),
    )
    assert finding(made, "pg.work_mem").state == "declined"
    assert finding(made, "pg.shared_buffers").state == "change"


def test_a_server_that_claims_too_much_already_may_be_made_to_claim_less() -> None:
    result = situation(Given(memory="4GB", available="3GB", connections=100, settings={"work_mem": "1GB"}))
    made = plan(proposes("pg.work_mem", "512MB"), now=result)
    assert finding(made, "pg.work_mem").state == "change"
    assert [warning.code for warning in made.warnings] == ["memory_overcommitted"]


def test_values_set_by_hand_that_exceed_the_budget_are_refused_with_both_sizes() -> None:
    said = situation(SMALL, decisions={"pg.work_mem": Replaced(value="1GB")})
    with pytest.raises(InputError, match=r"decisions: the values set by hand for work_mem claim .* GiB"):
        plan(proposes("pg.work_mem", "8MB"), now=said)


def test_a_value_set_by_hand_stays_when_something_else_can_give_way() -> None:
    said = situation(SMALL, decisions={"pg.shared_buffers": Replaced(value="1536MB")})
    made = plan(proposes("pg.shared_buffers", "1GB"), proposes("pg.work_mem", "32MB"), now=said)
    assert finding(made, "pg.shared_buffers").state == "change"
    assert finding(made, "pg.work_mem").state == "declined"


def test_without_the_size_of_memory_there_is_no_budget_and_it_says_why() -> None:
    made = plan(proposes("pg.work_mem", "8MB"), now=situation(Given(memory_unknown=True)))
    assert made.after == BudgetUnknown(why="the size of memory is not known: not part of the example")
    assert finding(made, "pg.work_mem").state == "change"


def test_a_control_group_limit_is_all_the_memory_there_is() -> None:
    made = plan(declines("pg.work_mem"), now=situation(Given(memory_limit="8GB")))
    assert isinstance(made.after, MemoryBudget)
    assert made.after.total.pg() == "8GB"


def test_kernel_changes_come_before_those_of_the_server() -> None:
    made = plan(
        proposes("pg.jit", "off"),
        proposes("kernel.thp", "never", target=THP),
        proposes("kernel.dirty_bytes", "536870912", target=DIRTY),
    )
    assert [change.recommendation.id for change in made.changes] == [
        "kernel.dirty_bytes",
        "kernel.thp",
        "pg.jit",
    ]


def test_each_change_is_an_action_of_its_kind_and_advice_comes_last() -> None:
    advice = recommendation(
        "kernel.swap",
        lambda _: Advice(because="none", steps=("mkswap",), undo=("swapoff",)),
        target=AdviceTarget(name="swap"),
    )
    made = plan(
        advice,
        proposes("pg.jit", "off"),
        proposes("kernel.thp", "never", target=THP),
        proposes("kernel.dirty_bytes", "536870912", target=DIRTY),
    )
    assert made.actions == (
        Sysctl(name="vm.dirty_bytes", value=536870912, twin="vm.dirty_ratio"),
        SysfsValue(path="/sys/thp/enabled", value="never"),
        PgSetting(name="jit", value="off"),
        ByHand(subject="Set kernel.swap", steps=("mkswap",), undo=("swapoff",)),
    )


def test_what_was_declined_is_no_action() -> None:
    made = plan(declines("pg.jit"))
    with pytest.raises(TypeError, match="was declined"):
        actions_of(finding(made, "pg.jit"), made.start)


@pytest.mark.parametrize(
    ("name", "value", "restart"), [("shared_buffers", "1GB", True), ("jit", "off", False)]
)
def test_a_plan_knows_whether_it_takes_a_restart(name: str, value: str, *, restart: bool) -> None:
    assert plan(proposes(f"pg.{name}", value)).restart is restart


def test_a_plan_that_changes_nothing_says_so() -> None:
    made = plan(declines("pg.jit"))
    assert [warning.text for warning in made.warnings if warning.code == "nothing_to_change"] == [
        "Nothing needs to change: each item gives the reason."
    ]


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (Given(major="12"), "end_of_life"),
        (Given(role="standby"), "standby"),
        (Given(container="docker"), "container"),
        (Given(workload="analytics"), "workload_not_measured"),
    ],
)
def test_an_administrator_is_warned(given: Given, code: str) -> None:
    assert code in [
        warning.code for warning in plan(proposes("pg.jit", "off"), now=situation(given)).warnings
    ]


def test_a_sound_server_gives_no_warning() -> None:
    assert plan(proposes("pg.work_mem", "8MB")).warnings == ()
