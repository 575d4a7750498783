"""A kernel that takes or tells a value otherwise than it was written: what counts is what it says."""

import dataclasses
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from faulty_programs import says, shim, without_shims
from fixtures_bundles import MakeBundle
from pretend_root import DATA, PretendRoot
from shells import EVERY_SHELL
from small_bundles import bundle_of
from small_plans import TARGETS, THP, small_facts, small_plan
from tunewiz.core.facts.facts import Facts
from tunewiz.core.recommendation.targets import SysctlTarget
from tunewiz.core.values.known import Known, Unknown

VM = "/proc/sys/vm"
SCRIPTS = Path(__file__).resolve().parents[2] / "tunewiz" / "bundle" / "scripts"
DIRTY = {"kernel.dirty_bytes": "536870912"}
SWAPPINESS = {"kernel.swappiness": "10"}


def facts_without(*unknown: str) -> Facts:
    """Facts that do not tell some values of the kernel."""
    facts = small_facts(include_directory=Known(f"{DATA}/conf.d", "test"))
    settings = {**facts.kernel.settings, **dict.fromkeys(unknown, Unknown("test"))}
    return dataclasses.replace(
        facts, kernel=dataclasses.replace(facts.kernel, settings=MappingProxyType(settings))
    )


def test_a_value_that_the_kernel_rounds_is_told_and_taken_back(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    before = machine.tree()
    says(machine, "swappiness", 'read -r own <"$1"; echo $((own + own % 60 / 10)); exit')
    ran = machine.run(bundled(SWAPPINESS) / "apply.sh")
    assert ran.status == 5
    assert "written 10, read back 11" in ran.err
    assert without_shims(machine.tree()) == before


AS_PEOPLE_WRITE_IT = {
    "0": "0",
    "1": "1",
    "0777": "0777",
    "x[$(true)]": "x[$(true)]",
    "1023": "1023",
    "4096": "4kB",
    "805306368": "768MB",
    "1073741825": "1073741825",
    "5368709120": "5GB",
    "1099511627776": "1TB",
}


@pytest.mark.parametrize("shell", EVERY_SHELL)
def test_bytes_are_told_in_the_units_of_people(
    shell: tuple[str, ...], machine: PretendRoot, bundled: MakeBundle
) -> None:
    machine = dataclasses.replace(machine, shell=shell)
    long = counts_beyond_32_bits(shell)
    wants, has = ("512MB", "768MB") if long else ("536870912", "805306368")
    made = bundled(DIRTY)
    machine.write(f"{VM}/dirty_bytes", "805306368\n")
    assert f"vm.dirty_bytes: 0 when planned, found {has}\n" in machine.run(made / "apply.sh").err
    machine.write(f"{VM}/dirty_bytes", "0\n")
    applied = machine.run(made / "apply.sh", "--confirm-within", "10", "--watcher")
    assert f"  vm.dirty_bytes 0 -> {wants}\n" in applied.out
    assert f"as planned  vm.dirty_bytes: {wants}, also" in machine.run(made / "verify.sh").out
    machine.write(f"{VM}/dirty_bytes", "805306368\n")
    assert f"planned {wants}, running {has}, configured {wants} in" in machine.run(made / "verify.sh").out
    confirmed = machine.run(made / "apply.sh", "--confirm")
    assert (confirmed.status, f"vm.dirty_bytes: planned {wants}, found {has}\n" in confirmed.err) == (4, True)
    left = machine.run(made / "rollback.sh")
    assert f"left alone, changed by someone else since: vm.dirty_bytes ({has})\n" in left.err
    assert machine.read(f"{VM}/dirty_bytes") == "805306368\n"


@pytest.mark.parametrize("shell", EVERY_SHELL)
def test_amounts_of_bytes_have_the_largest_unit_that_leaves_them_whole(shell: tuple[str, ...]) -> None:
    parts = f". {SCRIPTS}/outcome.sh; . {SCRIPTS}/base.sh"
    loop = """for n; do kernel_words vm.dirty_bytes "$n"; printf '%s\\n' "$WORDS"; done"""
    said = subprocess.run(
        (*shell, "-c", f"{parts}; {loop}", "sh", *AS_PEOPLE_WRITE_IT),
        capture_output=True,
        check=True,
        text=True,
    )
    long = counts_beyond_32_bits(shell)
    assert said.stdout.split() == [*(AS_PEOPLE_WRITE_IT.values() if long else AS_PEOPLE_WRITE_IT)]


def counts_beyond_32_bits(shell: tuple[str, ...]) -> bool:
    said = subprocess.run((*shell, "-c", "echo $((2147483647 + 1))"), capture_output=True, check=True)
    return said.stdout == b"2147483648\n"


def test_a_value_that_is_no_amount_of_bytes_is_told_as_it_is(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    machine.write(f"{VM}/swappiness", "1024\n")
    assert "found 1024\n" in machine.run(bundled(SWAPPINESS) / "apply.sh").err


def test_a_value_that_the_kernel_refuses_to_take_is_told_and_the_rest_taken_back(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    before = machine.tree()
    value = machine.path(f"{VM}/swappiness")
    refuse = f"mv {value} {value}.was; mkdir {value}"
    again = f"rmdir {value}; mv {value}.was {value}"
    shim(
        machine,
        "sync",
        '/bin/sync "$@" || exit\ncase $1:$(tail -n 1 "$1" 2>/dev/null) in\n'
        f"*/journal:intent\\ 4) {refuse} ;;\n*/journal:undo\\ 4) {again} ;; esac",
    )
    ran = machine.run(bundled({**DIRTY, **SWAPPINESS}) / "apply.sh")
    assert ran.status == 5
    assert "the kernel did not accept it" in ran.err
    assert without_shims(machine.tree()) == before


def test_a_twin_that_does_not_come_back_is_told_until_it_does(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    made, before = bundled(DIRTY), machine.tree()
    machine.run(made / "apply.sh")
    undoing = f"case $(tail -n 1 {machine.state}/*/journal) in undo\\ 3) echo 5; exit ;; esac"
    says(machine, "dirty_bytes", undoing)
    ran = machine.run(made / "rollback.sh")
    assert ran.status == 5
    assert "expected 0 20, found 5 20" in ran.err
    machine.path("/usr/bin/cat").unlink()
    assert machine.run(made / "rollback.sh").status == 0
    assert without_shims(machine.tree()) == before


@pytest.mark.parametrize("own", ["dirty_bytes", "dirty_ratio"])
def test_of_a_pair_that_was_not_in_force_the_ratio_is_written_which_alone_takes_a_zero(
    own: str, machine: PretendRoot, tmp_path: Path
) -> None:
    twin = {"dirty_bytes": "dirty_ratio", "dirty_ratio": "dirty_bytes"}[own]
    machine.write(f"{VM}/dirty_ratio", "0\n")
    facts, value = facts_without("vm.dirty_ratio", "vm.dirty_bytes"), {"kernel.dirty_bytes": "30"}
    targets = {**TARGETS, "kernel.dirty_bytes": SysctlTarget(name=f"vm.{own}", twin=f"vm.{twin}")}
    made, before = bundle_of(small_plan(facts, value, targets=targets), tmp_path / "bundle"), machine.tree()
    assert machine.run(made / "apply.sh").status == 0
    assert machine.read(f"{VM}/{own}") == "30\n"
    ran = machine.run(made / "rollback.sh")
    assert (ran.status, ran.err) == (0, "")
    written = [line for line in ran.out.splitlines() if line.startswith("write ")]
    assert written == ["write 0 to /proc/sys/vm/dirty_ratio"]
    assert machine.tree() == before


UNKNOWN: Mapping[str, tuple[tuple[str, ...], str, int]] = {
    "neither is known": (("vm.dirty_bytes", "vm.dirty_ratio"), "35\n", 0),
    "the twin is not known": (("vm.dirty_ratio",), "35\n", 0),
    "the twin is as it was": (("vm.dirty_bytes",), "20\n", 0),
    "the twin is not as it was": (("vm.dirty_bytes",), "35\n", 4),
}


@pytest.mark.parametrize("case", UNKNOWN)
def test_of_a_pair_only_what_the_plan_knew_has_to_be_as_it_was(
    case: str, machine: PretendRoot, bundled: MakeBundle
) -> None:
    unknown, ratio, status = UNKNOWN[case]
    machine.write(f"{VM}/dirty_ratio", ratio)
    made, before = bundled(DIRTY, facts=facts_without(*unknown)), machine.tree()
    assert machine.run(made / "apply.sh").status == status
    machine.run(made / "rollback.sh")
    assert machine.tree() == before


def test_a_word_that_the_plan_did_not_know_may_be_any(machine: PretendRoot, bundled: MakeBundle) -> None:
    machine.write(THP, "always [madvise] never\n")
    made = bundled({"kernel.transparent_hugepage": "never"}, facts=facts_without("thp.enabled"))
    before = machine.tree()
    assert machine.run(made / "apply.sh").status == 0
    assert machine.read(THP) == "always madvise [never]\n"
    assert machine.run(made / "rollback.sh").status == 0
    assert machine.tree() == before


def test_a_word_that_the_kernel_does_not_offer_is_taken_back(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    machine.write(THP, "[always] madvise\n")
    made, before = bundled({**DIRTY, "kernel.transparent_hugepage": "never"}), machine.tree()
    ran = machine.run(made / "apply.sh")
    assert ran.status == 5
    assert "  the kernel did not accept it\n  written never, read back always\n" in ran.err
    assert machine.tree() == before


def test_a_plain_value_under_sys_is_written_as_it_is(machine: PretendRoot, bundled: MakeBundle) -> None:
    machine.write(THP, "always\n")
    made, before = bundled({"kernel.transparent_hugepage": "never"}), machine.tree()
    ran = machine.run(made / "apply.sh")
    assert (ran.status, ran.err, machine.read(THP)) == (0, "", "never\n")
    assert machine.run(made / "rollback.sh").status == 0
    assert machine.tree() == before


GONE = {"/proc/sys/vm/swappiness": ("vm.swappiness", "60"), THP: (THP, "always")}


@pytest.mark.parametrize("inside", GONE)
def test_a_value_that_this_kernel_does_not_have_is_told_as_such(
    inside: str, machine: PretendRoot, bundled: MakeBundle
) -> None:
    name, planned_on = GONE[inside]
    made = bundled({**DIRTY, **SWAPPINESS, "kernel.transparent_hugepage": "never"})
    machine.path(inside).unlink()
    before = machine.tree()
    ran = machine.run(made / "apply.sh")
    assert ran.status == 4
    assert f"{name}: {planned_on} when planned, found nothing readable" in ran.err
    assert machine.tree() == before


@pytest.mark.parametrize("inside", GONE)
def test_a_value_that_a_later_kernel_does_not_have_is_left_out_of_a_rollback(
    inside: str, machine: PretendRoot, bundled: MakeBundle
) -> None:
    made, before = bundled({**DIRTY, **SWAPPINESS, "kernel.transparent_hugepage": "never"}), machine.tree()
    machine.run(made / "apply.sh")
    machine.path(inside).unlink()
    verified = machine.run(made / "verify.sh")
    assert verified.status == 1
    assert f"DIFFERS     {GONE[inside][0]}: " in verified.out
    ran = machine.run(made / "rollback.sh")
    assert ran.status == 4
    assert ran.err.count("left alone, changed by someone else since: ") == 1
    assert f"{GONE[inside][0]} (nothing readable)" in ran.err
    assert machine.tree() == {path: entry for path, entry in before.items() if path != inside[1:]}
