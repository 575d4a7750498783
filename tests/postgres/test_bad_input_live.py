"""Whatever a server, its files or its names are like: one clear message, and the rest is read on."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from fixtures_postgres import MakeCluster
from real_postgres import Cluster
from tunewiz.collect.postgres.servers import find_servers
from tunewiz.collect.system import LiveSystem
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.values.known import Known, Unknown, known_or
from tunewiz.core.words.harmless import harmless
from tunewiz.formats.records import facts_from_json

pytestmark = pytest.mark.slow

MIB = 2**20


def the_server(cluster: Cluster) -> PostgresServer:
    (postgres_server,) = (
        server
        for server in find_servers(LiveSystem())
        if known_or(server.data_directory, "") == str(cluster.data_directory)
    )
    return postgres_server


def why(fact: object) -> str:
    assert isinstance(fact, Unknown), fact
    return fact.why


def printed_facts(cluster: Cluster) -> str:
    """What the command line prints of the machine, with the cluster among its servers."""
    done = subprocess.run(
        [sys.executable, "-m", "tunewiz", "facts"],
        env={**os.environ, "PGDATA": str(cluster.data_directory)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_without_an_entry_in_pg_hba_the_files_are_read(running_cluster: Cluster) -> None:
    (running_cluster.config_file.parent / "pg_hba.conf").write_text("local other other trust\n")
    running_cluster.restart()
    server = the_server(running_cluster)
    assert "no pg_hba.conf entry" in why(server.activity)
    assert known_or(server.settings, {})["shared_buffers"].value == "16384"


def test_a_server_in_recovery_that_lets_nobody_in_says_so(make_cluster: MakeCluster) -> None:
    cluster = make_cluster(settings={"hot_standby": "off"})
    (cluster.data_directory / "standby.signal").touch()
    cluster.start()
    server = the_server(cluster)
    said = why(server.activity)
    assert "not accepting connections" in said or "starting up" in said, said
    assert known_or(server.settings, {})["hot_standby"].value == "off"
    assert known_or(server.role, "") == "standby"


@pytest.mark.parametrize(
    ("size", "why_not"),
    [(17, "larger than 16 MiB, not read"), (100, "found more than 64 MiB, expected less")],
)
def test_a_configuration_of_many_megabytes_is_not_read(
    make_cluster: MakeCluster, monkeypatch: pytest.MonkeyPatch, size: int, why_not: str
) -> None:
    cluster = make_cluster()
    monkeypatch.setenv("PGDATA", str(cluster.data_directory))
    with cluster.config_file.open("a") as config:
        config.truncate(size * MIB)
    server = the_server(cluster)
    assert why_not in why(server.settings)
    assert server.major == Known(
        cluster.programs.major, server.major.how if isinstance(server.major, Known) else ""
    )


def test_names_with_escape_sequences_reach_no_terminal(running_cluster: Cluster) -> None:
    hostile = "\x1b]0;pwned\x07\x1b[2J"
    running_cluster.query(f'create role "{hostile}"')
    running_cluster.query(f"alter role \"{hostile}\" set work_mem = '64MB'")
    running_cluster.query(f"alter system set cluster_name = 'x{hostile[-3:]}'")
    running_cluster.restart()
    text = printed_facts(running_cluster)
    assert text.isascii()
    assert "\x1b" not in text
    (server,) = (
        server
        for server in facts_from_json(text, "printed").postgres
        if known_or(server.data_directory, "") == str(running_cluster.data_directory)
    )
    (override,) = known_or(server.overrides, ())
    assert override.role == hostile
    assert "\x1b" not in harmless(override.role)


def test_something_else_that_listens_in_the_servers_place_is_told(running_cluster: Cluster) -> None:
    path = running_cluster.socket_directory / f".s.PGSQL.{running_cluster.port}"
    path.rename(path.with_suffix(".aside"))
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(path))
        path.chmod(0o777)
        other.listen(0)
        server = the_server(running_cluster)
    path.unlink()
    assert "the server could not be queried" in why(server.activity)
    assert known_or(server.settings, {})["shared_buffers"].value == "16384"


def test_a_data_directory_without_rights_leaves_what_the_process_tells(
    running_cluster: Cluster, tmp_path: Path
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can become someone who may not read it")
    program = (
        "import os; from tunewiz.collect.postgres.servers import find_servers; "
        "from tunewiz.collect.system import LiveSystem;"
        "before = find_servers(LiveSystem()); os.setgid(65534); os.setuid(65534);"
        "after = find_servers(LiveSystem()); print(*(each.running for each in (before[0], after[0])));"
        "print(*('ermission denied' in str(each.settings) for each in after if each.running))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    running, denied = done.stdout.splitlines()
    assert (done.returncode, running) == (0, "True True"), done.stderr
    assert "True" in denied
    assert running_cluster.is_running()
