"""Rollouts of real hosts by ansible-playbook: facts collected, a project written, its playbooks run."""

import json
import os
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from command_line import tunewiz
from namespaced_hosts import LOGIN, SSH_OPTIONS, Host
from tools_here import need

TOOLS = (
    "ansible-playbook",
    "ip",
    "mount",
    "nsenter",
    "psql",
    "runuser",
    "ssh",
    "ssh-keygen",
    "sshd",
    "sudo",
    "unshare",
    "useradd",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Project:
    """The Ansible project of a written fleet."""

    directory: Path
    environment: dict[str, str]

    def play(self, name: str, *arguments: str) -> tuple[int, str]:
        """Run a playbook; its status and what was printed."""
        need("ansible-playbook")
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

    def done(self, name: str, *arguments: str) -> str:
        """Run a playbook that must succeed; what was printed."""
        status, printed = self.play(name, *arguments)
        assert status == 0, printed
        return printed

    def refused(self, name: str) -> str:
        """Run a playbook that must fail; what was printed."""
        status, printed = self.play(name)
        assert status != 0, printed
        return printed

    def steps(self, host: str) -> list[str]:
        """What is recorded of a host."""
        file = self.directory / "rollout" / host
        return [line.split()[1] for line in file.read_text().splitlines()] if file.exists() else []


@contextmanager
def ansible_environment() -> Generator[dict[str, str]]:
    """Variables for ansible-playbook, with directories of their own."""
    # A socket's path has 108 bytes at most.
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="tw") as short:
        yield {
            "ANSIBLE_SSH_CONTROL_PATH_DIR": short,
            "ANSIBLE_SSH_ARGS": "-o ControlMaster=auto -o ControlPersist=5s",
            "ANSIBLE_NOCOLOR": "1",
            "ANSIBLE_LOCAL_TEMP": f"{short}/local",
        }


def reach(directory: Path, keys: Path, here: tuple[Host, ...]) -> None:
    """How Ansible logs in, as an administrator says it beside the inventory: the last host takes no root."""
    for host in here:
        login = f"ansible_user: {LOGIN}\nansible_become: true" if host is here[-1] else "ansible_user: root"
        file = directory / "host_vars" / f"{host.name}.yml"
        file.parent.mkdir(exist_ok=True)
        options = " ".join(SSH_OPTIONS)
        file.write_text(
            f"ansible_host: {host.address}\n{login}\n"
            f"ansible_ssh_private_key_file: {keys}\nansible_ssh_common_args: {options}\n"
        )


def collected(tmp_path: Path, here: tuple[Host, ...], environment: dict[str, str]) -> Path:
    """The facts of all hosts, by the playbook."""
    directory = tmp_path / "collect"
    assert tunewiz("fleet", "collect", "-o", directory).status == 0
    reach(directory, tmp_path / "keys" / "client", here)
    (directory / "inventory.yml").write_text(json.dumps({"all": {"hosts": {host.name: {} for host in here}}}))
    Project(directory=directory, environment=environment).done("collect")
    return directory / "facts"


def written(
    facts: Path, out: Path, answers: str, keys: Path, here: tuple[Host, ...], environment: dict[str, str]
) -> Project:
    """The project for these hosts, with what an administrator says in it."""
    said = out.with_suffix(".toml")
    said.write_text(answers)
    done = tunewiz("fleet", "write", facts, "--answers", said, "-o", out)
    assert done.status == 0, done.err
    directory = out / "ansible"
    reach(directory, keys, here)
    ours = directory / "group_vars" / "tunewiz_fleet.yml"
    text = ours.read_text().replace("ansible_become: true", "ansible_become: false")
    text = text.replace("tunewiz_minutes: 15", "tunewiz_minutes: 1")
    text = text.replace("tunewiz_watcher: false", "tunewiz_watcher: true")
    ours.write_text(text.replace('metrics_directory: ""', "metrics_directory: /run"))
    return Project(directory=directory, environment=environment)
