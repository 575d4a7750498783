"""A vacuum at a set time: by a systemd timer, otherwise by cron."""

import dataclasses
from pathlib import Path

import pytest

from pretend_root import DATA, PretendRoot, make_root
from small_host import host_bundle, put_program, put_systemd
from tunewiz.kinds.vacuum import VacuumSchedule

NAME = "tunewiz-vacuum-b9979e13"
"""With a checksum of the data directory: every cluster has its own."""
TIMER = f"/etc/systemd/system/{NAME}.timer"
SERVICE = f"/etc/systemd/system/{NAME}.service"
CRON = f"/etc/cron.d/{NAME}"
BY_TIMER = VacuumSchedule(
    by="systemd", hour=3, minute=7, os_user="postgres", port=5433, socket_directory="/run/postgresql"
)
BY_CRON = dataclasses.replace(BY_TIMER, by="cron", socket_directory="")


@pytest.fixture
def machine(tmp_path: Path) -> PretendRoot:
    made = make_root(tmp_path)
    put_systemd(made)
    made.path("/etc/cron.d").mkdir()
    return made


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return host_bundle(tmp_path / "bundle", BY_TIMER)


def test_a_timer_is_switched_on_verified_and_taken_away(machine: PretendRoot, bundle: Path) -> None:
    before = machine.tree()
    applied = machine.run(bundle / "apply.sh")
    assert (applied.status, applied.err) == (0, "")
    assert "OnCalendar=*-*-* 03:07:00\n" in machine.read(TIMER)
    assert "User=postgres\n" in machine.read(SERVICE)
    command = "vacuumdb --all --freeze --analyze --quiet --no-password --port=5433 --host=/run/postgresql\n"
    assert f"ExecStart=/usr/bin/env {command}" in machine.read(SERVICE)
    assert machine.path(f"/etc/systemd/system/timers.target.wants/{NAME}.timer").is_symlink()
    assert machine.run(bundle / "verify.sh").status == 0
    restored = machine.run(bundle / "rollback.sh")
    assert (restored.status, restored.err) == (0, "")
    assert machine.tree() == before


def test_a_timer_that_someone_switched_off_differs(machine: PretendRoot, bundle: Path) -> None:
    machine.run(bundle / "apply.sh")
    machine.path(f"/etc/systemd/system/timers.target.wants/{NAME}.timer").unlink()
    ran = machine.run(bundle / "verify.sh")
    assert ran.status == 1
    assert f"DIFFERS     {NAME}.timer" in ran.out


def test_a_timer_is_told_as_off_where_systemd_no_longer_runs_the_machine(
    machine: PretendRoot, bundle: Path
) -> None:
    machine.run(bundle / "apply.sh")
    machine.path("/run/systemd/system").rmdir()
    ran = machine.run(bundle / "verify.sh")
    assert (ran.status, ran.err) == (1, "")
    assert f"DIFFERS     {NAME}.timer" in ran.out


def test_a_masked_timer_is_refused(machine: PretendRoot, bundle: Path) -> None:
    machine.path(TIMER).symlink_to("/dev/null")
    before = machine.tree()
    ran = machine.run(bundle / "apply.sh")
    assert ran.status == 4
    assert f"{NAME}.timer: is masked" in ran.err
    assert machine.tree() == before


def test_a_timer_that_cannot_be_switched_on_leaves_nothing_behind(machine: PretendRoot, bundle: Path) -> None:
    broken = machine.read("/usr/bin/systemctl").replace("enable)\n", "enable)\n        exit 1\n")
    put_program(machine, "systemctl", broken)
    before = machine.tree()
    assert machine.run(bundle / "apply.sh").status == 5
    assert machine.tree() == before


def test_cron_is_given_a_file_of_its_own_and_it_is_taken_away(machine: PretendRoot, tmp_path: Path) -> None:
    before = machine.tree()
    made = host_bundle(tmp_path / "bundle", BY_CRON)
    assert machine.run(made / "apply.sh").status == 0
    assert machine.read(CRON).splitlines()[1:] == [
        f"# {DATA}",
        "PATH=/usr/lib/postgresql/15/bin:/usr/pgsql-15/bin:/usr/local/pgsql/bin:/usr/bin:/bin",
        "7 3 * * * postgres vacuumdb --all --freeze --analyze --quiet --no-password --port=5433",
    ]
    assert machine.run(made / "verify.sh").status == 0
    assert machine.run(made / "rollback.sh").status == 0
    assert machine.tree() == before


def test_a_file_for_cron_that_someone_changed_since_is_left_alone(
    machine: PretendRoot, tmp_path: Path
) -> None:
    made = host_bundle(tmp_path / "bundle", BY_CRON)
    machine.run(made / "apply.sh")
    machine.write(CRON, "7 4 * * * postgres vacuumdb --all\n")
    assert machine.run(made / "verify.sh").status == 1
    assert machine.run(made / "rollback.sh").status == 4
    assert machine.read(CRON) == "7 4 * * * postgres vacuumdb --all\n"


def test_without_a_directory_for_cron_it_is_refused(machine: PretendRoot, tmp_path: Path) -> None:
    machine.path("/etc/cron.d").rmdir()
    ran = machine.run(host_bundle(tmp_path / "bundle", BY_CRON) / "apply.sh")
    assert ran.status == 4
    assert "/etc/cron.d" in ran.err


@pytest.mark.parametrize(
    "hostile",
    [{"os_user": "postgres; reboot"}, {"os_user": "a\nUser=root"}, {"socket_directory": "/run/$(reboot)"}],
    ids=str,
)
def test_a_user_or_socket_that_is_no_plain_name_is_left_to_a_person(
    hostile: dict[str, str], tmp_path: Path
) -> None:
    made = host_bundle(tmp_path / "bundle", dataclasses.replace(BY_TIMER, **hostile))  # type: ignore[arg-type]
    assert "timer|" not in (made / "steps.txt").read_text()
    assert "Wanted, but out of this bundle's reach" in (made / "REVIEW.md").read_text()
