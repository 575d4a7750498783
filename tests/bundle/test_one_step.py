"""How a run goes from step to step: past what stands already, and no further when it is told to stop."""

import hashlib
from pathlib import Path

import pytest

from faulty_programs import at_journal, kill_at, without_shims
from fixtures_bundles import MakeBundle
from pretend_root import SYSCTL_FILE, PretendRoot, entries
from small_bundles import AS_PLANNED, in_force
from small_plans import WANTED

NEVER_SET = "NOBODY_HAS_SET_THIS"


def journal(machine: PretendRoot) -> list[str]:
    """Every line of the only bundle's journal."""
    (file,) = machine.state.glob("*/journal")
    return file.read_text().splitlines()


def test_a_run_that_is_told_to_stop_does_not_begin_another_step(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    made, before = bundled(), machine.tree()
    at_journal(machine, "done*", "kill -TERM $PPID")
    assert machine.run(made / "apply.sh").status == 5
    assert [line for line in journal(machine) if line.startswith("intent")] == ["intent 3"]
    assert without_shims(machine.tree()) == before


def test_a_run_without_a_word_to_stop_begins_every_step(machine: PretendRoot, bundled: MakeBundle) -> None:
    assert machine.run(bundled() / "apply.sh").status == 0
    begun = [line for line in journal(machine) if line.startswith("intent")]
    assert len(begun) == len(set(begun)) > 1


def test_a_step_that_an_earlier_run_has_done_is_not_done_again(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    made, before = bundled(), machine.tree()
    kill_at(machine, made / "apply.sh", "done", "file|sysctl")
    written = entries(machine.path(SYSCTL_FILE).parent)
    assert written
    assert machine.run(made / "apply.sh").status == 0
    assert entries(machine.path(SYSCTL_FILE).parent) == written
    assert in_force(machine) == AS_PLANNED
    begun = [line for line in journal(machine) if line.startswith("intent")]
    assert len(begun) == len(set(begun))
    assert machine.run(made / "rollback.sh").status == 0
    assert without_shims(machine.tree()) == before


def test_a_change_of_the_kernel_alone_is_silent_about_a_server(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    kernel = {name: value for name, value in WANTED.items() if name.startswith("kernel.")}
    del kernel["kernel.nr_hugepages"]
    made = bundled(kernel)
    ran = machine.run(made / "apply.sh")
    assert (ran.status, ran.err) == (0, "")
    assert "server" not in ran.out
    assert machine.run(made / "rollback.sh").status == 0


@pytest.mark.parametrize("script", ["apply.sh", "rollback.sh", "verify.sh"])
def test_a_slip_in_a_part_ends_the_script_before_it_changes_anything(
    script: str, machine: PretendRoot, bundled: MakeBundle
) -> None:
    made, before = bundled(), machine.tree()
    slip(made)
    ran = machine.run(made / script)
    assert NEVER_SET in ran.err
    assert not ran.out
    assert machine.tree() == before
    assert not machine.state.exists()


def slip(bundle: Path) -> None:
    """A part that reads what was never set, in a bundle that is whole all the same."""
    part, sums = bundle / "lib" / "base.sh", bundle / "SHA256SUMS"
    was = hashlib.sha256(part.read_bytes()).hexdigest()
    part.write_text(f'{part.read_text()}\n: "${NEVER_SET}"\n')
    sums.write_text(sums.read_text().replace(was, hashlib.sha256(part.read_bytes()).hexdigest()))
