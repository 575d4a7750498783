"""`tunewiz facts --log`: what cannot be a server's log is refused with its name."""

from pathlib import Path

import pytest

from command_line import tunewiz


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A captured machine without a server."""
    (tmp_path / "root/proc").mkdir(parents=True)
    (tmp_path / "root/sys").mkdir()
    (tmp_path / "root/proc/cpuinfo").write_text("processor : 0\n")
    return tmp_path / "root"


def test_a_log_without_a_server_is_refused(root: Path, tmp_path: Path) -> None:
    log = tmp_path / "postgresql.log"
    log.write_text("LOG:  checkpoint starting: time\n")
    ended = tunewiz("facts", "--root", root, "--log", log)
    assert ended.status == 2
    assert "--log: found no server here, expected one whose log it could be" in ended.one_message


def test_without_the_option_no_log_is_read(root: Path) -> None:
    ended = tunewiz("facts", "--root", root)
    assert (ended.status, ended.err) == (0, "")
