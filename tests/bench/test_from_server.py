"""Scripts made from a server's own statements: what is carried, how often, and what is left out."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench_runs import RELOADED, as_before, prove
from command_line import tunewiz
from fixtures_postgres import MakeCluster, configure
from own_statements import CARRIED, COUNTING, LEFT_OUT, furnish, mix_of, run_scripts, weight_of, weights
from real_postgres import Cluster
from real_subject import MakeSubject
from tunewiz.bench.errors import RefusedError
from tunewiz.bench.from_server import check_pgbench
from tunewiz.bench.mix import Mix
from tunewiz.formats.proof import proof_from_json


@pytest.fixture(scope="module")
def made() -> Iterator[list[Path]]:
    folders = list[Path]()
    yield folders
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def cluster(make_cluster: MakeCluster) -> Cluster:
    """With tables of pgbench's and others, and statements that were counted and logged."""
    result = make_cluster(settings=COUNTING)
    result.start()
    furnish(result)
    return result


def test_what_was_counted_is_run_as_often_and_without_an_error(cluster: Cluster, made: list[Path]) -> None:
    mix = mix_of(cluster)
    assert weight_of(mix, "FROM pgbench_accounts WHERE aid") == 6
    assert weight_of(mix, "SELECT state FROM orders WHERE id") == 5
    assert weight_of(mix, "customer IN (") == 4
    assert weight_of(mix, "count(*) FROM orders WHERE state") == 3
    assert weight_of(mix, "o.placed =") == 2
    assert weight_of(mix, "SELECT max(placed) FROM orders") == 1
    # Counted without its value, the one with a backslash is like any other.
    assert weight_of(mix, "SELECT id FROM orders WHERE state") == 1
    assert not any(script.writes for script in mix.scripts)
    assert mix.share is not None
    assert 0 < mix.share < 1
    assert "LIMIT  4 ;" in next(text for text in weights(mix) if "customer IN (" in text)
    sentence = run_scripts(cluster, mix, made)
    assert "number of transactions actually processed: 120/120" in sentence


def test_what_cannot_be_carried_is_left_out_with_the_reason(cluster: Cluster) -> None:
    mix = mix_of(cluster)
    text = "\n".join(f"{omission.what}: {omission.why}" for omission in mix.left_out)
    for why in LEFT_OUT.values():
        assert why in text
    assert "it ran in another database" in text
    scripts = "".join(weights(mix))
    for name in ("nextval", "pg_sleep", "spy", "numbered", "UPDATE", "DELETE", "dollars", "[1:"):
        assert name not in scripts


def test_nothing_is_run_while_statements_are_looked_at(cluster: Cluster) -> None:
    before = cluster.query("SELECT last_value FROM numbers", database="shop")
    mix_of(cluster, with_writes=True)
    assert cluster.query("SELECT last_value FROM numbers", database="shop") == before
    assert cluster.query("SELECT count(*) FROM log", database="shop") == "100"


def test_writes_come_only_when_they_are_wanted(cluster: Cluster, made: list[Path]) -> None:
    cluster.query("CREATE TABLE plain (a int, b int)", database="shop")
    cluster.query("INSERT INTO plain SELECT n, n FROM generate_series(1, 100) AS n", database="shop")
    cluster.query(
        "CREATE FUNCTION act() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'", database="shop"
    )
    cluster.query(
        "CREATE TRIGGER acts BEFORE UPDATE ON log FOR EACH ROW EXECUTE PROCEDURE act()", database="shop"
    )
    cluster.query("ANALYZE plain", database="shop")
    for statement in ("UPDATE plain SET b = b WHERE a = 3", "UPDATE log SET word = word WHERE word = 'x'"):
        cluster.query(statement, database="shop")
    read = mix_of(cluster)
    assert not any("UPDATE" in text for text in weights(read))
    mix = mix_of(cluster, with_writes=True)
    assert any("UPDATE plain SET" in text for text in weights(mix))
    assert not any("UPDATE log" in text for text in weights(mix))
    assert any(script.writes for script in mix.scripts)
    assert any("triggers" in omission.why for omission in mix.left_out)
    run_scripts(cluster, mix, made)


def test_sessions_that_only_read_are_kept_from_writing(cluster: Cluster, made: list[Path]) -> None:
    mix = mix_of(cluster)
    forged = dict.fromkeys(mix.contents, b"UPDATE orders SET small = 0;")
    with pytest.raises(AssertionError, match="read-only transaction"):
        run_scripts(
            cluster,
            Mix(source="statements", scripts=mix.scripts, contents=forged, session=mix.session),
            made,
        )


def test_a_table_without_statistics_has_no_values_to_draw(cluster: Cluster) -> None:
    cluster.query("CREATE TABLE fresh (a int)", database="shop")
    cluster.query("SELECT a FROM fresh WHERE a = 1", database="shop")
    assert any("fresh.a: it has no statistics" in omission.why for omission in mix_of(cluster).left_out)


def test_functions_of_another_role_are_never_planned(cluster: Cluster) -> None:
    cluster.query("CREATE ROLE mallory", database="shop")
    cluster.query("ALTER FUNCTION spy() OWNER TO mallory", database="shop")
    with pytest.raises(RefusedError, match="functions of the role mallory"):
        mix_of(cluster)


def test_checked_domains_of_another_role_are_never_planned(cluster: Cluster) -> None:
    cluster.query("CREATE ROLE mallory", database="shop")
    for made in (
        "CREATE DOMAIN checked AS int CHECK (pg_sleep(0) IS NOT NULL)",
        "ALTER DOMAIN checked OWNER TO mallory",
        "CREATE TYPE wrapped AS (hidden checked)",
        "SELECT '(1)'::wrapped",
    ):
        cluster.query(made, database="shop")
    with pytest.raises(RefusedError, match="domains of the role mallory"):
        mix_of(cluster, from_statements=False, logs=(cluster.log_file,))


def test_the_log_gives_statements_with_their_own_values(cluster: Cluster, made: list[Path]) -> None:
    mix = mix_of(cluster, from_statements=False, logs=(cluster.log_file,))
    scripts = "".join(weights(mix))
    assert "WHERE id > 4990;" in scripts
    assert "aid = 12;" in scripts
    assert weight_of(mix, "FROM pgbench_accounts WHERE aid") == 6
    text = "\n".join(f"{omission.what}: {omission.why}" for omission in mix.left_out)
    for why in ("nextval", "pg_sleep", "spy", "locks rows", "backslash", "dollar-quoted", "colon"):
        assert why in text
    run_scripts(cluster, mix, made)


def test_a_database_without_statements_is_refused(make_cluster: MakeCluster) -> None:
    cluster = make_cluster(settings={"fsync": "off"})
    cluster.start()
    with pytest.raises(RefusedError, match="has the extension pg_stat_statements"):
        mix_of(cluster, database="postgres")


@pytest.mark.timeout(600)
def test_a_bundle_is_measured_with_the_servers_own_statements(
    make_subject: MakeSubject, tmp_path: Path
) -> None:
    subject = make_subject()
    configure(subject.cluster, COUNTING)
    subject.cluster.restart()
    furnish(subject.cluster)
    before, out = as_before(subject), tmp_path / "proof.json"
    few = ("--run", "1s", "--clients", "2", "--pairs", "2", "--same-pairs", "2", "--dbname", "shop")
    done = prove(subject, subject.bundle(RELOADED), "--from-statements", *few, "-o", str(out))
    assert done.returncode in (0, 1, 3, 4), done.stderr
    proof = proof_from_json(out.read_text(), str(out))
    assert proof.workload.source == "statements"
    assert proof.workload.share is not None
    assert len(proof.workload.scripts) > len(CARRIED)
    assert any("nextval()" in omission.why for omission in proof.left_out)
    assert any("of the execution time that the server counted" in said for said in proof.cannot_tell)
    assert as_before(subject) == before
    assert not (subject.state / "prove").exists()


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (("--from-statements",), "expected --dbname"),
        (("--from-log", "server.log"), "expected --dbname"),
        (("--with-writes",), "expected --from-statements or --from-log"),
        (("--from-statements", "--builtin", "select-only"), "not allowed with"),
    ],
)
def test_what_does_not_go_together_is_refused(typed: tuple[str, ...], expected: str) -> None:
    done = tunewiz("prove", "bench", "bundle", "--yes", *typed)
    assert done.status == 2
    assert expected in done.err


@pytest.mark.parametrize("told", ["pgbench (PostgreSQL) 10.23", "pgbench (PostgreSQL) 9.6.24", ""])
def test_a_pgbench_whose_scripts_cannot_choose_is_refused(told: str) -> None:
    with pytest.raises(RefusedError, match="expected pgbench 11 or newer"):
        check_pgbench(told)
    check_pgbench("pgbench (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)\n")


def _is_changed(cluster: Cluster, *made: str) -> tuple[bool, str]:
    """Whether a script changes the table `open`, and why others are left out."""
    cluster.query("CREATE ROLE mallory")
    cluster.query("GRANT CREATE ON SCHEMA public TO mallory", database="shop")
    table = "CREATE TABLE open (a int, b int)"
    rows = "INSERT INTO open SELECT n, n FROM generate_series(1, 100) AS n"
    for name in (table, rows, "UPDATE open SET b = b WHERE a = 3", *made):
        cluster.query(f"SET SESSION AUTHORIZATION mallory; {name}", database="shop")
    cluster.query("ANALYZE open", database="shop")
    mix = mix_of(cluster, with_writes=True)
    return any("UPDATE open" in text for text in weights(mix)), "; ".join(e.why for e in mix.left_out)


def test_a_plain_table_of_another_role_is_changed(cluster: Cluster) -> None:
    assert _is_changed(cluster, "CREATE TABLE heir (CHECK (abs(a) > 0)) INHERITS (open)")[0]


def test_a_table_whose_heirs_have_triggers_is_left_alone(cluster: Cluster) -> None:
    actual, why = _is_changed(
        cluster,
        "CREATE TABLE heir () INHERITS (open)",
        "CREATE FUNCTION act() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
        "CREATE TRIGGER acts BEFORE UPDATE ON heir FOR EACH ROW EXECUTE PROCEDURE act()",
    )
    assert not actual
    assert "triggers" in why


def test_a_table_whose_checks_call_volatile_functions_is_left_alone(cluster: Cluster) -> None:
    actual, why = _is_changed(cluster, "ALTER TABLE open ADD CHECK (lo_export(1, '/x') = 1) NOT VALID")
    assert not actual
    assert "checks" in why
