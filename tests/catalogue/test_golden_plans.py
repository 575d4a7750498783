"""The plans of the example machines, as a DBA reviewed them line by line."""

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType

import pytest

from fixtures_golden import Golden
from plan_listing import plan_listing
from situations import situation
from tunewiz.core.answers.answers import Answers, Posture, Risk, WorkloadKind
from tunewiz.core.facts.slru import SlruCache
from tunewiz.core.planning.plan import plan_of
from tunewiz.core.recommendation.example_replication import cancelling, read_slot, with_slots
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.known import Known
from tunewiz.core.values.units import Duration
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.knowledge.profiles import demo_names
from tunewiz.planning import default_answers, make_plan

OTHERWISE: tuple[tuple[str, WorkloadKind, Posture, str], ...] = (
    ("nvme-server", "analytics", "bold", "30min"),
    ("hdd-server", "mixed", "cautious", "1min"),
    ("graviton", "read_mostly", "balanced", "5min"),
    ("container", "mixed", "bold", "5min"),
)
"""Example machines with other answers than the usual ones."""


OF_NO_EXAMPLE: Mapping[str, Given] = MappingProxyType(
    {
        "a-standby": Given(
            cores=16,
            threads_per_core=2,
            disk="nvme",
            major="16",
            role="standby",
            database_size="400GB",
            free_space="700GB",
            settings={
                "max_connections": "200",
                "max_standby_streaming_delay": "-1",
                "shared_buffers": "16GB",
                "wal_receiver_timeout": "0",
            },
            replication=cancelling(snapshot=12, lock=4),
            extensions=("pg_prewarm", "pg_stat_statements"),
        ),
        "a-tiny-vm": Given(
            memory="1GB",
            available="700MB",
            swap="0B",
            cores=1,
            disk_unknown=True,
            connections=50,
            database_size="5GB",
            free_space="12GB",
            hypervisor="kvm",
        ),
        "a-terabyte": Given(
            memory="1TB",
            available="1000GB",
            cores=128,
            threads_per_core=2,
            sockets=2,
            disk="nvme",
            major="18",
            connections=2000,
            database_size="20TB",
            free_space="6TB",
            workload="mixed",
            replicas=2,
            replication=with_slots(read_slot("one"), read_slot("two")),
            slru=Known((SlruCache(name="multixact_offset", hit=90_000_000, read=9_000_000),), "example"),
        ),
        "a-warehouse": Given(
            memory="512GB",
            available="500GB",
            cores=64,
            threads_per_core=2,
            sockets=2,
            disk="san",
            major="14",
            connections=40,
            database_size="8TB",
            free_space="2TB",
            workload="analytics",
            posture="bold",
            settings={"max_connections": "100"},
        ),
    }
)
"""Machines beside the examples: each was read line by line, too."""


@pytest.mark.parametrize("name", OF_NO_EXAMPLE)
def test_the_plan_of_a_machine_that_is_no_example_is_as_it_was_reviewed(golden: Golden, name: str) -> None:
    made = plan_of(load_knowledge().catalogue, situation(OF_NO_EXAMPLE[name]))
    golden(f"plans/{name}.txt", plan_listing(made))


def usual(machine: str) -> Answers:
    return default_answers(demo_facts(machine), load_knowledge())


def listed(machine: str, answers: Answers) -> str:
    return plan_listing(make_plan(demo_facts(machine), answers, load_knowledge()))


@pytest.mark.parametrize("machine", demo_names())
def test_the_plan_of_an_example_machine_is_as_it_was_reviewed(golden: Golden, machine: str) -> None:
    golden(f"plans/{machine}.txt", listed(machine, usual(machine)))


@pytest.mark.parametrize(("machine", "kind", "posture", "recovery"), OTHERWISE)
def test_the_plan_for_other_answers_is_as_it_was_reviewed(
    golden: Golden, machine: str, kind: WorkloadKind, posture: Posture, recovery: str
) -> None:
    answers = usual(machine)
    workload = dataclasses.replace(answers.workload, kind=kind)
    risk = Risk(posture=posture, recovery_time=Duration.parse(recovery))
    said = dataclasses.replace(answers, workload=workload, risk=risk)
    golden(f"plans/{machine}.{kind}-{posture}.txt", listed(machine, said))
