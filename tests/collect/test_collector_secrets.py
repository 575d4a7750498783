"""The collector takes no secret of a machine, and tells who else keeps settings of it."""

from pathlib import Path

import pytest

from collected import CONFIG, DATA, SECRET, collect, collected, make, shells, value
from tunewiz.collect.captured import RootedSystem
from tunewiz.collect.collected import read_collection
from tunewiz.collect.everything import read_facts
from tunewiz.core.values.known import Known, Unknown


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
            "sys/block/dasda/device/uid": "IBM.hunter2.c280.0a\n",
            "sys/bus/ccw/drivers/dasd-eckd/0.0.c2e0/uid": "IBM.hunter2.c280.xx\n",
        },
        {"dev/disk/by-id/ata-hunter2": "../../sda"},
    )
    data = collect(root)
    assert SECRET.encode() not in data
    assert b"deadbeef" not in data
    facts = read_facts(read_collection(data, "collection"))
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
    data = collect(root, shell)
    assert SECRET.encode() not in data
    (storage,) = read_facts(read_collection(data, "collection")).storage
    assert isinstance(storage.disks, Known)
    (disk,) = storage.disks.value
    assert (value(disk.transport), value(disk.stable)) == (
        "nvme-tcp",
        "/dev/disk/by-path/pci-0000:00:04.0-nvme-1",
    )
