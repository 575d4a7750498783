"""A move of the log that is refused: whatever stands in the way is told before anything is touched."""

import os
import subprocess
from pathlib import Path

import pytest

from pretend_root import DATA, make_root
from small_host import host_bundle
from tools_here import needs
from tunewiz.core.recommendation.targets import Effect
from tunewiz.kinds.wal import MoveWal
from wal_machine import OLD, REFUSED, WalMachine, cannot_mount

pytestmark = [
    pytest.mark.slow,
    needs("mount", "umount"),
    pytest.mark.skipif(bool(cannot_mount()), reason=cannot_mount()),
]


NOT_AS_PLANNED = {
    "the log is a link already": (
        'mv data/pg_wal elsewhere && ln -s "$PWD/elsewhere" data/pg_wal',
        "found a link to",
    ),
    "an old log lies beside it": (f"mkdir data/{OLD}", f"{OLD} beside it"),
    "the target is not empty": (
        'install -d -o "$1" -g "$1" -m 0700 disk/wal && touch disk/wal/x',
        "is not empty",
    ),
    "the target is someone else's": ("mkdir -m 0700 disk/wal", "with mode 0700"),
    "the target is a link": ("ln -s there disk/wal", "is a link"),
    "the place above it is open to others": ("chmod 0777 disk", "others may write to /disk"),
    "the place above it is someone else's": ("chown 1 disk", "belongs neither to root nor to"),
    "nothing mounts it at boot": ("sed -i /disk/d etc/fstab", "nothing mounts /disk at boot"),
    "it may come too late at boot": (
        "sed -i /disk/s/defaults/nofail/ etc/fstab",
        "has nofail in /etc/fstab",
    ),
    "a file in it is someone else's": ("touch data/pg_wal/note", "does not belong to"),
    "the log is a mount of its own": (
        "mkdir -p proc/self && echo '30 22 8:2 / /data/pg_wal rw - ext4 x rw' >proc/self/mountinfo",
        "is a mount of its own already",
    ),
    "the server's owner may not enter": ("chmod 0700 disk", "may not enter /disk"),
    "the disk is read-only": ("mount -o remount,ro disk", "cannot be written"),
    "Patroni owns the server": ("touch data/patroni.dynamic.json", "Patroni owns this server"),
    "the server is a standby": ("touch data/standby.signal", "the server is a standby"),
    "there is too little room": ("fallocate -l 150M disk/full", "MiB are free there"),
}


@pytest.mark.parametrize("case", NOT_AS_PLANNED)
def test_what_stands_in_the_way_is_refused_by_name(case: str, wal_host: WalMachine) -> None:
    bundle = wal_host.bundle()
    change, said = NOT_AS_PLANNED[case]
    command = ("sh", "-e", "-c", change, "sh", wal_host.cluster.os_user)
    subprocess.run(command, cwd=wal_host.machine.root, check=True)
    started, before = wal_host.cluster.query("SELECT pg_postmaster_start_time()"), sorted(wal_host.places())
    ran = wal_host.run(bundle / "apply.sh")
    assert (ran.status, said in ran.err) == (REFUSED, True), ran.said
    assert wal_host.cluster.query("SELECT pg_postmaster_start_time()") == started
    assert sorted(wal_host.places()) == before


UNFIT = {
    "/data/base/wal": ("is inside the data directory", "is on the same file system as"),
    "/disk": ("must belong to", "name a directory below it"),
    "/nowhere/wal": ("/nowhere is not there",),
    "/sys/wal": ("is on the same file system as",),
}


@pytest.mark.parametrize("target", UNFIT)
def test_a_target_that_is_none_is_refused(target: str, wal_host: WalMachine) -> None:
    if os.geteuid() == 0:
        # As on every machine, only root may write to its root.
        os.chown(wal_host.machine.root, 0, 0)
        wal_host.machine.root.chmod(0o755)
    ran = wal_host.run(wal_host.bundle(target) / "apply.sh")
    *problems, _ = ran.err.splitlines()
    assert (ran.status, len(problems)) == (REFUSED, len(UNFIT[target])), ran.said
    assert all(said in problem for said, problem in zip(UNFIT[target], problems, strict=True)), ran.said
    assert wal_host.cluster.is_running()


def test_memory_is_no_place_for_a_log(wal_host: WalMachine) -> None:
    memory = wal_host.machine.path("/memory")
    memory.mkdir()
    subprocess.run(("mount", "-t", "tmpfs", "none", memory), check=True)
    try:
        ran = wal_host.run(wal_host.bundle("/memory/wal") / "apply.sh")
    finally:
        subprocess.run(("umount", memory), check=True)
    assert (ran.status, "the log cannot be on tmpfs" in ran.err) == (REFUSED, True), ran.said


def test_without_a_restart_it_is_refused(wal_host: WalMachine) -> None:
    ran = wal_host.run(wal_host.bundle() / "apply.sh", "--no-restart")
    assert (ran.status, "--no-restart forbids" in ran.err) == (REFUSED, True), ran.said
    assert wal_host.cluster.is_running()


def test_after_a_crash_the_log_is_not_moved(wal_host: WalMachine) -> None:
    bundle = wal_host.bundle()
    wal_host.cluster.stop(mode="immediate")
    ran = wal_host.run(bundle / "apply.sh")
    assert (ran.status, "start it first" in ran.err) == (REFUSED, True), ran.said


def test_without_the_servers_programs_it_is_refused(tmp_path: Path) -> None:
    action = MoveWal(data_directory=DATA, name="pg_wal", target="/disk/wal")
    bundle = host_bundle(tmp_path / "bundle", action, effect=Effect.RESTART)
    machine = make_root(tmp_path)
    assert "/pg_wal: a directory when planned, found nothing" in machine.run(bundle / "apply.sh").err
    machine.path(f"{DATA}/pg_wal").mkdir()
    before = machine.tree()
    ran = machine.run(bundle / "apply.sh")
    problem, _ = ran.err.splitlines()
    assert (ran.status, "the server's programs are needed" in problem) == (REFUSED, True), ran.said
    assert machine.tree() == before
