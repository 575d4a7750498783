"""Work that a restart would end is found by what it is, on old servers and new."""

import subprocess
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from fixtures_postgres import (
    Initialized,
    configure,
    copy_into,
    crash,
    describe,
    directory_of,
    unprivileged_user,
)
from inherited_state import wait_until
from real_postgres import Cluster, Programs
from real_subject import Subject

pytestmark = pytest.mark.slow

DONE, REFUSED = 0, 4
MAJORS: Final = ("9.5", "11", "15", "18")
"""Exclusive backups only; no views of progress; two of today."""
COUNTED: Final = 13
"""From this release on the server's own counter of backups is read."""
DUMPED: Final = 15
"""The newest that the machine's own pg_dump reads."""
SETTINGS: Final = {"fsync": "off", "include_dir": "conf.d", "autovacuum_naptime": "1", "max_wal_senders": "4"}
TABLES: Final = """CREATE TABLE t AS SELECT i, repeat('x', 900) x FROM generate_series(1, 9000) i;
CREATE INDEX t_i ON t (i); CREATE TABLE few AS SELECT i FROM generate_series(1, 60) i;
CREATE FUNCTION slow(i int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS
'BEGIN IF current_setting(''application_name'') = ''slow'' THEN PERFORM pg_sleep(1); END IF; RETURN i; END';
CREATE INDEX few_slow ON few (slow(i))"""
PATIENCE: Final = 45
"""Seconds until it is found, at most: less than the work lasts, and enough on a busy machine."""
SLOWLY: Final = "SET application_name = 'slow'"
"""With this name an index takes a second for each row."""

ALL_DAY: Final = (
    ("SET application_name = 'pg_dump'", "BEGIN", "SELECT 1 AS two"),
    ("BEGIN ISOLATION LEVEL SERIALIZABLE", "SELECT count(*) FROM t", "SELECT count(*) AS two FROM pg_proc"),
    ("BEGIN", "INSERT INTO few VALUES (7)", "ALTER TABLE few ADD y int", "SELECT 1 AS two"),
    ("BEGIN", "LOCK TABLE few IN SHARE UPDATE EXCLUSIVE MODE", "SELECT 1 AS two"),
    ("SELECT pg_advisory_lock(1)", "SELECT 1 AS two"),
    ("SELECT pg_sleep(60) AS two",),
)
"""What no restart waits for: statements of a session, the last of them marked."""


@pytest.fixture(params=MAJORS)
def cluster(
    request: pytest.FixtureRequest,
    server_of_major: Callable[[str], Programs | str],
    initialized: Initialized,
    next_port: Callable[[], int],
) -> Iterator[Cluster]:
    """Of each of these releases, started, with tables."""
    programs = server_of_major(str(request.param))
    if isinstance(programs, str):
        pytest.skip(programs)
    user = unprivileged_user()
    with directory_of(user) as directory:
        made = describe("plain", programs, user, directory, next_port())
        copy_into(made, initialized(programs))
        made.run("mkdir", made.socket_directory, made.data_directory / "conf.d")
        level = "archive" if programs.major == "9.5" else "replica"
        configure(made, {**SETTINGS, "wal_level": level})
        hba = made.data_directory / "pg_hba.conf"
        hba.write_text(f"{hba.read_text()}\nlocal replication all trust\n")
        made.start()
        made.query(TABLES)
        yield made
        crash(made)


@pytest.fixture
def bundle(cluster: Cluster, tmp_path: Path) -> tuple[Subject, Path]:
    """One that restarts the server."""
    (tmp_path / "bundles").mkdir()
    subject = Subject(
        cluster=cluster,
        included=cluster.data_directory / "conf.d",
        state=tmp_path / "state",
        bundles=tmp_path / "bundles",
    )
    return subject, subject.bundle({"pg.shared_buffers": "192MB"})


def major_of(cluster: Cluster) -> float:
    """As a number."""
    return float(cluster.programs.major)


def client(cluster: Cluster, *, database: str = "dbname=postgres") -> tuple[str | Path, ...]:
    """The words of a psql that speaks with the server."""
    place = ("-h", cluster.socket_directory, "-p", str(cluster.port), "-U", cluster.os_user)
    return (cluster.programs.psql, "-XAtq", *place, "-d", database)


@contextmanager
def session(cluster: Cluster, *statements: str, database: str = "dbname=postgres") -> Generator[None]:
    """A session that stays until it is ended; its statements are under way."""
    with subprocess.Popen(
        client(cluster, database=database), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    ) as running:
        assert running.stdin is not None
        running.stdin.write("".join(f"{statement};\n" for statement in statements))
        running.stdin.flush()
        try:
            yield
        finally:
            ends = "pid <> pg_backend_pid() AND client_port IS NOT NULL"
            cluster.query(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {ends}")  # noqa: S608
            running.kill()
            wait_until(lambda: cluster.query(f"SELECT count(*) FROM pg_stat_activity WHERE {ends}") == "0")  # noqa: S608


def found(bundle: tuple[Subject, Path], work: str) -> None:
    """A restart is refused for this work, by name."""
    subject, directory = bundle

    def refused() -> bool:
        ran = subject.run(directory / "apply.sh", "--dry-run")
        return ran.status == REFUSED and f"a restart would interrupt {work}" in ran.err

    try:
        wait_until(refused, PATIENCE)
    except AssertionError:
        raise AssertionError(subject.run(directory / "apply.sh", "--dry-run").said) from None


def left_alone(bundle: tuple[Subject, Path]) -> None:
    """Nothing stands in the way of a restart."""
    subject, directory = bundle
    ran = subject.run(directory / "apply.sh", "--dry-run")
    assert ran.status == DONE, ran.said


def seen(cluster: Cluster, what: str) -> None:
    """Waits until a session of which this is so can be seen."""
    others = f"SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND {what}"  # noqa: S608
    wait_until(lambda: cluster.query(others) != "0")


def begin_backup(cluster: Cluster) -> str:
    """A statement that begins a backup, in the way that ends with its session where there is one."""
    if major_of(cluster) < 9.6:
        return "SELECT pg_start_backup('hold', true)"
    if major_of(cluster) < 15:
        return "SELECT pg_start_backup('hold', true, false)"
    return "SELECT pg_backup_start('hold', true)"


def end_backup(cluster: Cluster) -> str:
    """The statement that ends it."""
    if major_of(cluster) < 9.6:
        return "SELECT pg_stop_backup()"
    if major_of(cluster) < 15:
        return "SELECT count(*) FROM pg_stop_backup(false)"
    return "SELECT count(*) FROM pg_backup_stop()"


def test_case_113_a_backup_by_functions_is_found_whatever_its_session_says(
    cluster: Cluster, bundle: tuple[Subject, Path]
) -> None:
    exclusive = major_of(cluster) < 9.6
    words = "an exclusive base backup" if exclusive else "a base backup"
    with session(cluster, "SET standard_conforming_strings = off", begin_backup(cluster)):
        found(bundle, words)
    if exclusive:
        cluster.query(end_backup(cluster))
    if exclusive or major_of(cluster) >= COUNTED:
        with session(
            cluster, "SET application_name = 'app'", begin_backup(cluster), "SELECT 1", "SELECT 2 AS two"
        ):
            seen(cluster, "query LIKE '%AS two%' AND state = 'idle'")
            found(bundle, words)
    if exclusive:
        cluster.query(end_backup(cluster))
    left_alone(bundle)


def test_case_113_one_that_has_ended_is_none(cluster: Cluster, bundle: tuple[Subject, Path]) -> None:
    with session(cluster, begin_backup(cluster), end_backup(cluster), "SELECT 2 AS two"):
        seen(cluster, "query LIKE '%AS two%' AND state = 'idle'")
        left_alone(bundle)
    if major_of(cluster) >= COUNTED:
        with session(cluster, "SELECT 'pg_backup_start (' AS two"):
            seen(cluster, "query LIKE '%AS two%' AND state = 'idle'")
            left_alone(bundle)


def test_case_113_a_base_backup_is_found(cluster: Cluster, bundle: tuple[Subject, Path]) -> None:
    options = "LABEL 'hold' FAST MAX_RATE 32"
    if major_of(cluster) >= 15:
        options = "(LABEL 'hold', CHECKPOINT 'fast', MAX_RATE 32)"
    backup = f"BASE_BACKUP {options}"
    with session(cluster, backup, database="dbname=postgres replication=1"):
        found(bundle, "a base backup (process")


def test_case_113_an_index_that_would_stay_invalid_is_found(
    cluster: Cluster, bundle: tuple[Subject, Path]
) -> None:
    with session(cluster, "BEGIN", "INSERT INTO few VALUES (99)", "SELECT 1 AS open"):
        # The index waits only for a transaction that was there before it.
        seen(cluster, "state = 'idle in transaction'")
        with session(cluster, "CREATE INDEX CONCURRENTLY later ON few (i)"):
            found(bundle, "a CREATE INDEX CONCURRENTLY")
    cluster.query("DROP INDEX IF EXISTS later")
    left_alone(bundle)


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("VACUUM FULL few", "VACUUM FULL"),
        ("CREATE INDEX also ON few (slow(i))", "CREATE INDEX"),
        ("COPY few FROM PROGRAM 'sleep 60'", "COPY FROM"),
    ],
)
def test_case_113_long_work_on_tables_is_found(
    statement: str, words: str, cluster: Cluster, bundle: tuple[Subject, Path]
) -> None:
    if words == "COPY FROM" and major_of(cluster) < 14:
        pytest.skip("the server does not count it")
    counted = major_of(cluster) >= 12
    with session(cluster, SLOWLY, statement):
        found(bundle, f"a {words if counted else 'CREATE INDEX, CLUSTER or the like'} (process")


def test_case_113_a_dump_under_another_name_is_found(cluster: Cluster, bundle: tuple[Subject, Path]) -> None:
    if major_of(cluster) > DUMPED:
        pytest.skip("this machine's pg_dump cannot read it")
    words = client(cluster, database="dbname=postgres application_name=app")[2:]
    with subprocess.Popen(["pg_dump", *words], stdout=subprocess.PIPE) as dump:
        found(bundle, "a dump (process")
        dump.kill()
    named = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'app'"
    wait_until(lambda: cluster.query(named) == "0")
    left_alone(bundle)


def test_case_113_a_snapshot_that_is_handed_on_is_found(
    cluster: Cluster, bundle: tuple[Subject, Path]
) -> None:
    with session(cluster, "BEGIN ISOLATION LEVEL REPEATABLE READ", "SELECT pg_export_snapshot()"):
        found(bundle, "a snapshot that others read is held")
    left_alone(bundle)


def test_case_113_what_clients_do_all_day_stops_no_restart(
    cluster: Cluster, bundle: tuple[Subject, Path]
) -> None:
    for statements in ALL_DAY:
        with session(cluster, *statements):
            seen(cluster, "query LIKE '%AS two%'")
            left_alone(bundle)


def test_case_113_nor_does_autovacuum(cluster: Cluster, bundle: tuple[Subject, Path]) -> None:
    slow = {"cost_delay": 100, "cost_limit": 1, "threshold": 1}
    options = ", ".join(f"autovacuum_vacuum_{name} = {value}" for name, value in slow.items())
    cluster.query(f"ALTER TABLE t SET ({options})", "DELETE FROM t WHERE i % 2 = 0")
    seen(cluster, "query LIKE 'autovacuum:%public.t%'")
    left_alone(bundle)
