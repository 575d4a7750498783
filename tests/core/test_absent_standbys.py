"""Commits that wait for standbys which are not there are told before the plan."""

import dataclasses

import pytest

from sick_servers import texts_of
from situations import situation
from tunewiz.core.facts.replication import Replication, Slot
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.known import Fact, Known, Unknown
from tunewiz.core.values.units import Bytes
from tunewiz.knowledge.loading import load_knowledge

CODE = "work_stops"


def planned(names: str, connected: Fact[int], *slots: Slot, **more: str) -> Plan:
    seen = Replication(
        slots=slots,
        archive_failures=0,
        archive_failing=False,
        archive_behind=Unknown("nobody asked"),
        cancelled=0,
        standbys=connected,
    )
    of = Given(settings={"synchronous_standby_names": names, **more}, replication=Known(seen, "a test"))
    return plan_of(load_knowledge().catalogue, situation(of))


@pytest.mark.parametrize(
    ("names", "connected", "waits"),
    [
        *(("*", 0, True), ("s1", 0, True), ("s1, s2", 0, True), ("FIRST 1 (a, b)", 0, True)),
        *(("ANY 2 (a, b, c)", 1, True), ("2 (a, b)", 1, True), ("first 3 (a,b,c)", 2, True)),
        *(("*", 1, False), ("s1, s2", 1, False), ("ANY 2 (a, b, c)", 2, False), ("", 0, False)),
    ],
)
def test_fewer_than_a_commit_waits_for_are_told(names: str, connected: int, *, waits: bool) -> None:
    told = texts_of(planned(names, Known(connected, "a test")), CODE)
    assert bool(told) is waits
    assert all(f"connected: {connected}" in text for text in told)


@pytest.mark.parametrize("commit", ["local", "off"])
def test_a_server_whose_commits_do_not_wait_is_left_alone(commit: str) -> None:
    assert texts_of(planned("*", Known(0, "a test"), synchronous_commit=commit), CODE) == []


def test_where_nobody_counted_them_nothing_is_said() -> None:
    assert texts_of(planned("*", Unknown("not asked")), CODE) == []


def test_a_slot_that_is_read_is_a_standby() -> None:
    slot = Slot(name="one", kind="physical", active=True, held=Bytes(0), status="reserved", age=0)
    assert texts_of(planned("*", Known(0, "a test"), slot), CODE) == []


def test_a_standby_does_not_wait() -> None:
    of = Given(settings={"synchronous_standby_names": "*"}, role="standby")
    assert texts_of(plan_of(load_knowledge().catalogue, situation(dataclasses.replace(of))), CODE) == []
