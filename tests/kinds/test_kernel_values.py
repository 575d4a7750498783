"""A kernel that takes or tells a value otherwise than it was written: what counts is what it says."""

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from faulty_programs import says, shim, without_shims
from fixtures_bundles import MakeBundle
from pretend_root import DATA, PretendRoot
from small_bundles import bundle_of
from small_plans import TARGETS, THP, small_facts, small_plan
from tunewiz.core.facts.facts import Facts
from tunewiz.core.recommendation.targets import SysctlTarget
from tunewiz.core.values.known import Known, Unknown

VM = "/proc/sys/vm"
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
