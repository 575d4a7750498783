"""Real servers are found and asked, over every way in, and read from their files where they do not answer."""

import subprocess
import sys

import pytest

from fixtures_postgres import MakeCluster
from live_servers import let_in, setting, the_server, value, why
from real_postgres import Cluster
from tunewiz.collect.everything import read_facts
from tunewiz.collect.system import LiveSystem
from tunewiz.core.facts.server import Setting
from tunewiz.core.values.known import Absent
from tunewiz.formats.records import facts_to_json

COMPUTED = {"wal_buffers", "max_stack_depth", "timezone_abbreviations"}
PLACES = {"config_file", "hba_file", "ident_file", "data_directory"}
OF_THE_BUILD = {"krb_server_keyfile", "unix_socket_directories", "wal_sync_method"}
SHOWN_OTHERWISE = {"DateStyle", "log_file_mode", "unix_socket_permissions"}
"""Values that a server works out when it starts, or writes in its own way: no file tells them."""


@pytest.fixture
def only_peer(make_cluster: MakeCluster) -> Cluster:
    """A running server that believes the operating system alone, as packages set it up."""
    cluster = make_cluster()
    let_in(cluster, "local all all peer", "host all all all reject")
    cluster.start()
    return cluster


def test_a_running_server_is_asked_as_its_owner_without_a_password(only_peer: Cluster) -> None:
    server = the_server(only_peer)
    assert value(server.version).startswith(only_peer.programs.version)
    assert value(server.major) == only_peer.programs.major
    assert (server.running, value(server.port)) == (True, only_peer.port)
    assert value(server.socket_directory) == str(only_peer.socket_directory)
    assert value(server.config_file) == str(only_peer.config_file)
    assert value(server.os_user) == only_peer.os_user
    assert value(server.role) == "primary"
    assert f"pg_settings as {only_peer.os_user} over" in getattr(server.settings, "how", "")


def test_settings_are_those_that_the_server_shows_with_the_line_that_sets_them(only_peer: Cluster) -> None:
    only_peer.query("alter system set random_page_cost = 1.5")
    only_peer.query("select pg_reload_conf()")
    server = the_server(only_peer)
    assert setting(server, "shared_buffers") == Setting(
        value="16384",
        unit="8kB",
        source="configuration file",
        sourcefile=only_peer.query(
            "select sourcefile || ':' || sourceline from pg_settings where name = 'shared_buffers'"
        ),
    )
    automatic = setting(server, "random_page_cost")
    assert automatic.value == "1.5"
    assert automatic.sourcefile == f"{only_peer.data_directory}/postgresql.auto.conf:3"
    assert setting(server, "work_mem") == Setting(value="4096", unit="kB")


def test_a_change_that_waits_for_a_restart_is_told(running_cluster: Cluster) -> None:
    running_cluster.query("alter system set shared_buffers = '64MB'")
    running_cluster.query("select pg_reload_conf()")
    result = setting(the_server(running_cluster), "shared_buffers")
    assert (result.value, result.pending_restart) == ("16384", True)


def test_values_of_the_asking_role_do_not_hide_those_of_the_server(running_cluster: Cluster) -> None:
    running_cluster.query(f"alter role \"{running_cluster.os_user}\" set work_mem = '99MB'")
    running_cluster.query("alter database postgres set random_page_cost = 9")
    running_cluster.query("alter system set random_page_cost = 1.5")
    running_cluster.query("select pg_reload_conf()")
    server = the_server(running_cluster)
    assert setting(server, "work_mem").value == "4096"
    assert setting(server, "random_page_cost").value == "1.5"
    assert setting(server, "statement_timeout").value == "0"


def test_a_setting_of_the_command_line_says_so(make_cluster: MakeCluster) -> None:
    cluster = make_cluster()
    control = (cluster.programs.bin_directory / "pg_ctl", "-w", "-D", cluster.data_directory)
    cluster.run(*control, "-l", cluster.log_file, "-o", "-c work_mem=7MB -B 2048", "start")
    server = the_server(cluster)
    assert setting(server, "work_mem").source == "command line"
    assert setting(server, "shared_buffers").value == "2048"
    let_in(cluster, "local all all reject")
    unasked = the_server(cluster)
    assert "rejects connection" in why(unasked.activity)
    assert setting(unasked, "work_mem") == Setting(value="7168", unit="kB", source="command line")
    assert setting(unasked, "shared_buffers").value == "2048"


def test_the_servers_statistics_are_those_of_all_databases(running_cluster: Cluster) -> None:
    running_cluster.query("create table t as select generate_series(1, 1000) as n")
    running_cluster.query("checkpoint")
    # The session that made the table may take a moment to end.
    looks = (value(the_server(running_cluster).activity) for _ in range(20))
    activity = next(look for look in looks if value(look.connections) == 0)
    assert value(activity.commits) > 0
    assert value(activity.databases_size).count > 10_000_000
    assert value(activity.since).endswith("Z")
    assert value(activity.checkpoints_requested) >= 0


def test_the_server_tells_how_many_huge_pages_it_needs(running_cluster: Cluster) -> None:
    if int(running_cluster.programs.major.partition(".")[0]) < 15:
        assert isinstance(the_server(running_cluster).shared_memory_pages, Absent)
    else:
        query = running_cluster.query("show shared_memory_size_in_huge_pages")
        assert value(the_server(running_cluster).shared_memory_pages) == int(query)


def test_a_stopped_server_is_read_from_its_files_and_agrees_with_what_it_said(
    make_cluster: MakeCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = make_cluster(settings={"work_mem": "1.5MB", "checkpoint_timeout": "10 min", "Jit": "OFF"})
    monkeypatch.setenv("PGDATA", str(cluster.data_directory))
    cluster.start()
    running = the_server(cluster)
    cluster.stop()
    stopped = the_server(cluster)
    assert (stopped.running, stopped.owner) == (False, "source")
    assert "not running" in why(stopped.version)
    for name in ("major", "port", "role", "system_identifier", "os_user", "socket_directory", "config_file"):
        assert value(getattr(stopped, name)) == value(getattr(running, name)), name
    live, offline = value(running.settings), value(stopped.settings)
    differing = {
        name
        for name in live.keys() & offline.keys()
        if (live[name].value, live[name].sourcefile) != (offline[name].value, offline[name].sourcefile)
    }
    assert differing <= COMPUTED | PLACES | OF_THE_BUILD | SHOWN_OTHERWISE


@pytest.mark.slow
def test_debians_layout_is_read_running_and_stopped(
    make_cluster: MakeCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = make_cluster("debian")
    monkeypatch.setenv("PG_CLUSTER_CONF_ROOT", cluster.environment["PG_CLUSTER_CONF_ROOT"])
    stopped = the_server(cluster)
    cluster.start()
    running = the_server(cluster)
    for server in (stopped, running):
        assert server.owner == "debian"
        assert value(server.config_file) == str(cluster.config_file)
        assert value(server.include_directory) == f"{cluster.config_file.parent}/conf.d"
        assert value(server.port) == cluster.port
    assert (stopped.running, running.running) == (False, True)


def test_the_whole_machine_tells_the_file_system_of_data_and_wal(running_cluster: Cluster) -> None:
    result = list[str]()
    facts = read_facts(LiveSystem(), result.append)
    assert str(running_cluster.data_directory) in {value(server.data_directory) for server in facts.postgres}
    assert {role for storage in facts.storage for role in storage.roles} >= {"data", "wal"}
    assert f"PostgreSQL in {running_cluster.data_directory}" in result


@pytest.mark.usefixtures("running_cluster")
def test_the_program_that_asks_does_not_load_the_client_library_itself() -> None:
    program = (
        "import sys; from tunewiz.collect.postgres.servers import find_servers; "
        "from tunewiz.collect.system import LiveSystem;"
        " found = find_servers(LiveSystem());"
        " print(any(each.running for each in found), 'psycopg' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "True False\n"


def test_no_password_or_command_gets_into_the_facts(make_cluster: MakeCluster) -> None:
    cluster = make_cluster(
        settings={
            "primary_conninfo": "host=primary password=hunter2",
            "archive_command": "copy --key hunter2 %p",
            "restore_command": "fetch --key hunter2 %f",
            "app.jwt_secret": "hunter2",
        }
    )
    cluster.start()
    running = read_facts(LiveSystem())
    let_in(cluster, "local all all reject")
    by_files = read_facts(LiveSystem())
    assert "hunter2" not in facts_to_json(running) + facts_to_json(by_files)
