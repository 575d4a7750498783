"""A server whose statements were counted and logged, and scripts made from them."""

from pathlib import Path

from real_postgres import Cluster, run_as
from tunewiz.bench.beginning import work_folder
from tunewiz.bench.from_server import mix_from_server
from tunewiz.bench.mix import Mix
from tunewiz.bench.options import BenchOptions

COUNTING = {
    "fsync": "off",
    "shared_preload_libraries": "pg_stat_statements",
    "autovacuum": "off",
    "jit": "off",
    "log_min_duration_statement": "0",
    "log_line_prefix": "%m [%p] %q%u@%d ",
}
MADE = (
    "CREATE TABLE orders (id int PRIMARY KEY, customer int, state text, placed timestamptz, small smallint)",
    """INSERT INTO orders SELECT n, n % 50,
       (ARRAY['new', 'it''s', 'a:b', E'back\\\\slash', 'größer'])[n % 5 + 1],
       timestamptz '2026-01-01' + n * interval '1 minute', n % 300 FROM generate_series(1, 5000) AS n""",
    "CREATE TABLE log (at timestamptz, word text)",
    "INSERT INTO log SELECT now(), 'x' FROM generate_series(1, 100)",
    "CREATE SEQUENCE numbers",
    "CREATE FUNCTION spy() RETURNS int LANGUAGE sql STABLE AS 'SELECT 1'",
    "CREATE VIEW numbered AS SELECT id, nextval('numbers') AS n FROM orders WHERE id < 2",
)
CARRIED = {
    "SELECT state FROM orders WHERE id = 7": 5,
    "SELECT count(*) FROM orders WHERE state = 'new'": 3,
    "SELECT id FROM orders WHERE customer IN (1, 2, 3) ORDER BY id LIMIT 4": 4,
    "SELECT o.id FROM orders o WHERE o.placed = '2026-01-01 00:10:00+00' AND o.small = 10": 2,
    "SELECT max(placed) FROM orders": 1,
    "SELECT abalance FROM pgbench_accounts WHERE aid = 12": 6,
}
"""With how often they are run."""
LEFT_OUT = {
    "SELECT nextval('numbers')": "nextval",
    "SELECT pg_sleep(0)": "pg_sleep",
    'SELECT "pg_sleep"(0)': "pg_sleep",
    "SELECT spy()": "spy",
    "SELECT n FROM numbered": "nextval",
    "SELECT table_to_xml('log', true, true, '') IS NULL FROM log WHERE word = 'x'": "calls table_to_xml()",
    "SELECT id FROM orders WHERE id = 3 FOR UPDATE": "locks rows",
    "SELECT id FROM orders WHERE state = E'back\\\\slash'": "",
    "SELECT id FROM orders WHERE id > 4990": "does not compare",
    "UPDATE orders SET small = 1 WHERE id = 9": "--with-writes",
    "WITH gone AS (DELETE FROM log WHERE word = 'y' RETURNING 1) SELECT count(*) FROM gone": "--with-writes",
    "CREATE TABLE other (a int)": "no query plan",
    "SELECT $$dollars$$": "does not compare",
    "SELECT (ARRAY[1, 2])[1:small] FROM orders WHERE id = 1": "colon",
}


def furnish(cluster: Cluster) -> None:
    """Make the database `shop`, and run everything in it."""
    cluster.query("CREATE DATABASE shop", "CREATE EXTENSION pg_stat_statements")
    pgbench(cluster, "-i", "-q", "-s", "1")
    cluster.query(*MADE, "ANALYZE", database="shop")
    cluster.query("SELECT pg_stat_statements_reset()")
    often = {**CARRIED, **dict.fromkeys(LEFT_OUT, 1)}
    cluster.query(*(name for name, times in often.items() for _ in range(times)), database="shop")


def pgbench(cluster: Cluster, *options: str | Path) -> str:
    where = ("-h", cluster.socket_directory, "-p", str(cluster.port), "shop")
    return cluster.run("pgbench", *options, *where)


def mix_of(cluster: Cluster, **results: object) -> Mix:
    given = {"from_statements": True, "database": "shop", "seed": 7, **results}
    return mix_from_server(
        BenchOptions(bundle=Path("none"), **given),  # type: ignore[arg-type]
        str(cluster.data_directory),
    )


def run_scripts(cluster: Cluster, mix: Mix, made: list[Path], count: int = 60) -> str:
    """Run the mix with the real pgbench, which fails if any statement does."""
    made.append(work_folder(cluster.os_user, mix.contents))
    scripts = (word for script in mix.scripts for word in ("-f", f"{made[-1]}/{script.name}@{script.weight}"))
    where = ("-h", str(cluster.socket_directory), "-p", str(cluster.port), "shop")
    command = ("pgbench", "-n", "-c", "2", "-t", str(count), "--random-seed=3", *scripts, *where)
    return run_as(
        cluster.os_user,
        command,
        directory=made[-1] / "logs",
        environment={**cluster.environment, **mix.session},
    )


def weights(mix: Mix) -> dict[str, int]:
    """By what the statement of a script begins with, values left out."""
    return {mix.contents[script.name].decode(): script.weight for script in mix.scripts}


def weight_of(mix: Mix, words: str) -> int:
    (actual,) = {weight for text, weight in weights(mix).items() if words in text}
    return actual
