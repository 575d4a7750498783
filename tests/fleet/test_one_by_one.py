"""A host of a fleet is planned as it is planned alone: nothing of the hosts before it is left in its plan."""

import random
from pathlib import Path

import pytest

from command_line import tunewiz
from small_fleets import fleet_of, write_host
from tunewiz.core.fleet.fleet import Fleet
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.versions import SUPPORTED
from tunewiz.fleet.answers import USUAL
from tunewiz.fleet.one_host import planned_again
from tunewiz.formats.plan import plan_json

HOSTS = 60
"""So few that one process plans all of them, one after the other."""
ALONE = 5
"""Hosts that are planned by a command each."""


def varied(number: int) -> Given:
    drawn = random.Random(number)  # noqa: S311 - the same hosts each time
    return Given(
        major=str(drawn.choice(SUPPORTED)),
        memory=drawn.choice(["62GB", "63GB", "64GB", "65GB", "256GB", "1TB"]),
        cores=drawn.choice([1, 4, 16, 64]),
        disk=drawn.choice(["hdd", "ssd", "nvme", "san"]),
        hypervisor=drawn.choice(["none", "kvm", "xen"]),
        settings=drawn.choice(
            [{}, {"work_mem": "64MB"}, {"shared_buffers": "1GB", "max_connections": "300"}]
        ),
    )


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("fleet")
    for number in range(HOSTS):
        write_host(made, f"db{number:02}", varied(number))
    return made


@pytest.fixture(scope="module")
def fleet(directory: Path) -> Fleet:
    result = fleet_of(directory)
    assert not result.failed
    return result


def test_a_plan_among_many_is_the_one_that_a_command_of_its_own_makes(fleet: Fleet) -> None:
    hosts = sorted((host for group in fleet.groups for host in group.hosts), key=lambda host: host.host)
    assert len(hosts) == HOSTS
    for host in hosts[:: HOSTS // ALONE]:
        alone = tunewiz("plan", "--facts", host.source, "--json")
        assert (alone.status, alone.out.strip()) == (0, plan_json(planned_again(host, USUAL).plan).strip())


def test_the_order_of_the_hosts_changes_no_plan(directory: Path, fleet: Fleet) -> None:
    other = directory / "reversed"
    other.mkdir()
    for number, file in enumerate(sorted(directory.glob("*.json"), reverse=True)):
        (other / f"{number:02}.json").write_bytes(file.read_bytes())
    again = fleet_of(other)
    assert {host.host: host.values for group in again.groups for host in group.hosts} == {
        host.host: host.values for group in fleet.groups for host in group.hosts
    }
