"""What the storage is decides: ZFS has memory of its own, arrays read in parallel, no disk is shared out."""

import dataclasses

import pytest

from situations import finding, situation
from tunewiz.core.facts.machine import ZfsCache
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.verdicts import Advice, Proposal
from tunewiz.core.values.known import Known, needed
from tunewiz.core.values.units import GIB, Bytes
from tunewiz.knowledge.loading import load_knowledge

CATALOGUE = load_knowledge().catalogue


def planned(one: Given) -> Plan:
    return plan_of(CATALOGUE, situation(one))


def array(of: int, entry: Situation) -> Situation:
    """The same with the data on so many disks."""
    (data,) = entry.facts.storage
    (disk,) = needed(data.disks, "disks")
    disks = tuple(dataclasses.replace(disk, name=f"sd{number}") for number in range(of))
    storage = (dataclasses.replace(data, disks=Known(disks, "array")),)
    return dataclasses.replace(entry, facts=dataclasses.replace(entry.facts, storage=storage))


@pytest.mark.parametrize("name", ["kernel.dirty_bytes", "kernel.dirty_background_bytes"])
def test_the_kernels_dirty_limits_are_left_alone_on_zfs(name: str) -> None:
    result = finding(planned(Given(filesystem="zfs", posture="bold")), name)
    assert result.state == "not_applicable"
    assert "zfs_dirty_data_max" in result.because


def test_bulk_loads_are_not_slowed_down_by_a_small_limit() -> None:
    made = planned(Given(workload="analytics", posture="bold"))
    assert finding(made, "kernel.dirty_bytes").state == "declined"
    assert finding(planned(Given(posture="bold")), "kernel.dirty_bytes").changes


def test_the_cache_of_zfs_is_bounded_to_what_the_plan_leaves() -> None:
    made = planned(Given(filesystem="zfs"))
    (warning,) = [warning for warning in made.warnings if warning.code == "zfs_cache"]
    words = warning.text.split()
    limit = Bytes(int(words[words.index("zfs_arc_max") + 2]))
    assert Bytes(0) < limit <= getattr(made.after, "page_cache", Bytes(0))


def test_a_container_is_not_told_to_change_the_cache_of_its_host() -> None:
    made = planned(Given(filesystem="zfs", container="docker", memory_limit="8GB"))
    (warning,) = [warning for warning in made.warnings if warning.code == "zfs_cache"]
    assert "owner of the host" in warning.text
    assert "/sys/" not in warning.text
    assert "modprobe" not in warning.text


def test_zfs_on_a_machine_that_is_full_is_told_so() -> None:
    made = planned(Given(filesystem="zfs", memory="2GB", available="1GB"))
    (warning,) = [warning for warning in made.warnings if warning.code == "zfs_cache"]
    assert "add memory" in warning.text


def with_cache(entry: Situation, most: Bytes) -> Situation:
    cache = Known(ZfsCache(size=Bytes(30 * GIB), least=Bytes(GIB), most=most), "made up")
    memory = dataclasses.replace(entry.facts.memory, zfs_cache=cache)
    return dataclasses.replace(entry, facts=dataclasses.replace(entry.facts, memory=memory))


def zfs_text(entry: Situation) -> str:
    warnings = plan_of(CATALOGUE, entry).warnings
    return next((warning.text for warning in warnings if warning.code == "zfs_cache"), "")


def test_the_cache_of_zfs_is_told_as_it_was_read() -> None:
    text = zfs_text(with_cache(situation(Given(filesystem="zfs")), Bytes(62 * GIB)))
    assert "holds 30.0 GiB, may grow to 62.0 GiB" in text
    assert "half of memory" not in text


def test_a_cache_of_zfs_that_is_bounded_already_is_left_alone() -> None:
    entry = situation(Given(filesystem="zfs"))
    assert zfs_text(entry)
    assert zfs_text(with_cache(entry, Bytes(2 * GIB))) == ""


def test_in_a_container_the_hosts_cache_is_told_and_left_to_its_owner() -> None:
    entry = situation(Given(filesystem="zfs", container="docker", memory_limit="8GB"))
    text = zfs_text(with_cache(entry, Bytes(62 * GIB)))
    assert "It holds 30.0 GiB there." in text
    assert "owner of the host" in text


def test_other_file_systems_have_no_cache_of_their_own() -> None:
    assert "zfs_cache" not in {warning.code for warning in planned(Given(filesystem="xfs")).warnings}


def test_an_array_of_rotating_disks_reads_from_each_of_them() -> None:
    made = plan_of(CATALOGUE, array(8, situation(Given(disk="hdd"))))
    verdict = finding(made, "pg.effective_io_concurrency").verdict
    assert isinstance(verdict, Proposal)
    assert verdict.value == "8"


def test_a_single_rotating_disk_reads_one_page_after_another() -> None:
    made = plan_of(CATALOGUE, array(1, situation(Given(disk="hdd"))))
    assert finding(made, "pg.effective_io_concurrency").state == "keep"


def test_a_rotating_disk_is_not_shared_out_among_the_processes_of_a_database() -> None:
    advice = finding(planned(Given(disk="hdd", scheduler="bfq")), "storage.scheduler").verdict
    assert isinstance(advice, Advice)
    assert advice.steps[0].startswith("echo mq-deadline")
    assert '"mq-deadline"' in advice.steps[1]


def test_a_rotating_disk_with_a_deadline_is_left_alone() -> None:
    assert finding(planned(Given(disk="hdd", scheduler="mq-deadline")), "storage.scheduler").state == "keep"


def test_hints_to_a_device_are_explained_and_never_a_command_for_a_disk_in_use() -> None:
    advice = finding(planned(Given(disk="nvme", posture="bold")), "storage.nvme_hints").verdict
    assert isinstance(advice, Advice)
    assert not any(step.startswith(("nvme dsm", "hdparm")) for step in advice.steps)


def test_a_large_pool_is_told_as_work_for_the_kernel_of_a_running_server() -> None:
    result = finding(planned(Given(memory="256GB", available="250GB")), "kernel.nr_hugepages")
    assert result.changes
    assert "to free 66 GiB the kernel drops cached data" in result.because
