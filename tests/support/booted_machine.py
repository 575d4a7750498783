"""A machine that systemd boots: in namespaces of its own, over a copy-on-write view of this one.

`/proc/sys` and `/sys` are read-only inside, so that nothing of this machine's can be changed; one kernel
setting is a file of the test's own. Killing its first process is a power cut, booting again is a reboot.
A change below an overlay shows through it: where bundles write, this machine's directories are hidden, since
tests that run at the same time apply bundles to it.
"""

import os
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from pretend_root import Ran
from tools_here import missing

SECONDS_TO_BOOT = 60
TARGET = "database-machine.target"
SWAPPINESS = "/proc/sys/vm/swappiness"

BOOT = """
set -e
mount --make-rprivate /
mount -t overlay overlay -o "lowerdir=/,upperdir=$MACHINE/up,workdir=$MACHINE/work" "$MACHINE/root"
cd "$MACHINE/root"
mount -t proc proc proc
mount --bind proc/sys proc/sys
mount -o remount,ro,bind proc/sys
printf '60\\n' >srv/swappiness
mount --bind srv/swappiness .$SWAPPINESS
[ ! -d "$MACHINE/disk" ] || mount --bind "$MACHINE/disk" srv/disk
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 none sys/fs/cgroup
mount -t tmpfs tmpfs dev -o mode=755
for device in null zero full random urandom tty; do
    touch dev/$device
    mount --bind /dev/$device dev/$device
done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
mount -t tmpfs tmpfs dev/shm
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs tmp
mkdir -p old
pivot_root . old
umount -l /old
hostname db1
exec env -i container=tunewiz-test PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --system \\
    --unit=$TARGET --show-status=0 --log-target=console --log-level=notice
"""
TRY_OVERLAY = """
set -e
mount -t tmpfs tmpfs /mnt
mkdir /mnt/up /mnt/work /mnt/root
mount -t overlay overlay -o lowerdir=/etc,upperdir=/mnt/up,workdir=/mnt/work /mnt/root
"""
WHERE_BUNDLES_WRITE = ("etc/sysctl.d", "etc/tmpfiles.d", "var/lib/tunewiz")
NAMESPACES = ("-m", "-p", "-u", "-i", "-n", "-C")


@dataclass(kw_only=True, slots=True)
class BootedMachine:
    """What is written under `files` before the first boot is there inside, and outlives power cuts."""

    directory: Path
    cgroup: Path
    _booted: list[subprocess.Popen[bytes]] = field(default_factory=list[subprocess.Popen[bytes]])

    def __post_init__(self) -> None:
        for name in ("up", "work", "root"):
            (self.directory / name).mkdir(parents=True)
        self.directory.chmod(0o755)
        self.files.chmod(0o755)
        (self.files / "srv").mkdir()
        for hidden in WHERE_BUNDLES_WRITE:
            (self.files / hidden).mkdir(parents=True)
            os.setxattr(self.files / hidden, "trusted.overlay.opaque", b"y")

    @property
    def files(self) -> Path:
        """The upper layer: what differs from this machine."""
        return self.directory / "up"

    def write(self, inside: str, content: str) -> None:
        """Before it is booted."""
        file = self.files / inside.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)

    def add_disk(self) -> None:
        """A second file system at /srv/disk, which every boot mounts; before the first one."""
        (self.directory / "disk").mkdir()
        (self.files / "srv" / "disk").mkdir()

    def boot(self) -> None:
        """Returns when the target is reached."""
        self.cgroup.mkdir(exist_ok=True)
        unshare = f"exec unshare --fork --kill-child {' '.join(NAMESPACES)}"
        enter = f'echo $$ >{self.cgroup}/cgroup.procs; {unshare} sh -c "$0"'
        console = (self.directory / "console").open("ab")
        with console:
            self._booted.append(
                subprocess.Popen(
                    ("sh", "-c", enter, BOOT),
                    env={
                        "PATH": os.environ["PATH"],
                        "MACHINE": str(self.directory),
                        "TARGET": TARGET,
                        "SWAPPINESS": SWAPPINESS,
                    },
                    stdin=subprocess.DEVNULL,
                    stdout=console,
                    stderr=subprocess.STDOUT,
                )
            )
        self.wait_until(f"systemctl is-active --quiet {TARGET}", SECONDS_TO_BOOT)

    def first_process(self) -> str:
        """Its number as this machine counts."""
        (machine,) = self._booted
        children = Path(f"/proc/{machine.pid}/task/{machine.pid}/children")
        return children.read_text().split()[0] if children.exists() and children.read_text() else ""

    def power_cut(self) -> None:
        """Nothing inside gets to do anything any more."""
        os.kill(int(self.first_process()), signal.SIGKILL)
        self._booted.pop().wait(SECONDS_TO_BOOT)

    def end(self) -> None:
        """Leaves nothing behind."""
        if self._booted and self._booted[0].poll() is None and self.first_process():
            self.power_cut()
        for machine in self._booted:
            machine.kill()
            machine.wait(SECONDS_TO_BOOT)
        for group, _, _ in os.walk(self.cgroup, topdown=False):
            Path(group).rmdir()
        shutil.rmtree(self.directory)

    def entering(self, command: str) -> tuple[str, ...]:
        """What runs a command inside, as a login would."""
        inside = ("nsenter", "-t", self.first_process(), *NAMESPACES, "-r", "-w")
        return (
            *inside,
            "env",
            "-i",
            "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
            "LC_ALL=C.UTF-8",
            "sh",
            "-c",
            command,
        )

    def run(self, command: str, seconds: int = 100) -> Ran:
        """Runs a command inside, for so long at most."""
        done = subprocess.run(
            self.entering(command),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=seconds,
        )
        return Ran(status=done.returncode, out=done.stdout, err=done.stderr)

    def write_and_run(self, inside: str, script: str) -> None:
        """Runs a script in the background, as a service of the machine's own."""
        self.write(inside, script)
        ran = self.run(f"systemd-run --quiet --collect /bin/sh {inside}")
        assert ran.status == 0, ran.said

    def wait_until(self, command: str, seconds: float) -> None:
        """Until the command succeeds inside; the console is in the failure."""
        end = time.monotonic() + seconds
        while not (self.first_process() and self.run(command).status == 0):
            assert time.monotonic() < end, f"{command}\n{self.console()}"
            assert self._booted[0].poll() is None, self.console()
            time.sleep(0.2)

    def console(self) -> str:
        """What systemd had to say."""
        return (self.directory / "console").read_text(errors="replace")


def cannot_boot() -> str:
    """Why no such machine can be booted here; empty where one can."""
    if os.geteuid() != 0:
        return "booting a machine in namespaces needs root"
    if why := missing("unshare", "nsenter", "systemd-run"):
        return why
    if not Path("/lib/systemd/systemd").exists():
        return "booting a machine in namespaces needs systemd itself"
    if not unified_cgroups():
        return "booting a machine in namespaces needs cgroup2"
    overlay = subprocess.run(
        ("unshare", "-m", "sh", "-c", TRY_OVERLAY), capture_output=True, text=True, check=False
    )
    return "" if overlay.returncode == 0 else f"no overlay can be mounted here: {overlay.stderr.strip()}"


def unified_cgroups() -> Path | None:
    """Where cgroup2 is mounted."""
    for line in Path("/proc/self/mounts").read_text().splitlines():
        _, mount, kind, *_ = line.split()
        if kind == "cgroup2":
            return Path(mount)
    return None
