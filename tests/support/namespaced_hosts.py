"""Hosts on this machine: each has its own network, name, processes, /etc, /run, server and sshd.

They share the kernel, so nothing of it may be changed in them.
"""

from __future__ import annotations

import os
import secrets
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tools_here import missing, need

SUBNET = "10.213.{}.{}"
OWNER = "postgres"
DATA = "/var/lib/postgresql/data"
SOCKETS = "/run/postgresql"
LOGIN = "tunewiz-admin"
"""A user who may become root by sudo, without a password."""

_BEGIN = """set -eu
hostname {name}
mount -t overlay -o lowerdir=/etc,upperdir={own}/etc,workdir={own}/work overlay /etc
printf '{name}\\n' >/etc/hostname
printf '{identity}\\n' >/etc/machine-id
mkdir -p {own}/lib {own}/root
mount -t tmpfs tmpfs /run
mkdir -p /run/sshd {sockets} {own}/lib/postgresql
mount --bind {own}/lib /var/lib
mount --bind {own}/root /root
chown {owner}: {sockets} /var/lib/postgresql
chmod 755 /var/lib /var/lib/postgresql
useradd --create-home --home-dir /var/lib/{login} --shell /bin/sh --password '*' {login}
mkdir /var/lib/{login}/.ssh
cp {keys}/client.pub /var/lib/{login}/.ssh/authorized_keys
chown -R {login}: /var/lib/{login}
printf '{login} ALL=(ALL) NOPASSWD: ALL\n' >/etc/sudoers.d/{login}
printf '127.0.0.1 {name}\n' >>/etc/hosts
runuser -u {owner} -- {bin}/initdb -D {data} -A trust -U {owner} --no-sync >/dev/null
mkdir {data}/conf.d && chown {owner}: {data}/conf.d
cat >>{data}/postgresql.conf <<END
include_dir = 'conf.d'
unix_socket_directories = '{sockets}'
listen_addresses = ''
END
# sudo takes this limit away, and root of a container may not raise it again: a restart would lose it.
ulimit -c 0
runuser -u {owner} -- {bin}/pg_ctl -s -w -D {data} -l /var/lib/postgresql/log start
exec /usr/sbin/sshd -D -e -f {own}/sshd_config >{own}/sshd.log 2>&1
"""
_SSHD = """Port 22
ListenAddress {address}
HostKey {keys}/host
AuthorizedKeysFile {keys}/client.pub .ssh/authorized_keys
PermitRootLogin yes
PasswordAuthentication no
StrictModes no
UsePAM no
PidFile none
Subsystem sftp internal-sftp
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Host:
    """One that runs."""

    name: str
    address: str
    own: Path
    """What only it has."""
    process: int
    """The first process in its namespaces."""

    def run(self, *command: str, check: bool = True) -> str:
        """A command on the host; what it printed."""
        inside = ("nsenter", "-t", str(self.process), "-a", "--", *command)
        done = subprocess.run(inside, capture_output=True, text=True, check=False)
        assert not check or done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        return done.stdout

    def query(self, sql: str) -> str:
        """One statement; its value."""
        return self.run(
            "runuser", "-u", OWNER, "--", "psql", "-h", SOCKETS, "-XAtqc", sql, "postgres"
        ).strip()

    def files(self) -> dict[str, tuple[int, int, bytes]]:
        """Mode, owner and content of all that a bundle may touch."""
        lib = self.own / "lib"
        data = lib / "postgresql" / "data"
        roots = (data / "conf.d", self.own / "etc")
        paths = [path for root in roots for path in root.rglob("*") if path.is_file()]
        paths += [data / "postgresql.conf", data / "postgresql.auto.conf"]
        return {
            str(path.relative_to(self.own)): (path.stat().st_mode, path.stat().st_uid, path.read_bytes())
            for path in paths
        }


@contextmanager
def hosts(directory: Path, count: int, programs: Path) -> Generator[tuple[Host, ...]]:
    """Hosts db1, db2 …, which let root and `LOGIN` in by ssh with the key `directory/keys/client`."""
    need(
        "ip", "mount", "nsenter", "psql", "runuser", "ssh", "ssh-keygen", "sshd", "sudo", "unshare", "useradd"
    )
    keys = directory / "keys"
    keys.mkdir()
    for name in ("host", "client"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", keys / name], check=True)
    # Never the name of an earlier one, which may be held by another process for a while.
    spaces = {number: f"tunewiz{number}-{secrets.token_hex(4)}" for number in range(1, count + 1)}
    started = list[Host]()
    processes = list[subprocess.Popen[bytes]]()
    try:
        for number, space in spaces.items():
            processes.append(_start(directory, number, space, programs))
            started.append(_started(directory, number, processes[-1]))
        yield tuple(started)
    finally:
        for host in started:
            host.run(
                "runuser",
                "-u",
                OWNER,
                "--",
                f"{programs}/pg_ctl",
                "-D",
                DATA,
                "-m",
                "immediate",
                "stop",
                check=False,
            )
        for process in processes:
            process.kill()
            process.wait()
        for number, space in spaces.items():
            _remove_network(number, space)


def _remove_network(number: int, space: str) -> None:
    """The link too: the kernel removes that of a deleted namespace only some time later."""
    for command in (f"ip link delete tw{number}", f"ip netns delete {space}"):
        subprocess.run(command.split(), check=False, capture_output=True)


def _start(directory: Path, number: int, space: str, programs: Path) -> subprocess.Popen[bytes]:
    own, name = directory / f"db{number}", f"db{number}"
    here, there = SUBNET.format(number, 1), SUBNET.format(number, 2)
    for part in ("etc", "work"):
        (own / part).mkdir(parents=True)
    own.chmod(0o755)
    link = f"tw{number}"
    for command in (
        f"ip netns add {space}",
        f"ip link add {link} type veth peer name eth0 netns {space}",
        f"ip addr add {here}/30 dev {link}",
        f"ip link set {link} up",
        f"ip -n {space} addr add {there}/30 dev eth0",
        f"ip -n {space} link set eth0 up",
        f"ip -n {space} link set lo up",
    ):
        done = subprocess.run(command.split(), check=False, capture_output=True, text=True)
        assert done.returncode == 0, f"{command}: {done.stderr}"
    (own / "sshd_config").write_text(_SSHD.format(address=there, keys=directory / "keys"))
    script = _BEGIN.format(
        name=name,
        own=own,
        identity=f"{number:032x}",
        sockets=SOCKETS,
        owner=OWNER,
        bin=programs,
        data=DATA,
        login=LOGIN,
        keys=directory / "keys",
    )
    inside = (
        "unshare",
        "--mount",
        "--uts",
        "--pid",
        "--fork",
        "--kill-child",
        "--mount-proc",
        "sh",
        "-c",
        script,
    )
    with (own / "log").open("wb") as log:
        return subprocess.Popen(["ip", "netns", "exec", space, *inside], stdout=log, stderr=log)


def _started(directory: Path, number: int, process: subprocess.Popen[bytes]) -> Host:
    own, address = directory / f"db{number}", SUBNET.format(number, 2)
    until = time.monotonic() + 120
    while time.monotonic() < until:
        assert process.poll() is None, (own / "log").read_text()
        if _answers(directory, address):
            return Host(name=f"db{number}", address=address, own=own, process=_first_below(process.pid))
        time.sleep(0.2)
    raise AssertionError((own / "log").read_text())


def _answers(directory: Path, address: str) -> bool:
    command = ["ssh", *SSH_OPTIONS, "-i", str(directory / "keys" / "client"), f"root@{address}", "true"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


SSH_OPTIONS = (
    *("-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null"),
    *("-o", "BatchMode=yes", "-o", "ConnectTimeout=2"),
)


def _first_below(process: int) -> int:
    """`ip netns exec` becomes unshare, whose child is the first process inside."""
    (child,) = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return int(child)


def may_make_hosts() -> bool:
    """Whether this process may: root, who may mount and make networks."""
    if os.geteuid() != 0 or missing("unshare"):
        return False
    return (
        subprocess.run(["unshare", "--mount", "--net", "true"], capture_output=True, check=False).returncode
        == 0
    )
