"""Small file systems for a real server's directories, mounted by root and taken away after the test."""

import os
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from real_postgres import Cluster
from tools_here import need

AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root mounts file systems")


@contextmanager
def on_small_disk(cluster: Cluster, place: Path, mebibytes: int) -> Generator[Path]:
    """A directory of a stopped server on a file system of its own, with all that it holds."""
    need("mount", "umount")
    disk = cluster.directory / f"disk-{place.name}"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m,mode=0700", "tmpfs", disk], check=False
    )
    if mounted.returncode != 0:
        pytest.skip("no file system can be mounted here")
    try:
        subprocess.run(["cp", "-a", f"{place}/.", disk], check=True)
        subprocess.run(["mount", "--bind", disk, place], check=True)
        yield place
        if cluster.is_running():
            cluster.stop(mode="immediate")
    finally:
        subprocess.run(["umount", "-l", place], check=False)
        subprocess.run(["umount", "-l", disk], check=False)


def filled(cluster: Cluster, place: Path, leaving_kib: int) -> Path:
    """Fills the file system of a directory up to what is left free, by a file that a test may remove."""
    about = os.statvfs(place)
    free_kib = about.f_bavail * about.f_frsize // 1024
    ballast = place / "ballast"
    writes = f"dd if=/dev/zero of={ballast} bs=1024 count={free_kib - leaving_kib} 2>/dev/null"
    # Where nothing is to be left, the server may take the last of it first.
    cluster.run("sh", "-c", f"{writes} || [ {leaving_kib} -eq 0 ]")
    return ballast
