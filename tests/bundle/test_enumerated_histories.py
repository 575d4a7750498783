"""All short histories of scripts, persons and reboots, with the last script killed at every boundary."""

import os
from pathlib import Path

import pytest

from enumerated_histories import EVENTS, Event, Histories, WrongHistoryError, change_part
from pretend_root import make_bundle, make_root

LINES = {"drop-in": "work_mem = '9MB'\n", "ALTER SYSTEM": "random_page_cost = '2'\n"}
"""What persons set by ALTER SYSTEM, by where a bundle's settings go.

In the second case it is none of the bundle's: of a server that is down and has no programs here, apply.sh
cannot compare what the files give.
"""
LENGTH = 3 if os.environ.get("TUNEWIZ_TEST_NIGHTLY") else 2
"""Those of three events take hours: `make nightly` tries them."""


def histories(directory: Path, way: str, *, every: int = 1) -> Histories:
    machine, bundle = make_root(directory / "machine"), directory / "bundle"
    return Histories(machine, make_bundle(bundle, drop_in=way == "drop-in"), line=LINES[way], every=every)


@pytest.mark.parametrize("way", LINES)
def test_a_script_that_is_killed_at_some_boundaries_is_taken_back_whole(way: str, tmp_path: Path) -> None:
    made = histories(tmp_path, way, every=5)
    made.enumerate(("apply", "verify"))
    assert made.cuts >= 2 * 4


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("first", EVENTS)
@pytest.mark.parametrize("way", LINES)
def test_every_short_history_is_taken_back_wherever_its_last_script_is_killed(
    way: str, first: Event, tmp_path: Path
) -> None:
    made = histories(tmp_path, way)
    made.enumerate((first,), *[EVENTS] * (LENGTH - 1))
    assert made.states


def test_a_rollback_that_leaves_something_in_force_is_found(tmp_path: Path) -> None:
    made = histories(tmp_path, "drop-in", every=5)
    change_part(made.bundle, "undo", "        before) return 0 ;;", "        before | after) return 0 ;;")
    with pytest.raises(WrongHistoryError):
        made.enumerate(("apply",), ("rollback",))


def test_a_script_that_overwrites_what_a_person_has_set_is_found(tmp_path: Path) -> None:
    made = histories(tmp_path, "drop-in", every=50)
    change_part(made.bundle, "undo", "        other)\n", "        othertoo)\n")
    with pytest.raises(WrongHistoryError, match="of a person's is gone"):
        made.enumerate(("apply",), ("kernel value",), ("rollback",))
