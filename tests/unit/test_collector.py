"""The collector under every shell: what it tells gives the machine's own facts, and no secrets."""

import os
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from collected import DASH, SCRIPT, SHELLS, collect, collected, make, need
from recorded_machines import Leaf, foreign_captures, leaves, our_captures, unpack
from tunewiz.capture import RootedSystem
from tunewiz.collection import read_collection
from tunewiz.core.facts_server import PostgresServer
from tunewiz.core.known import Absent, Known, Unknown
from tunewiz.facts.whole import read_facts
from tunewiz.system import System

SECRET = "hunter2"  # noqa: S105 - what must not be found
NOBODY = 65534
"""A user without rights: root may read everything."""
DATA = "var/lib/postgresql/15/main"
CONFIG = "etc/postgresql/15/main"


def shells() -> list[Any]:
    return [pytest.param(shell, id=shell[0]) for shell in SHELLS]


def facts_of(system: System) -> dict[str, Leaf]:
    return leaves(read_facts(system))


def value(leaf: Leaf | None) -> object:
    match leaf:
        case Known(found):
            return found
        case Absent():
            return "absent"
        case _:
            return "unknown"


def differences(one: dict[str, Leaf], other: dict[str, Leaf]) -> list[str]:
    return [
        f"{name}: {one.get(name)}, collected {other.get(name)}"
        for name in sorted(one.keys() | other.keys())
        if value(one.get(name)) != value(other.get(name))
    ]


@pytest.mark.parametrize("shell", shells())
@pytest.mark.parametrize("path", our_captures(), ids=lambda path: path.stem)
def test_a_machine_that_was_collected_gives_its_own_facts(
    path: Path, shell: tuple[str, ...], tmp_path: Path
) -> None:
    unpack(path, tmp_path)
    assert differences(facts_of(RootedSystem(tmp_path)), facts_of(collected(tmp_path, shell))) == []


@pytest.mark.slow
@pytest.mark.parametrize("path", foreign_captures() or [Path()], ids=lambda path: path.stem)
def test_machines_of_other_projects_give_their_own_facts(path: Path, tmp_path: Path) -> None:
    if path == Path():
        pytest.skip(
            "TUNEWIZ_CAPTURES names no folder: the captured machines of other projects are not tested"
        )
    unpack(path, tmp_path)
    assert differences(facts_of(RootedSystem(tmp_path)), facts_of(collected(tmp_path))) == []


CHANGES = (
    "cpu.steal",
    "memory.available",
    "memory.nodes",
    "memory.huge_pages",
    "limits.",
    "storage.",
    "postgres.",
    "host.identity",
)
"""What changes between two looks at this host, or is told by the collector alone."""


@pytest.mark.parametrize("shell", shells())
def test_this_host_is_collected_as_it_is_read(shell: tuple[str, ...]) -> None:
    here = facts_of(RootedSystem(Path("/")))
    told = facts_of(collected(None, shell))
    assert [each for each in differences(here, told) if not each.startswith(CHANGES)] == []
    assert told["host.architecture"] == Known(os.uname().machine, "uname -m")


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
    (found,) = read_facts(system).postgres
    return found


def setting(server: PostgresServer, name: str) -> tuple[str, str | None]:
    assert isinstance(server.settings, Known)
    found = server.settings.value[name]
    return found.value, found.sourcefile


@pytest.mark.parametrize("shell", shells())
def test_a_server_s_files_tell_as_much_as_on_the_machine(shell: tuple[str, ...], tmp_path: Path) -> None:
    root = cluster(tmp_path)
    found = differences(facts_of(RootedSystem(root)), facts_of(collected(root, shell)))
    assert [each.partition(":")[0] for each in found] == ["postgres.0.os_user"]
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
    told = collect(root, shell)
    assert SECRET.encode() not in told
    server = the_server(read_collection(told, "collection"))
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


def test_no_secret_of_the_machine_is_taken(tmp_path: Path) -> None:
    root = make(
        tmp_path,
        {
            "etc/machine-id": "deadbeefdeadbeefdeadbeefdeadbeef\n",
            "etc/shadow": "root:hunter2\n",
            "etc/passwd": "root:x:0:0:hunter2\n",
            "etc/ssh/ssh_host_rsa_key": "hunter2\n",
            "etc/sysctl.d/99-a.conf": "# hunter2\nkernel.core_pattern=|/bin/x hunter2\nvm.swappiness=5\n",
            "etc/tmpfiles.d/a.conf": "f /root/.pgpass 0600 - - - hunter2\n",
            "etc/patroni/a.yml": "postgresql:\n  data_dir: /srv/pg\n  authentication: {password: hunter2}\n",
            "proc/cmdline": "root=/dev/sda1 password=hunter2\n",
            "proc/cpuinfo": "processor\t: 0\nSerial\t\t: hunter2\n",
            "proc/sysinfo": "Manufacturer: IBM\nSequence Code: hunter2\nVM00 UUID: hunter2\n",
            "proc/ppc64/lparcfg": "serial_number=hunter2\nsystem_type=IBM,9009\n",
            "proc/1/environ": "TOKEN=hunter2\0container=lxc\0",
            "proc/self/mountinfo": "1 0 0:1 / / rw - cifs //s/x rw,username=hunter2,pass=hunter2\n",
            "sys/class/dmi/id/product_serial": "hunter2\n",
            "sys/class/dmi/id/product_uuid": "hunter2\n",
            "sys/class/dmi/id/product_name": "Box\n",
            "sys/class/net/eth0/address": "hunter2\n",
            "sys/block/sda/device/serial": "hunter2\n",
            "sys/block/sda/size": "100\n",
            "sys/block/sda/device/wwid": "hunter2\n",
        },
        {"dev/disk/by-id/ata-hunter2": "../../sda"},
    )
    told = collect(root)
    assert SECRET.encode() not in told
    assert b"deadbeef" not in told
    facts = read_facts(read_collection(told, "collection"))
    assert facts.virtualization.container == Known("lxc", "/proc/1/environ")
    assert facts.host.identity == Known(
        read_value(read_facts(RootedSystem(root)).host.identity), "/.tunewiz/identity"
    )


def read_value(fact: Known[str] | Unknown) -> str:
    assert isinstance(fact, Known)
    return fact.value


def test_whoever_else_keeps_settings_is_told_too(tmp_path: Path) -> None:
    profile = "usr/lib/tuned/base/tuned.conf"
    root = make(
        tmp_path,
        {
            "etc/sysctl.d/99-a.conf": "# Ansible managed: hunter2\nnet.x=1\n\nvm.swappiness = 5\n",
            "usr/lib/sysctl.d/95-b.conf": "vm.dirty_ratio=5\n",
            "etc/tmpfiles.d/a.conf": "d /x\nw /sys/kernel/mm/transparent_hugepage/enabled - - - - always\n",
            "etc/tuned/active_profile": "own\n",
            "etc/tuned/own/tuned.conf": "[main]\ninclude=base\n",
            profile: "[vm]\ndirty_bytes=40%\n",
        },
        {"etc/sysctl.d/95-b.conf": "/dev/null"},
    )
    assert read_facts(collected(root)).owners == read_facts(RootedSystem(root)).owners


@pytest.mark.parametrize("shell", shells())
def test_the_paths_of_a_disk_and_its_name_are_told_without_its_serial_number(
    shell: tuple[str, ...], tmp_path: Path
) -> None:
    nvme = "sys/devices/virtual/nvme-subsystem/nvme-subsys0"
    root = make(
        tmp_path,
        {
            f"{nvme}/nvme0n1/dev": "259:0\n",
            f"{nvme}/nvme0n1/queue/rotational": "0\n",
            f"{nvme}/nvme0n1/device/nvme3/transport": "tcp\n",
            f"{nvme}/nvme0n1/device/nvme3/serial": f"{SECRET}\n",
            f"{nvme}/nvme0n1/wwid": f"nvme.{SECRET}\n",
            "proc/self/mountinfo": "1 0 259:0 / / rw - xfs /dev/nvme0n1 rw\n",
            f"{CONFIG}/postgresql.conf": "",
            f"{DATA}/PG_VERSION": "15\n",
        },
        {
            "sys/block/nvme0n1": "../devices/virtual/nvme-subsystem/nvme-subsys0/nvme0n1",
            "dev/disk/by-path/pci-0000:00:04.0-nvme-1": "../../nvme0n1",
            f"dev/disk/by-id/nvme-{SECRET}": "../../nvme0n1",
        },
    )
    told = collect(root, shell)
    assert SECRET.encode() not in told
    (storage,) = read_facts(read_collection(told, "collection")).storage
    assert isinstance(storage.disks, Known)
    (disk,) = storage.disks.value
    assert (value(disk.transport), value(disk.stable)) == (
        "nvme-tcp",
        "/dev/disk/by-path/pci-0000:00:04.0-nvme-1",
    )


def test_a_file_that_may_not_be_read_is_told_as_denied() -> None:
    need(DASH)
    with TemporaryDirectory() as folder:
        root = make(Path(folder), {"proc/meminfo": "MemTotal: 1 kB\n", "proc/version": "Linux\n"})
        root.chmod(0o755)
        (root / "proc/meminfo").chmod(0)
        done = subprocess.run(
            [*DASH, "-s"],
            input=SCRIPT.read_bytes(),
            capture_output=True,
            check=True,
            env={"PATH": os.environ["PATH"], "TUNEWIZ_ROOT": folder},
            user=NOBODY if os.geteuid() == 0 else None,
        )
    assert b"N /proc/meminfo\n" in done.stdout
    assert b"T /proc/version\n Linux\n" in done.stdout


@pytest.mark.parametrize("shell", shells())
def test_odd_names_and_contents_stay_inside_their_records(shell: tuple[str, ...], tmp_path: Path) -> None:
    root = make(
        tmp_path,
        {
            "proc/meminfo": b"MemTotal: 1024 kB\nT /etc/x\nend\n7\n\xff\x00\\040 $(id) `id` %s -n",
            f"{CONFIG}/postgresql.conf": "include_dir 'a b'\n",
            f"{CONFIG}/a b/x y.conf": "work_mem = 5MB\n",
            f"{CONFIG}/a b/n\nl.conf": "jit = off\n",
            "sys/block/a&b|c/dev": "8:0\n",
        },
    )
    system = collected(root, shell)
    assert system.read_bytes("/proc/meminfo").endswith(b"7\n\xff\\040 $(id) `id` %s -n\n")
    assert system.read_text(f"/{CONFIG}/a b/x y.conf") == "work_mem = 5MB\n"
    assert not system.exists("/etc/x")


@pytest.mark.parametrize("shell", shells())
def test_every_shell_takes_the_script_for_one(shell: tuple[str, ...]) -> None:
    need(shell)
    assert subprocess.run([*shell, "-n", SCRIPT], capture_output=True, check=False).stderr == b""


def test_it_refuses_to_write_to_a_terminal() -> None:
    need(DASH)
    ours, theirs = os.openpty()
    try:
        done = subprocess.run(
            [*DASH, SCRIPT], stdout=theirs, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False
        )
    finally:
        os.close(ours)
        os.close(theirs)
    assert done.returncode == 2
    assert done.stderr == b"collect.sh: writes to standard output: sh collect.sh >server.tunewiz\n"


@pytest.mark.parametrize("shell", shells())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=8)
@given(data=st.data())
def test_a_script_that_was_cut_on_its_way_collects_nothing(
    shell: tuple[str, ...], tmp_path: Path, data: st.DataObject
) -> None:
    need(shell)
    content = SCRIPT.read_bytes()
    cut = tmp_path / "cut.sh"
    cut.write_bytes(content[: data.draw(st.integers(0, len(content) - len(b'main "$@"\n')))])
    done = subprocess.run([*shell, cut], capture_output=True, check=False)
    assert done.stdout == b""


def test_everything_but_the_last_line_is_one_group_of_which_a_shell_runs_nothing_until_its_end() -> None:
    lines = [line for line in SCRIPT.read_text().splitlines() if line and not line.startswith("#")]
    assert (lines[0], lines[-2:]) == ("{", ["}", 'main "$@"'])
