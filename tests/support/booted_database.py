"""A booted machine whose systemd runs a PostgreSQL server of its own."""

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from booted_machine import TARGET, BootedMachine, cannot_boot, unified_cgroups
from real_postgres import Programs
from small_plans import MACHINE_ID

DATA = "/srv/db/data"
SHOW = "psql -XAtq -h /srv/db -U postgres -d postgres -c 'SHOW {}'"
UNIT = """
[Service]
User=postgres
ExecStartPre=+/bin/sh -c 'ls {data}/conf.d >/srv/seen-at-start'
ExecStart={bin}/postgres -D {data}
KillSignal=SIGINT
"""
DATABASE_TARGET = """
[Unit]
Requires=basic.target
Wants=database.service
After=basic.target database.service
AllowIsolate=yes
"""


@contextmanager
def booted_database(
    programs: Programs, pristine: Path, prepare: Callable[[BootedMachine], None]
) -> Generator[BootedMachine]:
    """Booted, with the server up; skips aloud where no machine can be booted."""
    why_not, groups = cannot_boot(), unified_cgroups()
    if why_not or groups is None:
        pytest.skip(why_not)
    directory = Path(tempfile.mkdtemp(prefix="tunewiz-machine-"))
    machine = BootedMachine(directory=directory, cgroup=groups / directory.name)
    machine.write("/etc/machine-id", f"{MACHINE_ID}\n")
    machine.write("/etc/systemd/system/database.service", UNIT.format(data=DATA, bin=programs.bin_directory))
    machine.write(f"/etc/systemd/system/{TARGET}", DATABASE_TARGET)
    install_database(machine, pristine)
    prepare(machine)
    try:
        machine.boot()
        machine.wait_until(SHOW.format("work_mem"), 60)
        yield machine
    finally:
        machine.end()


def install_database(machine: BootedMachine, pristine: Path) -> None:
    data = machine.files / DATA.lstrip("/")
    data.parent.mkdir()
    subprocess.run(["cp", "-a", pristine, data], check=True)
    (data / "conf.d").mkdir()
    with (data / "postgresql.conf").open("a") as config:
        config.write("include_dir = 'conf.d'\nlisten_addresses = ''\nunix_socket_directories = '/srv/db'\n")
    data.chmod(0o700)
    for path in (data.parent, data / "conf.d"):
        shutil.chown(path, "postgres", "postgres")
