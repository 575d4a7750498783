"""A real server's storage is probed with the rights of its owner, and nothing of that stays behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from command_line import tunewiz
from live_servers import let_in
from real_postgres import Cluster
from tunewiz.collect.everything import read_facts
from tunewiz.collect.probe.installed import installed_program
from tunewiz.collect.probe.probing import probe_server
from tunewiz.collect.system import LiveSystem
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.probe import Probe
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.values.known import Fact, Known, Unknown
from tunewiz.formats.records import facts_from_json

SECONDS = 5
MEMORY = "/dev/shm"  # noqa: S108 - a file system of its own nearly everywhere


def the_facts(cluster: Cluster) -> tuple[Facts, PostgresServer]:
    facts = read_facts(LiveSystem())
    (postgres_server,) = (
        server
        for server in facts.postgres
        if isinstance(server.data_directory, Known)
        and server.data_directory.value == str(cluster.data_directory)
    )
    return facts, postgres_server


def probed(cluster: Cluster, seconds: int = SECONDS) -> Fact[Probe]:
    facts, server = the_facts(cluster)
    return probe_server(LiveSystem(), server, facts, seconds, lambda _, __: None, lambda: False)


def names(cluster: Cluster) -> set[str]:
    """What is in the data directory itself, where a probe writes if anywhere."""
    return {path.name for path in cluster.data_directory.iterdir()}


def with_rows(cluster: Cluster) -> Cluster:
    cluster.query("create table t as select n, repeat(md5(n::text), 10) from generate_series(1, 100000) as n")
    cluster.query("checkpoint")
    return cluster


def test_its_own_files_are_read_and_few_of_them_say_no_kind(running_cluster: Cluster) -> None:
    before = names(with_rows(running_cluster))
    probe = probed(running_cluster)
    assert isinstance(probe, Known), probe
    assert probe.value.seconds <= SECONDS
    assert isinstance(probe.value.random, Known), probe.value.random
    assert probe.value.random.value.block.count == 8192
    assert isinstance(probe.value.storage, Unknown)
    assert "fits in the cache of any disk" in probe.value.storage.why
    assert probe.value.syncs != Known((), "pg_test_fsync")
    assert names(running_cluster) == before


def test_a_tablespace_on_another_file_system_is_told_apart(running_cluster: Cluster) -> None:
    with_rows(running_cluster)
    if Path(MEMORY).stat().st_dev == running_cluster.data_directory.stat().st_dev:
        pytest.skip("there is no second file system here")
    space = running_cluster.run("mktemp", "-d", f"{MEMORY}/tunewiz-space-XXXXXX").strip()
    try:
        running_cluster.query(f"create tablespace fast location '{space}'")
        running_cluster.query("create table elsewhere tablespace fast as select * from t")
        running_cluster.query("checkpoint")
        probe = probed(running_cluster)
    finally:
        running_cluster.stop()
        running_cluster.run("rm", "-rf", space)
    assert isinstance(probe, Known), probe
    assert [tablespace.directory for tablespace in probe.value.tablespaces] == [space]
    assert isinstance(probe.value.random, Known), probe.value.random
    assert probe.value.seconds <= SECONDS


def test_somebody_who_has_seen_enough_is_heard_at_once(running_cluster: Cluster) -> None:
    facts, server = the_facts(with_rows(running_cluster))
    begun = time.monotonic()
    probe = probe_server(LiveSystem(), server, facts, 600, lambda _, __: None, lambda: True)
    assert time.monotonic() - begun < 20
    assert isinstance(probe, Known)
    assert probe.value.random == Unknown("the probe was stopped before")


@pytest.mark.slow
def test_syncs_are_measured_where_the_budget_allows_them(running_cluster: Cluster) -> None:
    if not installed_program("pg_test_fsync", running_cluster.programs.major, "", os.geteuid()):
        pytest.skip("pg_test_fsync is not installed")
    before = names(with_rows(running_cluster))
    probe = probed(running_cluster, 60)
    assert isinstance(probe, Known), probe
    assert isinstance(probe.value.syncs, Known), probe.value.syncs
    assert {"fdatasync", "fsync", "open_datasync"} <= {
        sync_method.name for sync_method in probe.value.syncs.value
    }
    assert all(sync_method.each_us > 0 for sync_method in probe.value.syncs.value)
    assert isinstance(probe.value.clock, Known)
    assert names(running_cluster) == before


@pytest.mark.slow
def test_a_program_that_is_killed_leaves_no_file_and_no_process(running_cluster: Cluster) -> None:
    before = names(with_rows(running_cluster))
    let_in(running_cluster, "local all all trust")
    where = ("--host", str(running_cluster.socket_directory), "--port", str(running_cluster.port))
    command = (sys.executable, "-m", "tunewiz", "facts", "--probe", "60s", *where)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        until = time.monotonic() + 60
        while not _probing(running_cluster) and time.monotonic() < until:
            time.sleep(0.1)
        assert _probing(running_cluster)
        process.send_signal(signal.SIGKILL)
    until = time.monotonic() + 10
    while _probing(running_cluster) and time.monotonic() < until:
        time.sleep(0.1)
    assert not _probing(running_cluster)
    assert names(running_cluster) == before


def _probing(cluster: Cluster) -> list[int]:
    """Processes of a probe that have files of the cluster's open."""
    return [
        int(process.name)
        for process in Path("/proc").iterdir()
        if process.name.isdigit() and _probes(process, str(cluster.data_directory))
    ]


def _probes(process: Path, directory: str) -> bool:
    try:
        command = (process / "cmdline").read_bytes()
        opened = [str(path.readlink()) for path in (process / "fd").iterdir()]
    except OSError:
        return False
    return b"tunewiz.collect.probe" in command and any(text.startswith(directory) for text in opened)


@pytest.mark.slow
def test_the_command_writes_it_to_the_facts(running_cluster: Cluster) -> None:
    let_in(with_rows(running_cluster), "local all all trust")
    where = ("--port", f"{running_cluster.port}", "--host", running_cluster.socket_directory)
    ended = tunewiz("facts", *where, "--probe", "5s")
    assert (ended.status, ended.err[:20], ended.err.count("\n")) == (0, "tunewiz: Measured in", 1)
    first, *others = facts_from_json(ended.out, "standard output").postgres
    assert isinstance(first.probe, Known)
    assert not any(isinstance(other.probe, Known) for other in others)


def test_a_program_that_others_could_have_written_is_not_run(tmp_path: Path) -> None:
    program = tmp_path / "pg_test_fsync"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o777)
    server = str(tmp_path / "postgres")
    assert installed_program("pg_test_fsync", "", server, os.geteuid()) != str(program)
    program.chmod(0o755)
    # The directory of temporary files is everybody's, and so is what is found there.
    assert installed_program("pg_test_fsync", "", server, os.geteuid()) != str(program)
