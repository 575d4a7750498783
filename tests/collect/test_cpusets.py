"""Where a control group lets its members run: the deepest group that says so."""

import pytest

from recorded_machines import machine
from tunewiz.collect.machine import read_machine
from tunewiz.core.facts.machine import Limits
from tunewiz.core.values.known import Absent, Known, MaybeFact, Unknown

CPU = "sys/devices/system/cpu"
V2 = "30 25 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n"
V1 = "31 25 0:27 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
GROUP = "sys/fs/cgroup/a/b"


def limits(membership: str, mounts: str, files: dict[str, str]) -> Limits:
    """A machine of eight threads on four cores."""
    up = {f"{CPU}/online": "0-7\n", "proc/1/cgroup": membership, "proc/self/mountinfo": mounts}
    for cpu in range(8):
        first = cpu // 2 * 2
        up[f"{CPU}/cpu{cpu}/topology/thread_siblings_list"] = f"{first}-{first + 1}\n"
        up[f"{CPU}/cpu{cpu}/topology/physical_package_id"] = "0\n"
    return read_machine(machine(up | files)).limits


def counts(entry: Limits) -> tuple[object, object]:
    return shown(entry.cpuset), shown(entry.cpuset_cores)


def shown(fact: MaybeFact[int]) -> object:
    match fact:
        case Known(count):
            return count
        case Absent():
            return "all"
        case Unknown():
            return "unknown"


@pytest.mark.parametrize(
    ("listed", "expected"),
    [("0-3", (4, 2)), ("0,2,4,6", (4, 4)), ("6-7,100", (2, 1)), ("0-7", ("all", "all"))],
)
def test_version_2_tells_what_a_group_really_may_use(listed: str, expected: tuple[object, object]) -> None:
    files = {f"{GROUP}/cpuset.cpus.effective": f"{listed}\n"}
    assert counts(limits("0::/a/b\n", V2, files)) == expected


def test_a_group_without_the_controller_runs_where_its_parent_may() -> None:
    files = {
        f"{GROUP}/cgroup.controllers": "memory pids\n",
        "sys/fs/cgroup/a/cgroup.controllers": "cpuset memory\n",
        "sys/fs/cgroup/a/cpuset.cpus.effective": "0-1\n",
    }
    assert counts(limits("0::/a/b\n", V2, files)) == (2, 1)


def test_a_list_that_was_to_be_there_and_is_not_is_unknown() -> None:
    files = {f"{GROUP}/cgroup.controllers": "cpuset memory\n"}
    assert counts(limits("0::/a/b\n", V2, files)) == ("unknown", "unknown")


@pytest.mark.parametrize("name", ["cpuset.effective_cpus", "cpuset.cpus"])
def test_version_1_tells_it_by_two_names(name: str) -> None:
    files = {f"sys/fs/cgroup/cpuset/x/{name}": "4-7\n"}
    assert counts(limits("5:cpuset:/x\n", V1, files)) == (4, 2)


def test_without_the_controller_a_group_may_run_everywhere() -> None:
    files = {"sys/fs/cgroup/memory/x/memory.limit_in_bytes": "1\n"}
    assert counts(limits("4:memory:/x\n", V1, files)) == ("all", "all")


def test_inside_a_container_the_mount_point_tells() -> None:
    inside = V2.replace(" / /sys", " /../../docker/x /sys")
    files = {"sys/fs/cgroup/cpuset.cpus.effective": "2\n"}
    assert counts(limits("0::/\n", inside, files)) == (1, 1)


def test_cores_are_unknown_where_the_topology_is_not_told() -> None:
    files = {f"{CPU}/online": "0-7\n", "proc/1/cgroup": "0::/a\n", "proc/self/mountinfo": V2}
    files["sys/fs/cgroup/a/cpuset.cpus.effective"] = "0-2\n"
    assert counts(read_machine(machine(files)).limits) == (3, "unknown")
