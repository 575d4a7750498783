"""Ways into a real server: roles, passwords, the network, a server that hangs."""

import os
import signal
from pathlib import Path

import pytest

from fixtures_postgres import MakeCluster
from live_servers import let_in, setting, the_server, value, why
from real_postgres import Cluster
from tunewiz.core.facts.server import Setting
from tunewiz.core.values.known import Absent


@pytest.fixture
def with_roles(running_cluster: Cluster) -> Cluster:
    running_cluster.query("create role few login")
    running_cluster.query("create role secured login password 'right'")
    let_in(running_cluster, "local all secured scram-sha-256", "local all few trust", "local all all peer")
    return running_cluster


def test_a_role_with_few_rights_gives_what_it_may_see(
    with_roles: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_roles.query("alter database postgres connection limit 50")
    with_roles.query("create database closed")
    with_roles.query("revoke connect on database closed from public")
    monkeypatch.setenv("PGUSER", "few")
    server = the_server(with_roles)
    assert "pg_settings as few over" in getattr(server.settings, "how", "")
    shared_buffers = setting(server, "shared_buffers")
    assert shared_buffers.sourcefile is not None, "the line is that of the files"
    assert setting(server, "unix_socket_directories").value == str(with_roles.socket_directory)
    activity = value(server.activity)
    assert "permission denied for database closed" in why(activity.databases_size)
    assert value(activity.commits) > 0


def test_a_password_comes_from_where_libpq_finds_it(
    with_roles: Cluster, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    passwords = tmp_path / "passwords"
    passwords.write_text("*:*:*:secured:right\n")
    passwords.chmod(0o600)
    monkeypatch.setenv("PGUSER", "secured")
    monkeypatch.setenv("PGPASSFILE", str(passwords))
    assert "pg_settings as secured over" in getattr(the_server(with_roles).settings, "how", "")


def test_a_wrong_password_leaves_the_files_and_says_so(
    with_roles: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_in(with_roles, "local all secured scram-sha-256", "local all all reject")
    monkeypatch.setenv("PGUSER", "secured")
    monkeypatch.setenv("PGPASSWORD", "wrong")
    server = the_server(with_roles)
    assert server.running
    assert "password authentication failed" in why(server.activity)
    assert "wrong" not in why(server.activity).replace("wrong password", "")
    assert "password authentication failed" in getattr(server.settings, "how", "")
    assert setting(server, "shared_buffers").value == "16384"
    assert setting(server, "port").value == str(with_roles.port)
    assert value(server.port) == with_roles.port


@pytest.mark.slow
def test_a_server_named_in_the_environment_is_not_taken_for_another(
    make_cluster: MakeCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = make_cluster(), make_cluster(settings={"work_mem": "9MB"})
    for cluster in (one, other):
        let_in(cluster, "local all all trust")
        cluster.start()
    monkeypatch.setenv("PGHOST", str(other.socket_directory))
    monkeypatch.setenv("PGPORT", str(other.port))
    monkeypatch.setenv("PGUSER", one.os_user)
    assert setting(the_server(one), "work_mem").value == "4096"
    assert setting(the_server(other), "work_mem").value == "9216"
    assert "PGHOST" in getattr(the_server(other).settings, "how", "")


@pytest.mark.slow
def test_over_the_network_a_server_is_told_from_others_by_port_and_start(
    make_cluster: MakeCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = make_cluster(settings={"listen_addresses": "127.0.0.1", "unix_socket_directories": ""})
    other = make_cluster(settings={"work_mem": "9MB"})
    for cluster in (one, other):
        let_in(cluster, "host all all 127.0.0.1/32 trust", "local all all reject")
        cluster.start()
    monkeypatch.setenv("PGHOST", "127.0.0.1")
    monkeypatch.setenv("PGPORT", str(one.port))
    reached, missed = the_server(one), the_server(other)
    assert value(value(reached.activity).commits) > 0
    assert isinstance(reached.socket_directory, Absent)
    assert f"another server answers there, its port is {one.port}" in why(missed.activity)
    assert setting(missed, "work_mem") == Setting(
        value="9216",
        unit="kB",
        source="configuration file",
        sourcefile=setting(missed, "work_mem").sourcefile,
    )


@pytest.mark.slow
def test_a_server_that_hangs_is_left_after_a_while(running_cluster: Cluster) -> None:
    postmaster = int((running_cluster.data_directory / "postmaster.pid").read_text().split("\n")[0])
    os.kill(postmaster, signal.SIGSTOP)
    try:
        server = the_server(running_cluster)
    finally:
        os.kill(postmaster, signal.SIGCONT)
    assert "timeout" in why(server.activity)
    assert setting(server, "shared_buffers").value == "16384"


def test_the_session_reads_only_and_says_who_it_is(make_cluster: MakeCluster) -> None:
    cluster = make_cluster(settings={"log_statement": "all", "log_line_prefix": "<%a> "})
    cluster.start()
    the_server(cluster)
    log = cluster.log_file.read_text()
    assert "<tunewiz> LOG:  statement: BEGIN READ ONLY" in log
    assert "ERROR" not in log
