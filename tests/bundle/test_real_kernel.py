"""Bundles against the kernel that runs here: only where that was asked for, and restored afterwards."""

import dataclasses
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType

import pytest

from pretend_root import SYSCTL_FILE, TMPFILES_FILE, Ran
from small_plans import THP, identity, small_answers, small_facts, small_plan
from tools_here import machine_id_here
from tunewiz.bundle import write_bundle
from tunewiz.core.facts.facts import Facts
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.known import Known
from tunewiz.formats.records import answers_to_toml, facts_to_json

pytestmark = pytest.mark.kernel

VM = Path("/proc/sys/vm")
KEEPALIVE = Path("/proc/sys/net/ipv4/tcp_keepalive_time")
PAIRS = (("dirty_bytes", "dirty_ratio"), ("dirty_background_bytes", "dirty_background_ratio"))


def live() -> dict[str, str]:
    """All that the tests may touch, coupled values too."""
    names = (*(name for pair in PAIRS for name in pair), "nr_hugepages", "swappiness", "min_free_kbytes")
    return {**{name: (VM / name).read_text() for name in names}, THP: Path(THP).read_text()}


def chosen(line: str) -> str:
    return line.partition("[")[2].partition("]")[0]


@pytest.fixture(autouse=True)
def kernel_as_it_was() -> Iterator[None]:
    if os.geteuid() != 0:
        pytest.fail("TUNEWIZ_TEST_KERNEL=1 needs root")
    before, keepalive = live(), KEEPALIVE.read_text()
    for file in map(Path, (SYSCTL_FILE, TMPFILES_FILE)):
        assert not file.exists(), f"{file} is there already: a bundle is applied on this machine"
    yield
    for own, twin in PAIRS:
        active = own if before[own].strip() != "0" else twin
        (VM / active).write_text(before[active])
    (VM / "nr_hugepages").write_text(before["nr_hugepages"])
    Path(THP).write_text(chosen(before[THP]))
    (VM / "min_free_kbytes").write_text(before["min_free_kbytes"])
    KEEPALIVE.write_text(keepalive)
    for file in map(Path, (SYSCTL_FILE, TMPFILES_FILE)):
        file.unlink(missing_ok=True)


def facts_of_this_kernel(memory: str) -> Facts:
    # A server that the scripts leave alone: here is none.
    facts = small_facts(Given(memory=memory), owner="patroni")
    now = live()
    settings = {f"vm.{name}": Known(int(now[name]), "test") for name in now if name != THP}
    settings["net.ipv4.tcp_keepalive_time"] = Known(int(KEEPALIVE.read_text()), "test")
    kernel = dataclasses.replace(
        facts.kernel,
        settings=MappingProxyType({**settings, "thp.enabled": Known(chosen(now[THP]), "test")}),
    )
    machine_id = machine_id_here()
    host = dataclasses.replace(facts.host, identity=Known(identity(machine_id), "test"))
    return dataclasses.replace(facts, host=host, kernel=kernel)


def write(directory: Path, wanted: dict[str, str], *, memory: str = "64GB") -> Path:
    facts = facts_of_this_kernel(memory)
    write_bundle(small_plan(facts, wanted), directory, facts_to_json(facts), answers_to_toml(small_answers()))
    return directory


def run(script: Path, state: Path) -> Ran:
    done = subprocess.run(
        ["sh", script],
        env={"PATH": os.environ["PATH"], "TUNEWIZ_STATE_DIR": str(state)},
        capture_output=True,
        text=True,
        check=False,
    )
    return Ran(status=done.returncode, out=done.stdout, err=done.stderr)


@pytest.mark.parametrize("in_force", ["ratio", "bytes"])
def test_the_kernel_has_what_was_planned_and_then_what_it_had(in_force: str, tmp_path: Path) -> None:
    if in_force == "bytes":
        (VM / "dirty_bytes").write_text("1073741824")
    before = live()
    pages = int(before["nr_hugepages"]) + 8
    word = "never" if chosen(before[THP]) != "never" else "madvise"
    bundle = write(
        tmp_path / "bundle",
        {
            "kernel.dirty_bytes": "536870912",
            "kernel.nr_hugepages": str(pages),
            "kernel.transparent_hugepage": word,
        },
    )
    applied = run(bundle / "apply.sh", tmp_path / "state")
    assert (applied.status, applied.err) == (0, "")
    now = live()
    assert (now["dirty_bytes"], now["dirty_ratio"], now["nr_hugepages"]) == (
        "536870912\n",
        "0\n",
        f"{pages}\n",
    )
    assert chosen(now[THP]) == word
    assert run(bundle / "verify.sh", tmp_path / "state").status == 0
    assert run(bundle / "rollback.sh", tmp_path / "state").status == 0
    assert live() == before
    assert not Path(SYSCTL_FILE).exists()


def test_a_setting_of_the_network_comes_back_too(tmp_path: Path) -> None:
    before = KEEPALIVE.read_text()
    bundle = write(tmp_path / "bundle", {"kernel.tcp_keepalive_time": "299"})
    applied = run(bundle / "apply.sh", tmp_path / "state")
    assert (applied.status, applied.err, KEEPALIVE.read_text()) == (0, "", "299\n")
    assert run(bundle / "verify.sh", tmp_path / "state").status == 0
    assert "net.ipv4.tcp_keepalive_time = 299" in Path(SYSCTL_FILE).read_text()
    assert run(bundle / "rollback.sh", tmp_path / "state").status == 0
    assert (KEEPALIVE.read_text(), Path(SYSCTL_FILE).exists()) == (before, False)


RESERVED = "21000\n"


@pytest.mark.parametrize(("first", "then"), [("never", "madvise"), ("madvise", "never")])
def test_what_the_kernel_reserves_for_huge_pages_comes_back_too(
    first: str, then: str, tmp_path: Path
) -> None:
    Path(THP).write_text(first)
    (VM / "min_free_kbytes").write_text(RESERVED)
    before = live()
    bundle = write(tmp_path / "bundle", {"kernel.transparent_hugepage": then})
    assert run(bundle / "apply.sh", tmp_path / "state").status == 0
    assert (chosen(live()[THP]), before["min_free_kbytes"]) == (then, RESERVED)
    restored = run(bundle / "rollback.sh", tmp_path / "state")
    assert (restored.status, restored.err) == (0, "")
    assert live() == before


def test_what_someone_reserves_meanwhile_is_left_alone(tmp_path: Path) -> None:
    Path(THP).write_text("never")
    (VM / "min_free_kbytes").write_text(RESERVED)
    bundle = write(tmp_path / "bundle", {"kernel.transparent_hugepage": "madvise"})
    assert run(bundle / "apply.sh", tmp_path / "state").status == 0
    (VM / "min_free_kbytes").write_text("70000")
    assert run(bundle / "rollback.sh", tmp_path / "state").status == 0
    assert live()["min_free_kbytes"] == "70000\n"


def test_a_value_that_the_kernel_refuses_is_taken_back(tmp_path: Path) -> None:
    before = live()
    bundle = write(tmp_path / "bundle", {"kernel.dirty_bytes": "1", "kernel.transparent_hugepage": "never"})
    ran = run(bundle / "apply.sh", tmp_path / "state")
    assert ran.status == 5
    assert "the kernel did not accept it" in ran.err
    assert live() == before
    assert not Path(SYSCTL_FILE).exists()


def test_case_63_more_huge_pages_than_there_is_memory_for_are_refused(tmp_path: Path) -> None:
    before = live()
    result = dict(line.split(":") for line in Path("/proc/meminfo").read_text().splitlines())
    pages = int(result["MemAvailable"].split()[0]) // int(result["Hugepagesize"].split()[0])
    bundle = write(tmp_path / "bundle", {"kernel.nr_hugepages": str(pages)}, memory="8TB")
    ran = run(bundle / "apply.sh", tmp_path / "state")
    assert ran.status == 4
    assert "MB are available" in ran.err
    assert live() == before
