"""What is armed before anything is changed, so that a change comes back by itself."""

import dataclasses
import shutil
from pathlib import Path

import pytest

from pretend_root import DATA, PretendRoot, Ran
from pretend_systemd import armed, the_copy, told
from small_bundles import small_bundle
from small_host import put_program


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return small_bundle(tmp_path / "bundle")


def test_case_68_without_systemd_a_revert_is_refused_and_nothing_is_changed(
    machine: PretendRoot, bundle: Path
) -> None:
    before = machine.tree()
    ran = machine.run(bundle / "apply.sh", "--confirm-within", "10")
    assert ran.status == 4
    assert "systemd does not run this machine" in ran.err
    assert machine.tree() == before
    assert list(machine.state.iterdir()) == []


def problems(ran: Ran) -> list[str]:
    return [line for line in ran.err.splitlines() if line.startswith("  ")]


@pytest.mark.parametrize("missing", ["systemctl", "systemd-run", "systemd-escape"])
def test_a_missing_program_of_systemd_is_named_and_nothing_is_changed(
    missing: str, with_systemd: PretendRoot, bundle: Path
) -> None:
    with_systemd.path(f"/usr/bin/{missing}").unlink()
    before = with_systemd.tree()
    ran = with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    assert ran.status == 4
    assert problems(ran) == [f"  systemd's {missing} was not found"]
    assert told(with_systemd) == []
    assert with_systemd.tree() == before


def test_where_systemd_does_not_run_its_programs_are_not_asked(
    with_systemd: PretendRoot, bundle: Path
) -> None:
    with_systemd.path("/run/systemd/system").rmdir()
    ran = with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    assert (ran.status, len(problems(ran))) == (4, 1)
    assert told(with_systemd) == []


def test_a_data_directory_that_is_gone_is_told_as_that_and_not_as_one_beyond_the_network(
    with_systemd: PretendRoot, bundle: Path
) -> None:
    shutil.rmtree(with_systemd.path(DATA))
    ran = with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    assert (ran.status, ran.err) == (4, with_systemd.run(bundle / "apply.sh").err)


def test_case_28_storage_that_comes_with_the_network_is_refused(
    with_systemd: PretendRoot, bundle: Path
) -> None:
    put_program(with_systemd, "systemctl", "#!/bin/sh\necho Before=remote-fs.target umount.target\n")
    before = with_systemd.tree()
    ran = with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    assert ran.status == 4
    assert "mounted over the network" in ran.err
    assert with_systemd.tree() == before


@pytest.mark.parametrize("broken", ["systemd-run", "is-active", "is-enabled", "daemon-reload"])
def test_a_revert_that_cannot_be_armed_leaves_nothing_behind(
    broken: str, with_systemd: PretendRoot, bundle: Path
) -> None:
    program = "systemd-run" if broken == "systemd-run" else "systemctl"
    whole = with_systemd.read(f"/usr/bin/{program}")
    refusing = f"#!/bin/sh\ncase $*: in {broken}*|*{broken}*) exit 1 ;; esac\n"
    put_program(with_systemd, program, refusing + whole if program == "systemctl" else "#!/bin/sh\nexit 1\n")
    before = with_systemd.tree()
    ran = with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    assert ran.status == 4
    assert "could not be armed" in ran.err
    assert ("systemd does not show" in ran.err) == broken.startswith("is-")
    assert with_systemd.tree() == before
    assert not any(armed(with_systemd).values())
    assert with_systemd.run(bundle / "rollback.sh").status == 3
    put_program(with_systemd, program, whole)
    assert with_systemd.run(bundle / "apply.sh", "--confirm-within", "10").status == 0


def test_cases_15_67_the_revert_is_armed_before_the_first_change_by_a_timer_that_knows_no_clock(
    with_systemd: PretendRoot, bundle: Path
) -> None:
    ran = with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines()[-2:] == [
        "NOT confirmed yet: everything is reverted 10 min after this run began, or by a reboot.",
        f"Confirm it from a new login: sh {bundle}/apply.sh --confirm",
    ]
    assert "dirty_bytes 0" in told(with_systemd)
    assert with_systemd.read("/proc/sys/vm/dirty_bytes") == "536870912\n"
    assert all(armed(with_systemd).values())
    (timer,) = (line for line in told(with_systemd) if line.startswith("systemd-run"))
    own = the_copy(with_systemd).parent
    assert timer == (
        f"systemd-run --quiet --collect --unit=tunewiz-revert-{own.name} --on-active=10min"
        f" --timer-property=AccuracySec=1s --description=Roll back the tunewiz bundle {own.name}"
        " --service-type=oneshot --property=SuccessExitStatus=3 4 --property=KillMode=process"
        " --property=OOMScoreAdjust=-900"
        f" --setenv=TUNEWIZ_STATE_DIR={with_systemd.state}"
        " --timer-property=IgnoreOnIsolate=yes --timer-property=DefaultDependencies=no"
        " --timer-property=Conflicts=shutdown.target --property=IgnoreOnIsolate=yes"
        f" -- env TUNEWIZ_ROOT={with_systemd.root}"
        f" /bin/sh {own}/revert/rollback.sh --unless-confirmed --keep-trying"
    )


def test_a_run_that_was_killed_while_it_armed_can_be_armed_again(
    with_systemd: PretendRoot, bundle: Path
) -> None:
    whole = with_systemd.read("/usr/bin/systemctl")
    put_program(with_systemd, "systemctl", "#!/bin/sh\nkill -KILL $PPID\n")
    assert with_systemd.run(bundle / "apply.sh", "--confirm-within", "10").status < 0
    put_program(with_systemd, "systemctl", whole)
    assert with_systemd.run(bundle / "apply.sh", "--confirm-within", "10").status == 0
    assert all(armed(with_systemd).values())


GUARD = """[Unit]
Description=Roll back the tunewiz bundle {id}, not confirmed before the reboot
DefaultDependencies=no
ConditionPathExists={state}/pending
RequiresMountsFor={state} {root}/var/lib/postgresql/data
After=local-fs.target systemd-sysctl.service systemd-tmpfiles-setup.service
Before=sysinit.target shutdown.target
Conflicts=shutdown.target

[Service]
Type=oneshot
Environment=TUNEWIZ_STATE_DIR={state}
ExecStart=/bin/sh {state}/{id}/revert/rollback.sh --at-boot
SuccessExitStatus=3 4
KillMode=process
OOMScoreAdjust=-900

[Install]
WantedBy=sysinit.target
"""


def test_case_12_the_guard_is_a_unit_that_acts_before_the_rest_of_the_next_boot(
    with_systemd: PretendRoot, bundle: Path
) -> None:
    with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    bundle_id = the_copy(with_systemd).parent.name
    guard = with_systemd.read(f"/etc/systemd/system/tunewiz-guard-{bundle_id}.service")
    assert guard == GUARD.format(id=bundle_id, state=with_systemd.state, root=with_systemd.root)


def test_a_revert_keeps_the_server_running_where_apply_was_to(
    with_systemd: PretendRoot, bundle: Path
) -> None:
    with_systemd.run(bundle / "apply.sh", "--confirm-within", "10", "--no-restart")
    (timer,) = (line for line in told(with_systemd) if line.startswith("systemd-run"))
    assert timer.endswith("rollback.sh --unless-confirmed --keep-trying --no-restart")


@pytest.mark.parametrize("given", ["", "0", "1441", "10m", "-5", "010", "99999"])
def test_minutes_that_are_none_are_refused(given: str, with_systemd: PretendRoot, bundle: Path) -> None:
    before = with_systemd.tree()
    for how in (("--confirm-within", given), (f"--confirm-within={given}",)):
        ran = with_systemd.run(bundle / "apply.sh", *how)
        assert ran.status == 2
        assert "expected minutes from 1 to 1440" in ran.err
    assert with_systemd.tree() == before


def test_the_flag_without_minutes_is_wrong_usage(with_systemd: PretendRoot, bundle: Path) -> None:
    assert with_systemd.run(bundle / "apply.sh", "--confirm-within").status == 2
    assert with_systemd.run(bundle / "apply.sh", "--confirm", "--confirm-within", "5").status == 2


def test_a_dry_run_tells_that_it_would_arm_and_confirm(with_systemd: PretendRoot, bundle: Path) -> None:
    before = with_systemd.tree()
    ran = with_systemd.run(bundle / "apply.sh", "--dry-run", "--confirm-within", "10")
    assert ran.status == 0
    assert "would arm the revert: in 10 min, and at the next boot" in ran.out
    assert with_systemd.tree() == before
    with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    assert (
        "would record that it is confirmed"
        in with_systemd.run(bundle / "apply.sh", "--dry-run", "--confirm").out
    )
    assert all(armed(with_systemd).values())


def test_a_state_directory_that_a_unit_cannot_name_is_refused(
    with_systemd: PretendRoot, bundle: Path
) -> None:
    odd = dataclasses.replace(with_systemd, state=with_systemd.state.parent / "100% state")
    before = odd.tree()
    ran = odd.run(bundle / "apply.sh", "--confirm-within", "10")
    assert (ran.status, "a systemd unit can only name" in ran.err) == (4, True)
    assert odd.tree() == before
