"""What the files of a stopped server show of why it does not start."""

import pytest

from tunewiz.collect.captured import RecordedSystem
from tunewiz.collect.postgres.conf import read_configuration
from tunewiz.collect.postgres.offline import Files, errors_by_files
from tunewiz.core.values.known import Fact, Known, Unknown

CONFIG = "/etc/postgresql/15/main/postgresql.conf"
DATA = "/var/lib/postgresql/15/main"
MAJOR: Fact[str] = Known("15", "test")


def errors(content: bytes, major: Fact[str] = MAJOR) -> list[str]:
    system = RecordedSystem({CONFIG: content}, dirs=(), complete=True)
    configuration = read_configuration(system, CONFIG, DATA)
    read = errors_by_files(Files(config_file=CONFIG, configuration=configuration, options={}), major)
    assert isinstance(read, Known)
    return [f"{error.place}: {error.error}" for error in read.value]


@pytest.mark.parametrize(
    ("line", "named"),
    [
        (b"random_page_cost = 1,1\n", "postgresql.conf:1"),
        (b"random_page_cost = '1,1'\n", "random_page_cost"),
        (b"work_mem = lots\n", "work_mem"),
        (b"wal_keep_segments = 64\n", "wal_keep_segments"),
        (b"io_method = worker\n", "io_method"),
    ],
)
def test_a_line_that_the_server_refuses_is_named_with_its_place(line: bytes, named: str) -> None:
    (actual,) = errors(line)
    assert f"{CONFIG}:1" in actual
    assert named in actual


@pytest.mark.parametrize(
    "line",
    [b"", b"random_page_cost = 1.1\n", b"work_mem = '64MB'\n", b"pg_stat_statements.max = 1000\n"],
)
def test_good_lines_and_those_of_extensions_are_not(line: bytes) -> None:
    assert errors(line) == []


def test_without_the_version_nothing_is_judged() -> None:
    system = RecordedSystem({CONFIG: b"work_mem = lots\n"}, dirs=(), complete=True)
    files = Files(config_file=CONFIG, configuration=read_configuration(system, CONFIG, DATA), options={})
    assert isinstance(errors_by_files(files, Unknown("no PG_VERSION")), Unknown)
