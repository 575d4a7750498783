"""A real server tells of its tables: the counters, the parameters, the indexes that nobody uses."""

import pytest

from fixtures_postgres import MakeCluster
from live_servers import the_server, value, why
from real_postgres import Cluster
from tunewiz.core.facts.tables import DatabaseTables, Table

HOSTILE = "a\"b\\\n*/ \\! -- '; drop"
"""A table's name that ends comments, literals and lines, and calls psql's commands."""
QUOTED = '"' + HOSTILE.replace('"', '""') + '"'

MADE = """
create table customers (id int primary key, name text);
create table orders (id int primary key, customer int references customers, note text, state text)
    with (autovacuum_vacuum_scale_factor = 0.3);
create index orders_note on orders (note);
create index orders_id on orders (id);
create table small (id int references customers);
create table QUOTED (id int);
insert into customers select n, 'c' from generate_series(1, 100) as n;
insert into orders select n, n % 100 + 1, repeat(md5(n::text), 4), 'new' from generate_series(1, 20000) as n;
update orders set state = 'paid' where id <= 2000;
vacuum analyze orders;
""".replace("QUOTED", QUOTED)


def made(cluster: Cluster) -> DatabaseTables:
    """What is read of a database with tables of every kind."""
    for statement in MADE.strip().split(";\n"):
        cluster.query(statement.removesuffix(";"))
    return database_of(cluster)


def database_of(cluster: Cluster) -> DatabaseTables:
    """The database that tests use."""
    return next(each for each in value(the_server(cluster).tables) if each.database == "postgres")


def table(found: DatabaseTables, name: str) -> Table:
    return next(each for each in value(found.tables) if each.name == name)


def test_tables_are_read_with_their_counters_parameters_and_ages(running_cluster: Cluster) -> None:
    found = made(running_cluster)
    orders = table(found, "orders")
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
    assert table(found, HOSTILE).live_rows == 0
    assert value(found.counted_seconds) < 600


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
    assert [each.name for each in value(database_of(running_cluster).unused_indexes)] == ["orders_note"]


def test_a_locked_table_is_read_without_waiting_for_it(make_cluster: MakeCluster) -> None:
    cluster = make_cluster(settings={"fsync": "off", "max_prepared_transactions": "1"})
    cluster.start()
    made(cluster)
    cluster.query("begin; lock table orders in access exclusive mode; prepare transaction 'held'")
    found = database_of(cluster)
    assert table(found, "orders").live_rows == 20000
    assert value(found.unused_indexes) == ()
    assert len(value(found.bare_foreign_keys)) == 1


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
    by_name = {each.database: each for each in value(the_server(running_cluster).tables)}
    assert "too many connections" in why(by_name["shut"].tables)
    assert value(by_name["postgres"].tables) == ()
