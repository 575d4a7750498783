"""A real server before and after an index was dropped: the query that used it is named slower."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import tunewiz
from fixtures_postgres import MakeCluster
from real_postgres import Cluster
from tunewiz.formats.proof import proof_from_json

COUNTING = {"fsync": "off", "shared_preload_libraries": "pg_stat_statements", "autovacuum": "off"}
MADE = (
    "create extension pg_stat_statements",
    "create table orders (id int primary key, customer int, filler text)",
    "insert into orders select n, n % 500, repeat('x', 200) from generate_series(1, 20000) as n",
    "create index orders_customer on orders (customer)",
    "vacuum analyze orders",
)
LOOKED_UP = "\\set who random(0, 499)\nselect count(filler) from orders where customer = :who;\n"
BY_KEY = "\\set who random(1, 20000)\nselect filler from orders where id = :who;\n"
SECONDS = 4
LONG_AGO = "2026-01-01T00:00:00Z"


@pytest.fixture
def cluster(make_cluster: MakeCluster) -> Cluster:
    made = make_cluster(settings=COUNTING)
    made.start()
    for statement in MADE:
        made.query(statement)
    for name, script in (("looked_up.sql", LOOKED_UP), ("by_key.sql", BY_KEY)):
        (made.directory / name).write_text(script)
        (made.directory / name).chmod(0o644)
    return made


def watched(cluster: Cluster, file: Path) -> Path:
    """Facts with a window in which pgbench ran."""
    where = ("--host", str(cluster.socket_directory), "--port", str(cluster.port))
    command = (sys.executable, "-m", "tunewiz", "facts", "--watch", f"{SECONDS}s", *where, "-o", str(file))
    with subprocess.Popen(command) as watching:
        pgbench = cluster.programs.bin_directory / "pgbench"
        scripts = ("-f", cluster.directory / "looked_up.sql", "-f", cluster.directory / "by_key.sql")
        at = ("-h", cluster.socket_directory, "-p", str(cluster.port), "-n", "-c", "1", "--random-seed=1")
        while watching.poll() is None:
            cluster.run(pgbench, *at, "-t", "200", *scripts, "postgres")
        assert watching.returncode == 0
    return file


def long_running(file: Path) -> Path:
    """The same, from a server that was started long before: no test waits an hour."""
    data = json.loads(file.read_text())
    (server,) = (value for value in data["postgres"] if value["window"] and value["window"]["statements"])
    server["window"]["server_started"] = LONG_AGO
    file.write_text(json.dumps(data))
    return file


@pytest.mark.slow
def test_the_query_whose_index_was_dropped_is_named_slower(cluster: Cluster, tmp_path: Path) -> None:
    before = watched(cluster, tmp_path / "before.json")
    cluster.query("drop index orders_customer")
    cluster.query("alter system set work_mem = '8MB'")
    cluster.query("select pg_reload_conf()")
    after = watched(cluster, tmp_path / "after.json")
    assert "secret" not in before.read_text()

    cold = tunewiz("prove", "compare", before, after)
    assert cold.status == 4
    assert "was started only" in cold.err

    out = tmp_path / "proof.json"
    ended = tunewiz("prove", "compare", long_running(before), long_running(after), "-o", out)
    assert ended.status == 4, ended
    assert "observed, not proved" in ended.out
    assert "A single observation on each side" in ended.out
    assert "pg.work_mem: 4MB -> 8MB" in ended.out
    proof = proof_from_json(out.read_text(), str(out))
    by_text = {query.query: query for query in proof.queries}
    (looked_up,) = (query for text, query in by_text.items() if "customer = $1" in text)
    (by_key,) = (query for text, query in by_text.items() if "where id = $1" in text)
    assert looked_up.ratio is not None
    assert by_key.ratio is not None
    assert looked_up.ratio > 3 * by_key.ratio
    assert (looked_up.database, looked_up.calls_before > 100, looked_up.calls_after > 100) == (
        "postgres",
        True,
        True,
    )
    assert proof.metrics["query_time"].ratio > 1
    slower = ended.out.partition("Slower")[2].partition("\n  ")[2].splitlines()[0]
    assert "customer = $1" in slower
    assert tunewiz("prove", "show", out).out.startswith(ended.out)
    shown = tunewiz("prove", "compare", before, after, "--json")
    assert (shown.status, shown.out) == (4, out.read_text())
