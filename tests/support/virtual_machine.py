"""A whole machine with a kernel of its own: Debian in QEMU, where SELinux enforces.

`.ci/machine_image.sh` makes its disk. What it writes is gone when it ends.
It reaches no network; its ssh is on this machine's loopback alone.
"""

import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pretend_root import Ran
from small_plans import small_answers
from tunewiz.bundle import write_bundle
from tunewiz.collect.script import collector
from tunewiz.commands.host import read_collected
from tunewiz.core.facts.facts import Facts
from tunewiz.core.planning.plan import Plan
from tunewiz.formats.records import answers_to_toml, facts_to_json

IMAGE = os.environ.get("TUNEWIZ_MACHINE_IMAGE", "")
"""The folder that the script made: read here, since tests get none of the developer's variables."""
SECONDS_TO_BOOT = 500
KERNEL_OPTIONS = "mitigations=off root=/dev/vda rw console=ttyS0 security=selinux selinux=1 enforcing=1"
SSH_OPTIONS = (
    "BatchMode=yes",
    "StrictHostKeyChecking=no",
    "UserKnownHostsFile=/dev/null",
    "LogLevel=ERROR",
    "ConnectTimeout=5",
)


@dataclass(kw_only=True, slots=True)
class VirtualMachine:
    """Every command is run as root, by ssh, as an administrator would."""

    image: Path
    directory: Path
    port: int
    _started: list[subprocess.Popen[bytes]] = field(default_factory=list[subprocess.Popen[bytes]])

    def start(self, memory_mib: int) -> None:
        """Returns when it has booted."""
        self._started.append(
            subprocess.Popen(
                (
                    *(
                        "qemu-system-x86_64",
                        "-machine",
                        "q35",
                        "-accel",
                        accelerator(),
                        "-cpu",
                        "max",
                        "-smp",
                        "2",
                    ),
                    *("-m", str(memory_mib), "-display", "none", "-monitor", "none"),
                    *("-serial", f"file:{self.directory}/console"),
                    *("-kernel", str(self.image / "kernel"), "-initrd", str(self.image / "initrd")),
                    *("-append", KERNEL_OPTIONS, "-snapshot"),
                    *("-drive", f"file={self.image}/disk.ext4,format=raw,if=virtio"),
                    *("-device", "virtio-net-pci,netdev=net", "-device", "virtio-rng-pci", "-netdev"),
                    f"user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:{self.port}-:22",
                ),
                env={"PATH": os.environ["PATH"], "TMPDIR": str(self.directory)},
                stdin=subprocess.DEVNULL,
            )
        )
        self.wait_until(
            "! systemctl is-system-running | grep -q -e starting -e initializing", SECONDS_TO_BOOT
        )

    def end(self) -> None:
        """Leaves nothing behind."""
        for machine in self._started:
            machine.kill()
            machine.wait()
        shutil.rmtree(self.directory)

    def entering(self, command: str) -> tuple[str, ...]:
        """What runs a command inside."""
        options = (word for option in SSH_OPTIONS for word in ("-o", option))
        key = self.image / "key"
        return ("ssh", *options, "-i", str(key), "-p", str(self.port), "root@127.0.0.1", command)

    def run(self, command: str, *, seconds: float = 300, given: bytes = b"") -> Ran:
        """Runs a command inside."""
        done = subprocess.run(
            self.entering(command), input=given, capture_output=True, check=False, timeout=seconds
        )
        return Ran(
            status=done.returncode,
            out=done.stdout.decode(errors="replace"),
            err=done.stderr.decode(errors="replace"),
        )

    def out_of(self, command: str, *, seconds: float = 300) -> str:
        """What a command that must succeed prints."""
        ran = self.run(command, seconds=seconds)
        assert ran.status == 0, f"{command}\n{ran.said}"
        return ran.out

    @contextmanager
    def meanwhile(self, command: str) -> Generator[None]:
        """Runs a command, and all that it starts, as long as that."""
        given = f"echo $$ >/root/meanwhile.pid\n{command}\n".encode()
        start = (
            "cat >/root/meanwhile.sh; setsid sh /root/meanwhile.sh </dev/null >/root/meanwhile.log 2>&1 & :"
        )
        ran = self.run(start, given=given)
        assert ran.status == 0, ran.said
        try:
            yield
        finally:
            self.run("kill -- -$(cat /root/meanwhile.pid)")

    def put(self, directory: Path, inside: str) -> None:
        """Copies a directory into one that is there."""
        packed = subprocess.run(
            ("tar", "-C", str(directory.parent), "--owner=0", "--group=0", "-cf", "-", directory.name),
            capture_output=True,
            check=True,
        )
        ran = self.run(f"tar -C {inside} -xf -", given=packed.stdout)
        assert ran.status == 0, ran.said

    def wait_until(self, command: str, seconds: float) -> None:
        """Until the command succeeds inside; the console is in the failure."""
        end = time.monotonic() + seconds
        while self._tried(command) != 0:
            assert time.monotonic() < end, f"{command}\n{self.console()[-3000:]}"
            assert self._started[-1].poll() is None, self.console()[-3000:]
            time.sleep(0.5)

    def _tried(self, command: str) -> int:
        try:
            return self.run(command, seconds=30).status
        except subprocess.TimeoutExpired:
            return -1

    def reboot(self, how: str = "systemctl reboot") -> None:
        """Returns when it has booted again; `echo b >/proc/sysrq-trigger` is a power cut."""
        boot_id = self.out_of("cat /proc/sys/kernel/random/boot_id").strip()
        self._tried(how)
        self.wait_until(f"! grep -q {boot_id} /proc/sys/kernel/random/boot_id", SECONDS_TO_BOOT)
        self.wait_until(
            "! systemctl is-system-running | grep -q -e starting -e initializing", SECONDS_TO_BOOT
        )

    def console(self) -> str:
        """What the kernel and systemd had to say."""
        return (self.directory / "console").read_text(errors="replace")

    def facts(self) -> Facts:
        """As the collector reads them inside, where nothing of the program is installed."""
        ran = self.run("cat >/root/collect.sh && sh /root/collect.sh", given=collector().encode())
        assert ran.status == 0, ran.said
        file = self.directory / "db1.tunewiz"
        file.write_text(ran.out)
        return read_collected(file)

    def put_bundle(self, plan: Plan) -> str:
        """A plan's bundle, in the home of its root; returns where."""
        bundle = self.directory / f"bundle-{len(list(self.directory.iterdir()))}"
        write_bundle(plan, bundle, facts_to_json(plan.start.facts), answers_to_toml(small_answers()))
        self.put(bundle, "/root")
        return f"/root/{bundle.name}"


@contextmanager
def virtual_machine(memory_mib: int = 2048) -> Generator[VirtualMachine]:
    """Booted; skips aloud where there is no image, or nothing to boot it with."""
    if not IMAGE:
        pytest.skip("TUNEWIZ_MACHINE_IMAGE names no image (.ci/machine_image.sh makes one)")
    if shutil.which("qemu-system-x86_64") is None:
        pytest.skip("not installed here: qemu-system-x86_64 (Debian: apt-get install qemu-system-x86)")
    directory = Path(tempfile.mkdtemp(prefix="tunewiz-virtual-"))
    machine = VirtualMachine(image=Path(IMAGE), directory=directory, port=free_port())
    try:
        machine.start(memory_mib)
        yield machine
    finally:
        machine.end()


def accelerator() -> str:
    """KVM where the processor helps; /dev/kvm may be there without, and boots no common kernel then."""
    flags = re.search(r"^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    has_kvm = flags is not None and {"vmx", "svm"} & set(flags[1].split()) and os.access("/dev/kvm", os.W_OK)
    return "kvm" if has_kvm else "tcg,thread=multi,tb-size=512"


def free_port() -> int:
    """Of this machine's loopback."""
    with socket.socket() as tried:
        tried.bind(("127.0.0.1", 0))
        port: int = tried.getsockname()[1]
        return port
