"""Changes that nobody confirmed come back by themselves: by systemd's own timer and after real boots."""

import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from booted_database import DATA, SHOW, booted_database
from booted_machine import TARGET, BootedMachine
from real_postgres import Programs
from small_plans import small_answers, small_facts, small_plan
from tunewiz.bundle import write_bundle
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.known import Known
from tunewiz.formats.records import answers_to_toml, facts_to_json

pytestmark = [
    pytest.mark.slow,
    pytest.mark.postgres,
    pytest.mark.xdist_group("booted"),
    pytest.mark.timeout(400),
]

DROP_IN = f"{DATA}/conf.d/zz-tunewiz.conf"
WANTED = {"pg.shared_buffers": "256MB", "pg.work_mem": "24MB", "kernel.swappiness": "10"}
STOPS_THE_START = {"pg.shared_preload_libraries": "nosuchlib"}
BEFORE = {"shared_buffers": "128MB", "work_mem": "4MB", "swappiness": "60", "drop-ins": "none"}
AFTER = {"shared_buffers": "256MB", "work_mem": "24MB", "swappiness": "10", "drop-ins": "both"}
SECONDS_AFTER_A_MINUTE = 100


@pytest.fixture
def machine(postgres_programs: Programs, pristine_data_directory: Path) -> Iterator[BootedMachine]:
    def prepare(machine: BootedMachine) -> None:
        write_plan(machine, postgres_programs)

    with booted_database(postgres_programs, pristine_data_directory, prepare) as machine:
        yield machine


def write_plan(machine: BootedMachine, programs: Programs) -> None:
    facts = small_facts(
        Given(major=programs.major, settings={"shared_buffers": "128MB"}),
        data_directory=Known(DATA, "test"),
        config_file=Known(f"{DATA}/postgresql.conf", "test"),
        include_directory=Known(f"{DATA}/conf.d", "test"),
    )
    for name, wanted in {"bundle": WANTED, "broken": STOPS_THE_START}.items():
        plan, there = small_plan(facts, wanted), machine.files / "srv" / name
        write_bundle(plan, there, facts_to_json(facts), answers_to_toml(small_answers()))


def found(machine: BootedMachine) -> dict[str, str]:
    """What the bundle changes, as it is now."""
    there = [
        machine.run(f"test -e {text}").status == 0 for text in (DROP_IN, "/etc/sysctl.d/90-tunewiz.conf")
    ]
    return {
        "shared_buffers": machine.run(SHOW.format("shared_buffers")).out.strip(),
        "work_mem": machine.run(SHOW.format("work_mem")).out.strip(),
        "swappiness": machine.run("cat /proc/sys/vm/swappiness").out.strip(),
        "drop-ins": "both" if all(there) else "one" if any(there) else "none",
    }


def left_over(machine: BootedMachine) -> str:
    """Units and markers of a revert that is armed."""
    return machine.run(
        "systemctl list-units --all --no-legend 'tunewiz-*';"
        " systemctl list-timers --all --no-legend 'tunewiz-*';"
        " ls /etc/systemd/system/sysinit.target.wants | grep tunewiz; ls -d /etc/systemd/system/tunewiz*"
        " /run/tunewiz* /var/lib/tunewiz/pending 2>/dev/null"
    ).out


def apply(machine: BootedMachine) -> None:
    ran = machine.run("sh /srv/bundle/apply.sh --confirm-within 1")
    assert (ran.status, ran.err) == (0, ""), ran.said
    assert found(machine) == AFTER
    # The copy that was kept is what takes it back.
    machine.run("mv /srv/bundle /srv/gone")


NO_UNITS = "test -z \"$(systemctl list-units --all --no-legend 'tunewiz-*')\""
IS_BACK = f"! test -e {DROP_IN} && ! test -e /var/lib/tunewiz/pending"


def test_case_4_a_change_that_nobody_confirms_comes_back_after_the_time(machine: BootedMachine) -> None:
    # What tests of the real kernel put there meanwhile must not show through.
    assert machine.run("ls -A /etc/sysctl.d /etc/tmpfiles.d | grep -v :").out.strip() == ""
    apply(machine)
    machine.wait_until(IS_BACK, SECONDS_AFTER_A_MINUTE)
    machine.wait_until(NO_UNITS, 60)
    assert found(machine) == BEFORE
    assert left_over(machine) == ""


def test_a_server_that_does_not_come_up_is_back_and_what_the_journal_says_of_it_is_told(
    machine: BootedMachine,
) -> None:
    ran = machine.run("sh /srv/broken/apply.sh")
    assert (ran.status, 'could not access file "nosuchlib"' in ran.err) == (5, True), ran.said
    assert "restart the server (systemctl restart database.service)" in ran.out
    assert "Everything is as it was before." in ran.err
    assert found(machine) == BEFORE
    assert machine.run("systemctl is-active database.service").out.strip() == "active"


def test_case_5_the_timer_takes_back_what_a_killed_apply_left(machine: BootedMachine) -> None:
    strike(machine, "pkill -9 -f srv/bundle/apply.sh")
    ran = machine.run("sh /srv/bundle/apply.sh --confirm-within 1")
    assert ran.status in {-9, 128 + 9}, ran.said  # entering the machine may end with it
    assert found(machine)["swappiness"] == "10"
    machine.run("mv /srv/bundle /srv/gone")
    machine.wait_until(IS_BACK, SECONDS_AFTER_A_MINUTE)
    machine.wait_until(NO_UNITS, 60)
    assert found(machine) == BEFORE
    assert left_over(machine) == ""


def test_case_12_a_reboot_before_the_confirmation_reverts_before_the_server_starts(
    machine: BootedMachine,
) -> None:
    apply(machine)
    assert machine.run("cat /srv/seen-at-start").out == "zz-tunewiz.conf\n"
    machine.power_cut()
    machine.boot()
    machine.wait_until(SHOW.format("work_mem"), 60)
    assert machine.run("cat /srv/seen-at-start").out == ""
    assert found(machine) == BEFORE
    assert left_over(machine) == ""


def test_cases_9_11_28_a_power_cut_while_apply_works_is_undone_at_boot(machine: BootedMachine) -> None:
    strike(machine, "true >/srv/struck; exec sleep 1000")
    with subprocess.Popen(
        machine.entering("sh /srv/bundle/apply.sh --confirm-within 10"), stdout=subprocess.DEVNULL
    ):
        machine.wait_until("test -e /srv/struck", 60)
        machine.power_cut()
    machine.boot()
    machine.wait_until(SHOW.format("work_mem"), 60)
    assert found(machine) == BEFORE
    assert left_over(machine) == ""


def test_case_10_a_confirmed_change_outlives_its_timer_and_a_power_cut(machine: BootedMachine) -> None:
    apply(machine)
    timer = "systemctl list-timers --all --no-legend 'tunewiz-*'"
    assert machine.run(timer).out != ""
    ran = machine.run("sh /var/lib/tunewiz/*/revert/apply.sh --confirm")
    assert (ran.status, ran.err) == (0, "")
    assert left_over(machine) == ""
    machine.power_cut()
    machine.boot()
    machine.wait_until(SHOW.format("work_mem"), 60)
    # Here a reboot takes the kernel's value away: the drop-in, which is there, is not read in a namespace.
    assert found(machine) == {**AFTER, "swappiness": "60"}


def strike(machine: BootedMachine, how: str) -> None:
    """Something happens to apply.sh when the server's owner is about to move its drop-in into place, once."""
    programs = {name: f"/usr/local/sbin/{name}" for name in ("setpriv", "runuser")}
    once = f'case "$*" in *"mv -T"*zz-tunewiz.conf*) rm -f {" ".join(programs.values())}; {how} ;; esac'
    for program, shim in programs.items():
        body = f'#!/bin/sh\n{once}\nexec "$(PATH=/usr/bin:/bin:/usr/sbin:/sbin command -v {program})" "$@"\n'
        machine.run(f"printf %s {shlex.quote(body)} >{shim}; chmod 755 {shim}")


OTHER_TARGETS = ("rescue.target", "multi-user.target", "graphical.target")
TIMER_STANDS = "systemctl is-active --quiet 'tunewiz-revert-*.timer'"


def test_case_4_another_target_in_the_window_does_not_end_the_revert(machine: BootedMachine) -> None:
    apply(machine)
    for target in OTHER_TARGETS:
        machine.run(f"systemctl --no-block isolate {target}")
        machine.wait_until(f"systemctl is-active --quiet {target}", 60)
        assert machine.run(TIMER_STANDS).status == 0, target
    machine.run(f"systemctl --no-block isolate {TARGET}")
    machine.wait_until(IS_BACK, SECONDS_AFTER_A_MINUTE)
    machine.wait_until(SHOW.format("work_mem"), 60)
    machine.wait_until(NO_UNITS, 60)
    assert found(machine) == BEFORE
    assert left_over(machine) == ""


def test_case_4_neither_do_a_reload_and_a_new_start_of_systemd_itself(machine: BootedMachine) -> None:
    apply(machine)
    for verb in ("daemon-reload", "daemon-reexec", "reset-failed"):
        assert machine.run(f"systemctl {verb}").status == 0, verb
        machine.wait_until(TIMER_STANDS, 30)
    assert machine.run("sh /srv/gone/apply.sh --confirm").status == 0


def test_case_97_a_timer_that_somebody_stops_is_missed_and_the_guard_still_acts(
    machine: BootedMachine,
) -> None:
    apply(machine)
    start_guard = "cd /etc/systemd/system && systemctl start tunewiz-guard-*.service"
    machine.run(start_guard)
    assert found(machine) == AFTER
    machine.run("systemctl stop 'tunewiz-revert-*.timer'")
    verified = machine.run("sh /srv/gone/verify.sh")
    assert (verified.status, "NOT reverted automatically any more" in verified.out) == (1, True)
    # As after a reboot of the user space alone, which /run outlives.
    machine.run(start_guard)
    machine.wait_until(IS_BACK, 60)
