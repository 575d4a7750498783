"""The write-ahead log moves where systemd runs the server: through boots, a confirmation, a power cut."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from booted_database import DATA, SHOW, booted_database
from booted_machine import BootedMachine
from real_postgres import Programs
from small_host import host_bundle
from small_plans import small_facts
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.targets import Effect
from tunewiz.core.values.known import Known
from tunewiz.kinds.wal import MoveWal

pytestmark = [
    pytest.mark.slow,
    pytest.mark.postgres,
    pytest.mark.xdist_group("booted"),
    pytest.mark.timeout(400),
]

TARGET = "/srv/disk/wal"
MOUNT = "[Mount]\nWhere=/srv/disk\nWhat=/srv/source\nOptions=bind\n"
LOG = f"readlink {DATA}/pg_wal; ls -d {DATA}/pg_wal?*"
SQL = "psql -XAtq -h /srv/db -U postgres -d postgres -c '{}'"
WRITE = SQL.format("CREATE TABLE IF NOT EXISTS seen (number int); INSERT INTO seen SELECT 1")
ROWS = SQL.format("SELECT count(*) FROM seen")
RUNS = "systemctl is-active database.service"


@pytest.fixture
def machine(postgres_programs: Programs, pristine_data_directory: Path) -> Iterator[BootedMachine]:
    move = MoveWal(data_directory=DATA, name="pg_wal", target=TARGET)
    facts = small_facts(
        Given(major=postgres_programs.major, unit="database.service"),
        data_directory=Known(DATA, "test"),
        config_file=Known(f"{DATA}/postgresql.conf", "test"),
    )

    def prepare(machine: BootedMachine) -> None:
        machine.add_disk()
        machine.write("/etc/systemd/system/srv-disk.mount", MOUNT)
        host_bundle(machine.files / "srv" / "bundle", move, effect=Effect.RESTART, facts=facts)

    with booted_database(postgres_programs, pristine_data_directory, prepare) as machine:
        yield machine


def run(machine: BootedMachine, script: str) -> str:
    ran = machine.run(f"sh /srv/bundle/{script}")
    assert (ran.status, ran.err) == (0, ""), ran.said
    return ran.out


def told(machine: BootedMachine, command: str) -> str:
    return machine.run(command).out.strip()


def reboot(machine: BootedMachine) -> None:
    machine.power_cut()
    machine.boot()
    machine.wait_until(SHOW.format("work_mem"), 60)


def test_a_confirmed_move_outlives_a_power_cut_and_comes_back_by_hand(machine: BootedMachine) -> None:
    assert "systemctl stop database.service" in run(machine, "apply.sh --confirm-within 10")
    assert (told(machine, LOG), told(machine, RUNS)) == (f"{TARGET}\n{DATA}/pg_wal.tunewiz-old", "active")
    run(machine, "apply.sh --confirm")
    machine.run(WRITE)
    reboot(machine)
    assert (told(machine, LOG), told(machine, ROWS)) == (TARGET, "1")
    run(machine, "verify.sh")
    run(machine, "rollback.sh")
    reboot(machine)
    assert (told(machine, LOG), told(machine, ROWS)) == ("", "1")


def test_a_move_that_nobody_confirmed_is_back_before_the_server_starts(machine: BootedMachine) -> None:
    run(machine, "apply.sh --confirm-within 10")
    machine.run(WRITE)
    reboot(machine)
    assert (told(machine, LOG), told(machine, ROWS)) == ("", "1"), machine.console()
    assert told(machine, "ls /srv/disk") == ""
    assert told(machine, "ls /var/lib/tunewiz/pending 2>/dev/null") == ""
