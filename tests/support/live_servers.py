"""Real servers as the program finds them, and who is let into them."""

import os
import signal

from real_postgres import Cluster
from tunewiz.collect.postgres.endpoints import ask_all
from tunewiz.collect.postgres.found_server import FoundServer
from tunewiz.collect.postgres.server_facts import server_record
from tunewiz.collect.postgres.servers import find_servers, running_server
from tunewiz.collect.system import LiveSystem
from tunewiz.core.facts.server import PostgresServer, Setting
from tunewiz.core.values.known import Known, MaybeFact, T, Unknown


def value(fact: MaybeFact[T]) -> T:
    """What is known."""
    assert isinstance(fact, Known), fact
    return fact.value


def why(fact: MaybeFact[T]) -> str:
    """Why it is not known."""
    assert isinstance(fact, Unknown), fact
    return fact.why


def the_server(cluster: Cluster) -> PostgresServer:
    """What is found of a cluster among all that run here."""
    data = str(cluster.data_directory)
    (postgres_server,) = (
        server
        for server in find_servers(LiveSystem())
        if server.data_directory == Known(data, how_of(server))
    )
    return postgres_server


def the_server_alone(cluster: Cluster) -> PostgresServer:
    """The same for a running cluster, without a look at all others."""
    system = LiveSystem()
    running = running_server(system, str(cluster.data_directory))
    assert isinstance(running, FoundServer)
    (answer,) = ask_all(system, (running,))
    return server_record(system, running, answer)


def how_of(server: PostgresServer) -> str:
    """How its data directory was learned."""
    return server.data_directory.how if isinstance(server.data_directory, Known) else ""


def setting(server: PostgresServer, name: str) -> Setting:
    """One of its settings."""
    return value(server.settings)[name]


def let_in(cluster: Cluster, *lines: str) -> None:
    """Lines of pg_hba.conf above those that are there; a running server follows them from then on.

    The signal needs no connection, which earlier lines may refuse.
    """
    path = cluster.config_file.parent / "pg_hba.conf"
    path.write_text("\n".join((*lines, path.read_text())))
    if cluster.is_running():
        postmaster = (cluster.data_directory / "postmaster.pid").read_text().split("\n", 1)[0]
        os.kill(int(postmaster), signal.SIGHUP)
