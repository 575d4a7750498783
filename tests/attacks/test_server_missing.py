"""A server that is not found any more is not restored: what is missing is named until it is back."""

from pathlib import Path

import pytest

from fixtures_bundles import MakeBundle
from pretend_root import DATA, DROP_IN, PretendRoot
from pretend_systemd import run_by_systemd
from real_subject import MakeSubject
from small_bundles import in_force

DONE, NOT_RESTORED = 0, 5
UNMOUNTED = {
    "the data disk": "/var/lib/postgresql",
    "the data directory": DATA,
    "the configuration": f"{DATA}/postgresql.conf",
}


@pytest.mark.parametrize("options", [(), ("--unless-confirmed",)], ids=["by hand", "at a deadline"])
@pytest.mark.parametrize("missing", UNMOUNTED)
def test_case_89_what_is_missing_is_named_and_the_kernel_is_taken_back_all_the_same(
    missing: str, options: tuple[str, ...], machine: PretendRoot, bundled: MakeBundle
) -> None:
    made, before, kernel = bundled(), machine.tree(), in_force(machine)
    assert machine.run(made / "apply.sh").status == DONE
    place = machine.path(UNMOUNTED[missing])
    away = machine.root.parent / "away"
    place.rename(away)
    for _ in range(2):
        ran = machine.run(made / "rollback.sh", *options)
        assert (ran.status, "as it was before" in ran.said) == (NOT_RESTORED, False), ran.said
        assert UNMOUNTED[missing] in ran.err
        assert in_force(machine)["dirty_bytes"] == kernel["dirty_bytes"]
    away.rename(place)
    ran = machine.run(made / "rollback.sh")
    assert (ran.status, ran.err) == (DONE, "")
    assert machine.tree() == before


def test_case_89_a_data_directory_that_moved_is_named_though_its_drop_in_is_taken_away(
    make_subject: MakeSubject,
) -> None:
    subject = make_subject("debian")
    bundle, data = subject.bundle({"pg.work_mem": "24MB"}), subject.cluster.data_directory
    assert subject.run(bundle / "apply.sh").status == DONE
    subject.cluster.stop()
    moved = data.with_name("moved")
    data.rename(moved)
    ran = subject.run(bundle / "rollback.sh")
    moved.rename(data)
    assert (ran.status, str(data) in ran.err) == (NOT_RESTORED, True), ran.said
    assert not (subject.cluster.config_file.parent / "conf.d" / "zz-tunewiz.conf").exists()
    assert subject.run(bundle / "rollback.sh").status == DONE


def test_case_89_the_guard_waits_for_the_mounts_of_data_and_configuration(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    made = bundled()
    log = machine.root.parent / "log"
    log.mkdir()
    machine.path(f"{DATA}/pg_wal").symlink_to(log)
    assert run_by_systemd(machine).run(made / "apply.sh", "--confirm-within", "10").status == DONE
    (guard,) = machine.path("/etc/systemd/system").glob("tunewiz-guard-*.service")
    (line,) = (line for line in guard.read_text().splitlines() if line.startswith("RequiresMountsFor="))
    needed = line.removeprefix("RequiresMountsFor=").split()
    assert [Path(text) for text in needed] == [machine.state, machine.path(DATA), log]
    assert machine.path(DROP_IN).exists()
