"""Fixtures that make real PostgreSQL clusters and remove them, whatever the test did."""

import os
import pwd
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import Protocol, TypeAlias, assert_never

import pytest

from real_postgres import Cluster, Layout, Programs, run_as
from tools_here import need

CHECKOUT = Path(__file__).resolve().parents[2]
FIRST_PORT = 54300
PORTS_A_WORKER = 100

Initialized: TypeAlias = Callable[[Programs], Path]
"""A server's data directory as initdb makes it: to be copied, never to be changed."""


class MakeCluster(Protocol):
    """Makes a stopped cluster with lines added to its configuration."""

    def __call__(self, layout: Layout = "plain", *, settings: Mapping[str, str] | None = None) -> Cluster:
        """Without settings `fsync = off`, for speed; with an empty mapping PostgreSQL's defaults."""
        ...


def installed_programs() -> Programs | str:
    """The programs that the tests use, or why there are none."""
    finder = CHECKOUT / ".ci" / "postgres.sh"
    run = subprocess.run([finder, "--find"], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        return run.stderr.strip()
    return programs_in(Path(run.stdout.strip()))


def programs_in(bin_directory: Path) -> Programs:
    """The programs in a directory, by what they say themselves."""
    printed = subprocess.check_output([bin_directory / "postgres", "--version"], text=True)
    version = re.search(r"\d+(\.\d+)*", printed)
    assert version is not None, printed
    return Programs(bin_directory=bin_directory, version=version.group())


def unprivileged_user() -> str:
    """PostgreSQL refuses to run as root: the user of Debian's package then, else ourselves."""
    return "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name


def reachable_by_all(directory: Path) -> bool:
    """Whether any user may walk to the directory."""
    return all(step.stat().st_mode & 0o001 for step in (directory, *directory.parents))


def reachable_directory() -> Path:
    """Where temporary directories stand that any user can walk to; a socket's path fits in them."""
    places = (Path(tempfile.gettempdir()).resolve(), Path("/var/tmp"), Path("/dev/shm"))  # noqa: S108 - the last resorts
    return next(place for place in places if place.is_dir() and reachable_by_all(place))


@contextmanager
def directory_of(user: str) -> Generator[Path]:
    """A temporary directory of a user, at a place the user can walk to."""
    directory = Path(tempfile.mkdtemp(prefix="tunewiz-pg-", dir=reachable_directory()))
    try:
        account = pwd.getpwnam(user)
        os.chown(directory, account.pw_uid, account.pw_gid)
        yield directory
    finally:
        shutil.rmtree(directory)


def pytest_report_header() -> str:
    server = installed_programs()
    return (
        f"PostgreSQL: {server if isinstance(server, str) else f'{server.version} in {server.bin_directory}'}"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test that makes a cluster is marked by that alone."""
    for item in items:
        if isinstance(item, pytest.Function) and "make_cluster" in item.fixturenames:
            item.add_marker("postgres")


@pytest.fixture(scope="session")
def postgres_programs() -> Programs:
    """The server's programs; without them a test is skipped at a desk and fails in CI."""
    result = installed_programs()
    if isinstance(result, str):
        if os.environ.get("CI"):
            pytest.fail(result)
        pytest.skip(result)
    return result


@pytest.fixture(scope="session")
def pristine_data_directory(postgres_programs: Programs, initialized: Initialized) -> Path:
    """What initdb makes: plain clusters are copies of it."""
    return initialized(postgres_programs)


def copy_into(cluster: Cluster, data: Path) -> None:
    """Makes a cluster's data directory, as its user."""
    cluster.run("cp", "-R", data, cluster.data_directory)
    cluster.run("chmod", "-R", "u=rwX,go=", cluster.data_directory)


def initialize(programs: Programs, user: str, data: Path) -> None:
    """Makes a data directory with initdb, in words that every major version knows."""
    options = ("-N", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8")
    command = (programs.bin_directory / "initdb", "-D", data, *options)
    run_as(user, command, directory=data.parent, environment={})


@pytest.fixture(scope="session")
def next_port() -> Callable[[], int]:
    """Ports that no other worker uses."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    return count(FIRST_PORT + worker * PORTS_A_WORKER).__next__


@pytest.fixture
def make_cluster(
    postgres_programs: Programs, pristine_data_directory: Path, next_port: Callable[[], int]
) -> Iterator[MakeCluster]:
    """Makes clusters for one test; they are stopped and removed after it."""
    user = unprivileged_user()
    with ExitStack() as undo:

        def make(layout: Layout = "plain", *, settings: Mapping[str, str] | None = None) -> Cluster:
            directory = undo.enter_context(directory_of(user))
            cluster = describe(layout, postgres_programs, user, directory, next_port())
            match layout:
                case "plain":
                    copy_into(cluster, pristine_data_directory)
                    cluster.run("mkdir", cluster.socket_directory)
                case "debian":
                    create_the_debian_way(cluster)
                case _:
                    assert_never(layout)
            configure(cluster, {"fsync": "off"} if settings is None else settings)
            undo.callback(crash, cluster)
            return cluster

        yield make


@pytest.fixture
def running_cluster(make_cluster: MakeCluster) -> Cluster:
    """A plain cluster that takes connections."""
    cluster = make_cluster()
    cluster.start()
    return cluster


def describe(layout: Layout, programs: Programs, user: str, directory: Path, port: int) -> Cluster:
    """Where everything of a cluster will stand."""
    data = directory / "data"
    confroot = directory / "etc"
    debian = layout == "debian"
    return Cluster(
        programs=programs,
        layout=layout,
        os_user=user,
        directory=directory,
        data_directory=data,
        config_file=(confroot / programs.major / f"test{port}" if debian else data) / "postgresql.conf",
        port=port,
        environment={"PG_CLUSTER_CONF_ROOT": str(confroot)} if debian else {},
    )


def create_the_debian_way(cluster: Cluster) -> None:
    """pg_createcluster under a configuration root of the test's own: the machine's /etc is left alone."""
    need("pg_createcluster")
    cluster.run("mkdir", cluster.environment["PG_CLUSTER_CONF_ROOT"], cluster.socket_directory)
    places = ("-d", cluster.data_directory, "-s", cluster.socket_directory, "-l", cluster.log_file)
    initdb = ("--no-sync", "--auth-local=trust", "--encoding=UTF8", "--locale=C.UTF-8")
    # A name of its own: Debian keeps a file of that name in /var/run/postgresql, beside the machine's own.
    version = (cluster.programs.major, cluster.config_file.parent.name)
    cluster.run(
        "pg_createcluster", *places, "-p", str(cluster.port), "--start-conf=manual", *version, "--", *initdb
    )


def configure(cluster: Cluster, settings: Mapping[str, str]) -> None:
    """Appends lines to the configuration, each value quoted; the socket is all that the server listens on."""
    where = {
        "listen_addresses": "",
        "port": str(cluster.port),
        "unix_socket_directories": str(cluster.socket_directory),
    }
    with cluster.config_file.open("a") as config:
        for name, value in {**where, **settings}.items():
            quoted = value.replace("'", "''")
            config.write(f"{name} = '{quoted}'\n")


def crash(cluster: Cluster) -> None:
    """Ends a server without ceremony: its files are about to go."""
    if cluster.is_running():
        cluster.stop(mode="immediate")
