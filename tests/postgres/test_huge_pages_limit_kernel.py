"""A server in a control group that may use no huge pages, on this kernel: only where that was asked for."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from real_postgres import Cluster
from tools_here import path_of
from tunewiz.collect.machine import read_machine
from tunewiz.collect.system import LiveSystem
from tunewiz.core.values.known import Known
from tunewiz.core.values.units import Bytes
from waiting import until

pytestmark = [pytest.mark.kernel, pytest.mark.postgres]

POOL = Path("/proc/sys/vm/nr_hugepages")
PAGES = 100
"""Of 2 MiB: more than the test's server needs."""
TOUCHED, ASKED_FOR = "hugetlb.2MB.limit_in_bytes", "hugetlb.2MB.rsvd.limit_in_bytes"


@pytest.fixture
def group(tmp_path: Path) -> Iterator[Path]:
    """A group beside a pool of huge pages; the pool is put back."""
    mount, umount = path_of("mount"), path_of("umount")
    top, reserved = tmp_path / "hugetlb", POOL.read_text()
    top.mkdir()
    mounted = subprocess.run(
        [mount, "-t", "cgroup", "-o", "hugetlb", "none", top], capture_output=True, text=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip(f"the kernel's limits on huge pages cannot be mounted: {mounted.stderr.strip()}")
    result = top / "test"
    try:
        result.mkdir()
        POOL.write_text(str(int(reserved) + PAGES))
        yield result
    finally:
        _enter(top)
        POOL.write_text(reserved)
        until(lambda: not (result / "cgroup.procs").read_text())
        result.rmdir()
        subprocess.run([umount, top], check=True)


def _enter(group: Path) -> None:
    """This process, and what it starts from now on."""
    (group / "cgroup.procs").write_text(str(os.getpid()))


def forbid(group: Path, limit: str) -> None:
    """Let this process, and what it starts, have no huge pages; the program reads it."""
    (group / limit).write_text("0")
    _enter(group)
    assert read_machine(LiveSystem()).limits.huge_pages == Known(Bytes(0), str(group / limit))


def configure(server: Cluster, huge_pages: str) -> None:
    automatic = Path(server.config_file).with_name("postgresql.auto.conf")
    automatic.write_text(f"shared_buffers = '64MB'\nhuge_pages = '{huge_pages}'\n")


def test_a_server_that_touches_more_is_killed_and_one_without_huge_pages_starts(
    running_cluster: Cluster, group: Path
) -> None:
    running_cluster.stop()
    forbid(group, TOUCHED)
    configure(running_cluster, "try")
    with pytest.raises(AssertionError):
        running_cluster.start()
    configure(running_cluster, "off")
    running_cluster.start()
    assert running_cluster.query("show huge_pages") == "off"
    running_cluster.stop()


def test_a_server_that_may_not_ask_for_more_starts_with_try_and_not_with_on(
    running_cluster: Cluster, group: Path
) -> None:
    running_cluster.stop()
    forbid(group, ASKED_FOR)
    configure(running_cluster, "on")
    with pytest.raises(AssertionError):
        running_cluster.start()
    configure(running_cluster, "try")
    running_cluster.start()
    assert running_cluster.query("show huge_pages") == "try"
    running_cluster.stop()
