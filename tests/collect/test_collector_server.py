"""The collector tells of a server what its files and its process say, and no secret of it."""

from pathlib import Path

import pytest

from collected import CONFIG, DATA, SECRET, collect, collected, differences, facts_of, make, shells
from tunewiz.collect.captured import RootedSystem
from tunewiz.collect.collected import read_collection
from tunewiz.collect.everything import read_facts
from tunewiz.collect.system import System
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.values.known import Known


def cluster(root: Path) -> Path:
    """A server of Debian's layout whose WAL is behind a link and whose files hold secrets."""
    return make(
        root,
        {
            f"{CONFIG}/postgresql.conf": (
                "# password hunter2\n"
                f"data_directory = '/{DATA}'   # hunter2\n"
                "shared_buffers = 1GB\t# hunter2\n"
                "Archive_Command = 'curl -u me:hunter2 %p'\n"
                "my.extension_password = 'hunter2'\n"
                "ssl_passphrase_command='echo hunter2'\n"
                "cluster_name = 'it''s # 1'\n"
                "include_dir = 'conf.d'\n"
                "include_if_exists = 'local.conf'"
            ),
            f"{CONFIG}/local.conf": "jit = off",
            f"{CONFIG}/start.conf": "auto\n",
            f"{CONFIG}/conf.d/a.conf": "work_mem = 8MB\ninclude '../deep.conf'\n",
            f"{CONFIG}/deep.conf": "max_connections = 250\n",
            f"{DATA}/PG_VERSION": "15\n",
            f"{DATA}/postgresql.auto.conf": "random_page_cost = '1.1'\nprimary_conninfo = 'hunter2'\n",
            f"{DATA}/standby.signal": "",
            f"{DATA}/global/pg_control": bytes.fromhex("0102030405060708")
            + (1300).to_bytes(4, "little")
            + b"hunter2",
            "srv/wal/0001": "",
        },
        {f"{DATA}/pg_wal": "../../../../../srv/wal"},
    )


def the_server(system: System) -> PostgresServer:
    (server,) = read_facts(system).postgres
    return server


def setting(server: PostgresServer, name: str) -> tuple[str, str | None]:
    assert isinstance(server.settings, Known)
    result = server.settings.value[name]
    return result.value, result.sourcefile


@pytest.mark.parametrize("shell", shells())
def test_a_server_s_files_tell_as_much_as_on_the_machine(shell: tuple[str, ...], tmp_path: Path) -> None:
    root = cluster(tmp_path)
    result = differences(facts_of(RootedSystem(root)), facts_of(collected(root, shell)))
    assert sorted(text.partition(":")[0] for text in result) == ["postgres.0.os_uid", "postgres.0.os_user"]
    server = the_server(collected(root, shell))
    assert setting(server, "shared_buffers") == ("131072", f"/{CONFIG}/postgresql.conf:3")
    assert setting(server, "work_mem") == ("8192", f"/{CONFIG}/conf.d/a.conf:1")
    assert setting(server, "max_connections") == ("250", f"/{CONFIG}/deep.conf:1")
    assert setting(server, "jit") == ("off", f"/{CONFIG}/local.conf:1")
    assert setting(server, "random_page_cost") == ("1.1", f"/{DATA}/postgresql.auto.conf:1")
    assert setting(server, "cluster_name")[0] == "it's # 1"
    assert (server.role, server.owner) == (Known("standby", server_how(server)), "debian")
    assert isinstance(server.os_user, Known)
    assert server.system_identifier == Known("578437695752307201", f"/{DATA}/global/pg_control")


def server_how(server: PostgresServer) -> str:
    assert isinstance(server.role, Known)
    return server.role.how


@pytest.mark.parametrize("shell", shells())
def test_a_running_server_is_found_with_the_settings_of_its_command_line(
    shell: tuple[str, ...], tmp_path: Path
) -> None:
    arguments = ("/usr/lib/postgresql/15/bin/postgres", "-D", f"/{DATA}", "-c", "work_mem=9MB")
    more = (
        "-c",
        "ext.key=hunter2",
        "--jit=off",
        "--primary_conninfo=password=hunter2",
        "-p",
        "5433",
        "hunter2",
    )
    root = make(
        cluster(tmp_path),
        {
            "proc/1/comm": "systemd\n",
            "proc/1/cmdline": "/sbin/init\0hunter2\0",
            "proc/700/comm": "postgres\n",
            "proc/700/cmdline": "\0".join((*arguments, f"--config_file=/{CONFIG}/postgresql.conf", *more))
            + "\0",
            "proc/700/stat": "700 (postgres) S 1 700 700 0 -1 4194560 1 1 1 1 0 0 0 0 20 0 1 0 500 1 1\n",
            "proc/700/environ": "PGPASSWORD=hunter2\0",
            "proc/701/comm": "postgres\n",
            "proc/701/cmdline": "postgres: checkpointer hunter2\0",
            "proc/701/stat": "701 (postgres) S 700 1 1 0 -1\n",
            "proc/702/comm": "mysqld\n",
            "proc/702/cmdline": "mysqld\0--password=hunter2\0",
            f"{DATA}/postmaster.pid": f"700\n/{DATA}\n1700000000\n5433\n/run/postgresql\n*\n",
        },
        {"proc/700/cwd": f"/{DATA}"},
    )
    data = collect(root, shell)
    assert SECRET.encode() not in data
    server = the_server(read_collection(data, "collection"))
    assert server.running
    assert server.port == Known(5433, f"/{DATA}/postmaster.pid")
    assert setting(server, "work_mem") == ("9216", None)
    assert setting(server, "jit") == ("off", None)


def test_the_process_that_starts_patroni_s_server_is_known_by_one_word(tmp_path: Path) -> None:
    root = make(
        tmp_path,
        {
            "proc/600/comm": "python3\n",
            "proc/600/cmdline": "python3\0/usr/bin/patroni\0--password=hunter2\0",
            "proc/700/comm": "postgres\n",
            "proc/700/cmdline": "postgres\0-D\0/srv/pg\0",
            "proc/700/stat": "700 (postgres) S 600 1 1 0 -1\n",
            "srv/pg/PG_VERSION": "16\n",
            "srv/pg/postgresql.conf": "work_mem = 5MB\n",
        },
        {"proc/700/cwd": "/srv/pg"},
    )
    assert the_server(collected(root)).owner == "patroni"
    assert SECRET.encode() not in collect(root)
