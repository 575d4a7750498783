"""The guard with control groups v2 and a swap file: memory that does not fit is given back by itself."""

import time
from collections.abc import Iterator

import pytest

from pretend_root import Ran
from small_plans import small_facts, small_plan
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.known import Known
from virtual_machine import VirtualMachine, accelerator, virtual_machine

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("virtual"), pytest.mark.timeout(3000)]

CONFIGURATION = "/etc/postgresql/15/main"
SERVICE = "postgresql@15-main.service"
OPTIONS = "--confirm-within 10 --guard --guard-baseline 12 --guard-window 60"
SECONDS_TO_REVERT = 180 if accelerator() == "kvm" else 1200
"""An emulated processor takes several times as long for all that a script does."""
AS_POSTGRES = "cd /tmp && runuser -u postgres --"
ASK = f"{AS_POSTGRES} psql -XAtqc"
SMALL = {"shared_buffers": "32MB", "work_mem": "4MB"}
TABLE = "CREATE TABLE large AS SELECT n, repeat(n::text, 200) AS t FROM generate_series(1, 300000) n"
READ_ALL = (
    f"""{AS_POSTGRES} sh -c 'while sleep 1; do psql -Xqc "SELECT pg_prewarm(\\$\\$large\\$\\$)"; done'"""
)
SORTS = f"{AS_POSTGRES} /usr/lib/postgresql/15/bin/pgbench -n -c 3 -T 3600 -f /srv/sort.sql"
SORT = "SELECT n FROM generate_series(1, 200000) n ORDER BY repeat(n::text, 120), n OFFSET 199999;"


@pytest.fixture(scope="module")
def machine() -> Iterator[VirtualMachine]:
    """With a swap file, a table of 400 MB, and a server of few settings."""
    with virtual_machine() as machine:
        machine.out_of(
            "fallocate -l 1G /swapfile && chmod 600 /swapfile && mkswap -q /swapfile && swapon /swapfile &&"
            " sysctl -q vm.swappiness=10"
        )
        site = "\n".join(f"{name} = {value}" for name, value in SMALL.items())
        machine.out_of(f"cat >{CONFIGURATION}/conf.d/10-site.conf <<'END'\n{site}\nEND")
        machine.out_of(f'{ASK} "CREATE EXTENSION pg_prewarm" -c "{TABLE}"', seconds=900)
        machine.out_of(f"cat >/srv/sort.sql <<'END'\n{SORT}\nEND\nsystemctl restart {SERVICE}")
        yield machine


def limit(machine: VirtualMachine, memory: str, swap: str) -> None:
    """What the server's control group may have."""
    machine.out_of(f"systemctl set-property {SERVICE} MemoryMax={memory} MemorySwapMax={swap}")


def apply(machine: VirtualMachine, name: str, value: str) -> tuple[Ran, float]:
    """The bundle of one setting, guarded, and how long that took; what it left in force is taken back."""
    # As of a machine with more memory: on this one a plan would not give it away.
    facts = small_facts(
        Given(major="15", settings=SMALL),
        owner="debian",
        data_directory=Known("/var/lib/postgresql/15/main", "test"),
        config_file=Known(f"{CONFIGURATION}/postgresql.conf", "test"),
        include_directory=Known(f"{CONFIGURATION}/conf.d", "test"),
    )
    bundle = machine.put_bundle(small_plan(facts, {f"pg.{name}": value}))
    begun = time.monotonic()
    ran = machine.run(f"sh {bundle}/apply.sh {OPTIONS}", seconds=900)
    seconds = time.monotonic() - begun
    if ran.status == 0:
        assert shown(machine, name) == value
        rolled_back = machine.run(f"sh {bundle}/rollback.sh")
        assert rolled_back.status == 0, rolled_back.said
    return ran, seconds


def shown(machine: VirtualMachine, name: str) -> str:
    """As a new session has it."""
    return machine.out_of(f'{ASK} "SHOW {name}"').strip()


def test_shared_memory_beyond_the_limit_is_given_back_within_three_minutes(
    machine: VirtualMachine,
) -> None:
    limit(machine, "300M", "0")
    with machine.meanwhile(READ_ALL):
        ran, seconds = apply(machine, "shared_buffers", "600MB")
    assert ran.status == 5, ran.said
    assert "for want of memory" in ran.err, ran.said
    assert "Rolled back by the guard" in ran.err, ran.said
    assert seconds < SECONDS_TO_REVERT
    assert shown(machine, "shared_buffers") == "32MB"
    assert machine.out_of(f"systemctl is-active {SERVICE}") == "active\n"


def test_memory_for_sorts_that_is_swapped_out_is_given_back_with_that_as_the_reason(
    machine: VirtualMachine,
) -> None:
    limit(machine, "250M", "infinity")
    with machine.meanwhile(SORTS):
        ran, seconds = apply(machine, "work_mem", "1GB")
    assert ran.status == 5, ran.said
    assert "Rolled back by the guard, for it was unhealthy: memory is swapped out" in ran.err, ran.said
    assert seconds < SECONDS_TO_REVERT
    assert shown(machine, "work_mem") == "4MB"


def test_memory_for_sorts_that_fits_is_left_in_force_under_the_same_work(machine: VirtualMachine) -> None:
    limit(machine, "250M", "infinity")
    with machine.meanwhile(SORTS):
        ran, _ = apply(machine, "work_mem", "5MB")
    assert (ran.status, "Rolling back" in ran.said) == (0, False), ran.said
