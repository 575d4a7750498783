"""A cluster of Patroni's with etcd and two members, run by an unprivileged user, for a module's tests."""

import os
import pwd
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from fixtures_postgres import directory_of, unprivileged_user
from pretend_root import Ran
from real_postgres import Programs, run_as
from small_plans import MACHINE_ID
from tools_here import need

PYTHON = "/usr/bin/python3"
"""Any user can run it; a developer's own may be in a home that is closed."""
SCOPE = "demo"
SECONDS_TO_FORM = 60
CONFIGURATION = f"""
scope: {SCOPE}
name: pg%(number)s
restapi: {{listen: "127.0.0.1:%(rest)s", connect_address: "127.0.0.1:%(rest)s"}}
etcd3: {{hosts: "127.0.0.1:%(etcd)s"}}
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 1
    retry_timeout: 5
    postgresql:
      parameters:
        max_connections: 50
        fsync: 'off'
  initdb: [{{auth: trust}}, {{encoding: UTF8}}, no-sync]
postgresql:
  listen: 127.0.0.1:%(port)s
  connect_address: 127.0.0.1:%(port)s
  data_dir: %(directory)s/pg%(number)s
  bin_dir: %(programs)s
  pgpass: %(directory)s/pgpass%(number)s
  pg_hba:
  - local all all trust
  - host all all 127.0.0.1/32 trust
  - host replication all 127.0.0.1/32 trust
  authentication:
    superuser: {{username: postgres, password: secret}}
    replication: {{username: replicator, password: secret}}
  parameters: {{unix_socket_directories: %(directory)s}}
"""
PATRONICTL = """#!/bin/sh
PYTHONPATH={library} exec {python} -c 'from patroni.ctl import ctl; ctl()' "$@"
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class PatroniCluster:
    """The cluster, and a pretend root that is its first member's machine."""

    user: str
    directory: Path
    programs: Programs
    etcd: int
    ports: tuple[int, ...]

    @property
    def root(self) -> Path:
        """Where the machine's files are."""
        return self.directory / "root"

    @property
    def patronictl(self) -> Path:
        """As the scripts find it."""
        return self.root / "usr/bin/patronictl"

    def run(self, *command: str | Path) -> str:
        """Runs a command as the owner of the cluster."""
        return run_as(self.user, command, directory=self.directory, environment={})

    def control(self, *arguments: str) -> str:
        """What patronictl prints."""
        return self.run(self.patronictl, "-c", self.root / "etc/patroni/patroni.yml", *arguments)

    def stored(self) -> str:
        """The configuration as etcd has it, to the byte."""
        endpoint = f"--endpoints=127.0.0.1:{self.etcd}"
        return self.run(
            "env",
            "ETCDCTL_API=3",
            "etcdctl",
            endpoint,
            "get",
            f"/service/{SCOPE}/config",
            "--print-value-only",
        )

    def query(self, member: int, sql: str) -> str:
        """One statement on a member."""
        where = ("-h", "127.0.0.1", "-p", str(self.ports[member]), "-U", "postgres", "-d", "postgres")
        return self.run(self.programs.psql, "-XAtq", "-v", "ON_ERROR_STOP=1", *where, "-c", sql).strip()

    def leader(self) -> int:
        """The number of the member that is the primary."""
        return next(
            member
            for member in range(len(self.ports))
            if self.query(member, "SELECT pg_is_in_recovery()") == "f"
        )

    def environment(self, script: Path) -> dict[str, str]:
        """Variables for a script of a bundle; its records are beside the bundle."""
        return {
            "PATH": os.environ["PATH"],
            "TUNEWIZ_ROOT": str(self.root),
            "TUNEWIZ_STATE_DIR": str(script.parents[1] / "state"),
        }

    def script(self, script: Path, *arguments: str) -> Ran:
        """Runs a script of a bundle on the machine."""
        done = subprocess.run(
            ("sh", script, *arguments),
            env=self.environment(script),
            capture_output=True,
            text=True,
            check=False,
            timeout=110,
        )
        return Ran(status=done.returncode, out=done.stdout, err=done.stderr)


@pytest.fixture(scope="module")
def patroni_cluster(postgres_programs: Programs, next_port: Callable[[], int]) -> Iterator[PatroniCluster]:
    """Two members that run, one of them the leader; each test leaves it as it was."""
    need("etcd", "etcdctl")
    library = library_here()
    user = unprivileged_user()
    with directory_of(user) as directory:
        ports, rest, etcd, peer = (
            (next_port(), next_port()),
            (next_port(), next_port()),
            next_port(),
            next_port(),
        )
        cluster = PatroniCluster(
            user=user, directory=directory, programs=postgres_programs, etcd=etcd, ports=ports
        )
        prepare(cluster, library)
        running = [start(cluster, *etcd_command(directory, etcd, peer))]
        try:
            for number, (port, api) in enumerate(zip(ports, rest, strict=True), start=1):
                file = write_configuration(cluster, number, port, api)
                running.append(start(cluster, PYTHON, "-m", "patroni", file))
            await_members(cluster)
            yield cluster
        finally:
            stop(running)


def library_here() -> Path:
    """Where .ci/patroni.sh has put Patroni; without it the test is left out aloud."""
    cache = os.environ.get("XDG_CACHE_HOME") or f"{pwd.getpwuid(os.geteuid()).pw_dir}/.cache"
    folder = Path(os.environ.get("TUNEWIZ_PATRONI") or f"{cache}/tunewiz/patroni")
    if not (folder / "patroni" / "ctl.py").exists() or not Path(PYTHON).exists():
        pytest.skip(f"Patroni for {PYTHON} is not in {folder}: .ci/patroni.sh puts it there")
    return folder


def prepare(cluster: PatroniCluster, library: Path) -> None:
    """The machine's files; Patroni is copied to where its user can read it."""
    shutil.copytree(library, cluster.directory / "library", ignore=shutil.ignore_patterns("__pycache__"))
    (cluster.root / "etc/patroni").mkdir(parents=True)
    cluster.patronictl.parent.mkdir(parents=True)
    cluster.patronictl.write_text(PATRONICTL.format(library=cluster.directory / "library", python=PYTHON))
    cluster.patronictl.chmod(0o755)
    (cluster.root / "etc/machine-id").write_text(f"{MACHINE_ID}\n")


def etcd_command(directory: Path, port: int, peer: int) -> tuple[str, ...]:
    """Etcd of one node, which waits for no disk."""
    client, other = f"http://127.0.0.1:{port}", f"http://127.0.0.1:{peer}"
    return (
        *("etcd", "--data-dir", f"{directory}/etcd", "--unsafe-no-fsync"),
        *("--listen-client-urls", client, "--advertise-client-urls", client),
        *("--listen-peer-urls", other, "--initial-advertise-peer-urls", other),
        *("--initial-cluster", f"default={other}"),
    )


def write_configuration(cluster: PatroniCluster, number: int, port: int, api: int) -> Path:
    """A member's own file; the first member's is where the scripts look."""
    place = cluster.root / "etc/patroni/patroni.yml" if number == 1 else cluster.directory / "second.yml"
    values = {
        "number": number,
        "rest": api,
        "etcd": cluster.etcd,
        "port": port,
        "directory": cluster.directory,
        "programs": cluster.programs.bin_directory,
    }
    place.write_text(CONFIGURATION % values)
    account = pwd.getpwnam(cluster.user)
    os.chown(place, account.pw_uid, account.pw_gid)
    return place


def start(cluster: PatroniCluster, *command: str | Path) -> subprocess.Popen[bytes]:
    """A process of the cluster's, in a group of its own."""
    account, others = pwd.getpwnam(cluster.user), os.geteuid() == 0
    log = (cluster.directory / f"{Path(command[-1]).name}.log").open("wb")
    with log:
        return subprocess.Popen(
            command,
            cwd=cluster.directory,
            env={
                "PATH": os.environ["PATH"],
                "PYTHONPATH": str(cluster.directory / "library"),
                "LC_ALL": "C.UTF-8",
            },
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            user=account.pw_uid if others else None,
            group=account.pw_gid if others else None,
            extra_groups=[] if others else None,
        )


def await_members(cluster: PatroniCluster) -> None:
    """Until both run and the second follows the first."""
    until, listed = time.monotonic() + SECONDS_TO_FORM, ""
    while time.monotonic() < until:
        listed = cluster.control("list", "-f", "json")
        if '"running"' in listed and '"streaming"' in listed:
            return
        time.sleep(1)
    logs = "\n".join(file.read_text(errors="replace")[-2000:] for file in cluster.directory.glob("*.log"))
    pytest.fail(f"the cluster did not form: {listed}\n{logs}")


def stop(running: list[subprocess.Popen[bytes]]) -> None:
    """The members first, each with its server; then etcd."""
    for process in reversed(running):
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
