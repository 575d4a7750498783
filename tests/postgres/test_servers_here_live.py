"""The first page finds a server that runs here, with its size, and asks it nothing."""

from real_postgres import Cluster
from tunewiz.collect.postgres.here import databases_size, servers_here
from tunewiz.collect.system import LiveSystem


def test_a_running_server_is_found_with_port_directory_and_size(running_cluster: Cluster) -> None:
    running_cluster.query("alter system set log_connections = on", "select pg_reload_conf()")
    before = running_cluster.log_file.read_text().count("connection received")
    servers = {server.directory: server for server in servers_here(LiveSystem())}
    server = servers[str(running_cluster.data_directory)]
    assert server.is_running
    assert server.port == str(running_cluster.port)
    assert server.version == running_cluster.programs.major
    assert server.size is not None
    expected = int(running_cluster.query("select sum(pg_database_size(oid)) from pg_database"))
    assert abs(server.size.count - expected) < 0.02 * expected
    assert running_cluster.log_file.read_text().count("connection received") == before + 1
    running_cluster.query("checkpoint")
    assert databases_size(LiveSystem(), str(running_cluster.data_directory)) is not None
