"""A project that somebody else wrote is read without a traceback."""

from pathlib import Path

import pytest

from tunewiz.core.fleet.rollout import NoDriftReport
from tunewiz.core.values.errors import InputError
from tunewiz.fleet.rollout import GROUPS, read_rollout

DEEP = "[" * 200_000


def test_groups_of_endless_depth_are_refused(tmp_path: Path) -> None:
    (tmp_path / GROUPS).write_text(DEEP)
    with pytest.raises(InputError, match="not valid JSON"):
        read_rollout(tmp_path)


def test_a_comparison_of_endless_depth_counts_as_none(tmp_path: Path) -> None:
    (tmp_path / GROUPS).write_text('{"waves": [["db1"]]}')
    drift = tmp_path / "ansible" / "drift"
    drift.mkdir(parents=True)
    (drift / "db1.json").write_text(DEEP)
    ((host,),) = read_rollout(tmp_path).waves
    assert host.compared == NoDriftReport()
