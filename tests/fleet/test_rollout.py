"""A whole rollout on hosts of this machine: collected, planned, applied in waves, taken back.

Everything goes over ssh by ansible-playbook; the hosts share this kernel, so that none of it is changed.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from namespaced_hosts import Host, hosts, may_make_hosts
from real_postgres import Programs
from rollouts import TOOLS, Project, ansible_environment, collected, written
from tools_here import needs

pytestmark = [
    pytest.mark.slow,
    pytest.mark.postgres,
    pytest.mark.timeout(900),
    pytest.mark.xdist_group("namespaced hosts"),
    needs(*TOOLS),
    pytest.mark.skipif(not may_make_hosts(), reason="takes root, who may mount and make networks"),
]

ANSWERS = """schema = 1
[workload]
kind = "oltp"
connections = 50
database_size = "10GB"
[risk]
kernel = false
[decisions]
"pg.work_mem" = { set = "7MB" }
"pg.shared_buffers" = { set = "64MB" }
"""
UNHEALTHY = '#!/bin/sh\n[ "$(uname -n)" != db2 ]\n'
HEALTHY = '#!/bin/sh\nexec sh "$1/verify.sh"\n'


APPLIED = ["began", "applied", "verified", "healthy", "confirmed"]


@pytest.fixture
def here(tmp_path: Path, postgres_programs: Programs) -> Iterator[tuple[Host, ...]]:
    with hosts(tmp_path, 3, postgres_programs.bin_directory) as started:
        yield started


@pytest.fixture
def project(tmp_path: Path, here: tuple[Host, ...]) -> Iterator[Project]:
    with ansible_environment() as environment:
        facts = collected(tmp_path, here, environment)
        keys = tmp_path / "keys" / "client"
        yield written(facts, tmp_path / "fleet", ANSWERS, keys, here, environment)


def wait_for_revert(host: Host) -> None:
    """Until nothing waits for a confirmation any more: a revert disarms itself when it has ended."""
    pending = host.own / "lib" / "tunewiz" / "pending"
    until = time.monotonic() + 180
    while pending.exists():
        assert time.monotonic() < until, f"{host.name} did not take its change back"
        time.sleep(1)


def test_a_rollout_from_the_collector_to_the_last_byte(project: Project, here: tuple[Host, ...]) -> None:
    before = {host.name: host.files() for host in here}
    project.done("check")
    assert all(project.steps(host.name) == ["ready"] for host in here)
    assert {host.name: host.files() for host in here} == before

    stops_at_the_second(project, here)
    project.directory.joinpath("scripts", "health.sh").write_text(HEALTHY)
    project.done("apply")
    assert all(project.steps(host.name)[-5:] == APPLIED for host in here)
    assert all(host.query("SHOW shared_buffers") == "64MB" for host in here)
    project.done("verify")
    names_what_drifts(project, here)

    project.done("rollback")
    assert {host.name: host.files() for host in here} == before
    assert all(host.query("SHOW shared_buffers") == "128MB" for host in here)
    assert all(project.steps(host.name)[-1] == "rolled-back" for host in here)


def stops_at_the_second(project: Project, here: tuple[Host, ...]) -> None:
    """It is not healthy: the third is not touched, the second takes its change back by itself."""
    first, second, third = here
    before = {host.name: host.files() for host in here}
    project.directory.joinpath("scripts", "health.sh").write_text(UNHEALTHY)
    project.refused("apply")
    assert project.steps("db1") == ["ready", *APPLIED]
    assert project.steps("db2") == ["ready", *APPLIED[:3], "not-healthy"]
    assert project.steps("db3") == ["ready"]
    assert first.query("SHOW work_mem") == "7MB"
    assert third.files() == before["db3"]
    assert third.query("SHOW work_mem") == "4MB"
    wait_for_revert(second)
    assert second.files() == before["db2"]
    assert second.query("SHOW work_mem") == "4MB"
    assert second.query("SHOW shared_buffers") == "128MB"


def names_what_drifts(project: Project, here: tuple[Host, ...]) -> None:
    """Nothing at first; then a value of the third, which is put right again."""
    first, _, third = here
    project.done("drift")
    third.query("ALTER SYSTEM SET work_mem = '9MB'")
    third.query("SELECT pg_reload_conf()")
    printed = project.refused("drift")
    assert "db3: work_mem: planned" in printed
    assert "db1: " not in printed
    assert 'tunewiz_difference{kind="setting",name="work_mem"' in third.run("cat", "/run/tunewiz.prom")
    assert "tunewiz_as_planned 1" in first.run("cat", "/run/tunewiz.prom")
    third.query("ALTER SYSTEM RESET work_mem")
    third.query("SELECT pg_reload_conf()")
