"""A whole rollout on hosts of this machine: collected, planned, applied in waves, taken back.

Everything goes over ssh by ansible-playbook; the hosts share this kernel, so that none of it is changed.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from command_line import tunewiz
from namespaced_hosts import SSH_OPTIONS, Host, hosts, may_make_hosts
from real_postgres import Programs
from tools_here import needs

pytestmark = [
    pytest.mark.slow,
    pytest.mark.postgres,
    pytest.mark.timeout(900),
    needs(
        "ansible-playbook",
        "ip",
        "mount",
        "nsenter",
        "psql",
        "runuser",
        "ssh",
        "ssh-keygen",
        "sshd",
        "unshare",
    ),
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


@dataclass(frozen=True, kw_only=True, slots=True)
class Project:
    """The Ansible project of a written fleet."""

    directory: Path
    environment: dict[str, str]

    def play(self, name: str, *arguments: str) -> tuple[int, str]:
        """Run a playbook; its status and what was printed."""
        done = subprocess.run(
            ["ansible-playbook", f"{name}.yml", *arguments],
            cwd=self.directory,
            env={**os.environ, **self.environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr

    def steps(self, host: str) -> list[str]:
        """What is recorded of a host."""
        file = self.directory / "rollout" / host
        return [line.split()[1] for line in file.read_text().splitlines()] if file.exists() else []


@pytest.fixture
def here(tmp_path: Path, postgres_programs: Programs) -> Iterator[tuple[Host, ...]]:
    with hosts(tmp_path, 3, postgres_programs.bin_directory) as started:
        yield started


@pytest.fixture
def environment() -> Iterator[dict[str, str]]:
    # A socket's path has 108 bytes at most.
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="tw") as short:
        yield {
            "ANSIBLE_SSH_CONTROL_PATH_DIR": short,
            "ANSIBLE_SSH_ARGS": "-o ControlMaster=auto -o ControlPersist=5s",
            "ANSIBLE_NOCOLOR": "1",
            "ANSIBLE_LOCAL_TEMP": f"{short}/local",
        }


def reach(directory: Path, keys: Path, here: tuple[Host, ...]) -> None:
    """How Ansible logs in, as an administrator says it beside the inventory."""
    for host in here:
        file = directory / "host_vars" / f"{host.name}.yml"
        file.parent.mkdir(exist_ok=True)
        options = " ".join(SSH_OPTIONS)
        file.write_text(
            f"ansible_host: {host.address}\nansible_user: root\n"
            f"ansible_ssh_private_key_file: {keys}\nansible_ssh_common_args: {options}\n"
        )


def collected(tmp_path: Path, here: tuple[Host, ...], environment: dict[str, str]) -> Path:
    """The facts of all hosts, by the playbook."""
    directory = tmp_path / "collect"
    assert tunewiz("fleet", "collect", "-o", directory).status == 0
    reach(directory, tmp_path / "keys" / "client", here)
    (directory / "inventory.yml").write_text(json.dumps({"all": {"hosts": {host.name: {} for host in here}}}))
    status, printed = Project(directory=directory, environment=environment).play("collect")
    assert status == 0, printed
    return directory / "facts"


def written(tmp_path: Path, here: tuple[Host, ...], environment: dict[str, str]) -> Project:
    """The project for these hosts, with what an administrator says in it."""
    (tmp_path / "answers.toml").write_text(ANSWERS)
    out = tmp_path / "fleet"
    facts = collected(tmp_path, here, environment)
    done = tunewiz("fleet", "write", facts, "--answers", tmp_path / "answers.toml", "-o", out)
    assert done.status == 0, done.err
    directory = out / "ansible"
    reach(directory, tmp_path / "keys" / "client", here)
    ours = directory / "group_vars" / "tunewiz_fleet.yml"
    text = ours.read_text().replace("ansible_become: true", "ansible_become: false")
    text = text.replace("tunewiz_minutes: 15", "tunewiz_minutes: 1")
    text = text.replace("tunewiz_watcher: false", "tunewiz_watcher: true")
    ours.write_text(text.replace('metrics_directory: ""', "metrics_directory: /run"))
    return Project(directory=directory, environment=environment)


def wait_for_revert(host: Host) -> None:
    """Until nothing waits for a confirmation any more: a revert disarms itself when it has ended."""
    pending = host.own / "lib" / "tunewiz" / "pending"
    until = time.monotonic() + 180
    while pending.exists():
        assert time.monotonic() < until, f"{host.name} did not take its change back"
        time.sleep(1)


def test_a_rollout_from_the_collector_to_the_last_byte(
    tmp_path: Path, here: tuple[Host, ...], environment: dict[str, str]
) -> None:
    first, second, third = here
    before = {host.name: host.files() for host in here}
    project = written(tmp_path, here, environment)

    status, printed = project.play("check")
    assert status == 0, printed
    assert all(project.steps(host.name) == ["ready"] for host in here)
    assert {host.name: host.files() for host in here} == before

    # The second host is not healthy: the third is not touched, the second takes its change back by itself.
    health = project.directory / "scripts" / "health.sh"
    health.write_text(UNHEALTHY)
    status, printed = project.play("apply")
    assert status != 0, printed
    steps = ["began", "applied", "verified", "healthy", "confirmed"]
    assert project.steps("db1") == ["ready", *steps]
    assert project.steps("db2") == ["ready", *steps[:3], "not-healthy"]
    assert project.steps("db3") == ["ready"]
    assert first.query("SHOW work_mem") == "7MB"
    assert third.files() == before["db3"]
    assert third.query("SHOW work_mem") == "4MB"
    wait_for_revert(second)
    assert second.files() == before["db2"]
    assert second.query("SHOW work_mem") == "4MB"
    assert second.query("SHOW shared_buffers") == "128MB"

    health.write_text(HEALTHY)
    status, printed = project.play("apply")
    assert status == 0, printed
    assert all(project.steps(host.name)[-5:] == steps for host in here)
    assert all(host.query("SHOW shared_buffers") == "64MB" for host in here)
    status, printed = project.play("verify")
    assert status == 0, printed
    status, printed = project.play("drift")
    assert status == 0, printed

    third.query("ALTER SYSTEM SET work_mem = '9MB'")
    third.query("SELECT pg_reload_conf()")
    status, printed = project.play("drift")
    assert status != 0, printed
    assert "db3: work_mem: planned" in printed
    assert "db1: " not in printed
    assert 'tunewiz_difference{kind="setting",name="work_mem"' in third.run("cat", "/run/tunewiz.prom")
    assert "tunewiz_as_planned 1" in first.run("cat", "/run/tunewiz.prom")
    third.query("ALTER SYSTEM RESET work_mem")
    third.query("SELECT pg_reload_conf()")

    status, printed = project.play("rollback")
    assert status == 0, printed
    assert {host.name: host.files() for host in here} == before
    assert all(host.query("SHOW shared_buffers") == "128MB" for host in here)
    assert all(project.steps(host.name)[-1] == "rolled-back" for host in here)
