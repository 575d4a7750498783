"""Every kind of change of the machine in one bundle, in every shell that an administrator may have."""

import dataclasses
import struct
from pathlib import Path

import pytest

from boot_machines import LOADERS, put_grub
from pretend_root import DATA, PretendRoot, make_root
from shells import EVERY_SHELL
from small_host import host_bundle, put_program, put_systemd
from tunewiz.core.recommendation.targets import Effect
from tunewiz.kinds.boot import KernelArgument
from tunewiz.kinds.mount import MountOption
from tunewiz.kinds.queue import QueueValue
from tunewiz.kinds.sampling import SamplingService
from tunewiz.kinds.swap import SwapFile
from tunewiz.kinds.unit import UnitDropIn
from tunewiz.kinds.vacuum import VacuumSchedule
from tunewiz.kinds.wal import MoveWal

STABLE = "/dev/disk/by-id/wwn-0x5002538e40a1b2c3"
MOUNTED = "30 22 8:2 / /srv rw{} shared:2 - xfs /dev/sda rw\n"
CLOCK = KernelArgument(arguments=("clocksource=tsc",))
FSTAB = """# all * of it
UUID=1 / ext4 defaults 0 1
UUID=2  /srv xfs defaults 0 2
UUID=3 /disk xfs defaults 0 2
"""
SHUT_DOWN = 1
"""As a server's control file has it."""
ALL = (
    QueueValue(device="sda", stable=STABLE, name="scheduler", value="none", before="bfq"),
    MountOption(mount="/srv", instead_of="strictatime", option="noatime"),
    SwapFile(path="/swapfile", mebibytes=1),
    UnitDropIn(unit="postgresql.service", lines=(("OOMScoreAdjust", "-900"),)),
    VacuumSchedule(by="systemd", hour=3, minute=7, os_user="postgres", port=5432, socket_directory=""),
    SamplingService(
        program="/usr/bin/tunewiz",
        keep="7d",
        os_user="postgres",
        directory=DATA,
        unit="postgresql.service",
        socket_directory="",
    ),
    CLOCK,
    MoveWal(data_directory=DATA, name="pg_wal", target="/disk/wal"),
)
PROGRAMS = {
    "tunewiz": "#!/bin/sh\n",
    "mkswap": "#!/bin/sh\nexit 0\n",
    "swapon": '#!/bin/sh\necho "/swapfile file 1020 0 -2" >>"$TUNEWIZ_ROOT/proc/swaps"\n',
    "swapoff": '#!/bin/sh\necho "Filename Type Size Used Priority" >"$TUNEWIZ_ROOT/proc/swaps"\n',
    "mount": """#!/bin/sh
word=
case $4 in *noatime) word=,noatime ;; *) ;; esac
echo "30 22 8:2 / /srv rw$word shared:2 - xfs /dev/sda rw" >"$TUNEWIZ_ROOT/proc/self/mountinfo"
""",
    "stat": """#!/bin/sh
# /disk is a file system of its own.
case $*: in
    "-c %d "*/disk*) echo 1 ;;
    "-c %m "*/disk*) echo "$TUNEWIZ_ROOT/disk" ;;
    *) exec /usr/bin/stat "$@" ;;
esac
""",
    "../lib/postgresql/15/bin/postgres": """#!/bin/sh
case $* in
    --version) echo 'postgres (PostgreSQL) 15.2' ;;
    *max_wal_size) echo 64 ;;
    *) echo "${3#config_file=}" ;;
esac
""",
}


@pytest.fixture
def machine(tmp_path: Path) -> PretendRoot:
    made = make_root(tmp_path)
    put_systemd(made, "postgresql.service")
    put_grub(made)
    for name, text in PROGRAMS.items():
        put_program(made, name, text)
    made.write("/sys/block/sda/queue/scheduler", "none mq-deadline [bfq]\n")
    made.write("/etc/udev/rules.d/70-site.rules", "# a * of the site's own\n")
    made.write("/etc/fstab", FSTAB)
    made.write("/proc/self/mountinfo", MOUNTED.format(""))
    made.write("/proc/swaps", "Filename Type Size Used Priority\n")
    made.write(f"{DATA}/pg_wal/000000010000000000000001", "the log\n")
    made.write(f"{DATA}/global/pg_control", "")
    made.path(f"{DATA}/global/pg_control").write_bytes(bytes(16) + struct.pack("=I", SHUT_DOWN))
    made.path("/disk").mkdir()
    link = made.path(STABLE)
    link.parent.mkdir(parents=True)
    link.symlink_to("../../sda")
    return made


@pytest.mark.slow
@pytest.mark.parametrize("shell", EVERY_SHELL)
def test_every_kind_is_applied_verified_and_taken_back(
    shell: tuple[str, ...], machine: PretendRoot, tmp_path: Path
) -> None:
    machine = dataclasses.replace(machine, shell=shell)
    made, before = host_bundle(tmp_path / "bundle", *ALL, effect=Effect.RESTART), machine.tree()
    applied = machine.run(made / "apply.sh")
    assert (applied.status, applied.err) == (0, ""), applied.said
    assert machine.read("/proc/self/mountinfo") == MOUNTED.format(",noatime")
    assert machine.read("/sys/block/sda/queue/scheduler") == "[none] mq-deadline bfq\n"
    assert machine.read("/etc/fstab").splitlines()[2:] == [
        "UUID=2 /srv xfs defaults,noatime 0 2",
        "UUID=3 /disk xfs defaults 0 2",
        "/swapfile none swap sw 0 0",
    ]
    assert machine.read("/disk/wal/000000010000000000000001") == "the log\n"
    assert machine.path(f"{DATA}/pg_wal").readlink() == machine.path("/disk/wal")
    verified = machine.run(made / "verify.sh")
    # What a boot brings waits for it; all else is as planned.
    assert [line.split()[1] for line in verified.out.splitlines() if line.startswith("DIFFERS")] == ["kernel"]
    restored = machine.run(made / "rollback.sh")
    assert (restored.status, restored.err) == (0, "")
    assert machine.tree() == before


@pytest.mark.slow
@pytest.mark.parametrize("shell", EVERY_SHELL)
@pytest.mark.parametrize("loader", ["systemd-boot", "zipl"])
def test_kernel_arguments_are_given_by_every_loader(
    loader: str, shell: tuple[str, ...], tmp_path: Path
) -> None:
    booted = LOADERS[loader](tmp_path)
    machine = dataclasses.replace(booted.machine, shell=shell)
    made, before = host_bundle(tmp_path / "bundle", CLOCK, effect=Effect.REBOOT), machine.tree()
    applied = machine.run(made / "apply.sh")
    assert (applied.status, applied.err) == (0, "")
    assert "clocksource=tsc" in machine.read(booted.ours)
    assert machine.run(made / "verify.sh").status == 1
    restored = machine.run(made / "rollback.sh")
    assert (restored.status, restored.err) == (0, ""), restored.said
    assert machine.tree() == before
