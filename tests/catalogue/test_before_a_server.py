"""Before there is a server, what is written ahead is planned from the answers alone."""

import dataclasses
from types import MappingProxyType

import pytest

from situations import finding
from tunewiz.core.answers.answers import ServerAnswers
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.example_facts import facts_of
from tunewiz.core.recommendation.examples import Given, answers_of
from tunewiz.core.values.units import GIB, Bytes
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import make_plan


def planned(given: Given) -> Plan:
    """The plan for the machine of the example, on which no server and no directory of one was found."""
    facts = dataclasses.replace(facts_of(given, MappingProxyType({})), postgres=(), storage=())
    server = ServerAnswers(postgres=given.major, storage=given.disk)
    answers = dataclasses.replace(answers_of(given), server=server)
    return make_plan(facts, answers, load_knowledge())


def test_max_wal_size_and_the_time_between_checkpoints_come_from_the_answers() -> None:
    plan = planned(Given(major="16", disk="nvme"))
    assert plan.end.will_be_size("max_wal_size") == Bytes(16 * GIB)
    assert plan.end.will_be("checkpoint_timeout") == "15min"
    assert "free space is not known: see that 32 GiB" in finding(plan, "pg.max_wal_size").because


@pytest.mark.parametrize(("recovery_time", "disk"), [("1min", "nvme"), ("5min", "hdd")])
def test_a_short_recovery_or_slow_disks_bound_it(recovery_time: str, disk: str) -> None:
    plan = planned(Given(major="16", disk=disk, recovery_time=recovery_time))  # type: ignore[arg-type]
    assert plan.end.will_be_size("max_wal_size") < Bytes(16 * GIB)


def test_a_limit_that_needs_the_free_space_waits() -> None:
    plan = planned(Given(major="16", disk="nvme"))
    assert finding(plan, "pg.max_slot_wal_keep_size").state == "not_applicable"
