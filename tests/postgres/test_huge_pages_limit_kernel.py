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
NONE_ALLOWED = "hugetlb.2MB.limit_in_bytes"


@pytest.fixture
def group(tmp_path: Path) -> Iterator[Path]:
    """A group without huge pages beside a pool of them; the pool is put back."""
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
        (result / NONE_ALLOWED).write_text("0")
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


def test_a_server_that_tries_huge_pages_is_killed_and_one_without_them_starts(
    running_cluster: Cluster, group: Path
) -> None:
    server = running_cluster
    server.query("alter system set shared_buffers = '64MB'", "alter system set huge_pages = 'try'")
    server.stop()
    _enter(group)
    limit = read_machine(LiveSystem()).limits.huge_pages
    assert limit == Known(Bytes(0), str(group / NONE_ALLOWED))
    with pytest.raises(AssertionError):
        server.start()
    automatic = Path(server.config_file).with_name("postgresql.auto.conf")
    automatic.write_text("huge_pages = 'off'\n")
    server.start()
    assert server.query("show huge_pages") == "off"
    server.stop()
