"""The plans of captured machines, one of each architecture and a container, as a DBA reviewed them."""

import pytest

from fixtures_golden import Golden
from plan_listing import plan_listing
from recorded_machines import OURS, recorded_with, with_file_system
from tunewiz.collect.everything import read_facts
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import default_answers, make_plan

DATA = "/var/lib/pgsql/15/data"
CLUSTER = {
    f"{DATA}/PG_VERSION": b"15\n",
    f"{DATA}/postgresql.conf": b"",
    f"{DATA}/pg_wal/000000010000000000000001": b"",
}
"""A new server of the RPM packages, stopped."""


@pytest.mark.parametrize(
    ("name", "disk"),
    [
        ("qemu-s390x-kvm-6of8-offline", "sda"),
        ("qemu-ppc64le-p10-offline", "sda"),
        ("qemu-aarch64-virt-offline-memless", "vda"),
        ("qemu-x86_64-cgroupv1", "vda"),
    ],
)
def test_the_plan_of_a_captured_machine_is_as_it_was_reviewed(golden: Golden, name: str, disk: str) -> None:
    path = OURS / f"{name}.json"
    facts = read_facts(recorded_with(path, CLUSTER | with_file_system(path, disk, DATA)))
    knowledge = load_knowledge()
    golden(f"plans/{name}.txt", plan_listing(make_plan(facts, default_answers(facts, knowledge), knowledge)))
