"""The guard with control groups v2 and a swap file: memory that does not fit is given back by itself."""

from collections.abc import Iterator

import pytest

from pretend_root import Ran
from small_plans import small_facts, small_plan
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.known import Known
from virtual_machine import VirtualMachine, virtual_machine

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("virtual"), pytest.mark.timeout(3000)]

CONFIGURATION = "/etc/postgresql/15/main"
SERVICE = "postgresql@15-main.service"
OPTIONS = "--confirm-within 5 --guard --guard-baseline 12 --guard-window 60"
AS_POSTGRES = "cd /tmp && runuser -u postgres --"
ASK = f"{AS_POSTGRES} psql -XAtqc"
SMALL = {"shared_buffers": "32MB", "work_mem": "4MB"}
SORTS = f"{AS_POSTGRES} /usr/lib/postgresql/15/bin/pgbench -n -c 3 -T 3600 -f /srv/sort.sql"
SORT = "SELECT n FROM generate_series(1, 200000) n ORDER BY repeat(n::text, 120), n OFFSET 199999;"


@pytest.fixture(scope="module")
def machine() -> Iterator[VirtualMachine]:
    """With a swap file, and a server of few settings."""
    with virtual_machine() as machine:
        machine.out_of(
            "fallocate -l 1G /swapfile && chmod 600 /swapfile && mkswap -q /swapfile && swapon /swapfile &&"
            " sysctl -q vm.swappiness=10"
        )
        site = "\n".join(f"{name} = {value}" for name, value in SMALL.items())
        machine.out_of(f"cat >{CONFIGURATION}/conf.d/10-site.conf <<'END'\n{site}\nEND")
        machine.out_of(f"cat >/srv/sort.sql <<'END'\n{SORT}\nEND\nsystemctl restart {SERVICE}")
        yield machine


def limit(machine: VirtualMachine, memory: str, swap: str) -> None:
    """What the server's control group may have."""
    machine.out_of(f"systemctl set-property {SERVICE} MemoryMax={memory} MemorySwapMax={swap}")


def apply(machine: VirtualMachine, name: str, value: str) -> Ran:
    """The bundle of one setting, guarded."""
    # As of a machine with more memory: on this one a plan would not give it away.
    facts = small_facts(
        Given(major="15", settings=SMALL),
        owner="debian",
        data_directory=Known("/var/lib/postgresql/15/main", "test"),
        config_file=Known(f"{CONFIGURATION}/postgresql.conf", "test"),
        include_directory=Known(f"{CONFIGURATION}/conf.d", "test"),
    )
    bundle = machine.put_bundle(small_plan(facts, {f"pg.{name}": value}))
    return machine.run(f"sh {bundle}/apply.sh {OPTIONS}", seconds=900)


def test_memory_for_sorts_that_is_swapped_out_is_given_back_with_that_as_the_reason(
    machine: VirtualMachine,
) -> None:
    limit(machine, "250M", "infinity")
    with machine.meanwhile(SORTS):
        ran = apply(machine, "work_mem", "1GB")
    assert ran.status == 5, ran.said
    assert "Rolled back by the guard, for it was unhealthy: memory is swapped out" in ran.err, ran.said
    machine.wait_until(f'{ASK} "SHOW work_mem" | grep -qx 4MB', 120)
