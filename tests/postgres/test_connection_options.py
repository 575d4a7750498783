"""Connection options: which of several servers on this host is meant, and what cannot be meant."""

import json
from pathlib import Path
from typing import TypeAlias

import pytest

from command_line import tunewiz
from fixtures_postgres import MakeCluster
from live_servers import let_in
from real_postgres import Cluster

Two: TypeAlias = tuple[Cluster, Cluster]


@pytest.fixture(name="two")
def _two(make_cluster: MakeCluster) -> Two:
    both = make_cluster(), make_cluster(settings={"work_mem": "9MB"})
    for cluster in both:
        let_in(cluster, "local all all trust")
        cluster.start()
    return both


def directories(*arguments: str | Path) -> list[str]:
    """Of the facts, in their order."""
    ended = tunewiz("facts", *arguments)
    assert (ended.status, ended.err) == (0, "")
    return [load["data_directory"] for load in json.loads(ended.out)["postgres"]]


def test_the_named_server_comes_first_and_the_others_stay(two: Two) -> None:
    for cluster in two:
        by_port = directories("--port", f"{cluster.port}", "--host", cluster.socket_directory)
        assert by_port[0] == str(cluster.data_directory)
        assert {str(entry.data_directory) for entry in two} <= set(by_port)


def test_a_service_names_the_server_and_a_plan_is_for_it(two: Two, tmp_path: Path) -> None:
    other = two[1]
    services = tmp_path / "services"
    services.write_text(
        f"[meant]\nhost={other.socket_directory}\nport={other.port}\nuser={other.os_user}\ndbname=postgres\n"
    )
    services.chmod(0o644)
    ended = tunewiz("plan", "--json", "--service", "meant", environment={"PGSERVICEFILE": str(services)})
    assert (ended.status, ended.err) == (0, "")
    assert json.loads(ended.out)["host"]["postgres"]["data_directory"] == str(other.data_directory)


def test_a_typed_port_wins_over_the_environment(two: Two) -> None:
    one, other = two
    environment = {"PGPORT": f"{one.port}", "PGHOST": str(one.socket_directory), "PGSERVICE": "none"}
    ended = tunewiz(
        *("facts", "--port", f"{other.port}", "--host", other.socket_directory), environment=environment
    )
    assert json.loads(ended.out)["postgres"][0]["data_directory"] == str(other.data_directory)


def test_a_port_on_which_no_server_listens_is_refused_with_those_that_do(
    two: Two,
) -> None:
    ended = tunewiz("plan", "--port", "1")
    assert (ended.status, ended.out) == (2, "")
    assert "--port 1: no PostgreSQL server of this host answers there" in ended.one_message
    for cluster in two:
        assert f"port {cluster.port} in {cluster.data_directory}" in ended.err


def test_the_right_port_in_another_directory_is_not_that_server(two: Two, tmp_path: Path) -> None:
    ended = tunewiz("plan", "--host", tmp_path, "--port", f"{two[0].port}")
    assert ended.status == 2
    assert f"--host {tmp_path} --port {two[0].port}: no PostgreSQL server" in ended.one_message
