"""A server that takes long to shut down while the guard rolls back: its end is waited for."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from booted_database import DATA, SHOW, booted_database
from booted_machine import BootedMachine
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

SECONDS_HELD = 80
"""Longer than the guard's five attempts, ten seconds apart, would take if none of them waited."""
FOR_EVER = 1000
UNIT = """
[Service]
User=postgres
ExecStart={bin}/postgres -D {data}
KillMode=mixed
KillSignal=SIGINT
TimeoutStopSec=200
NotifyAccess=all
WatchdogSignal=SIGINT
"""
OPTIONS = "--confirm-within 10 --guard --guard-baseline 12 --guard-window 24"
PSQL = "psql -XAtq -h /srv/db -U postgres -d postgres"
HOLD = f"""
until ls /var/lib/tunewiz/*/applied >/dev/null 2>&1; do sleep 0.2; done
sleep 2
{PSQL} -c 'SELECT pg_sleep(1000)' >/dev/null 2>&1 &
until held=$(pgrep -f '^postgres: .* SELECT$'); do sleep 0.2; done
kill -STOP "$held"
( {{end}} ) &
sleep {{seconds}}
kill -CONT "$held"
"""
ENDED_BY_SYSTEMD = """
sh -c 'echo $$ >"/sys/fs/cgroup$(systemctl show -P ControlGroup database.service)/cgroup.procs" &&
    NOTIFY_SOCKET=/run/systemd/notify systemd-notify WATCHDOG=trigger; true'
"""
"""As it ends a service that ran out of memory: the unit has failed in the end."""
STOPPED_BY_A_PERSON = "systemctl stop database.service"


@pytest.fixture
def machine(postgres_programs: Programs, pristine_data_directory: Path) -> Iterator[BootedMachine]:
    settings = {"work_mem": "4MB"}
    facts = small_facts(
        Given(major=postgres_programs.major, settings=settings),
        data_directory=Known(DATA, "test"),
        config_file=Known(f"{DATA}/postgresql.conf", "test"),
        include_directory=Known(f"{DATA}/conf.d", "test"),
    )

    def prepare(machine: BootedMachine) -> None:
        plan = small_plan(facts, {"pg.work_mem": "8MB"})
        bundle = machine.files / "srv" / "bundle"
        write_bundle(plan, bundle, facts_to_json(facts), answers_to_toml(small_answers()))
        unit = UNIT.format(bin=postgres_programs.bin_directory, data=DATA)
        machine.write("/etc/systemd/system/database.service", unit)

    with booted_database(postgres_programs, pristine_data_directory, prepare) as machine:
        yield machine


def test_a_server_that_systemd_stops_after_a_failure_and_that_never_ends_is_started_with_its_former_values(
    machine: BootedMachine,
) -> None:
    machine.write_and_run("/srv/hold.sh", HOLD.format(end=ENDED_BY_SYSTEMD, seconds=FOR_EVER))
    ran = machine.run(f"sh /srv/bundle/apply.sh {OPTIONS}", seconds=250)
    assert ran.status == 5, ran.said
    assert "The server is shutting down: its end is waited for, at most 60 s" in ran.said
    assert "systemd stops the server because it failed (watchdog), and it does not end" in ran.said
    assert "Rolled back by the guard" in ran.err, ran.said
    assert machine.run("systemctl is-active database.service").out == "active\n"
    assert machine.run(SHOW.format("work_mem")).out == "4MB\n"
    assert machine.run("ls /var/lib/tunewiz/pending").status == 2


def test_a_server_that_somebody_stops_meanwhile_is_left_down_with_its_former_values(
    machine: BootedMachine,
) -> None:
    machine.write_and_run("/srv/hold.sh", HOLD.format(end=STOPPED_BY_A_PERSON, seconds=SECONDS_HELD))
    ran = machine.run(f"sh /srv/bundle/apply.sh {OPTIONS}", seconds=250)
    assert ran.status == 5, ran.said
    assert "The server is shutting down: its end is waited for" in ran.said
    assert "someone else has stopped it since" in ran.said
    assert machine.run("systemctl is-active database.service").out == "inactive\n"
    assert machine.run("systemctl start database.service").status == 0
    machine.wait_until(SHOW.format("work_mem"), 60)
    assert machine.run(SHOW.format("work_mem")).out == "4MB\n"
