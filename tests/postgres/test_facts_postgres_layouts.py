"""Servers as packages lay them out, on recorded machines: nothing of this host is looked at."""

from collections.abc import Mapping

import pytest

from tunewiz.collect.captured import RecordedSystem
from tunewiz.collect.everything import directories_of, read_facts
from tunewiz.collect.postgres.found_server import sockets
from tunewiz.collect.postgres.options import read_command
from tunewiz.collect.postgres.servers import find_servers
from tunewiz.core.facts.server import PostgresServer, Setting
from tunewiz.core.values.known import Absent, Known, MaybeFact, T, Unknown

ETC = "/etc/postgresql/15/main"
DATA = "/var/lib/postgresql/15/main"
LITTLE = (7642011472967116994).to_bytes(8, "little") + (1300).to_bytes(4, "little")
BIG = (7642011472967116994).to_bytes(8, "big") + (960).to_bytes(4, "big")
WHERE = b"data_directory = '/var/lib/postgresql/15/main'\n"
PID_FILE = b"100\n/var/lib/postgresql/15/main\n1789000000\n5433\n/var/run/postgresql\n\n  1 2\nready\n"
DEBIAN = {
    f"{ETC}/postgresql.conf": WHERE + b"port = 5433\nwork_mem = 8MB\ninclude_dir 'conf.d'\n",
    f"{ETC}/start.conf": b"auto\n",
    f"{ETC}/conf.d/a.conf": b"shared_buffers = 1GB\n",
    f"{DATA}/PG_VERSION": b"15\n",
    f"{DATA}/postgresql.auto.conf": b"random_page_cost = '1.1'\n",
    f"{DATA}/global/pg_control": LITTLE + b"\0" * 100,
}
UNIT = b"postgres\0-D\0/var/lib/postgresql/15/main\0-c\0config_file=/etc/postgresql/15/main/postgresql.conf\0"


def value(fact: MaybeFact[T]) -> T:
    assert isinstance(fact, Known), fact
    return fact.value


def servers_of(
    files: Mapping[str, bytes], links: Mapping[str, str] | None = None, *dirs: str
) -> tuple[PostgresServer, ...]:
    return find_servers(RecordedSystem(files, links, dirs))


def process(
    pid: int, command: bytes, parent: int = 1, group: bytes = b"0::/system.slice\n"
) -> dict[str, bytes]:
    return {
        f"/proc/{pid}/comm": b"postgres\n",
        f"/proc/{pid}/cmdline": command,
        f"/proc/{pid}/stat": f"{pid} (postgres) S {parent} 1 1 0\n".encode(),
        f"/proc/{pid}/cgroup": group,
    }


def test_a_machine_without_postgresql_has_no_server() -> None:
    assert servers_of({"/etc/hostname": b"bare\n"}) == ()


def test_a_stopped_debian_cluster_is_found_by_its_configuration() -> None:
    (server,) = servers_of(DEBIAN)
    assert (server.running, server.owner) == (False, "debian")
    assert value(server.major) == "15"
    assert value(server.data_directory) == DATA
    assert value(server.config_file) == f"{ETC}/postgresql.conf"
    assert server.port == Known(5433, f"{ETC}/postgresql.conf:2")
    assert server.include_directory == Known(f"{ETC}/conf.d", f"{ETC}/postgresql.conf:4")
    assert value(server.system_identifier) == "7642011472967116994"
    assert value(server.role) == "primary"
    settings = value(server.settings)
    assert settings["shared_buffers"] == Setting(
        value="131072", unit="8kB", source="configuration file", sourcefile=f"{ETC}/conf.d/a.conf:1"
    )
    assert settings["random_page_cost"].sourcefile == f"{DATA}/postgresql.auto.conf:1"
    assert settings["maintenance_work_mem"] == Setting(value="65536", unit="kB", source="default")


def test_a_running_server_is_found_by_its_process_and_counted_once() -> None:
    files = {
        **DEBIAN,
        **process(100, UNIT),
        **process(101, b"postgres: 15/main: checkpointer \0", parent=100),
        f"{DATA}/postmaster.pid": PID_FILE,
    }
    (server,) = servers_of(files, {"/proc/100/cwd": DATA})
    assert (server.running, server.owner) == (True, "debian")
    assert server.data_directory == Known(DATA, "/proc/100/cwd")
    assert server.port == Known(5433, f"{DATA}/postmaster.pid")
    assert value(server.socket_directory) == "/var/run/postgresql"
    assert server.activity == Unknown("a captured server cannot be queried")
    assert value(server.settings)["work_mem"].value == "8192"


def test_a_process_that_hides_its_directory_is_found_by_its_command_line() -> None:
    (server,) = servers_of({**DEBIAN, **process(100, UNIT)})
    assert (server.running, value(server.data_directory)) == (True, DATA)


def test_a_process_whose_directory_is_not_mounted_any_more_is_found_by_its_command_line() -> None:
    (server,) = servers_of({**DEBIAN, **process(100, UNIT)}, {"/proc/100/cwd": "/"})
    assert (server.running, value(server.data_directory)) == (True, DATA)


@pytest.mark.parametrize(
    "command", [b"postgres\0--single\0-D\0/x\0", b"postgres\0-D\0/x\0-C\0port\0", b"vi\0postgres\0"]
)
def test_what_is_no_server_is_left_alone(command: bytes) -> None:
    assert servers_of(process(100, command)) == ()


def test_several_clusters_are_all_told() -> None:
    files = {
        **DEBIAN,
        "/etc/postgresql/12/old/postgresql.conf": b"data_directory '/srv/old'",
        "/etc/postgresql/12/old/start.conf": b"manual",
        "/srv/old/PG_VERSION": b"12\n",
        "/var/lib/pgsql/16/data/PG_VERSION": b"16\n",
        "/var/lib/pgsql/16/data/postgresql.conf": b"",
    }
    servers = servers_of(files)
    assert [(value(server.major), server.owner) for server in servers] == [
        ("12", "debian"),
        ("15", "debian"),
        ("16", "rpm"),
    ]


def test_an_rpm_cluster_has_its_configuration_beside_its_data_and_includes_nothing() -> None:
    (server,) = servers_of(
        {"/var/lib/pgsql/data/PG_VERSION": b"9.6\n", "/var/lib/pgsql/data/postgresql.conf": b"#port = 1\n"}
    )
    assert (value(server.major), server.owner) == ("9.6", "rpm")
    assert value(server.config_file) == "/var/lib/pgsql/data/postgresql.conf"
    assert server.include_directory == Absent("/var/lib/pgsql/data/postgresql.conf includes no directory")
    assert server.port == Known(5432, "PostgreSQL's default")
    assert value(server.settings)["max_wal_size"] == Setting(value="64", unit="16MB", source="default")


def test_a_cluster_looked_after_by_patroni_says_so() -> None:
    config = {"/data/pg/postgresql.conf": b"", "/data/pg/PG_VERSION": b"16\n"}
    files = {
        **config,
        **process(9, b"/usr/pgsql-16/bin/postgres\0-D\0/data/pg\0", parent=5),
        "/proc/5/cmdline": b"/usr/bin/python3\0/usr/bin/patroni\0/etc/patroni.yml\0",
    }
    (server,) = servers_of(files, {"/proc/9/cwd": "/data/pg"})
    assert (server.owner, value(server.major)) == ("patroni", "16")


def test_a_server_in_a_container_is_told_and_not_guessed_at() -> None:
    group = b"0::/system.slice/docker-0123456789abcdef.scope\n"
    files = {**process(100, b"postgres\0", group=group), "/proc/self/cgroup": b"0::/user.slice\n"}
    (server,) = servers_of(files, {"/proc/100/ns/mnt": "mnt:[2]", "/proc/self/ns/mnt": "mnt:[1]"})
    assert (server.running, server.owner) == (True, "container")
    assert server.settings == Unknown("it runs in a container: run tunewiz inside it")


def test_a_server_in_our_own_container_is_no_foreign_one() -> None:
    group = b"5:memory:/docker/0123456789abcdef\n"
    files = {**DEBIAN, **process(100, UNIT, group=group), "/proc/self/cgroup": group}
    (server,) = servers_of(files)
    assert server.owner == "debian"


@pytest.mark.parametrize(
    ("version", "files", "role"),
    [
        (b"15\n", {"standby.signal": b""}, "standby"),
        (b"15\n", {"recovery.signal": b""}, "primary"),
        (b"11\n", {"recovery.conf": b"standby_mode = 'on'\n"}, "standby"),
        (b"11\n", {"recovery.conf": b"restore_command = 'x'\n"}, "primary"),
        (b"11\n", {"standby.signal": b""}, "primary"),
    ],
)
def test_a_stopped_standby_is_known_by_its_files(version: bytes, files: dict[str, bytes], role: str) -> None:
    data = "/var/lib/pgsql/data"
    base = {f"{data}/PG_VERSION": version, f"{data}/postgresql.conf": b""}
    (server,) = servers_of({**base, **{f"{data}/{name}": content for name, content in files.items()}})
    assert value(server.role) == role


@pytest.mark.parametrize("control", [LITTLE, BIG])
def test_the_identifier_is_read_in_the_byte_order_of_its_machine(control: bytes) -> None:
    (server,) = servers_of({**DEBIAN, f"{DATA}/global/pg_control": control})
    assert value(server.system_identifier) == "7642011472967116994"


@pytest.mark.parametrize("control", [b"", b"short", b"\xff" * 12])
def test_a_control_file_of_an_unknown_layout_gives_no_identifier(control: bytes) -> None:
    (server,) = servers_of({**DEBIAN, f"{DATA}/global/pg_control": control})
    assert isinstance(server.system_identifier, Unknown)


@pytest.mark.parametrize(
    ("version", "says"),
    [(b"7.4\n", "expected"), (b"\xff\n", "expected"), (b"", "expected")],
)
def test_a_version_that_cannot_be_read_is_unknown_with_the_reason(version: bytes, says: str) -> None:
    (server,) = servers_of({**DEBIAN, f"{DATA}/PG_VERSION": version})
    assert isinstance(server.major, Unknown)
    assert says in server.major.why
    assert isinstance(server.settings, Unknown)


@pytest.mark.parametrize("version", ["9.4", "8.4"])
def test_a_version_that_is_too_old_is_known_and_its_settings_are_not(version: str) -> None:
    (server,) = servers_of({**DEBIAN, f"{DATA}/PG_VERSION": f"{version}\n".encode()})
    assert value(server.major) == version
    assert isinstance(server.settings, Unknown)
    assert f"nothing is known about the settings of PostgreSQL {version}" in server.settings.why


def test_a_setting_that_the_version_does_not_take_is_left_out_and_told() -> None:
    bad = WHERE + b"work_mem = banana\nio_workers = 3\nno_such = 1\nx.y = 1\n"
    (server,) = servers_of({**DEBIAN, f"{ETC}/postgresql.conf": bad})
    assert isinstance(server.settings, Known)
    assert not server.settings.value.keys() & {"work_mem", "io_workers", "no_such", "x.y"}
    for name in (
        "postgresql.conf:2: work_mem",
        "io_workers first appeared in PostgreSQL 18",
        "no_such is not a PostgreSQL setting",
    ):
        assert name in server.settings.how


def test_a_configuration_with_which_the_server_would_not_start_is_told() -> None:
    broken = WHERE + b"work_mem = 128 MB\n"
    (server,) = servers_of({**DEBIAN, f"{ETC}/postgresql.conf": broken})
    assert isinstance(server.settings, Known)
    assert f"would not start: {ETC}/postgresql.conf:2: syntax error" in server.settings.how


def test_a_directory_whose_files_are_overruled_takes_no_drop_in() -> None:
    late = DEBIAN[f"{ETC}/postgresql.conf"] + b"work_mem = 1MB\n"
    (server,) = servers_of({**DEBIAN, f"{ETC}/postgresql.conf": late})
    assert server.include_directory == Absent(
        f"{ETC}/conf.d is included, but {ETC}/postgresql.conf:5 sets work_mem after it"
    )


def test_a_file_that_is_read_after_a_drop_in_takes_its_place() -> None:
    (server,) = servers_of({**DEBIAN, f"{ETC}/conf.d/zzz.conf": b"work_mem = 1MB\n"})
    assert isinstance(server.include_directory, Absent)


def test_where_the_server_listens_may_be_said_after_a_drop_in() -> None:
    late = DEBIAN[f"{ETC}/postgresql.conf"] + b"port = 6000\nlisten_addresses = '*'\n"
    (server,) = servers_of({**DEBIAN, f"{ETC}/postgresql.conf": late})
    assert value(server.include_directory) == f"{ETC}/conf.d"


def test_data_wal_and_tablespaces_are_where_their_links_lead() -> None:
    links = {
        f"{DATA}/pg_wal": "/wal/15",
        f"{DATA}/pg_tblspc/16384": "/fast/space",
    }
    system = RecordedSystem({**DEBIAN, "/wal/15/x": b"", "/fast/space/x": b""}, links)
    assert directories_of(system, find_servers(system)) == {
        "data": (DATA,),
        "wal": ("/wal/15",),
        "tablespace": ("/fast/space",),
    }


def test_the_wal_of_9_6_has_its_old_name() -> None:
    data = "/var/lib/pgsql/data"
    files = {f"{data}/PG_VERSION": b"9.6\n", f"{data}/postgresql.conf": b"", "/wal/x": b""}
    system = RecordedSystem(files, {f"{data}/pg_xlog": "/wal"})
    assert directories_of(system, find_servers(system))["wal"] == ("/wal",)


def test_sockets_are_listed_once_though_their_directory_has_two_names() -> None:
    files = {
        f"/run/postgresql/{name}": b"" for name in (".s.PGSQL.5432", ".s.PGSQL.5432.lock", "15-main.pid")
    }
    system = RecordedSystem({**files, "/tmp/.s.PGSQL.6000": b""}, {"/var/run": "/run"})  # noqa: S108 - as recorded
    assert list(sockets(system)) == [("/var/run/postgresql", 5432), ("/tmp", 6000)]  # noqa: S108 - as recorded


def test_the_port_and_socket_of_a_server_that_hides_its_pid_file_are_those_of_its_files() -> None:
    socket = {"/run/postgresql/.s.PGSQL.5433": b""}
    (server,) = servers_of({**DEBIAN, **process(100, UNIT), **socket})
    assert server.port == Known(5433, f"{ETC}/postgresql.conf:2")
    assert server.socket_directory == Known("/run/postgresql", "/run/postgresql/.s.PGSQL.5433")


def test_a_machine_of_which_nothing_can_be_read_still_gives_facts() -> None:
    facts = read_facts(RecordedSystem({}))
    assert (facts.postgres, facts.storage) == ((), ())


@pytest.mark.parametrize(
    ("command", "directory", "settings"),
    [
        (("postgres",), "", {}),
        (("postgres", "-D", "/d", "-p", "6000"), "/d", {"port": "6000"}),
        (
            ("postgres", "-D/d", "-p6000", "-Fi"),
            "/d",
            {"port": "6000", "fsync": "off", "listen_addresses": "*"},
        ),
        (("postgres", "--work-mem=8MB", "--Port=1"), "", {"work_mem": "8MB", "port": "1"}),
        (("postgres", "-c", "work_mem=8MB", "-cjit=off"), "", {"work_mem": "8MB", "jit": "off"}),
        (("postgres", "-c", "x='a=b'"), "", {"x": "'a=b'"}),
        (("postgres", "-D"), "", {}),
        (("postgres", "-c", "nothing"), "", {}),
        (("postgres", "-h", "", "-k", "/s"), "", {"listen_addresses": "", "unix_socket_directories": "/s"}),
    ],
)
def test_the_command_line_is_taken_apart_as_getopt_does(
    command: tuple[str, ...], directory: str, settings: dict[str, str]
) -> None:
    found_line = read_command(command)
    assert (found_line.directory, found_line.settings) == (directory, settings)
