"""`tunewiz facts --probe`: what cannot be measured is refused with its name."""

from pathlib import Path

import pytest

from command_line import tunewiz


def test_only_this_hosts_storage_can_be_probed(tmp_path: Path) -> None:
    for other in (("--root", tmp_path), ("--from", tmp_path), ("--collector",)):
        ended = tunewiz("facts", *other, "--probe")
        assert ended.status == 2
        assert f"--probe: not allowed with {other[0]}: it measures this host's storage" in ended.err


@pytest.mark.parametrize("time", ["4s", "2h", "60", "soon"])
def test_an_impossible_time_is_refused(time: str) -> None:
    ended = tunewiz("facts", "--probe", time)
    assert ended.status == 2
    assert "--probe" in ended.err
