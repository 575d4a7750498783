"""`tunewiz prove switchback` on a real server at work: what it finds, and that its files come back."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bench_runs import environment, to_its_end
from command_line import tunewiz
from fixtures_postgres import MakeCluster
from real_postgres import Cluster
from real_subject import Subject
from tunewiz.bench.locks import is_under_way
from tunewiz.bench.run import RunDirectory
from tunewiz.formats.proof import proof_from_json

COUNTING = {"fsync": "off", "shared_preload_libraries": "pg_stat_statements", "work_mem": "64kB"}
HASHED = "select count(*) from words where word not in (select word from words where n > 1);\n"
"""Where work_mem holds the hash table, rows are looked up in it; else each is compared with all others."""
ANSWERS = """schema = 1
[workload]
kind = "oltp"
connections = 20
database_size = "1GB"
[decisions]
"pg.work_mem" = { set = "64MB" }
"""
FAST = ("--block", "5s", "--pause", "1s")


@pytest.fixture
def subject(make_cluster: MakeCluster, tmp_path: Path) -> Subject:
    cluster = make_cluster(settings=COUNTING)
    cluster.start()
    for statement in (
        "create extension pg_stat_statements",
        "create table words as select n, repeat('word ', 160) || n as word from generate_series(1, 400) as n",
        "vacuum analyze words",
    ):
        cluster.query(statement)
    script = cluster.directory / "hashed.sql"
    script.write_text(HASHED)
    script.chmod(0o644)
    (tmp_path / "answers.toml").write_text(ANSWERS)
    (tmp_path / "bundles").mkdir()
    return Subject(cluster=cluster, included=None, state=tmp_path / "state", bundles=tmp_path / "bundles")


@contextmanager
def at_work(cluster: Cluster) -> Generator[None]:
    """Clients that go on until the end."""
    where = ("-h", str(cluster.socket_directory), "-p", str(cluster.port), "-n", "-c", "1", "-T", "300")
    script = str(cluster.directory / "hashed.sql")
    pgbench = str(cluster.programs.bin_directory / "pgbench")
    clients = subprocess.Popen(
        [pgbench, *where, "-U", cluster.os_user, "-f", script, "postgres"], stdout=subprocess.DEVNULL
    )
    try:
        yield
    finally:
        clients.kill()
        clients.wait()


def command(subject: Subject, *options: str) -> list[str]:
    cluster = subject.cluster
    where = ("--host", str(cluster.socket_directory), "--port", str(cluster.port))
    answers = ("--answers", str(subject.state.parent / "answers.toml"))
    return [sys.executable, "-m", "tunewiz", "prove", "switchback", *options, *answers, *where]


def prove(subject: Subject, *options: str) -> subprocess.CompletedProcess[str]:
    return to_its_end(subject, command(subject, *options))


def planned_with(subject: Subject, proof: Path) -> str:
    """The explanation of the switched change, with the result as evidence."""
    cluster, answers = subject.cluster, subject.state.parent / "answers.toml"
    where = ("--host", str(cluster.socket_directory), "--port", str(cluster.port))
    done = subprocess.run(
        [
            *(sys.executable, "-m", "tunewiz", "plan", "--answers", str(answers)),
            *("--proof", str(proof), "--json", *where),
        ],
        env=environment(subject),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.timeout(300)  # twelve blocks take a minute and a half where nothing else runs
def test_a_setting_that_makes_room_for_a_hash_table_is_found_to_help_and_put_back(
    subject: Subject, tmp_path: Path
) -> None:
    before, out = subject.configuration(), tmp_path / "proof.json"
    with at_work(subject.cluster):
        done = prove(subject, "pg.work_mem", *FAST, "--blocks", "12", "--yes", "-o", str(out))
    assert done.returncode == 0, done.stderr
    proof = proof_from_json(out.read_text(), str(out))
    assert (proof.kind, proof.verdict, len(proof.pairs)) == ("switchback", "helped", 6)
    assert {pair.order for pair in proof.pairs} <= {"before first", "after first"}
    assert any("too short to include a timed checkpoint" in text for text in proof.cannot_tell)
    assert subject.configuration() == before
    assert subject.show()["work_mem"] == "64kB"
    assert not (subject.state / "prove").exists()
    assert tunewiz("prove", "show", out).status == 0
    assert "tunewiz prove switchback" in planned_with(subject, out), "it counts as evidence of this server"


def test_without_a_terminal_nothing_begins_unless_it_was_agreed_to(subject: Subject) -> None:
    before = subject.configuration()
    done = prove(subject, "pg.work_mem", *FAST, "--blocks", "4")
    assert done.returncode == 4
    assert "--yes agrees in advance" in done.stderr
    assert subject.configuration() == before


def test_nobody_is_asked_about_what_is_refused_anyway(subject: Subject) -> None:
    done = prove(subject, "pg.max_wal_size", *FAST, "--blocks", "4")
    assert done.returncode == 4
    assert "includes no timed checkpoint" in done.stderr
    assert "these values in turn" not in done.stderr
    assert not (subject.state / "prove").exists()


def test_what_a_reload_does_not_change_is_refused_by_name(subject: Subject) -> None:
    done = prove(subject, "pg.shared_buffers", "pg.no_such", "kernel.swappiness", *FAST, "--yes")
    assert done.returncode == 4
    assert "pg.no_such: found no recommendation" in done.stderr
    assert "pg.shared_buffers:" in done.stderr
    assert not (subject.state / "prove").exists()


def started(subject: Subject) -> tuple[subprocess.Popen[str], RunDirectory]:
    """A run whose planned value is in force."""
    place = RunDirectory(subject.state / "prove")
    run = subprocess.Popen(
        command(subject, "pg.work_mem", "--block", "8s", "--pause", "1s", "--blocks", "8", "--yes"),
        env=environment(subject),
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    until = time.monotonic() + 120
    while subject.show()["work_mem"] != "64MB":
        assert time.monotonic() < until
        time.sleep(0.1)
    return run, place


@pytest.mark.timeout(300)
def test_the_value_comes_back_when_the_process_that_measures_is_killed(subject: Subject) -> None:
    before = subject.configuration()
    run, place = started(subject)
    os.kill(int(place.runner.read_text()), signal.SIGKILL)
    _, said = run.communicate(timeout=120)
    assert run.returncode == 5, said
    assert "everything was put back" in said
    assert subject.configuration() == before
    assert subject.show()["work_mem"] == "64kB"
    assert not is_under_way(place)


@pytest.mark.timeout(300)
def test_a_value_that_someone_else_sets_meanwhile_is_left_alone(subject: Subject) -> None:
    run, place = started(subject)
    subject.cluster.query("ALTER SYSTEM SET work_mem = '3MB'")
    subject.cluster.query("SELECT pg_reload_conf()")
    _, said = run.communicate(timeout=120)
    assert run.returncode == 5, said
    assert "someone else" in said
    assert "NOT put back" not in said
    assert subject.show()["work_mem"] == "3MB"
    assert not is_under_way(place)
    assert not place.directory.exists()
