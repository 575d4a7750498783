"""What systemd's own program reads of the boot entries that a bundle leaves behind."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from boot_machines import ID, OPTIONS, systemd_boot_machine
from pretend_root import PretendRoot
from small_host import host_bundle
from tools_here import need
from tunewiz.core.recommendation.targets import Effect
from tunewiz.kinds.boot import KernelArgument

ARGUMENTS = ("hugepagesz=1G", "hugepages=17")
DEFAULT, OURS = f"{ID}.conf", f"tunewiz-{ID}.conf"
Entries = dict[str, dict[str, str]]


@pytest.fixture
def bootctl() -> str:
    """The program, which needs a file system of its own to look at."""
    result = os.environ.get("TUNEWIZ_BOOTCTL") or shutil.which("bootctl")
    if not result:
        pytest.skip("bootctl is not here: nobody but us read the boot entries")
    need("unshare", "mount")
    if subprocess.run(["unshare", "-m", "true"], check=False, capture_output=True).returncode != 0:
        pytest.skip("file systems can be mounted by root only: bootctl did not read the boot entries")
    return result


def read_by(bootctl: str, machine: PretendRoot, *how: str) -> str:
    """What it says of the machine's boot partition, of which it gets a copy."""
    (machine.path("/efi/EFI/systemd")).mkdir(parents=True, exist_ok=True)
    copied = f"mount -t tmpfs tmpfs /mnt && cp -a '{machine.path('/efi')}/.' /mnt/"
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", f'{copied} && exec "$@"', "sh", bootctl, "--esp-path=/mnt", *how],
        env={"PATH": os.environ["PATH"], "SYSTEMD_RELAX_ESP_CHECKS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def entries(bootctl: str, machine: PretendRoot) -> Entries:
    """Every entry by its name; one JSON document follows another."""
    text = read_by(bootctl, machine, "--json=short", "list").strip()
    result = list[dict[str, str]]()
    while text:
        each, end = json.JSONDecoder().raw_decode(text)
        match each:
            case list():
                result.extend(each)  # pyright: ignore[reportUnknownArgumentType] - JSON
            case _:
                result.append(each)
        text = text[end:].strip()
    return {entry["id"]: entry for entry in result}


def default(bootctl: str, machine: PretendRoot) -> list[str]:
    """The titles that it marks as the default's."""
    lines = read_by(bootctl, machine, "list").splitlines()
    return [line for line in lines if line.strip().startswith("title:") and "(default)" in line]


def test_systemd_reads_the_second_entry_and_boots_the_first(bootctl: str, tmp_path: Path) -> None:
    machine = systemd_boot_machine(tmp_path).machine
    before = entries(bootctl, machine)
    assert [*before] == [DEFAULT]
    was_default = default(bootctl, machine)
    bundle = host_bundle(tmp_path / "bundle", KernelArgument(arguments=ARGUMENTS), effect=Effect.REBOOT)
    assert machine.run(bundle / "apply.sh").status == 0
    after = entries(bootctl, machine)
    assert after[DEFAULT] == before[DEFAULT]
    assert after[OURS]["options"] == " ".join((OPTIONS, *ARGUMENTS))
    assert after[OURS]["linux"] == before[DEFAULT]["linux"]
    assert default(bootctl, machine) == was_default != []
    assert machine.run(bundle / "rollback.sh").status == 0
    assert entries(bootctl, machine) == before
