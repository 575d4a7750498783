"""After a boot: a server that does not start with confirmed values gets its former ones back, once."""

import re
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

DROP_IN = f"{DATA}/conf.d/zz-tunewiz.conf"
UNIT_DIRECTORY = "/etc/systemd/system/database.service.d"
ARMED = "ls /etc/systemd/system/tunewiz-* /etc/systemd/system/*.wants/tunewiz-* 2>/dev/null"
LOG = "cat /var/lib/tunewiz/*/guard.log"
GUARDED = "--confirm-within 5 --guard --guard-baseline 12 --guard-window 24 --confirm-if-healthy"


@pytest.fixture
def machine(postgres_programs: Programs, pristine_data_directory: Path) -> Iterator[BootedMachine]:
    def prepare(machine: BootedMachine) -> None:
        facts = small_facts(
            Given(major=postgres_programs.major, settings={"shared_buffers": "128MB"}),
            data_directory=Known(DATA, "test"),
            config_file=Known(f"{DATA}/postgresql.conf", "test"),
            include_directory=Known(f"{DATA}/conf.d", "test"),
        )
        plan = small_plan(facts, {"pg.shared_buffers": "256MB", "pg.work_mem": "24MB"})
        bundle = machine.files / "srv" / "bundle"
        write_bundle(plan, bundle, facts_to_json(facts), answers_to_toml(small_answers()))

    with booted_database(postgres_programs, pristine_data_directory, prepare) as machine:
        yield machine


def confirmed(machine: BootedMachine) -> None:
    """The change stays, and the next boot is watched; its own directory is gone."""
    ran = machine.run(f"sh /srv/bundle/apply.sh {GUARDED}")
    assert (ran.status, ran.err) == (0, ""), ran.said
    if "UNDECIDED" in ran.out:
        ran = machine.run("sh /srv/bundle/apply.sh --confirm")
        assert (ran.status, ran.err) == (0, ""), ran.said
    assert "Until the server has come up after the next boot, its starts are watched" in ran.out
    assert "tunewiz-starts-" in machine.run(ARMED).out
    machine.run("mv /srv/bundle /srv/gone")


def fails_with_ours(machine: BootedMachine, more: str = "") -> None:
    """What the host lacks after the boot: the server does not start as long as our file is there."""
    lines = f"[Service]\n{more}ExecStartPre=/bin/sh -c 'echo tried >>/srv/db/tries; ! test -e {DROP_IN}'\n"
    machine.run(f"mkdir -p {UNIT_DIRECTORY}; printf %b {quoted(lines)} >{UNIT_DIRECTORY}/lacks.conf; sync")


def quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def boot_again(machine: BootedMachine) -> None:
    machine.power_cut()
    machine.boot()


@pytest.mark.parametrize("more", ["", "Restart=on-failure\nRestartSec=1\n"], ids=["once", "restarted"])
def test_case_142_three_starts_that_fail_after_a_boot_bring_the_former_values_back_once(
    more: str, machine: BootedMachine
) -> None:
    confirmed(machine)
    fails_with_ours(machine, more)
    boot_again(machine)
    machine.wait_until(SHOW.format("shared_buffers"), 120)
    assert machine.run(SHOW.format("shared_buffers")).out == "128MB\n"
    machine.wait_until(f'test -z "$({ARMED})"', 60)
    assert machine.run(f"test -e {DROP_IN}").status == 1
    # The last one is with the former values; systemd may have begun others before it was told to stop.
    assert int(machine.run("grep -c tried /srv/db/tries").out) in range(4, 8)
    machine.wait_until(f"{LOG} | grep -q 'has started with its former values'", 30)
    said = r"starts rolling back: the server did not start [3-6] times with the values of this bundle\n"
    assert len(re.findall(said, machine.run(LOG).out)) == 1
    ran = machine.run("sh /srv/gone/rollback.sh")
    assert (ran.status, "Restored already" in ran.err) == (3, True)


def test_a_server_that_starts_after_the_boot_keeps_its_values_and_is_watched_no_longer(
    machine: BootedMachine,
) -> None:
    confirmed(machine)
    machine.run("systemctl restart database.service")
    machine.wait_until(SHOW.format("shared_buffers"), 60)
    assert "tunewiz-starts-" in machine.run(ARMED).out
    boot_again(machine)
    machine.wait_until(f'test -z "$({ARMED})"', 90)
    assert machine.run(SHOW.format("shared_buffers")).out == "256MB\n"
    assert "starts the server is up" in machine.run(LOG).out
    machine.wait_until("test -z \"$(systemctl list-units --all --no-legend 'tunewiz-*')\"", 30)
