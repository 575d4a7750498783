"""Streaming standbys of real primaries."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager

from fixtures_postgres import configure, describe
from real_postgres import Cluster
from tunewiz.core.values.versions import V12, Major

LETS_ALL_IN = "local all all trust\nlocal replication all trust\n"


@contextmanager
def standby_of(
    primary: Cluster, port: int, settings: Mapping[str, str], *, slot: str = ""
) -> Generator[Cluster]:
    """A standby, by the slot if there is one; stopped at the end."""
    directory = primary.directory / "standby"
    standby = describe("plain", primary.programs, primary.os_user, directory, port)
    primary.run("mkdir", directory, standby.socket_directory)
    where = ("-h", primary.socket_directory, "-p", str(primary.port), *(("-S", slot) if slot else ()))
    backup = primary.programs.bin_directory / "pg_basebackup"
    primary.run(backup, "-D", standby.data_directory, "-R", "-X", "stream", "-c", "fast", *where)
    configure(standby, settings)
    standby.start()
    try:
        yield standby
    finally:
        standby.stop(mode="immediate")


@contextmanager
def copied_standby(primary: Cluster, port: int) -> Generator[Cluster]:
    """A standby by a copy of the stopped primary, which is started: for servers that come without clients."""
    directory = primary.directory / "standby"
    standby = describe("plain", primary.programs, primary.os_user, directory, port)
    primary.run("mkdir", directory, standby.socket_directory)
    # Its wal_level is in the copy only after a start with it.
    primary.start()
    primary.stop()
    primary.run("cp", "-R", primary.data_directory, standby.data_directory)
    follows = f"host={primary.socket_directory} port={primary.port} user={primary.os_user}"
    if Major.parse(primary.programs.major) >= V12:
        primary.run("touch", standby.data_directory / "standby.signal")
        configure(standby, {"primary_conninfo": follows})
    else:
        configure(standby, {})
        recovery = f"standby_mode = on\nprimary_conninfo = '{follows}'\n"
        (standby.data_directory / "recovery.conf").write_text(recovery)
    primary.start()
    standby.start()
    try:
        yield standby
    finally:
        standby.stop(mode="immediate")
