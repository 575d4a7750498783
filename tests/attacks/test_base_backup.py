"""A backup that runs is not ended by a restart without a word: refused, or waited for."""

import subprocess
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from inherited_state import postmaster, wait_until
from real_subject import MakeSubject, Subject

pytestmark = pytest.mark.slow

REFUSED, FAILED = 4, 5
BUFFERS = {"pg.shared_buffers": "192MB"}
SLOW = 32
"""Kilobytes a second, the least that pg_basebackup sends: a backup of a new cluster takes many minutes so."""


@contextmanager
def session(subject: Subject, *statements: str) -> Generator[subprocess.Popen[str]]:
    """A session that stays."""
    cluster = subject.cluster
    line = (
        cluster.programs.psql,
        "-XAtq",
        "-h",
        cluster.socket_directory,
        "-p",
        str(cluster.port),
        "-U",
        cluster.os_user,
    )
    with subprocess.Popen((*line, "-d", "postgres"), stdin=subprocess.PIPE, text=True) as running:
        assert running.stdin is not None
        for statement in statements:
            running.stdin.write(f"{statement};\n")
        running.stdin.flush()
        yield running
        running.kill()


@contextmanager
def base_backup(subject: Subject, directory: Path) -> Generator[subprocess.Popen[bytes]]:
    """By pg_basebackup, held up."""
    cluster = subject.cluster
    place = ("-h", cluster.socket_directory, "-p", str(cluster.port), "-U", cluster.os_user)
    how = ("-D", directory / "backup", "-X", "none", "--checkpoint=fast", f"--max-rate={SLOW}k")
    program = cluster.programs.bin_directory / "pg_basebackup"
    with subprocess.Popen((program, *place, *how), stderr=subprocess.DEVNULL) as running:
        wait_until(lambda: backups(subject) == 1)
        yield running
        running.kill()


def backups(subject: Subject) -> int:
    """Those that the server sends."""
    return int(subject.cluster.query("SELECT count(*) FROM pg_stat_replication WHERE state = 'backup'"))


def functions(subject: Subject) -> tuple[str, str]:
    """Statements that begin and end a backup."""
    if int(subject.cluster.programs.major) < 15:
        return "SELECT pg_start_backup('hold', true, false)", "SELECT count(*) FROM pg_stop_backup(false)"
    return "SELECT pg_backup_start('hold', true)", "SELECT count(*) FROM pg_backup_stop()"


def refused(subject: Subject, bundle: Path, what: str) -> None:
    number, before = postmaster(subject.cluster), subject.configuration()
    for arguments in ((), ("--dry-run",), ("--confirm-within", "3", "--watcher")):
        ran = subject.run(bundle / "apply.sh", *arguments)
        assert (ran.status, f"a restart would interrupt a {what} (process " in ran.err) == (REFUSED, True), (
            ran.said
        )
    assert (postmaster(subject.cluster), subject.configuration()) == (number, before)


def test_case_113_a_base_backup_is_not_ended(make_subject: MakeSubject, tmp_path: Path) -> None:
    subject = make_subject()
    bundle = subject.bundle(BUFFERS)
    with base_backup(subject, tmp_path) as running:
        refused(subject, bundle, "base backup")
        assert subject.run(bundle / "apply.sh", "--no-restart").status == 0
        assert subject.run(bundle / "rollback.sh", "--no-restart").status == 0
        assert running.poll() is None


def test_case_113_nor_is_one_by_functions(make_subject: MakeSubject) -> None:
    subject = make_subject()
    bundle = subject.bundle(BUFFERS)
    with session(subject, functions(subject)[0]):
        wait_until(lambda: sessions(subject, "query LIKE 'SELECT pg_%' AND state = 'idle'"))
        refused(subject, bundle, "base backup")
    wait_until(lambda: not sessions(subject, "query LIKE 'SELECT pg_%(%hold%'"))
    assert subject.run(bundle / "apply.sh").status == 0


def sessions(subject: Subject, where: str) -> bool:
    others = "pid <> pg_backend_pid() AND backend_type = 'client backend'"
    return subject.cluster.query(f"SELECT count(*) FROM pg_stat_activity WHERE {others} AND {where}") != "0"  # noqa: S608


def test_case_113_one_that_has_ended_and_words_about_one_stop_nothing(make_subject: MakeSubject) -> None:
    subject = make_subject()
    bundle, (start, stop) = subject.bundle(BUFFERS), functions(subject)
    with (
        session(subject, start, stop),
        session(subject, "SELECT 'pg_backup_start pg_start_backup'"),
    ):
        time.sleep(2)
        assert subject.run(bundle / "apply.sh").status == 0


def test_case_113_both_ways_wait_for_its_end_where_that_is_asked_for(
    make_subject: MakeSubject, tmp_path: Path
) -> None:
    subject = make_subject()
    bundle = subject.bundle(BUFFERS)
    for number, script in enumerate(("apply.sh", "rollback.sh")):
        before, place = postmaster(subject.cluster), tmp_path / str(number)
        place.mkdir()
        with ThreadPoolExecutor() as pool, base_backup(subject, place) as running:
            waiting = pool.submit(subject.run, bundle / script, "--wait")
            time.sleep(8)
            assert not waiting.done()
            assert (running.poll(), postmaster(subject.cluster)) == (None, before)
            running.terminate()
            ran = waiting.result()
        assert (ran.status, ran.err) == (0, "")
        assert "wait until a base backup (process" in ran.out
        assert postmaster(subject.cluster) != before


def test_case_113_a_rollback_does_not_end_one_either(make_subject: MakeSubject, tmp_path: Path) -> None:
    subject = make_subject()
    bundle = subject.bundle(BUFFERS)
    assert subject.run(bundle / "apply.sh").status == 0
    number = postmaster(subject.cluster)
    with base_backup(subject, tmp_path) as running:
        ran = subject.run(bundle / "rollback.sh")
        assert ran.status in {REFUSED, FAILED}
        assert "a restart would interrupt a base backup" in ran.err
        assert (running.poll(), postmaster(subject.cluster)) == (None, number)
    wait_until(lambda: backups(subject) == 0)
    assert subject.run(bundle / "rollback.sh").status == 0
    assert subject.cluster.query("SHOW shared_buffers") == "128MB"


@pytest.mark.parametrize("script", ["apply.sh", "rollback.sh"])
def test_a_change_without_a_restart_minds_no_backup(
    script: str, make_subject: MakeSubject, tmp_path: Path
) -> None:
    subject = make_subject()
    bundle = subject.bundle({"pg.work_mem": "24MB"})
    if script == "rollback.sh":
        assert subject.run(bundle / "apply.sh").status == 0
    with base_backup(subject, tmp_path) as running:
        assert subject.run(bundle / script).status == 0
        assert running.poll() is None
