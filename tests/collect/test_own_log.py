"""A server's own log is read where its settings say, and nothing else that they may name."""

import dataclasses
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from fixtures_attacks import ONLY_ROOT_HAS_RIGHTS_TO_LOSE
from small_plans import small_facts, with_settings
from tunewiz.collect.logs.files import read_log
from tunewiz.collect.logs.own import read_own_log
from tunewiz.core.facts.server import PostgresServer, Setting
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Known, Unknown

LINE = "2026-11-20 12:00:00.123 UTC [4711] LOG:  checkpoint starting: time\n"


def server(data: Path, log: Path | str) -> PostgresServer:
    (postgres_server,) = small_facts().postgres
    settings = {"logging_collector": "on", "log_directory": str(log)}
    given = {name: Setting(value=value, source="configuration file") for name, value in settings.items()}
    return dataclasses.replace(
        with_settings(postgres_server, **given), data_directory=Known(str(data), "test")
    )


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory with a log of one checkpoint."""
    (tmp_path / "data" / "log").mkdir(parents=True)
    (tmp_path / "data" / "log" / "postgresql.log").write_text(LINE)
    return tmp_path / "data"


def timed(postgres_server: PostgresServer) -> int:
    log = read_own_log(postgres_server)
    assert isinstance(log, Known), log
    return log.value.checkpoints_timed


@pytest.mark.parametrize("log", ["log", "log/postgresql"])
def test_its_files_are_read(data: Path, log: str) -> None:
    assert timed(server(data, log)) == 1


def link(path: Path) -> None:
    path.symlink_to("/etc/passwd")


@pytest.mark.parametrize("beside", [link, os.mkfifo, os.mkdir])
def test_what_else_lies_there_is_left_alone(data: Path, beside: Callable[[Path], None]) -> None:
    beside(data / "log" / "another.log")
    assert timed(server(data, "log")) == 1


@ONLY_ROOT_HAS_RIGHTS_TO_LOSE
def test_files_of_others_are_left_alone_and_so_are_devices_that_a_setting_names(data: Path) -> None:
    for own in (data, data / "log" / "postgresql.log"):
        os.chown(own, 65_534, 65_534)
    foreign = data / "log" / "foreign.log"
    foreign.write_text(LINE)
    assert timed(server(data, "log")) == 1
    opened = data.parent / "watchdog"
    # A device that the kernel does not have: whoever opens it is told so.
    os.mknod(opened, 0o020600, os.makedev(250, 250))
    for named in (foreign, opened, "/proc/kmsg"):
        log = read_own_log(server(data, named))
        assert isinstance(log, Unknown)
        assert "found no such file of the server's owner" in log.why


@ONLY_ROOT_HAS_RIGHTS_TO_LOSE
def test_what_takes_the_place_of_a_file_after_it_was_listed_is_not_opened(data: Path) -> None:
    file, mine = data / "log" / "postgresql.log", os.geteuid()
    foreign = data / "foreign"
    foreign.write_text(LINE)
    os.chown(foreign, 65_534, 65_534)
    file.unlink()
    file.symlink_to(foreign)
    with pytest.raises(InputError, match="found no regular file"):
        read_log([file], mine)
    file.unlink()
    os.link(foreign, file)
    with pytest.raises(InputError, match="belongs to someone else"):
        read_log([file], mine)
    file.unlink()
    os.mknod(file, 0o020600, os.makedev(250, 250))
    for owner in (mine, -1):
        with pytest.raises(InputError, match="found no regular file"):
            read_log([file], owner)
