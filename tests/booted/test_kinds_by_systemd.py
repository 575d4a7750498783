"""Kinds of action that systemd carries out: a drop-in, a timer, a mount option, through real boots."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from booted_database import DATA, SHOW, booted_database
from booted_machine import BootedMachine
from pretend_root import Ran
from real_postgres import Programs
from small_host import host_bundle
from small_plans import small_facts
from tunewiz.core.facts.facts import Facts
from tunewiz.core.recommendation.actions import HostAction
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.targets import Effect
from tunewiz.core.server.sample_place import server_name, service_of
from tunewiz.core.values.known import Known
from tunewiz.kinds.mount import MountOption
from tunewiz.kinds.sampling import SamplingService
from tunewiz.kinds.unit import UnitDropIn
from tunewiz.kinds.vacuum import VacuumSchedule

pytestmark = [
    pytest.mark.slow,
    pytest.mark.postgres,
    pytest.mark.xdist_group("booted"),
    pytest.mark.timeout(400),
]

DROP_IN = UnitDropIn(unit="database.service", lines=(("OOMScoreAdjust", "300"),))
"""Upwards: what lowers it may be missing in a container (CAP_SYS_RESOURCE), where systemd goes on without."""
SCHEDULE = VacuumSchedule(
    by="systemd", hour=3, minute=7, os_user="postgres", port=5432, socket_directory="/srv/db"
)
SAMPLING = SamplingService(
    program="/srv/tools/tunewiz",
    keep="7d",
    os_user="postgres",
    directory=DATA,
    unit="database.service",
    socket_directory="/srv/db",
)
TUNEWIZ = """#!/bin/sh
# As much of it as a service shows: where it may write, as whom, and how it was called.
echo "$(id -un) $*" >"$STATE_DIRECTORY/ring"
touch /srv/db/written /etc/written /tmp/written 2>/dev/null
while sleep 1; do :; done
"""
NO_TIMES = MountOption(mount="/srv/fast", instead_of="strictatime", option="noatime")
FSTAB = "tmpfs /srv/fast tmpfs rw,nodev,strictatime 0 0\n"
BUNDLES: dict[str, tuple[HostAction, Effect]] = {
    "drop-in": (DROP_IN, Effect.RESTART),
    "timer": (SCHEDULE, Effect.NOW),
    "sampling": (SAMPLING, Effect.NOW),
    "mount": (NO_TIMES, Effect.NOW),
}


@pytest.fixture
def machine(postgres_programs: Programs, pristine_data_directory: Path) -> Iterator[BootedMachine]:
    def prepare(machine: BootedMachine) -> None:
        machine.write("/etc/fstab", FSTAB)
        machine.write("/srv/tools/tunewiz", TUNEWIZ)
        (machine.files / "srv/tools/tunewiz").chmod(0o755)
        for name, (action, effect) in BUNDLES.items():
            host_bundle(
                machine.files / "srv" / name, action, effect=effect, facts=facts(postgres_programs.major)
            )

    with booted_database(postgres_programs, pristine_data_directory, prepare) as machine:
        yield machine


def facts(major: str) -> Facts:
    return small_facts(
        Given(major=major, unit="database.service"),
        data_directory=Known(DATA, "test"),
        config_file=Known(f"{DATA}/postgresql.conf", "test"),
        include_directory=Known(f"{DATA}/conf.d", "test"),
    )


def run(machine: BootedMachine, script: str) -> Ran:
    ran = machine.run(f"sh /srv/{script}")
    assert (ran.status, ran.err) == (0, ""), ran.said
    return ran


def told(machine: BootedMachine, command: str) -> str:
    return machine.run(command).out.strip()


def reboot(machine: BootedMachine) -> None:
    machine.power_cut()
    machine.boot()
    machine.wait_until(SHOW.format("work_mem"), 60)


SCORE = f"cat /proc/$(head -n 1 {DATA}/postmaster.pid)/oom_score_adj"
OPTIONS = "findmnt -no OPTIONS /srv/fast"
VACUUM = "tunewiz-vacuum-d2007b19"
TIMER = f"systemctl is-enabled {VACUUM}.timer; systemctl is-active {VACUUM}.timer"
SINCE_START = "SELECT count(*) FROM pg_stat_all_tables WHERE last_vacuum > pg_postmaster_start_time()"
VACUUMED = f"psql -XAtq -h /srv/db -U postgres -d postgres -c '{SINCE_START}'"
ETC = "find /etc -xdev ! -type d | sort | xargs -d '\\n' ls -l --time-style=+ ; cat /etc/fstab"


def test_a_drop_in_counts_after_the_restart_and_after_a_boot_and_goes_again(machine: BootedMachine) -> None:
    before, score = told(machine, ETC), told(machine, SCORE)
    run(machine, "drop-in/apply.sh")
    assert told(machine, SCORE) == "300"
    run(machine, "drop-in/verify.sh")
    reboot(machine)
    assert told(machine, SCORE) == "300"
    run(machine, "drop-in/verify.sh")
    run(machine, "drop-in/rollback.sh")
    assert told(machine, SCORE) == score
    assert told(machine, ETC) == before
    assert told(machine, "systemctl show -p DropInPaths database.service") == "DropInPaths="


def test_a_drop_in_that_nobody_confirmed_is_gone_after_a_power_cut(machine: BootedMachine) -> None:
    score = told(machine, SCORE)
    run(machine, "drop-in/apply.sh --confirm-within 10")
    assert told(machine, SCORE) == "300"
    reboot(machine)
    assert told(machine, SCORE) == score
    assert (
        told(machine, "ls /etc/systemd/system/database.service.d /var/lib/tunewiz/pending 2>/dev/null") == ""
    )


def test_a_drop_in_that_was_taken_back_without_a_restart_waits_for_the_next_rollback(
    machine: BootedMachine,
) -> None:
    before, score = told(machine, ETC), told(machine, SCORE)
    run(machine, "drop-in/apply.sh")
    ran = run(machine, "drop-in/rollback.sh --no-restart")
    assert "Waiting for a restart of the server: database.service" in ran.out
    assert (told(machine, ETC), told(machine, SCORE)) == (before, "300")
    run(machine, "drop-in/rollback.sh")
    assert told(machine, SCORE) == score
    assert machine.run("sh /srv/drop-in/rollback.sh").status == 3


def test_a_timer_vacuums_outlives_a_boot_and_leaves_nothing(machine: BootedMachine) -> None:
    before = told(machine, ETC)
    run(machine, "timer/apply.sh")
    assert told(machine, TIMER) == "enabled\nactive"
    assert "03:07:00" in told(machine, f"systemctl list-timers --all --no-legend {VACUUM}.timer")
    assert told(machine, VACUUMED) == "0"
    assert machine.run(f"systemctl start {VACUUM}.service").status == 0, machine.console()
    assert int(told(machine, VACUUMED)) > 0
    reboot(machine)
    assert told(machine, TIMER) == "enabled\nactive"
    run(machine, "timer/verify.sh")
    run(machine, "timer/rollback.sh")
    assert told(machine, ETC) == before
    assert told(machine, "systemctl list-units --all --no-legend 'tunewiz-*'") == ""


def test_a_sampling_service_outlives_a_boot_writes_nowhere_else_and_leaves_its_samples(
    machine: BootedMachine,
) -> None:
    before, unit = told(machine, ETC), service_of(DATA)
    ring = f"/var/lib/tunewiz-watch/{server_name(DATA)}/ring"
    running = f"systemctl is-enabled {unit}; systemctl is-active {unit}"
    run(machine, "sampling/apply.sh")
    assert told(machine, running) == "enabled\nactive"
    machine.wait_until(f"test -s {ring}", 60)
    assert told(machine, f"cat {ring}") == f"postgres watch --keep 7d --pgdata {DATA}"
    assert told(machine, "ls /srv/db/written /etc/written /tmp/written 2>/dev/null") == ""
    reboot(machine)
    # This machine boots into a target of its own, so multi-user.target is asked and not reached.
    wants = "systemctl show -p Wants --value multi-user.target"
    assert unit in told(machine, wants).split()
    assert machine.run(f"systemctl start {unit}").status == 0, machine.console()
    assert told(machine, running) == "enabled\nactive"
    run(machine, "sampling/verify.sh")
    run(machine, "sampling/rollback.sh")
    assert told(machine, ETC) == before
    assert told(machine, f"cat {ring}") == f"postgres watch --keep 7d --pgdata {DATA}"
    assert told(machine, "systemctl list-units --all --no-legend 'tunewiz-*'") == ""


def test_a_mount_option_is_in_force_at_once_and_after_a_boot_and_goes_again(machine: BootedMachine) -> None:
    before = told(machine, ETC)
    assert "noatime" not in told(machine, OPTIONS)
    run(machine, "mount/apply.sh")
    assert "noatime" in told(machine, OPTIONS)
    assert "nodev" in told(machine, OPTIONS)
    reboot(machine)
    assert "noatime" in told(machine, OPTIONS)
    run(machine, "mount/verify.sh")
    run(machine, "mount/rollback.sh")
    assert "noatime" not in told(machine, OPTIONS)
    assert "relatime" not in told(machine, OPTIONS)
    assert told(machine, ETC) == before
    reboot(machine)
    assert "noatime" not in told(machine, OPTIONS)
