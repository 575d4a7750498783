"""What others changed since stays; what cannot be put back does not keep the rest from it."""

import shutil

from faulty_programs import shim, without_shims
from fixtures_bundles import MakeBundle
from pretend_root import DROP_IN, SYSCTL_FILE, TMPFILES_FILE, PretendRoot


def test_case_47_rollback_leaves_alone_what_someone_else_changed_since(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    made, before = bundled(), machine.tree()
    machine.run(made / "apply.sh")
    machine.write("/proc/sys/vm/nr_hugepages", "128\n")
    machine.write(DROP_IN, "work_mem = '1GB'\n")
    for _ in range(2):
        ran = machine.run(made / "rollback.sh")
        assert ran.status == 4
        assert "vm.nr_hugepages (128)" in ran.err
        assert f"{DROP_IN} (another content)" in ran.err
    after = dict(machine.tree())
    assert machine.read("/proc/sys/vm/nr_hugepages") == "128\n"
    assert after.pop(DROP_IN[1:]).content == b"work_mem = '1GB'\n"
    before_rest = {path: entry for path, entry in before.items() if path != "proc/sys/vm/nr_hugepages"}
    assert {path: after.get(path) for path in before_rest} == before_rest


def test_a_drop_in_that_someone_removed_is_as_before(machine: PretendRoot, bundled: MakeBundle) -> None:
    made, before = bundled(), machine.tree()
    machine.run(made / "apply.sh")
    machine.path(SYSCTL_FILE).unlink()
    assert machine.run(made / "rollback.sh").status == 0
    assert machine.tree() == before


def test_apply_after_a_foreign_change_says_so_and_does_nothing(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    made = bundled()
    machine.run(made / "apply.sh")
    machine.write("/proc/sys/vm/nr_hugepages", "128\n")
    before = machine.tree()
    assert machine.run(made / "apply.sh").status == 4
    assert machine.tree() == before


def test_apply_after_someone_put_a_value_back_says_so_and_leaves_it(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    made = bundled({"kernel.swappiness": "10"})
    machine.run(made / "apply.sh")
    machine.write("/proc/sys/vm/swappiness", "60\n")
    ran = machine.run(made / "apply.sh")
    assert ran.status == 4
    assert "changed by someone since" in ran.err
    assert machine.read("/proc/sys/vm/swappiness") == "60\n"


def test_what_cannot_be_restored_does_not_keep_the_rest_from_it(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    made, before = bundled(), machine.tree()
    machine.run(made / "apply.sh")
    shim(machine, "mv", f'case "$*" in *"{SYSCTL_FILE} "*) exit 1 ;; esac\nexec /bin/mv "$@"')
    ran = machine.run(made / "rollback.sh")
    assert ran.status == 5
    assert f"NOT restored: {SYSCTL_FILE}" in ran.err
    unrestored = dict(machine.tree())
    assert unrestored.pop(SYSCTL_FILE[1:]).content.startswith(b"# Put here")
    assert without_shims(unrestored) == before
    machine.path("/usr/bin/mv").unlink()
    assert machine.run(made / "rollback.sh").status == 0
    assert without_shims(machine.tree()) == before


def test_a_made_directory_that_others_use_by_now_stays(machine: PretendRoot, bundled: MakeBundle) -> None:
    shutil.rmtree(machine.path("/etc/sysctl.d"))
    made = bundled()
    machine.run(made / "apply.sh")
    machine.write("/etc/sysctl.d/10-other.conf", "vm.swappiness = 1\n")
    assert machine.run(made / "rollback.sh").status == 0
    assert machine.read("/etc/sysctl.d/10-other.conf") == "vm.swappiness = 1\n"
    assert not machine.path(SYSCTL_FILE).exists()


def test_each_thing_that_cannot_be_put_back_has_a_line_of_its_own(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    made = bundled()
    machine.run(made / "apply.sh")
    shim(machine, "mv", 'case "$*" in *"tunewiz.conf "*) exit 1 ;; esac\nexec /bin/mv "$@"')
    ran = machine.run(made / "rollback.sh")
    assert ran.status == 5
    result = [line.removeprefix("NOT restored: ") for line in ran.err.splitlines()]
    assert {SYSCTL_FILE, TMPFILES_FILE, DROP_IN} <= set(result)
