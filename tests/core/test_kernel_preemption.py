"""Before and after the step to Linux 7.0, machines like the measured one are told of huge pages."""

import dataclasses

import pytest

from small_plans import small_facts
from tunewiz.core.answers.answers import Refused
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.known import Known, Unknown
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import default_answers, make_plan

KNOWLEDGE = load_knowledge()
CODE = "kernel_preemption"
REFUSED = {
    "kernel.nr_hugepages": Refused(),
    "kernel.huge_pages_at_boot": Refused(),
    "pg.huge_pages": Refused(),
}


def warned_of(given: Given, *, huge_pages: bool = False, processors: int | None = None) -> str:
    """What the plan warns of; huge pages are in it or declined."""
    facts = small_facts(given)
    online = Unknown("test") if processors == 0 else Known(processors or 96, "test")
    facts = dataclasses.replace(facts, cpu=dataclasses.replace(facts.cpu, online=online))
    answers = default_answers(facts, KNOWLEDGE)
    if not huge_pages:
        answers = dataclasses.replace(answers, decisions=REFUSED)
    plan = make_plan(facts, answers, KNOWLEDGE)
    return next((warning.text for warning in plan.warnings if warning.code == CODE), "")


def large(release: str, **more: object) -> Given:
    """A machine with room for large buffers."""
    given = Given(
        major="18", memory="256GB", available="250GB", cores=96, settings={"shared_buffers": "64GB"}
    )
    return dataclasses.replace(given, kernel_release=release, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("kernel", ["6.1.0", "6.19.3-amd64", "5.15.0-1-cloud"])
def test_before_7_0_huge_pages_come_before_the_new_kernel(kernel: str) -> None:
    assert warned_of(large(kernel)).startswith("Before this kernel is upgraded to 7.0 or newer")


@pytest.mark.parametrize("kernel", ["7.0.0", "7.0.0-14-generic", "7.1.2", "10.0.0"])
def test_from_7_0_on_huge_pages_weigh_more(kernel: str) -> None:
    assert warned_of(large(kernel)).startswith("This kernel has no PREEMPT_NONE")


@pytest.mark.parametrize("kernel", ["6.1.0", "7.0.0"])
def test_both_sides_are_told(kernel: str) -> None:
    assert "98,565 to 50,751" in warned_of(large(kernel))
    assert "others call the case narrow" in warned_of(large(kernel))


@pytest.mark.parametrize("kernel", ["6.1.0", "7.0.0"])
def test_a_server_with_huge_pages_is_left_alone(kernel: str) -> None:
    pages = large(kernel, kernel={"vm.nr_hugepages": 40_000})
    assert warned_of(pages, huge_pages=True) == ""


def test_pages_that_the_server_does_not_use_are_not_enough() -> None:
    unused = {"shared_buffers": "64GB", "huge_pages": "off"}
    assert warned_of(large("7.0.0", kernel={"vm.nr_hugepages": 40_000}, settings=unused))


@pytest.mark.parametrize("processors", [95, 4])
def test_fewer_processors_than_were_measured_are_left_alone(processors: int) -> None:
    assert warned_of(large("7.0.0"), processors=processors) == ""


def test_an_unknown_number_of_processors_is_left_alone() -> None:
    assert warned_of(large("7.0.0"), processors=0) == ""


def test_small_buffers_are_left_alone() -> None:
    small = Given(major="18", memory="4GB", available="3GB", cores=96, kernel_release="7.0.0")
    assert warned_of(small) == ""


@pytest.mark.parametrize("kernel", ["", "unknown"])
def test_a_kernel_that_tells_no_version_is_left_alone(kernel: str) -> None:
    assert warned_of(large(kernel)) == ""
