"""A whole plan on machines of other architectures: Debian's own kernel and server, QEMU emulates the rest.

`.ci/foreign_image.sh` makes their disks. What an administrator does who installs nothing there: the collector
runs in the machine, the bundle is written here, and its scripts run in the machine.
"""

import json
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from command_line import tunewiz
from pretend_root import Ran
from virtual_machine import SECONDS_TO_BOOT, VirtualMachine, free_port

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3000)]

IMAGES = os.environ.get("TUNEWIZ_FOREIGN_MACHINES", "")
"""The folder of the images, read here, since tests get none of the developer's variables."""
MEMORY_MIB = 1024
SECONDS_FOR_A_SCRIPT = 1200
"""An emulated processor takes a minute for what a real one does in two seconds."""
ASK = "cd /tmp && runuser -u postgres -- psql -XAtqc"
SETTINGS = "SELECT json_object_agg(name, current_setting(name)) FROM pg_settings"
FOLLOWING = ("shared_memory_size", "shared_memory_size_in_huge_pages", "wal_buffers")
FILES = (
    "find /etc /var/lib/postgresql/15/main/postgresql.auto.conf -xdev -type f -not -name ld.so.cache"
    " -exec stat -c '%n %a %u %g' {} + -exec sha256sum {} +"
)
PARTS = ("host", "cpu", "memory", "virtualization", "kernel")
CHANGES = {"host.read_at", "cpu.steal", "cpu.interrupts", "memory.available", "memory.nodes", "memory.strain"}
ANSWERS = """schema = 1
[workload]
kind = "oltp"
connections = 20
database_size = "256MB"
[risk]
reboot = true
[decisions]
"kernel.tcp_keepalive_time" = { accept = true }
"kernel.dirty_background_bytes" = { set = "67108864" }
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Emulated:
    """An architecture as QEMU has it, and what the facts of such a machine say."""

    name: str
    """As `uname -m` prints it."""
    folder: str
    """Its image's: Debian's name."""
    program: str
    package: str
    hardware: tuple[str, ...]
    bus: str
    console: str
    decisions: str
    """That the other has not: on s390x a swap file is but advice."""
    facts: Mapping[str, object]


EMULATED = (
    Emulated(
        name="s390x",
        folder="s390x",
        program="qemu-system-s390x",
        package="qemu-system-misc",
        hardware=("-machine", "s390-ccw-virtio", "-cpu", "max"),
        bus="ccw",
        console="ttysclp0",
        decisions="",
        facts={
            "cpu.vendor": "IBM/S390",
            "cpu.model": "z15 (8561)",
            "memory.page_size": 4096,
            "memory.huge_page_size": None,
            "memory.transparent_huge_pages": None,
            "virtualization.hypervisor": "kvm",
            "virtualization.levels": ["kvm"],
            "kernel.clocksource": "tod",
        },
    ),
    Emulated(
        name="ppc64le",
        folder="ppc64el",
        program="qemu-system-ppc64",
        package="qemu-system-ppc",
        hardware=("-machine", "pseries", "-cpu", "power9"),
        bus="pci",
        console="hvc0",
        decisions='"kernel.swap" = { accept = true }\n',
        facts={
            "cpu.vendor": "IBM",
            "cpu.model": "POWER9 (architected), altivec supported",
            "memory.page_size": 65536,
            "memory.huge_page_size": 2 * 1024 * 1024,
            "memory.transparent_huge_pages": "always",
            "memory.translation": "radix",
            "virtualization.hypervisor": "qemu",
            "kernel.clocksource": "timebase",
        },
    ),
)


@dataclass(kw_only=True, slots=True)
class ForeignMachine(VirtualMachine):
    """Of another architecture, without SELinux."""

    emulated: Emulated

    def start(self, memory_mib: int) -> None:
        """Returns when it has booted."""
        bus = self.emulated.bus
        self._started.append(
            subprocess.Popen(
                (
                    *(self.emulated.program, *self.emulated.hardware, "-smp", "2"),
                    *("-accel", "tcg,thread=multi,tb-size=512", "-m", str(memory_mib)),
                    *("-display", "none", "-monitor", "none", "-vga", "none", "-nodefaults"),
                    *("-serial", f"file:{self.directory}/console"),
                    *("-kernel", str(self.image / "kernel"), "-initrd", str(self.image / "initrd")),
                    *("-append", f"root=/dev/vda rw console={self.emulated.console}", "-snapshot"),
                    *("-drive", f"file={self.image}/disk.ext4,format=raw,if=none,id=disk"),
                    *("-device", f"virtio-blk-{bus},drive=disk", "-device", f"virtio-rng-{bus}"),
                    *("-device", f"virtio-net-{bus},netdev=net", "-netdev"),
                    f"user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:{self.port}-:22",
                ),
                env={"PATH": os.environ["PATH"], "TMPDIR": str(self.directory)},
                stdin=subprocess.DEVNULL,
            )
        )
        self.wait_until(
            "! systemctl is-system-running | grep -q -e starting -e initializing", SECONDS_TO_BOOT
        )


@contextmanager
def foreign_machine(emulated: Emulated) -> Generator[ForeignMachine]:
    """Booted; skips aloud where there is no image, or nothing to boot it with."""
    image = Path(IMAGES) / emulated.folder
    if not IMAGES:
        pytest.skip("TUNEWIZ_FOREIGN_MACHINES names no folder of images (.ci/foreign_image.sh makes them)")
    if not (image / "disk.ext4").exists():
        pytest.skip(f"not in TUNEWIZ_FOREIGN_MACHINES: {image} (.ci/foreign_image.sh {emulated.folder})")
    if shutil.which(emulated.program) is None:
        pytest.skip(f"not installed here: {emulated.program} (Debian: apt-get install {emulated.package})")
    directory = Path(tempfile.mkdtemp(prefix="tunewiz-foreign-"))
    machine = ForeignMachine(image=image, directory=directory, port=free_port(), emulated=emulated)
    try:
        machine.start(MEMORY_MIB)
        yield machine
    finally:
        machine.end()


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(emulated, id=emulated.name, marks=pytest.mark.xdist_group(emulated.name))
        for emulated in EMULATED
    ],
)
def machine(request: pytest.FixtureRequest) -> Iterator[ForeignMachine]:
    with foreign_machine(request.param) as machine:
        yield machine


@pytest.fixture(scope="module")
def facts(machine: ForeignMachine, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As the collector reads them inside, where nothing of the program is installed."""
    folder = tmp_path_factory.mktemp(machine.emulated.name)
    collector, collected, facts = (folder / name for name in ("collect.sh", "db1.tunewiz", "db1.json"))
    assert tunewiz("facts", "--collector", "-o", collector).status == 0
    ran = machine.run(
        "cat >/root/collect.sh && sh /root/collect.sh",
        given=collector.read_bytes(),
        seconds=SECONDS_FOR_A_SCRIPT,
    )
    assert (ran.status, ran.err) == (0, "")
    collected.write_text(ran.out)
    ended = tunewiz("facts", "--from", collected, "-o", facts)
    assert ended.status == 0, ended.err
    return facts


@dataclass(frozen=True, kw_only=True, slots=True)
class State:
    """What a bundle may change."""

    files: str
    settings: Mapping[str, str]
    """Of the server, as it shows them."""
    kernel: Mapping[str, str]
    """Under /proc/sys."""
    huge_pages: str
    """All that is under /sys of transparent ones; empty where the kernel has none."""
    swap: str


def state(machine: ForeignMachine) -> State:
    """Read in the machine by its own tools."""
    kernel = machine.out_of("sysctl -a 2>/dev/null | grep -E '^(vm|net.ipv4.tcp_keepalive)'")
    return State(
        files=machine.out_of(f"ls -A /; {FILES} | sort"),
        settings=json.loads(machine.out_of(f"{ASK} {shlex.quote(SETTINGS)}")),
        kernel=dict(line.split(" = ", 1) for line in kernel.splitlines()),
        huge_pages=machine.out_of("grep -s '' /sys/kernel/mm/transparent_hugepage/* || :"),
        swap=machine.out_of("cat /proc/swaps"),
    )


def planned(bundle: Path, kind: str) -> dict[str, str]:
    """The values that a bundle puts in force, by name."""
    plan = json.loads((bundle / "plan.json").read_text())
    return {
        finding["target"]["name"]: finding["proposed"]
        for finding in plan["recommendations"]
        if finding["state"] == "change" and finding["target"]["kind"] == kind
    }


def others(state: State, planned: Mapping[str, str]) -> dict[str, str]:
    """The server's settings that the bundle does not name; some follow from shared_buffers."""
    return {name: value for name, value in state.settings.items() if name not in {*planned, *FOLLOWING}}


def run(machine: ForeignMachine, bundle: Path, script: str) -> Ran:
    return machine.run(f"sh /root/{bundle.name}/{script}", seconds=SECONDS_FOR_A_SCRIPT)


def test_the_facts_name_the_architecture_its_pages_and_the_machine(
    machine: ForeignMachine, facts: Path
) -> None:
    read = json.loads(facts.read_text())
    assert {
        name: read[name.partition(".")[0]][name.partition(".")[2]] for name in machine.emulated.facts
    } == machine.emulated.facts
    assert str(read["memory"]["page_size"]) == machine.out_of("getconf PAGESIZE").strip()
    assert read["host"]["architecture"] == machine.out_of("uname -m").strip() == machine.emulated.name


def lasting(facts: str) -> dict[str, object]:
    """What does not change from one moment to the next."""
    read = json.loads(facts)
    parts: dict[str, object] = {
        f"{part}.{name}": value for part in PARTS for name, value in read[part].items()
    }
    (server,) = read["postgres"]
    parts |= {name: server[name] for name in ("major", "data_directory", "config_file", "running")}
    return {name: value for name, value in parts.items() if name not in CHANGES}


def test_the_program_itself_reads_there_what_the_collector_reads(
    machine: ForeignMachine, facts: Path, one_file: Path
) -> None:
    put = machine.run("cat >/root/tunewiz.pyz", given=one_file.read_bytes())
    assert put.status == 0, put.said
    there = machine.out_of("python3 /root/tunewiz.pyz facts", seconds=SECONDS_FOR_A_SCRIPT)
    assert lasting(there) == lasting(facts.read_text())


def test_a_whole_plan_is_applied_verified_and_taken_back_to_the_byte(
    machine: ForeignMachine, facts: Path, tmp_path: Path
) -> None:
    answers, bundle = tmp_path / "answers.toml", tmp_path / "bundle"
    answers.write_text(ANSWERS + machine.emulated.decisions)
    written = tunewiz("bundle", "--facts", facts, "--answers", answers, "-o", bundle)
    assert written.status == 0, written.err
    machine.put(bundle, "/root")
    before = state(machine)
    settings, kernel, files = (planned(bundle, kind) for kind in ("postgres", "sysctl", "sysfs"))
    assert settings.keys() > {"shared_buffers", "random_page_cost"}
    assert kernel == {"vm.dirty_background_bytes": "67108864", "net.ipv4.tcp_keepalive_time": "300"}
    assert bool(files) == bool(before.huge_pages)

    applied = run(machine, bundle, "apply.sh")
    assert applied.status == 0, applied.said
    after = state(machine)
    assert {name: after.settings[name] for name in settings} == settings
    assert {name: after.kernel[name] for name in kernel} == kernel
    for name, value in files.items():
        assert f"[{value}]" in machine.out_of(f"cat {name}")
    assert ("/swapfile" in after.swap) == ("kernel.swap" in machine.emulated.decisions)
    assert others(after, settings) == others(before, settings)
    verified = run(machine, bundle, "verify.sh")
    assert verified.status == 0, verified.said

    rolled_back = run(machine, bundle, "rollback.sh")
    assert rolled_back.status == 0, rolled_back.said
    assert state(machine) == before
