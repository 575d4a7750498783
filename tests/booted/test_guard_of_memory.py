"""A change that does not fit into a memory limit, on a machine with systemd: it is taken back."""

import re
import shutil
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

CONTROLLER = Path("/sys/fs/cgroup/memory")
"""Control groups v1: a machine in namespaces can be given one without being handed the whole tree."""
LIMIT = 300 << 20
SETTINGS = {"shared_buffers": "32MB", "work_mem": "4MB"}
PROGRAM = """
set -e
mountpoint -q /srv/memory || {{ mkdir -p /srv/memory && mount -t cgroup -o memory none /srv/memory; }}
echo $$ >/srv/memory/{group}/cgroup.procs
exec setpriv --reuid postgres --regid postgres --init-groups {bin}/postgres -D {data}
"""
UNIT = """
[Service]
ExecStart=/bin/sh /srv/limited.sh
KillSignal=SIGINT
TimeoutStopSec=20
{more}
"""
OPTIONS = "--confirm-within 5 --guard --guard-baseline 12 --guard-window 24"
ASK = "psql -XAtq -h /srv/db -U postgres -d postgres"
SORT = "SELECT n FROM generate_series(1, 250000) n ORDER BY repeat(n::text, 300), n OFFSET 249999"


@pytest.fixture
def group() -> Iterator[Path]:
    """With the limit, and no swapping beyond it."""
    own = re.search(r"^\d+:memory:/(.*)$", Path("/proc/self/cgroup").read_text(), re.MULTILINE)
    if own is None or not CONTROLLER.is_dir():
        pytest.skip("no memory controller of control groups v1 is mounted")
    # A machine sees the groups below the one that it is started in.
    group = CONTROLLER / own[1] / "tunewiz-test"
    group.mkdir(exist_ok=True)
    (group / "memory.limit_in_bytes").write_text(str(LIMIT))
    (group / "memory.swappiness").write_text("0")
    yield group
    group.rmdir()


def machine_with(
    wanted: dict[str, str], more: str, group: Path, programs: Programs, pristine: Path
) -> Iterator[BootedMachine]:
    def prepare(machine: BootedMachine) -> None:
        facts = small_facts(
            Given(major=programs.major, settings=SETTINGS),
            data_directory=Known(DATA, "test"),
            config_file=Known(f"{DATA}/postgresql.conf", "test"),
            include_directory=Known(f"{DATA}/conf.d", "test"),
        )
        bundle = machine.files / "srv" / "bundle"
        write_bundle(
            small_plan(facts, wanted), bundle, facts_to_json(facts), answers_to_toml(small_answers())
        )
        program = PROGRAM.format(group=group.name, bin=programs.bin_directory, data=DATA)
        machine.write("/srv/limited.sh", program)
        machine.write("/etc/systemd/system/database.service", UNIT.format(more=more))
        settings = "".join(f"{name} = {value}\n" for name, value in SETTINGS.items())
        site = machine.files / DATA.lstrip("/") / "conf.d" / "10-site.conf"
        site.write_text(settings)
        shutil.chown(site, "postgres", "postgres")

    with booted_database(programs, pristine, prepare) as machine:
        yield machine


@pytest.fixture
def machine(
    request: pytest.FixtureRequest, group: Path, postgres_programs: Programs, pristine_data_directory: Path
) -> Iterator[BootedMachine]:
    wanted, more = request.param
    yield from machine_with(wanted, more, group, postgres_programs, pristine_data_directory)


WORK_MEM = ({"pg.work_mem": "1GB"}, "")
HARMLESS = ({"pg.work_mem": "5MB"}, "")


def sort_for_ever(machine: BootedMachine) -> None:
    """Again and again a sort of half a gigabyte, which lies in files as long as work_mem is small."""
    machine.write_and_run("/srv/sort.sh", f'while sleep 1; do {ASK} -c "{SORT}" >/dev/null 2>&1; done')


@pytest.mark.parametrize("machine", [WORK_MEM], indirect=True)
def test_memory_for_sorts_that_does_not_fit_is_taken_back_though_the_server_crashes_again_and_again(
    machine: BootedMachine,
) -> None:
    sort_for_ever(machine)
    ran = machine.run(f"sh /srv/bundle/apply.sh {OPTIONS}")
    assert ran.status == 5, ran.said
    assert "for want of memory" in ran.err
    assert "Rolled back by the guard, for it was unhealthy: the kernel killed" in ran.err
    machine.wait_until(SHOW.format("work_mem"), 60)
    assert machine.run(SHOW.format("work_mem")).out == "4MB\n"
    assert machine.run("ls /var/lib/tunewiz/pending").status == 2


@pytest.mark.parametrize("machine", [HARMLESS], indirect=True)
def test_memory_for_sorts_that_fits_is_left_alone(machine: BootedMachine) -> None:
    sort_for_ever(machine)
    ran = machine.run(f"sh /srv/bundle/apply.sh {OPTIONS}")
    assert (ran.status, "Rolling back" in ran.said) == (0, False), ran.said
    assert machine.run(SHOW.format("work_mem")).out == "5MB\n"


RESTARTS = ["", "Restart=on-failure\nRestartSec=2\n"]


@pytest.mark.parametrize(
    "machine",
    [(WORK_MEM[0], more) for more in RESTARTS],
    indirect=True,
    ids=["left down", "started by systemd"],
)
def test_a_server_whose_first_process_is_killed_for_memory_is_started_with_its_former_values(
    machine: BootedMachine,
) -> None:
    kill = (
        "until ls /var/lib/tunewiz/*/applied >/dev/null 2>&1; do sleep 0.2; done; sleep 2; "
        f"kill -KILL $(head -n 1 {DATA}/postmaster.pid)"
    )
    machine.write_and_run("/srv/kill.sh", kill)
    ran = machine.run(f"sh /srv/bundle/apply.sh {OPTIONS}")
    assert ran.status == 5, ran.said
    assert "Rolled back by the guard" in ran.err, ran.said
    machine.wait_until(SHOW.format("work_mem"), 60)
    assert machine.run(SHOW.format("work_mem")).out == "4MB\n"
    assert machine.run("systemctl is-active database.service").out == "active\n"
    assert machine.run("ls /var/lib/tunewiz/pending").status == 2


@pytest.mark.parametrize("machine", [WORK_MEM], indirect=True)
def test_a_server_that_somebody_stops_is_left_down(machine: BootedMachine) -> None:
    stop = (
        "until ls /var/lib/tunewiz/*/applied >/dev/null 2>&1; do sleep 0.2; done; sleep 2; "
        "systemctl stop database.service"
    )
    machine.write_and_run("/srv/stop.sh", stop)
    ran = machine.run(f"sh /srv/bundle/apply.sh {OPTIONS}")
    assert ran.status == 5, ran.said
    assert "someone else has stopped it since" in ran.out
    assert machine.run("systemctl is-active database.service").out == "inactive\n"
