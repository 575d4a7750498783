"""A primary and its streaming standby, changed by ansible-playbook in the order that their settings need."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from namespaced_hosts import DATA, OWNER, SOCKETS, Host, hosts, may_make_hosts
from real_postgres import Programs
from rollouts import TOOLS, Project, ansible_environment, collected, written
from tools_here import needs

pytestmark = [
    pytest.mark.slow,
    pytest.mark.postgres,
    pytest.mark.timeout(600),
    pytest.mark.xdist_group("namespaced hosts"),
    needs(*TOOLS),
    pytest.mark.skipif(not may_make_hosts(), reason="takes root, who may mount and make networks"),
]

BEFORE = {
    "max_connections": "80",
    "max_worker_processes": "10",
    "max_locks_per_transaction": "80",
    "max_prepared_transactions": "5",
    "max_wal_senders": "12",
}
RAISED = {"max_connections": "90", "max_worker_processes": "12", "max_locks_per_transaction": "96"}
LOWERED = {"max_connections": "60", "max_worker_processes": "9", "max_locks_per_transaction": "70"}
ANSWERS = """schema = 1
[workload]
kind = "oltp"
connections = 50
database_size = "10GB"
[risk]
kernel = false
[decisions]
"""
HEALTHY = '#!/bin/sh\nexec sh "$1/verify.sh"\n'
PATIENCE = 30
"""Seconds until a standby that does not stream will not."""


def owner(host: Host, *command: str) -> str:
    """A command as the owner of the server."""
    return host.run("runuser", "-u", OWNER, "--", *command)


def configure(host: Host, lines: Mapping[str, str]) -> None:
    file = host.own / "lib" / "postgresql" / "data" / "postgresql.conf"
    with file.open("a") as stream:
        stream.write("".join(f"{name} = '{value}'\n" for name, value in lines.items()))


def follow(primary: Host, standby: Host, shared: Path, programs: Path) -> None:
    """Make the second host a copy of the first, which streams from it through a directory that both see."""
    control = (f"{programs}/pg_ctl", "-s", "-w", "-D", DATA, "-l", "/var/lib/postgresql/log")
    configure(primary, {**BEFORE, "unix_socket_directories": f"{SOCKETS}, {shared}"})
    owner(primary, *control, "restart")
    owner(standby, *control, "stop", "-m", "fast")
    standby.run("rm", "-rf", DATA)
    owner(
        standby, f"{programs}/pg_basebackup", "-h", str(shared), "-D", DATA, "-R", "-c", "fast", "--no-sync"
    )
    configure(standby, {"unix_socket_directories": SOCKETS})
    owner(standby, *control, "start")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pair")


@pytest.fixture(scope="module")
def pair(place: Path, postgres_programs: Programs) -> Iterator[tuple[Host, Host]]:
    """A primary, and a standby that follows it; each test leaves them as they were."""
    with (
        tempfile.TemporaryDirectory(dir="/tmp", prefix="tw") as short,
        hosts(place, 2, postgres_programs.bin_directory) as (primary, standby),
    ):
        shutil.chown(short, OWNER)
        follow(primary, standby, Path(short), postgres_programs.bin_directory)
        yield primary, standby


@pytest.fixture(scope="module")
def project_of(place: Path, pair: tuple[Host, Host]) -> Iterator[Callable[[Mapping[str, str]], Project]]:
    """Makes a project that sets these values on both."""
    with ansible_environment() as environment:
        facts = collected(place, pair, environment)

        def project(values: Mapping[str, str]) -> Project:
            said = "".join(f'"pg.{name}" = {{ set = "{value}" }}\n' for name, value in values.items())
            out = place / f"with-{values['max_connections']}"
            made = written(facts, out, ANSWERS + said, place / "keys" / "client", pair, environment)
            made.directory.joinpath("scripts", "health.sh").write_text(HEALTHY)
            return made

        yield project


def values_of(host: Host) -> dict[str, str]:
    return {name: host.query(f"SHOW {name}") for name in BEFORE}


def begun(host: Host) -> float:
    return float(host.query("SELECT extract(epoch FROM pg_postmaster_start_time())"))


def check_streams(primary: Host, standby: Host) -> None:
    """What is written on the primary is read on the standby."""
    primary.query("CREATE TABLE IF NOT EXISTS written (at timestamptz)")
    primary.query("INSERT INTO written VALUES (clock_timestamp())")
    wanted = primary.query("SELECT count(*) FROM written")
    until = time.monotonic() + PATIENCE
    while not (standby.query("SELECT to_regclass('written')") and read(standby) == wanted):
        assert time.monotonic() < until, standby.run("tail", "-n", "20", "/var/lib/postgresql/log")
        time.sleep(0.2)
    assert standby.query("SELECT pg_is_in_recovery(), pg_is_wal_replay_paused()") == "t|f"
    assert primary.query("SELECT state FROM pg_stat_replication") == "streaming"


def read(standby: Host) -> str:
    return standby.query("SELECT count(*) FROM written")


@pytest.mark.parametrize(
    ("wanted", "first"), [(RAISED, "standby"), (LOWERED, "primary")], ids=["raised", "lowered"]
)
def test_the_standby_is_never_below_its_primary_and_replication_goes_on(
    pair: tuple[Host, Host],
    project_of: Callable[[Mapping[str, str]], Project],
    wanted: dict[str, str],
    first: str,
) -> None:
    primary, standby = pair
    files = {host.name: host.files() for host in pair}
    assert values_of(standby) == values_of(primary) == BEFORE
    check_streams(primary, standby)
    project = project_of(wanted)

    project.done("apply")
    assert values_of(standby) == values_of(primary) == {**BEFORE, **wanted}
    assert (begun(standby) < begun(primary)) == (first == "standby")
    check_streams(primary, standby)

    project.done("rollback")
    assert values_of(standby) == values_of(primary) == BEFORE
    assert (begun(standby) < begun(primary)) == (first == "primary")
    check_streams(primary, standby)
    assert {host.name: host.files() for host in pair} == files
    assert "lower setting" not in standby.run("cat", "/var/lib/postgresql/log")
