"""A swap file against the kernel that runs here: only where that was asked for, and switched off afterwards.

The machine's own /etc is seen through a layer that takes every change, in a namespace of the script's.
"""

import dataclasses
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from pretend_root import Ran
from small_host import host_bundle
from small_plans import MACHINE_ID
from tools_here import need
from tunewiz.kinds.swap import SwapFile

pytestmark = pytest.mark.kernel

FSTAB = "# the machine's own\n/dev/sda1 / ext4\tdefaults 0 1\n"
MEBIBYTES = 2


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class SwapHost:
    """This machine, with an /etc of the test's over its own."""

    layer: Path
    work: Path
    state: Path
    file: Path

    def run(self, *command: str | Path) -> Ran:
        """Runs a command behind the layer."""
        overlay = f"lowerdir=/etc,upperdir={self.layer},workdir={self.work}"
        behind = f"mount --make-rprivate / && mount -t overlay overlay -o '{overlay}' /etc && exec \"$@\""
        done = subprocess.run(
            ["unshare", "-m", "sh", "-c", behind, "sh", *command],
            env={"PATH": os.environ["PATH"], "TUNEWIZ_STATE_DIR": str(self.state)},
            capture_output=True,
            text=True,
            check=False,
        )
        return Ran(status=done.returncode, out=done.stdout, err=done.stderr)

    def is_on(self) -> bool:
        """Whether the kernel swaps to the file."""
        return any(line.split()[0] == str(self.file) for line in swaps())

    def fstab(self) -> str:
        """As the layer has it."""
        return (self.layer / "fstab").read_text()


def swaps() -> list[str]:
    """What the kernel swaps to."""
    return Path("/proc/swaps").read_text().splitlines()[1:]


@pytest.fixture
def host(tmp_path: Path) -> Iterator[SwapHost]:
    if os.geteuid() != 0:
        pytest.fail("TUNEWIZ_TEST_KERNEL=1 needs root")
    made = SwapHost(
        layer=tmp_path / "etc", work=tmp_path / "work", state=tmp_path / "state", file=tmp_path / "swapfile"
    )
    made.layer.mkdir()
    made.work.mkdir()
    (made.layer / "fstab").write_text(FSTAB)
    (made.layer / "machine-id").write_text(f"{MACHINE_ID}\n")
    need("unshare", "mount", "swapon", "swapoff")
    if made.run("true").status != 0:
        pytest.skip(f"no layer can be laid over /etc from {tmp_path}: a real swap file was not tried")
    yield made
    if made.is_on():
        subprocess.run(["swapoff", made.file], check=True)


@pytest.fixture
def bundle(host: SwapHost, tmp_path: Path) -> Path:
    return host_bundle(tmp_path / "bundle", SwapFile(path=str(host.file), mebibytes=MEBIBYTES))


def test_the_kernel_swaps_to_it_also_after_a_boot_and_no_more_once_it_is_taken_back(
    host: SwapHost, bundle: Path
) -> None:
    before = swaps()
    applied = host.run("sh", bundle / "apply.sh")
    assert (applied.status, applied.err) == (0, "")
    assert host.is_on()
    assert host.run("sh", bundle / "verify.sh").status == 0
    subprocess.run(["swapoff", host.file], check=True)
    # What a boot does with the line.
    assert host.run("swapon", "--all").status == 0
    assert host.is_on()
    restored = host.run("sh", bundle / "rollback.sh")
    assert (restored.status, restored.err) == (0, "")
    assert (swaps(), host.fstab(), host.file.exists()) == (before, FSTAB, False)


def test_a_file_system_that_takes_no_swap_file_is_refused(host: SwapHost, tmp_path: Path) -> None:
    before = swaps()
    bundle = host_bundle(tmp_path / "bundle", SwapFile(path="/etc/swapfile", mebibytes=MEBIBYTES))
    ran = host.run("sh", bundle / "apply.sh")
    assert (ran.status, "a swap file cannot be on overlayfs" in ran.err) == (4, True)
    assert (swaps(), host.fstab(), host.run("test", "-e", "/etc/swapfile").status) == (before, FSTAB, 1)
