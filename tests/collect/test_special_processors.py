"""Features of s390x, DSCR of POWER, a loaded scheduler and numad: as the kernel and the daemon show them."""

from pathlib import Path

import pytest

from collected import collected, make
from recorded_machines import machine
from tunewiz.collect.everything import read_facts
from tunewiz.collect.machine import read_machine
from tunewiz.core.facts.facts import Facts
from tunewiz.core.values.known import Absent, Known, Unknown

CPU = "sys/devices/system/cpu"
FEATURES = "esan3 zarch stfle msa ldisp eimm dfp sort dflt"
Z = {"proc/cpuinfo": f"vendor_id : IBM/S390\nfeatures\t: {FEATURES} \nprocessor 0: machine = 3931\n"}
POWER = {
    "proc/cpuinfo": "processor : 0\ncpu : POWER9 (architected)\n\nplatform : pSeries\nmachine : CHRP IBM\n"
}
X86 = {"proc/cpuinfo": "processor : 0\nvendor_id : GenuineIntel\nflags : fpu\n"}
EXT = "sys/kernel/sched_ext"
NUMAD = "etc/systemd/system/multi-user.target.wants/numad.service"


def facts(files: dict[str, str]) -> Facts:
    return read_machine(machine({f"{CPU}/online": "0\n", **files}))


def test_s390x_names_what_its_instructions_can_do() -> None:
    assert facts(Z).cpu.features == Known(tuple(FEATURES.split()), "/proc/cpuinfo: features")


def test_features_that_are_not_listed_are_unknown() -> None:
    bare = {"proc/cpuinfo": Z["proc/cpuinfo"].replace(FEATURES, "")}
    assert isinstance(facts(bare).cpu.features, Unknown)


def test_power_that_may_compress_says_so() -> None:
    assert facts(POWER | {"dev/crypto/nx-gzip": ""}).cpu.features == Known(
        ("nx-gzip",), "/dev/crypto/nx-gzip"
    )


@pytest.mark.parametrize("files", [POWER, X86])
def test_other_machines_have_no_such_features(files: dict[str, str]) -> None:
    assert isinstance(facts(files).cpu.features, Absent)


@pytest.mark.parametrize(("content", "expected"), [("0\n", 0), ("18\n", 24), ("1ff\n", 511)])
def test_dscr_is_read_as_hexadecimal(content: str, expected: int) -> None:
    files = POWER | {f"{CPU}/dscr_default": content}
    assert facts(files).cpu.dscr == Known(expected, f"/{CPU}/dscr_default")


@pytest.mark.parametrize("content", ["", "0x18\n", "deep\n", "-1\n"])
def test_another_dscr_is_unknown(content: str) -> None:
    assert isinstance(facts(POWER | {f"{CPU}/dscr_default": content}).cpu.dscr, Unknown)


@pytest.mark.parametrize("files", [Z, X86])
def test_only_power_has_dscr(files: dict[str, str]) -> None:
    assert isinstance(facts(files | {f"{CPU}/dscr_default": "0\n"}).cpu.dscr, Absent)


def test_a_loaded_scheduler_is_named() -> None:
    settings = facts(X86 | {f"{EXT}/state": "enabled\n", f"{EXT}/root/ops": "lavd_1.0.20\n"}).kernel.settings
    assert settings["sched.ext"] == Known("enabled", f"/{EXT}/state")
    assert settings["sched.ext_ops"] == Known("lavd_1.0.20", f"/{EXT}/root/ops")


def test_without_one_there_is_a_state_and_no_name() -> None:
    settings = facts(X86 | {f"{EXT}/state": "disabled\n"}).kernel.settings
    assert settings["sched.ext"] == Known("disabled", f"/{EXT}/state")
    assert "sched.ext_ops" not in settings


def test_an_older_kernel_has_neither() -> None:
    assert not {"sched.ext", "sched.ext_ops"} & set(facts(X86).kernel.settings)


def test_the_collector_says_the_same(tmp_path: Path) -> None:
    files = POWER | {
        f"{CPU}/dscr_default": "18\n",
        f"{CPU}/online": "0\n",
        f"{EXT}/state": "enabled\n",
        f"{EXT}/root/ops": "lavd\n",
        "run/numad.pid": "7\n",
        "dev/crypto/nx-gzip": "",
    }
    links = {NUMAD: "/usr/lib/systemd/system/numad.service"}
    recorded = read_facts(collected(make(tmp_path, dict(files), links)))
    assert recorded.cpu.dscr == Known(24, f"/{CPU}/dscr_default")
    assert recorded.cpu.features == Known(("nx-gzip",), "/dev/crypto/nx-gzip")
    assert recorded.kernel.settings["sched.ext_ops"] == Known("lavd", f"/{EXT}/root/ops")
    assert recorded.owners.numad == Known("running", "/run/numad.pid")


def test_numad_that_is_enabled_starts_at_boot(tmp_path: Path) -> None:
    links = {NUMAD: "/usr/lib/systemd/system/numad.service"}
    recorded = read_facts(collected(make(tmp_path, dict(POWER), links)))
    assert recorded.owners.numad == Known("at boot", f"/{NUMAD}")
