"""All short histories on a real server, with the last script killed at its write boundaries."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from cut_histories import HISTORIES, BoundaryMachine, CutHistory, boundaries, carry_out
from enumerated_histories import change_part
from faulty_calls import cannot_trace
from fixtures_postgres import MakeCluster
from history_bundles import HistoryBundle, Way, make_history_bundle
from history_machine import BASE
from history_steps import BrokenRuleError

pytestmark = pytest.mark.slow

WAYS: tuple[Way, ...] = ("drop-in", "ALTER SYSTEM")
EVERY = 1 if os.environ.get("TUNEWIZ_TEST_NIGHTLY") else 24
"""Of a script's boundaries; which of them come is another for each history. All are `make nightly`'s."""
NOTHING_TO_WRITE = (
    ("apply", ("apply",)),
    ("apply", ("ALTER SYSTEM",)),
    ("apply", ("kernel value",)),
    ("rollback", ("apply", "rollback")),
)
"""Done already, or refused because somebody else has changed what was planned on."""


@pytest.fixture
def machine(make_cluster: MakeCluster) -> Iterator[BoundaryMachine]:
    if cannot_trace():
        pytest.skip(cannot_trace())
    with tempfile.TemporaryDirectory(prefix="tunewiz-histories-") as name:
        machine = BoundaryMachine(make_cluster(settings=BASE), Path(name))
        yield machine
        machine.close()


def bundle_of_way(machine: BoundaryMachine, way: Way) -> HistoryBundle:
    return make_history_bundle(machine.cluster, machine.beside, "first", way)


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("number", range(len(HISTORIES)))
@pytest.mark.parametrize("way", WAYS)
def test_a_real_server_is_taken_back_wherever_the_last_script_of_a_history_is_killed(
    machine: BoundaryMachine, way: Way, number: int
) -> None:
    script, before = HISTORIES[number]
    bundle = bundle_of_way(machine, way)
    last = boundaries(machine, bundle, before, script)
    assert bool(last) == (HISTORIES[number] not in NOTHING_TO_WRITE)
    cuts = [
        CutHistory(before=before, script=script, at=at, power_cut=power_cut)
        for at in range(1 + number % min(last or 1, EVERY), last + 1, EVERY)
        for power_cut in (False, True)
    ]
    assert all(carry_out(machine, bundle, cut) for cut in cuts)
    print(f"{len(cuts)} cuts at {last} boundaries")  # noqa: T201 - a long run is read by people


def test_a_rollback_that_leaves_a_value_in_force_is_found_on_a_real_server(
    machine: BoundaryMachine,
) -> None:
    bundle = bundle_of_way(machine, "drop-in")
    change_part(
        bundle.directory, "undo", "        before) return 0 ;;", "        before | after) return 0 ;;"
    )
    with pytest.raises(BrokenRuleError):
        carry_out(machine, bundle, CutHistory(before=("apply",), script="rollback", at=3, power_cut=False))
