"""A control group's limit on huge pages: beyond it the kernel kills the server, `try` or not."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sick_servers import finding_of
from small_plans import small_facts
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.verdicts import Proposal
from tunewiz.core.values.known import Absent, Known, MaybeFact
from tunewiz.core.values.units import GIB, Bytes
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import default_answers, make_plan

KNOWLEDGE = load_knowledge()
FILE = "/sys/fs/cgroup/system.slice/hugetlb.2MB.max"
ENOUGH = 40_000
"""Pages of 2 MiB."""


def planned(limit: MaybeFact[Bytes], *, reserved: int = ENOUGH, huge_pages: str = "try") -> Plan:
    """The plan of a machine of 64 GB with 8 GB of buffers in that control group."""
    given_ = Given(
        memory="64GB",
        settings={"shared_buffers": "8GB", "huge_pages": huge_pages},
        kernel={"vm.nr_hugepages": reserved},
    )
    facts = small_facts(given_)
    facts = dataclasses.replace(facts, limits=dataclasses.replace(facts.limits, huge_pages=limit))
    return make_plan(facts, default_answers(facts, KNOWLEDGE), KNOWLEDGE)


def value_of(plan: Plan) -> str:
    verdict = finding_of(plan, "pg.huge_pages").verdict
    return verdict.value if isinstance(verdict, Proposal) else ""


@pytest.mark.parametrize("huge_pages", ["try", "on"])
def test_huge_pages_are_turned_off_where_none_may_be_used(huge_pages: str) -> None:
    plan = planned(Known(Bytes(0), FILE), huge_pages=huge_pages)
    finding = finding_of(plan, "pg.huge_pages")
    assert (value_of(plan), finding.state) == ("off", "change")
    assert f"may use no huge pages ({FILE})" in finding.because
    assert "SIGBUS" in finding.because


RESERVATIONS = "/sys/fs/cgroup/system.slice/hugetlb.2MB.rsvd.max"


@pytest.mark.parametrize(("huge_pages", "then"), [("on", "try"), ("try", ""), ("off", "")])
def test_a_limit_on_what_is_asked_for_kills_nobody_but_on_does_not_start(huge_pages: str, then: str) -> None:
    plan = planned(Known(Bytes(0), RESERVATIONS), huge_pages=huge_pages)
    assert value_of(plan) == then
    assert "SIGBUS" not in finding_of(plan, "pg.huge_pages").because
    assert not isinstance(finding_of(plan, "kernel.nr_hugepages").verdict, Proposal)


def test_off_stays_off() -> None:
    finding = finding_of(planned(Known(Bytes(0), FILE), huge_pages="off"), "pg.huge_pages")
    assert finding.state == "keep"


def test_no_pages_are_reserved_that_may_not_be_used() -> None:
    finding = finding_of(planned(Known(Bytes(0), FILE), reserved=0), "kernel.nr_hugepages")
    assert not isinstance(finding.verdict, Proposal)
    assert "raise that first" in finding.because


@pytest.mark.parametrize("limit", [Absent("max"), Known(Bytes(80 * GIB), FILE)])
def test_a_limit_that_suffices_changes_nothing(limit: MaybeFact[Bytes]) -> None:
    free = planned(Absent("no limit"))
    assert [finding.verdict for finding in planned(limit).findings] == [
        finding.verdict for finding in free.findings
    ]


@given(st.integers(0, 40 * GIB), st.sampled_from([0, 2000, ENOUGH]))
def test_no_plan_lets_the_server_touch_more_than_it_may(limit: int, reserved: int) -> None:
    plan = planned(Known(Bytes(limit), FILE), reserved=reserved)
    pool = plan.end.kernel_count("vm.nr_hugepages")
    buffers = plan.end.will_be_size("shared_buffers")
    if plan.end.will_be("huge_pages") != "off" and pool * 2 * 1024 * 1024 >= buffers.count:
        assert buffers.count <= limit
