"""Power cuts on real file systems: what each has on disk after any sync is enough to take everything back."""

import os
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pretend_root import FILES, PretendRoot, make_bundle, make_root
from tools_here import need

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

MAKERS = {"ext4": ("mkfs.ext4", "-q"), "xfs": ("mkfs.xfs", "-q"), "btrfs": ("mkfs.btrfs", "-q")}
SIZE = 320 * 2**20
"""The smallest that xfs and btrfs are content with; the image is sparse."""
EVERY = 4
"""Every so many syncs an image is taken."""
RESTORED, NOTHING_TO_DO = 0, 3


@contextmanager
def mounted(image: Path, place: Path) -> Generator[None]:
    subprocess.run(["mount", "-o", "loop", image, place], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", place], check=True)


@pytest.fixture(params=MAKERS)
def image(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    make = MAKERS[str(request.param)]
    need(make[0], "mount", "umount")
    if os.geteuid() != 0:
        pytest.skip("file systems can be mounted by root only")
    file, place = tmp_path / "image", tmp_path / "disk"
    with file.open("wb") as stream:
        stream.truncate(SIZE)
    subprocess.run([*make, file], check=True, capture_output=True)
    place.mkdir()
    tried = subprocess.run(["mount", "-o", "loop", file, place], capture_output=True, text=True, check=False)
    if tried.returncode != 0:
        pytest.skip(f"this file system cannot be mounted here: {tried.stderr.strip()}")
    subprocess.run(["umount", place], check=True)
    return file


def take_images(machine: PretendRoot, image: Path) -> None:
    """What a power cut would leave is copied after each few syncs; the script waits meanwhile."""
    counter = image.with_name("calls")
    counter.write_text("0")
    machine.write(
        "/usr/bin/sync",
        f'#!/bin/sh\n/bin/sync "$@" || exit\nread calls <{counter}\ncalls=$((calls + 1))\n'
        f"echo $calls >{counter}\n"
        f"[ $((calls % {EVERY})) -ne 0 ] || until cp --sparse=always {image} {image}.$calls &&\n"
        # A copy during which something was written is none of any moment.
        f"cmp -s {image} {image}.$calls; do :; done\n",
    )
    machine.path("/usr/bin/sync").chmod(0o755)


def reset_kernel(machine: PretendRoot) -> None:
    """A reboot gives the kernel its values anew: those below proc and sys are no files on a disk."""
    for path, content in FILES.items():
        if path.startswith(("/proc", "/sys")):
            machine.write(path, content)


def without_programs(machine: PretendRoot) -> dict[str, object]:
    return {path: entry for path, entry in machine.tree().items() if not path.startswith("usr")}


def test_case_9_a_power_cut_at_any_sync_is_undone_on_every_file_system(image: Path, tmp_path: Path) -> None:
    disk, bundle = tmp_path / "disk", make_bundle(tmp_path / "bundle")
    with mounted(image, disk):
        machine = make_root(disk)
        before = without_programs(machine)
        take_images(machine, image)
        subprocess.run(["sync", "-f", disk], check=True)
        ran = machine.run(bundle / "apply.sh")
        assert ran.status == 0, ran.said
        assert without_programs(machine) != before
    cuts = sorted(tmp_path.glob("image.*"))
    ended: set[int] = set()
    for cut in cuts:
        with mounted(cut, disk):
            reset_kernel(machine)
            shutil.rmtree(machine.path("/usr"))
            back = machine.run(bundle / "rollback.sh")
            assert back.status in {RESTORED, NOTHING_TO_DO}, f"{cut.name}: {back.said}"
            ended.add(back.status)
            assert without_programs(machine) == before, f"{cut.name}: {back.said}"
        cut.unlink()
    # Cuts after the first change were among them.
    assert RESTORED in ended
