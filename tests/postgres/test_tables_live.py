"""A real server tells of its tables: the counters, the parameters, the indexes that nobody uses."""

import dataclasses
import re
from collections.abc import Mapping

import pytest

from fixtures_postgres import MakeCluster
from inherited_state import wait_until
from live_servers import the_server_alone, value, why
from real_postgres import Cluster
from small_plans import small_facts, small_plan
from tunewiz.core.facts.tables import DatabaseTables, Table
from tunewiz.core.tables.scripts import table_scripts
from tunewiz.core.tables.tables import advice_on_tables
from tunewiz.core.values.identifiers import literal
from tunewiz.core.values.known import Known

HOSTILE = "a\"b\\\n*/ \\! -- '; drop"
"""A table's name that ends comments, literals and lines, and calls psql's commands."""
QUOTED = '"' + HOSTILE.replace('"', '""') + '"'

MADE = """
create table customers (id int primary key, name text);
create table orders (id int primary key, customer int references customers, note text, state text)
    with (autovacuum_vacuum_scale_factor = 0.3);
create index orders_note on orders (note);
create index orders_id on orders (id);
create index orders_length on orders (length(note));
create table small (id int references customers);
create table QUOTED (id int);
insert into customers select n, 'c' from generate_series(1, 100) as n;
insert into orders select n, n % 100 + 1, repeat(md5(n::text), 4), 'new' from generate_series(1, 20000) as n;
update orders set state = 'paid' where id <= 2000;
vacuum analyze orders;
""".replace("QUOTED", QUOTED)
COUNTED = "select last_vacuum is not null and n_tup_upd = 2000 from pg_stat_user_tables where relname ="


def made(cluster: Cluster) -> DatabaseTables:
    """What is read of a database with tables of every kind."""
    for statement in MADE.strip().split(";\n"):
        cluster.query(statement.removesuffix(";"))
    # Up to 14 a process of its own collects what is counted.
    wait_until(lambda: cluster.query(f"{COUNTED} 'orders'") == "t")
    return database_of(cluster)


def database_of(cluster: Cluster) -> DatabaseTables:
    """The database that tests use."""
    return next(
        database for database in value(the_server_alone(cluster).tables) if database.database == "postgres"
    )


def table(database: DatabaseTables, name: str) -> Table:
    return next(entry for entry in value(database.tables) if entry.name == name)


def test_tables_are_read_with_their_counters_parameters_and_ages(running_cluster: Cluster) -> None:
    # A cluster is a copy of one that may have been made long before.
    running_cluster.query("alter system set autovacuum = off")
    running_cluster.query("select pg_reload_conf(), pg_stat_reset()")
    database = made(running_cluster)
    orders = table(database, "orders")
    assert (orders.schema, orders.live_rows, orders.inserted, orders.updated) == (
        "public",
        20000,
        20000,
        2000,
    )
    assert orders.options == {"autovacuum_vacuum_scale_factor": "0.3"}
    assert orders.main_bytes == int(running_cluster.query("select pg_relation_size('orders')"))
    assert 128 < (orders.row_width or 0) < 200
    assert orders.last_vacuum
    assert not orders.last_autovacuum
    assert orders.transaction_age < 100
    assert table(database, HOSTILE).live_rows == 0
    assert value(database.counted_seconds) < 600


def test_an_index_without_a_scan_is_told_with_its_definition(running_cluster: Cluster) -> None:
    (unused,) = value(made(running_cluster).unused_indexes)
    assert unused.definition == "CREATE INDEX orders_note ON public.orders USING btree (note)"
    assert unused.bytes == int(running_cluster.query("select pg_relation_size('orders_note')"))


def test_a_foreign_key_is_told_if_no_index_begins_with_its_columns(running_cluster: Cluster) -> None:
    (key,) = value(made(running_cluster).bare_foreign_keys)
    assert (key.table, key.columns, key.referenced) == ("orders", ("customer",), "customers")
    running_cluster.query("create index on orders (customer, id)")
    assert value(database_of(running_cluster).bare_foreign_keys) == ()


def test_an_index_that_serves_a_foreign_key_is_not_called_unused(running_cluster: Cluster) -> None:
    made(running_cluster)
    running_cluster.query("create index serves on orders (customer, note)")
    assert [unused_index.name for unused_index in value(database_of(running_cluster).unused_indexes)] == [
        "orders_note"
    ]


def test_a_locked_table_is_read_without_waiting_for_it(make_cluster: MakeCluster) -> None:
    cluster = make_cluster(settings={"fsync": "off", "max_prepared_transactions": "1"})
    cluster.start()
    made(cluster)
    cluster.query("begin; lock table orders in access exclusive mode; prepare transaction 'held'")
    database = database_of(cluster)
    assert table(database, "orders").live_rows == 20000
    assert value(database.unused_indexes) == ()
    assert len(value(database.bare_foreign_keys)) == 1


def test_a_role_that_may_see_little_gets_the_tables_without_the_width_of_rows(
    running_cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(running_cluster)
    running_cluster.query("create role few login")
    monkeypatch.setenv("PGUSER", "few")
    orders = table(database_of(running_cluster), "orders")
    assert (orders.inserted, orders.row_width) == (20000, None)


def test_a_database_that_cannot_be_entered_says_why_and_the_others_are_read(
    running_cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    running_cluster.query("create database shut connection limit 0")
    running_cluster.query("create role few login")
    monkeypatch.setenv("PGUSER", "few")
    by_name = {database.database: database for database in value(the_server_alone(running_cluster).tables)}
    assert "too many connections" in why(by_name["shut"].tables)
    assert value(by_name["postgres"].tables) == ()


def test_the_sql_for_tables_runs_and_its_undo_leaves_what_was_there(running_cluster: Cluster) -> None:
    made(running_cluster)
    running_cluster.query(f"create database {QUOTED}")
    running_cluster.query('create database "a-b"')
    running_cluster.query("create table orders (id int)", database="a-b")
    running_cluster.query(f"create schema {QUOTED}", database=HOSTILE)
    running_cluster.query(f"create table {QUOTED}.{QUOTED} (id int)", database=HOSTILE)
    before = options(running_cluster)
    scripts = scripts_for(running_cluster)
    run(running_cluster, scripts["tables.sql"])
    assert options(running_cluster) == [
        *("{autovacuum_analyze_scale_factor=0.005,autovacuum_vacuum_scale_factor=0.005}",) * 2,
        "{autovacuum_analyze_scale_factor=0.005,autovacuum_vacuum_scale_factor=0.005}",
    ]
    run(running_cluster, scripts["tables-undo.sql"])
    assert options(running_cluster) == before == ["", "", "{autovacuum_vacuum_scale_factor=0.3}"]
    run(running_cluster, scripts["tables-undo.sql"])
    assert options(running_cluster) == before


def test_what_is_commented_out_runs_too_and_is_undone(running_cluster: Cluster) -> None:
    made(running_cluster)
    running_cluster.query('alter index orders_note rename to "i""x\\ */ -- :y ; z"')
    running_cluster.query(f"alter table orders rename column customer to {QUOTED}")
    running_cluster.query("update customers set name = 'd' where id = 1")
    scripts = {name: decided(text) for name, text in scripts_for(running_cluster).items()}
    before = indexes(running_cluster)
    run(running_cluster, scripts["tables.sql"])
    assert len(before) == 4
    assert indexes(running_cluster) != before
    run(running_cluster, scripts["tables-undo.sql"])
    assert indexes(running_cluster) == before


def test_the_sql_refuses_another_server(make_cluster: MakeCluster) -> None:
    one = make_cluster()
    if one.programs.major == "9.5":
        pytest.skip("a 9.5 does not tell its identifier")
    one.start()
    made(one)
    scripts = scripts_for(one)
    elsewhere = scripts["tables.sql"].replace("<> '", "<> '1")
    with pytest.raises(AssertionError, match="this is another server"):
        run(one, elsewhere)
    assert options(one)[-1] == "{autovacuum_vacuum_scale_factor=0.3}"


DAYS_90 = 90 * 86_400


def scripts_for(cluster: Cluster) -> Mapping[str, str]:
    """The files as they would be if every table were large and busy, and had counted for 90 days."""
    server = the_server_alone(cluster)
    databases = tuple(map(busy, value(server.tables)))
    facts = small_facts()
    facts = dataclasses.replace(
        facts, postgres=(dataclasses.replace(server, tables=Known(databases, "test")),)
    )
    plan = small_plan(facts, {})
    return table_scripts(advice_on_tables(plan), plan.start)


def busy(database: DatabaseTables) -> DatabaseTables:
    tables = tuple(
        dataclasses.replace(entry, live_rows=80_000_000, updated=80_000_000, hot_updated=80_000_000)
        for entry in value(database.tables)
        if entry.name in ("orders", HOSTILE)
    )
    return dataclasses.replace(database, tables=Known(tables, "test"), counted_seconds=Known(DAYS_90, "test"))


def decided(text: str) -> str:
    """The file after a person took every decision."""
    return re.sub(r"^-- (?=(DROP|CREATE|ALTER|SET|RESET) .*;$)", "", text, flags=re.MULTILINE)


def run(cluster: Cluster, text: str) -> None:
    """As the first lines of the file say."""
    path = cluster.directory / "tables.sql"
    path.write_text(text, encoding="utf-8")
    where = ("-h", cluster.socket_directory, "-p", str(cluster.port), "-d", "postgres")
    cluster.run(cluster.programs.psql, "-X", *where, "-f", path)


def options(cluster: Cluster) -> list[str]:
    """The parameters of the tables with the hostile name, in two databases, and of `orders`."""
    text = (
        "select (select array_agg(o order by o) from unnest(reloptions) as o) from pg_class "
        "where relkind = 'r' and relname "
    )
    hostile = "= " + literal(HOSTILE)
    databases = cluster.query("select datname from pg_database where length(datname) > 12 order by 1")
    elsewhere = [cluster.query(text + hostile, database=HOSTILE)] if databases else []
    return [*elsewhere, cluster.query(text + hostile), cluster.query(text + "= 'orders'")]


def indexes(cluster: Cluster) -> list[str]:
    """The definitions of the indexes of `orders`."""
    return cluster.query(
        "select replace(pg_get_indexdef(indexrelid), E'\\n', ' ') from pg_index "
        "where indrelid = 'orders'::regclass order by 1"
    ).splitlines()
