"""Bundles applied to a pretend root and taken back: what is compared is state, not words."""

import dataclasses
import os
import shutil
import stat
from pathlib import Path

import pytest

from faulty_programs import shim, without_shims
from fixtures_bundles import MakeBundle
from pretend_root import DATA, DROP_IN, FILES, PretendRoot, entries, make_root
from shells import EVERY_SHELL
from small_bundles import AS_PLANNED, in_force
from small_plans import THP, small_facts
from tools_here import needs
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.known import Known


@pytest.mark.parametrize("shell", EVERY_SHELL)
def test_apply_verify_and_rollback_keep_their_promise_in_every_shell(
    shell: tuple[str, ...], machine: PretendRoot, bundled: MakeBundle
) -> None:
    machine = dataclasses.replace(machine, shell=shell)
    made, before = bundled(), machine.tree()
    applied = machine.run(made / "apply.sh")
    assert (applied.status, applied.err) == (0, "")
    assert in_force(machine) == AS_PLANNED
    assert machine.run(made / "verify.sh").status == 0
    restored = machine.run(made / "rollback.sh")
    assert (restored.status, restored.err) == (0, "")
    assert machine.tree() == before


def test_the_end_of_a_run_tells_how_to_check_and_to_undo_it(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    made = bundled()
    last = machine.run(made / "apply.sh").out.splitlines()[-1]
    assert last == f"Done. Check: sh {made}/verify.sh   Undo: sh {made}/rollback.sh"


@pytest.mark.parametrize("shell", EVERY_SHELL)
def test_values_of_the_kernel_are_counted_as_it_has_them_at_the_end(
    shell: tuple[str, ...], machine: PretendRoot, bundled: MakeBundle
) -> None:
    machine = dataclasses.replace(machine, shell=shell)
    made = bundled({"kernel.swappiness": "10", "kernel.transparent_hugepage": "madvise"})
    applied = machine.run(made / "apply.sh").out.splitlines()
    swap = f"  vm.swappiness {FILES['/proc/sys/vm/swappiness'].strip()} -> 10"
    assert applied[-4:-1] == [
        swap,
        "  /sys/kernel/mm/transparent_hugepage/enabled always -> madvise",
        "2 of 2 in force",
    ]
    assert machine.run(made / "rollback.sh").out.splitlines()[-2] == "2 of 2 as before"


def test_case_44_a_drop_in_is_readable_by_all_and_belongs_to_whom_the_configuration_belongs(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    if os.geteuid() == 0:
        os.chown(machine.path(f"{DATA}/postgresql.conf"), 101, 104)
    machine.run(bundled() / "apply.sh")
    made, like = machine.path(DROP_IN).stat(), machine.path(f"{DATA}/postgresql.conf").stat()
    assert stat.S_IMODE(made.st_mode) == 0o644
    assert (made.st_uid, made.st_gid) == (like.st_uid, like.st_gid)
    assert machine.read(DROP_IN).splitlines()[1:] == ["shared_buffers = '256MB'", "work_mem = '24MB'"]


def test_what_was_there_before_is_kept_out_of_sight_of_others(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    machine.run(bundled() / "apply.sh")
    assert stat.S_IMODE(machine.state.stat().st_mode) == 0o700
    assert not any(stat.S_IMODE(path.stat().st_mode) & 0o077 for path in machine.state.rglob("*.value"))


def test_a_dry_run_tells_every_step_and_changes_nothing(machine: PretendRoot, bundled: MakeBundle) -> None:
    made, before = bundled(), machine.tree()
    ran = machine.run(made / "apply.sh", "--dry-run")
    assert ran.status == 0
    assert machine.tree() == before
    assert not machine.state.exists()
    for text in ("write 536870912 to /proc/sys/vm/dirty_bytes", f"write never to {THP}", f"put {DROP_IN}"):
        assert f"would {text}" in ran.out
    assert ran.out.splitlines()[-1] == "Nothing was changed: this was a dry run."


def test_a_dry_rollback_changes_nothing(machine: PretendRoot, bundled: MakeBundle) -> None:
    made = bundled()
    machine.run(made / "apply.sh")
    before, kept = machine.tree(), entries(machine.state)
    ran = machine.run(made / "rollback.sh", "--dry-run")
    assert (ran.status, ran.err) == (0, "")
    assert "would write 20 to /proc/sys/vm/dirty_ratio" in ran.out
    assert ran.out.splitlines()[-1] == "Nothing was changed: this was a dry run."
    assert (machine.tree(), entries(machine.state)) == (before, kept)


def test_directories_that_were_not_there_are_made_and_taken_away(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    shutil.rmtree(machine.path("/etc/sysctl.d"))
    made, before = bundled(), machine.tree()
    assert machine.run(made / "apply.sh").status == 0
    assert stat.S_IMODE(machine.path("/etc/sysctl.d").stat().st_mode) == 0o755
    assert machine.run(made / "rollback.sh").status == 0
    assert machine.tree() == before


PAIRS = {
    "the ratio was in force": ("0", "20"),
    "the bytes were in force": ("1073741824", "0"),
    "neither was in force": ("0", "0"),
}


@pytest.mark.parametrize("case", PAIRS)
def test_of_a_pair_the_one_that_was_in_force_is_restored(
    case: str, machine: PretendRoot, bundled: MakeBundle
) -> None:
    own, twin = PAIRS[case]
    machine.write("/proc/sys/vm/dirty_bytes", f"{own}\n")
    machine.write("/proc/sys/vm/dirty_ratio", f"{twin}\n")
    facts = small_facts(Given(kernel={"vm.dirty_bytes": int(own), "vm.dirty_ratio": int(twin)}))
    made = bundled({"kernel.dirty_bytes": "536870912"}, facts=facts)
    before = machine.tree()
    assert machine.run(made / "apply.sh").status == 0
    assert machine.run(made / "rollback.sh").status == 0
    assert machine.tree() == before


HOSTILE = 'it\'s $(touch pwned) `touch pwned`; "x" | & <b> \\0101 %s *'


def test_case_72_a_hostile_path_is_data_and_nothing_else(tmp_path: Path, bundled: MakeBundle) -> None:
    data = f"/srv/{HOSTILE}"
    files = {path.replace(DATA, data): content for path, content in FILES.items()}
    machine = make_root(tmp_path / "hostile", files, data=data)
    facts = small_facts(
        name=f"{HOSTILE}\n\x1b[31m",
        data_directory=Known(data, "test"),
        config_file=Known(f"{data}/postgresql.conf", "test"),
        include_directory=Known(f"{data}/conf.d", "test"),
    )
    made, before = bundled(facts=facts, name="b $(touch pwned)"), machine.tree()
    for script in ("apply.sh", "verify.sh", "rollback.sh"):
        ran = machine.run(made / script)
        assert (ran.status, ran.err) == (0, "")
        assert "\x1b" not in ran.out
    assert machine.tree() == before
    assert not [path for path in (*tmp_path.rglob("pwned"), Path("pwned"), Path("/pwned")) if path.exists()]


def test_case_66_a_closed_terminal_does_not_stop_a_run_half_way(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    made = bundled()
    shell = ("sh", "-c", 'exec sh "$@" >&-', "sh")
    dataclasses.replace(machine, shell=shell).run(made / "apply.sh")
    assert in_force(machine) == AS_PLANNED


@needs("bash")
@pytest.mark.parametrize(("script", "program"), [("apply.sh", "chmod"), ("rollback.sh", "rm")])
def test_case_66_programs_that_talk_to_nobody_any_more_do_their_work(
    script: str, program: str, machine: PretendRoot, bundled: MakeBundle
) -> None:
    made, before = bundled(), machine.tree()
    if script == "rollback.sh":
        machine.run(made / "apply.sh")
    shim(machine, program, f'echo at work\nexec /bin/{program} "$@"')
    shell = ("bash", "-c", 'set -o pipefail; sh "$@" | exec <&-; exit "${PIPESTATUS[0]}"', "sh")
    assert dataclasses.replace(machine, shell=shell).run(made / script).status == 0
    if script == "apply.sh":
        assert in_force(machine) == AS_PLANNED
    else:
        assert without_shims(machine.tree()) == before


def test_a_bundle_without_changes_has_nothing_to_apply(machine: PretendRoot, bundled: MakeBundle) -> None:
    ran = machine.run(bundled({}) / "apply.sh")
    assert (ran.status, ran.said) == (3, "This bundle changes nothing.\n")
    assert not machine.state.exists()
