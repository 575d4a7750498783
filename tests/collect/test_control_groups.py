"""Limits of control groups, versions 1 and 2, seen whole or from inside a container."""

import pytest

from recorded_machines import machine
from tunewiz.collect.machine import read_machine
from tunewiz.core.facts.machine import Limits
from tunewiz.core.values.known import Absent, Known, Unknown
from tunewiz.core.values.units import GIB, MIB, Bytes

V2 = "30 25 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n"
UNLIMITED = f"{9223372036854771712}\n"


def v1(controllers: str, root: str = "/", point: str = "") -> str:
    point = point or f"/sys/fs/cgroup/{controllers}"
    return f"30 25 0:26 {root} {point} rw - cgroup cgroup rw,{controllers}\n"


def limits(membership: str, mounts: str, files: dict[str, str], process: str = "1") -> Limits:
    base = {f"proc/{process}/cgroup": membership, "proc/self/mountinfo": mounts}
    return read_machine(machine(base | {path.strip("/"): text for path, text in files.items()})).limits


def test_the_smallest_limit_of_all_ancestors_wins() -> None:
    result = limits(
        "0::/a/b\n",
        V2,
        {
            "sys/fs/cgroup/a/memory.max": f"{256 * MIB}\n",
            "sys/fs/cgroup/a/cpu.max": "400000 100000\n",
            "sys/fs/cgroup/a/b/memory.max": f"{GIB}\n",
            "sys/fs/cgroup/a/b/cpu.max": "50000 100000\n",
        },
    )
    assert result.cgroup_version == Known(2, "/proc/1/cgroup")
    assert result.memory == Known(Bytes(256 * MIB), "/sys/fs/cgroup/a/memory.max")
    assert result.cpus == Known(0.5, "/sys/fs/cgroup/a/b/cpu.max")


def test_a_limit_on_huge_pages_is_read_by_the_name_of_their_size() -> None:
    of_memory = {"proc/meminfo": "MemTotal: 8000000 kB\nHugepagesize: 2048 kB\n"}
    group = {"sys/fs/cgroup/a/hugetlb.2MB.max": "0\n", "sys/fs/cgroup/a/hugetlb.1GB.max": "max\n"}
    second = limits("0::/a\n", V2, of_memory | group).huge_pages
    assert second == Known(Bytes(0), "/sys/fs/cgroup/a/hugetlb.2MB.max")
    mounted, folder = v1("hugetlb"), "sys/fs/cgroup/hugetlb/a"
    first = {f"{folder}/hugetlb.2MB.limit_in_bytes": f"{GIB}\n"}
    assert limits("5:hugetlb:/a\n", mounted, of_memory | first).huge_pages == Known(
        Bytes(GIB), f"/{folder}/hugetlb.2MB.limit_in_bytes"
    )


def test_the_limit_on_what_is_asked_for_counts_where_it_is_smaller() -> None:
    files = {"proc/meminfo": "MemTotal: 8000000 kB\nHugepagesize: 2048 kB\n"}
    files |= {"sys/fs/cgroup/a/hugetlb.2MB.max": "max\n", "sys/fs/cgroup/a/hugetlb.2MB.rsvd.max": "0\n"}
    assert limits("0::/a\n", V2, files).huge_pages == Known(Bytes(0), "/sys/fs/cgroup/a/hugetlb.2MB.rsvd.max")
    files["sys/fs/cgroup/a/hugetlb.2MB.rsvd.max"] = "max\n"
    assert isinstance(limits("0::/a\n", V2, files).huge_pages, Absent)


@pytest.mark.parametrize("text", ["max\n", UNLIMITED])
def test_no_limit_on_huge_pages_is_none(text: str) -> None:
    files = {"proc/meminfo": "MemTotal: 8000000 kB\nHugepagesize: 2048 kB\n"}
    files["sys/fs/cgroup/a/hugetlb.2MB.max"] = text
    assert isinstance(limits("0::/a\n", V2, files).huge_pages, Absent)


@pytest.mark.parametrize("text", ["-1\n", "much\n"])
def test_a_damaged_limit_on_huge_pages_is_unknown(text: str) -> None:
    files = {"proc/meminfo": "MemTotal: 8000000 kB\nHugepagesize: 2048 kB\n"}
    files["sys/fs/cgroup/a/hugetlb.2MB.max"] = text
    assert isinstance(limits("0::/a\n", V2, files).huge_pages, Unknown)


def test_max_is_no_limit() -> None:
    result = limits(
        "0::/a\n", V2, {"sys/fs/cgroup/a/memory.max": "max\n", "sys/fs/cgroup/a/cpu.max": "max 100000\n"}
    )
    assert isinstance(result.memory, Absent)
    assert isinstance(result.cpus, Absent)


def test_the_root_of_version_2_has_no_limit_files_and_no_limit() -> None:
    result = limits("0::/\n", V2, {"sys/fs/cgroup/cgroup.controllers": "cpu memory\n"})
    assert isinstance(result.memory, Absent)
    assert isinstance(result.cpus, Absent)


def test_a_group_without_the_controller_has_no_limit_of_its_own() -> None:
    result = limits(
        "0::/a/b\n",
        V2,
        {
            "sys/fs/cgroup/a/memory.max": f"{GIB}\n",
            "sys/fs/cgroup/a/cgroup.controllers": "memory\n",
            "sys/fs/cgroup/a/b/cgroup.controllers": "pids\n",
        },
    )
    assert result.memory == Known(Bytes(GIB), "/sys/fs/cgroup/a/memory.max")
    assert isinstance(result.cpus, Absent)


def test_a_limit_that_cannot_be_read_is_unknown_not_absent() -> None:
    result = limits("0::/a\n", V2, {"sys/fs/cgroup/a/cgroup.controllers": "memory cpu\n"})
    assert result.memory == Unknown("no such file: /sys/fs/cgroup/a/memory.max")
    assert isinstance(result.cpus, Unknown)


def test_inside_a_container_with_its_own_namespace_the_mount_point_has_the_limit() -> None:
    inside = V2.replace(" / /sys", " /../../docker/x /sys")
    result = limits("0::/\n", inside, {"sys/fs/cgroup/memory.max": f"{GIB}\n"})
    assert result.memory == Known(Bytes(GIB), "/sys/fs/cgroup/memory.max")


def test_version_1_has_a_hierarchy_for_each_controller() -> None:
    result = limits(
        "4:memory:/docker/x\n1:cpu,cpuacct:/docker/y\n",
        v1("memory") + v1("cpu,cpuacct"),
        {
            "sys/fs/cgroup/memory/memory.limit_in_bytes": UNLIMITED,
            "sys/fs/cgroup/memory/docker/memory.limit_in_bytes": UNLIMITED,
            "sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes": f"{GIB}\n",
            "sys/fs/cgroup/cpu,cpuacct/docker/y/cpu.cfs_quota_us": "150000\n",
            "sys/fs/cgroup/cpu,cpuacct/docker/y/cpu.cfs_period_us": "100000\n",
        },
    )
    assert result.cgroup_version == Known(1, "/proc/1/cgroup")
    assert result.memory == Known(Bytes(GIB), "/sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes")
    assert result.cpus == Known(1.5, "/sys/fs/cgroup/cpu,cpuacct/docker/y/cpu.cfs_quota_us")


@pytest.mark.parametrize("unlimited", [9223372036854771712, 9223372036854710272])
def test_the_largest_multiple_of_a_page_is_no_limit(unlimited: int) -> None:
    files = {"sys/fs/cgroup/memory/memory.limit_in_bytes": f"{unlimited}\n"}
    assert isinstance(limits("4:memory:/\n", v1("memory"), files).memory, Absent)


def test_a_quota_of_minus_one_is_no_limit() -> None:
    files = {"sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n", "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n"}
    assert isinstance(limits("1:cpu:/\n", v1("cpu"), files).cpus, Absent)


def test_a_container_without_a_namespace_sees_its_group_at_the_mount_point() -> None:
    result = limits(
        "4:memory:/docker/x\n",
        v1("memory", root="/docker/x"),
        {"sys/fs/cgroup/memory/memory.limit_in_bytes": f"{GIB}\n"},
    )
    assert result.memory == Known(Bytes(GIB), "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def test_version_1_tells_the_limit_of_an_ancestor_that_is_hidden() -> None:
    result = limits(
        "4:memory:/docker/x\n",
        v1("memory", root="/docker/x"),
        {
            "sys/fs/cgroup/memory/memory.limit_in_bytes": UNLIMITED,
            "sys/fs/cgroup/memory/memory.stat": f"cache 5\nhierarchical_memory_limit {2 * GIB}\n",
        },
    )
    assert result.memory == Known(
        Bytes(2 * GIB), "/sys/fs/cgroup/memory/memory.stat: hierarchical_memory_limit"
    )


def test_groups_mounted_elsewhere_are_found_by_the_mount_table() -> None:
    result = limits(
        "4:memory:/x\n",
        v1("memory", point="/dev/cg/mem"),
        {"dev/cg/mem/x/memory.limit_in_bytes": f"{GIB}\n", "dev/cg/mem/memory.limit_in_bytes": UNLIMITED},
    )
    assert result.memory == Known(Bytes(GIB), "/dev/cg/mem/x/memory.limit_in_bytes")


def test_a_hybrid_takes_each_controller_where_it_is() -> None:
    result = limits(
        "4:memory:/x\n0::/y\n",
        v1("memory") + V2.replace("/sys/fs/cgroup ", "/sys/fs/cgroup/unified "),
        {
            "sys/fs/cgroup/memory/x/memory.limit_in_bytes": f"{GIB}\n",
            "sys/fs/cgroup/unified/y/cpu.max": "100000 100000\n",
            "sys/fs/cgroup/unified/y/memory.max": f"{MIB}\n",
        },
    )
    assert result.memory == Known(Bytes(GIB), "/sys/fs/cgroup/memory/x/memory.limit_in_bytes")
    assert result.cpus == Known(1.0, "/sys/fs/cgroup/unified/y/cpu.max")
    assert result.cgroup_version == Known(1, "/proc/1/cgroup")


def test_the_group_of_process_1_is_read_before_the_captors_own() -> None:
    files = {
        "proc/self/cgroup": "0::/session\n",
        "sys/fs/cgroup/box/memory.max": f"{GIB}\n",
        "sys/fs/cgroup/session/memory.max": f"{MIB}\n",
    }
    assert limits("0::/box\n", V2, files).memory == Known(Bytes(GIB), "/sys/fs/cgroup/box/memory.max")


def test_a_running_servers_group_is_what_limits_it() -> None:
    files = {
        "proc/1/cgroup": "0::/\n",
        "proc/77/cgroup": "0::/pg\n",
        "proc/self/mountinfo": V2,
        "sys/fs/cgroup/pg/memory.max": f"{GIB}\n",
    }
    assert read_machine(machine(files), servers=[77]).limits.memory == Known(
        Bytes(GIB), "/sys/fs/cgroup/pg/memory.max"
    )
    assert isinstance(read_machine(machine(files)).limits.memory, Absent)


@pytest.mark.parametrize("noise", ["", "garbage", "::::\n", "0\n"])
def test_a_membership_of_another_form_is_unknown(noise: str) -> None:
    result = limits(noise, V2, {})
    assert isinstance(result.memory, Unknown)
    assert isinstance(result.cgroup_version, Unknown)
