"""Real servers of every major with tables made so that it costs, beside the same without the flaw."""

import pytest

from fixtures_postgres import MakeCluster
from live_servers import the_server_alone, value
from real_postgres import Cluster
from tunewiz.core.values.versions import V10, Major

pytestmark = [pytest.mark.slow, pytest.mark.postgres, pytest.mark.timeout(300)]

V11 = Major(1100)
ROWS = "select n, n + 1 as part, repeat('x', 40) as note from generate_series(1, 80000) as n"
OF_ALL = (
    f"create table bare as {ROWS}",
    f"create table keyed as {ROWS}",
    "alter table keyed add primary key (n)",
    f"create unlogged table scratch as {ROWS}",
    f"create table indexed as {ROWS}",
    "create unique index indexed_key on indexed (n)",
    "create index indexed_part on indexed (part, note)",
    # One begins with the columns of another; none of the next four does.
    "create index indexed_short on indexed (part)",
    "create index indexed_note on indexed (note)",
    "create index indexed_down on indexed (part desc)",
    "create index indexed_some on indexed (part) where n > 5",
    "create unique index indexed_unique on indexed (part, note, n)",
    "analyze",
)
OF_10 = (
    "create table published (n int)",
    "create table published_keyed (n int primary key)",
    "create table published_whole (n int)",
    "alter table published_whole replica identity full",
    "create publication changes for table published, published_keyed, published_whole",
    "create publication inserts for table bare with (publish = 'insert')",
)
OF_11 = (
    "create table parts (n int) partition by list (n)",
    "create table parts_other partition of parts default",
    "create table parts_1 partition of parts for values in (1)",
    "insert into parts select 2 from generate_series(1, 1000)",
    "create table empty_parts (n int) partition by list (n)",
    "create table empty_parts_other partition of empty_parts default",
)


def test_each_flaw_is_noticed_and_its_neighbours_are_not(matrix_cluster: Cluster, major: str) -> None:
    matrix_cluster.start()
    release = Major.parse(major)
    of_major = (*OF_ALL, *(OF_10 if release >= V10 else ()), *(OF_11 if release >= V11 else ()))
    matrix_cluster.query(*of_major)
    matrix_cluster.query("analyze")
    matrix_cluster.query("vacuum")
    (here,) = value(the_server_alone(matrix_cluster).tables)
    flaws = {(entry.kind, entry.name) for entry in value(here.design_flaws)}
    expected = {("no primary key", "bare"), ("unlogged table", "scratch")}
    if release >= V10:
        expected.add(("no replica identity", "published"))
    if release >= V11:
        expected.add(("default partition", "parts_other"))
    assert flaws == expected
    pairs = [(index.name, index.same_as) for index in value(here.redundant_indexes)]
    assert pairs == [("indexed_part", "indexed_unique"), ("indexed_short", "indexed_part")]


MANY = """do $$ begin
    for i in 1 .. 10000 loop
        execute format('create table t%s (a int primary key, b int, c int)', i);
        execute format('create index on t%s (b)', i);
        execute format('create index on t%s (b, c)', i);
    end loop; end $$"""


def test_of_ten_thousand_tables_every_index_is_compared(make_cluster: MakeCluster) -> None:
    cluster = make_cluster(settings={"max_locks_per_transaction": "1024", "autovacuum": "off"})
    cluster.start()
    cluster.query(MANY, "create index again on t5000 (c)", "create index once_more on t5000 (c)")
    (here,) = value(the_server_alone(cluster).tables)
    pairs = {(index.name, index.same_as) for index in value(here.duplicate_indexes)}
    assert len(pairs) == 1
    assert pairs <= {("again", "once_more"), ("once_more", "again")}
    assert value(here.redundant_indexes) == ()  # all of them are small
