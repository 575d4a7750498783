"""What other tools are known to get wrong, each tried on the machine where it was seen."""

from collections.abc import Mapping

import pytest

from situations import situation
from tunewiz.core.planning.budget import MemoryBudget
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.end_of_life import END_OF_LIFE
from tunewiz.core.values.units import GIB, Bytes
from tunewiz.core.values.versions import SUPPORTED
from tunewiz.knowledge.loading import load_knowledge

KNOWLEDGE = load_knowledge()
ALL = [str(major) for major in SUPPORTED]
EVERY_MAJOR = pytest.mark.parametrize("major", ALL)


def plan(given: Given) -> Plan:
    return plan_of(KNOWLEDGE.catalogue, situation(given))


def proposed(given: Given) -> Mapping[str, str]:
    """What the bundle would set in PostgreSQL."""
    return {
        change.recommendation.id.removeprefix("pg."): change.sets
        for change in plan(given).changes
        if change.recommendation.id.startswith("pg.")
    }


@EVERY_MAJOR
def test_no_setting_is_proposed_that_the_version_lacks(major: str) -> None:
    settings = situation(Given(major=major)).settings
    assert [name for name in proposed(Given(major=major)) if not settings.has(name)] == []


@EVERY_MAJOR
def test_compression_that_a_build_may_lack_is_not_assumed(major: str) -> None:
    value = proposed(Given(major=major)).get("wal_compression", "on")
    assert value in {"on", "off", "pglz"}


def test_io_uring_is_not_assumed_to_be_built_in() -> None:
    assert proposed(Given(major="18", kernel={})).get("io_method", "worker") != "io_uring"


@EVERY_MAJOR
def test_all_memory_together_stays_within_the_machine(major: str) -> None:
    for memory, cores, connections in (("2GB", 2, 500), ("24GB", 8, 100), ("256GB", 64, 1000)):
        after = plan(Given(major=major, memory=memory, cores=cores, connections=connections)).after
        before = plan(Given(major=major, memory=memory, cores=cores, connections=connections)).before
        assert isinstance(after, MemoryBudget)
        assert isinstance(before, MemoryBudget)
        assert after.fits or after.claimed <= before.claimed


def test_a_container_is_planned_by_its_limit_and_not_by_its_host() -> None:
    given = Given(memory="256GB", memory_limit="4GB", container="docker")
    buffers = Bytes.parse(proposed(given).get("shared_buffers", "128MB"))
    assert buffers <= Bytes(2 * GIB)


@EVERY_MAJOR
def test_connections_are_never_cut_below_what_is_allowed_now(major: str) -> None:
    given = Given(major=major, cores=2, settings={"max_connections": "400"}, connections=200)
    assert int(proposed(given).get("max_connections", "400")) >= 400


@pytest.mark.parametrize("major", [text for text in ALL if text not in {"17", "18"}])
def test_memory_that_vacuum_cannot_use_before_17_is_not_given_to_it(major: str) -> None:
    given = Given(major=major, memory="512GB", available="500GB")
    most = Bytes.parse(proposed(given).get("autovacuum_work_mem", "1GB").replace("-1", "1GB"))
    assert most <= Bytes(GIB)


def test_spinning_disks_are_not_taken_for_flash() -> None:
    cost = proposed(Given(disk="hdd")).get("random_page_cost", "4")
    assert float(cost) > 2


def test_a_small_disk_is_not_filled_with_wal() -> None:
    most = Bytes.parse(proposed(Given(free_space="3GB")).get("max_wal_size", "1GB"))
    assert most <= Bytes(GIB)


@EVERY_MAJOR
def test_nothing_that_keeps_data_safe_is_turned_off(major: str) -> None:
    for posture in ("cautious", "balanced", "bold"):
        values = proposed(Given(major=major, posture=posture))
        assert values.get("fsync", "on") == "on"
        assert values.get("full_page_writes", "on") == "on"
        assert not {"listen_addresses", "shared_preload_libraries", "log_statement"} & values.keys()
        assert values.get("statement_timeout", "0") == "0"


@pytest.mark.parametrize("architecture", ["s390x", "ppc64le", "aarch64"])
def test_other_architectures_get_a_plan_with_their_own_page_size(architecture: str) -> None:
    page = {"s390x": "1MB", "ppc64le": "16MB", "aarch64": "512MB"}[architecture]
    assert proposed(Given(architecture=architecture, huge_page_size=page))


@pytest.mark.parametrize("major", [str(major) for major in END_OF_LIFE])
def test_a_version_past_its_end_is_told(major: str) -> None:
    assert "end_of_life" in [warning.code for warning in plan(Given(major=major)).warnings]


def test_version_14_ended_and_15_did_not() -> None:
    assert {str(major) for major in END_OF_LIFE} == {"9.5", "9.6", "10", "11", "12", "13", "14"}


def test_few_cores_do_not_run_more_workers_than_they_have() -> None:
    values = proposed(Given(cores=2, memory="8GB"))
    assert int(values.get("max_parallel_workers_per_gather", "2")) <= 2


def test_many_cores_do_not_all_go_to_one_query() -> None:
    assert int(proposed(Given(cores=64)).get("max_parallel_workers_per_gather", "2")) <= 8


def test_wal_buffers_that_the_server_computes_itself_are_left_to_it() -> None:
    assert "wal_buffers" not in proposed(Given())
