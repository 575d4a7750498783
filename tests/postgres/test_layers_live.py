"""A real server tells what wins over its files, and which of their lines it cannot use."""

import pytest

from real_postgres import Cluster
from tunewiz.collect.postgres.servers import find_servers
from tunewiz.collect.system import LiveSystem
from tunewiz.core.facts.server import FileError, Override, PostgresServer
from tunewiz.core.values.known import known_or


def the_server(cluster: Cluster) -> PostgresServer:
    (postgres_server,) = (
        server
        for server in find_servers(LiveSystem())
        if known_or(server.data_directory, "") == str(cluster.data_directory)
    )
    return postgres_server


def test_values_of_roles_and_databases_are_listed(running_cluster: Cluster) -> None:
    assert known_or(the_server(running_cluster).overrides, None) == ()
    running_cluster.query('create role "b; \x1b[31mi"')
    running_cluster.query("alter role \"b; \x1b[31mi\" in database postgres set work_mem = '64MB'")
    running_cluster.query("alter database postgres set search_path = 'a=b', public")
    running_cluster.query("alter role all set app.token = 'hunter2'")
    assert known_or(the_server(running_cluster).overrides, ()) == (
        Override(database="postgres", role="b; \x1b[31mi", name="work_mem", value="64MB"),
        Override(database="postgres", role="", name="search_path", value='"a=b", public'),
    )


@pytest.mark.slow
def test_lines_of_no_use_are_listed_with_their_place(running_cluster: Cluster) -> None:
    assert known_or(the_server(running_cluster).file_errors, None) == ()
    lines = running_cluster.config_file.read_text().count("\n")
    with running_cluster.config_file.open("a") as config:
        config.write("work_mm = 8MB\n")
    (error,) = known_or(the_server(running_cluster).file_errors, ())
    assert error == FileError(
        place=f"{running_cluster.config_file}:{lines + 1}",
        name="work_mm",
        error="unrecognized configuration parameter",
    )


def test_a_role_that_may_not_see_the_files_says_so(
    running_cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    running_cluster.query("create role few login")
    running_cluster.query("alter database postgres set work_mem = '64MB'")
    monkeypatch.setenv("PGUSER", "few")
    server = the_server(running_cluster)
    assert "permission denied" in getattr(server.file_errors, "why", "")
    assert [override.name for override in known_or(server.overrides, ())] == ["work_mem"]


def test_what_the_build_offers_is_told(running_cluster: Cluster) -> None:
    offered = running_cluster.query("select enumvals from pg_settings where name = 'wal_compression'")
    result = known_or(the_server(running_cluster).choices, {})["wal_compression"]
    assert offered == "{" + ",".join(result) + "}"
