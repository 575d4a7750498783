"""One bundle twice, and two after one another: what is done is not done again, what was between stays."""

import shutil

from fixtures_bundles import MakeBundle
from pretend_root import DROP_IN, SYSCTL_FILE, PretendRoot, entries


def test_case_55_applying_twice_does_nothing_the_second_time(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    made = bundled()
    machine.run(made / "apply.sh")
    written = entries(machine.root) | entries(machine.state)
    again = machine.run(made / "apply.sh")
    assert (again.status, again.said) == (3, "Applied already, nothing done.\n")
    assert entries(machine.root) | entries(machine.state) == written


def test_case_54_rolling_back_twice_does_nothing_the_second_time(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    made = bundled()
    machine.run(made / "apply.sh")
    machine.run(made / "rollback.sh")
    written = entries(machine.root) | entries(machine.state)
    assert machine.run(made / "rollback.sh").status == 3
    assert entries(machine.root) | entries(machine.state) == written


def test_a_bundle_that_was_never_applied_has_nothing_to_take_back(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    before = machine.tree()
    assert machine.run(bundled() / "rollback.sh").status == 3
    assert machine.tree() == before


def test_a_bundle_can_be_applied_again_after_it_was_taken_back(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    made, before = bundled(), machine.tree()
    for _ in range(2):
        assert machine.run(made / "apply.sh").status == 0
        ran = machine.run(made / "rollback.sh")
        assert (ran.status, ran.out.splitlines()[-1]) == (0, "Everything is as it was before.")
    assert machine.tree() == before


def test_a_dry_run_after_a_rollback_leaves_its_records_where_they_are(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    made = bundled()
    machine.run(made / "apply.sh")
    machine.run(made / "rollback.sh")
    written = entries(machine.root) | entries(machine.state)
    assert machine.run(made / "apply.sh", "--dry-run").status == 0
    assert entries(machine.root) | entries(machine.state) == written


def test_a_second_bundle_keeps_what_the_first_put_in_force(machine: PretendRoot, bundled: MakeBundle) -> None:
    first = bundled({"kernel.swappiness": "10", "pg.work_mem": "24MB"}, name="first")
    assert machine.run(first / "apply.sh").status == 0
    between = machine.tree()
    second = bundled({"kernel.dirty_bytes": "536870912", "pg.shared_buffers": "256MB"}, name="second")
    assert machine.run(second / "apply.sh").status == 0
    assert machine.read(SYSCTL_FILE).splitlines()[1:] == ["vm.dirty_bytes = 536870912", "vm.swappiness = 10"]
    assert machine.read(DROP_IN).splitlines()[1:] == ["shared_buffers = '256MB'", "work_mem = '24MB'"]
    assert machine.run(second / "rollback.sh").status == 0
    assert machine.tree() == between


def test_case_53_bundles_that_change_the_same_are_taken_back_in_order_alone(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    before = machine.tree()
    first = bundled({"kernel.swappiness": "10"}, name="first")
    second = bundled({"kernel.dirty_bytes": "536870912"}, name="second")
    machine.run(first / "apply.sh")
    machine.run(second / "apply.sh")
    both = machine.tree()
    refused = machine.run(first / "rollback.sh")
    assert refused.status == 4
    assert refused.err.splitlines()[-2:] == [f"sh {second}/rollback.sh", f"sh {first}/rollback.sh"]
    assert machine.tree() == both
    assert machine.run(second / "rollback.sh").status == 0
    assert machine.run(first / "rollback.sh").status == 0
    assert machine.tree() == before


def test_case_53_bundles_that_share_nothing_are_taken_back_in_any_order(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    before = machine.tree()
    first = bundled({"kernel.swappiness": "10"}, name="first")
    second = bundled({"kernel.transparent_hugepage": "never"}, name="second")
    machine.run(first / "apply.sh")
    machine.run(second / "apply.sh")
    assert machine.run(first / "rollback.sh").status == 0
    assert machine.run(second / "rollback.sh").status == 0
    assert machine.tree() == before


def test_what_stands_already_is_not_done_though_the_records_are_lost(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    made = bundled({"kernel.swappiness": "10"})
    assert machine.run(made / "apply.sh").status == 0
    shutil.rmtree(machine.state)
    applied = machine.tree()
    assert machine.run(made / "apply.sh").status == 3
    assert machine.tree() == applied


def test_what_was_kept_for_a_run_that_was_taken_back_says_nothing_of_the_next(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    first = bundled({"kernel.swappiness": "10"}, name="first")
    second = bundled({"kernel.dirty_bytes": "536870912"}, name="second")
    assert machine.run(first / "apply.sh").status == 0
    assert machine.run(first / "rollback.sh").status == 0
    assert machine.run(second / "apply.sh").status == 0
    between = machine.tree()
    assert machine.run(first / "apply.sh").status == 0
    assert machine.run(first / "rollback.sh").status == 0
    assert machine.tree() == between
