"""How postgresql.conf is read and written; a real server judges the same in test_pgconf_judged.py."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunewiz.collect.captured import RecordedSystem
from tunewiz.collect.postgres.conf import (
    AssignmentLine,
    Broken,
    Configuration,
    parse,
    quoted,
    read_configuration,
)
from tunewiz.collect.postgres.conf.reading import MAX_BYTES, MAX_DEPTH, MAX_FILES
from tunewiz.core.values.errors import InputError

CONFIG = "/etc/postgresql/15/main/postgresql.conf"
DATA = "/var/lib/postgresql/15/main"


def read(files: dict[str, bytes], *dirs: str) -> Configuration:
    return read_configuration(RecordedSystem(files, dirs=dirs, complete=True), CONFIG, DATA)


def values(content: bytes) -> dict[str, str]:
    result = list(parse(content))
    assert not [line for line in result if isinstance(line, Broken)]
    return {line.name: line.value for line in result if isinstance(line, AssignmentLine)}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"work_mem = 4MB", {"work_mem": "4MB"}),
        (b"work_mem=4MB\n", {"work_mem": "4MB"}),
        (b"work_mem 4MB\n", {"work_mem": "4MB"}),
        (b"work_mem'4MB'\n", {"work_mem": "4MB"}),
        (b"work_mem = '4MB'# why\n", {"work_mem": "4MB"}),
        (b"  Work_Mem\t=\t4MB   # why\r\n", {"work_mem": "4MB"}),
        (b"#work_mem = 4MB\n\n   \n", {}),
        (b"", {}),
        (b"# no end of line", {}),
        (b"work_mem = 1MB\nwork_mem = 2MB\n", {"work_mem": "2MB"}),
        (b"log_line_prefix = '%m it''s [%p] '\n", {"log_line_prefix": "%m it's [%p] "}),
        (rb"log_line_prefix = 'a\'b\\c\tq\x\101'", {"log_line_prefix": "a'b\\c\tqxA"}),
        (rb"log_line_prefix = 'ab\000cd'", {"log_line_prefix": "ab"}),
        (b"log_line_prefix = '# not a comment'", {"log_line_prefix": "# not a comment"}),
        (b"random_page_cost = 1.1\n", {"random_page_cost": "1.1"}),
        (b"random_page_cost = .5e1\n", {"random_page_cost": ".5e1"}),
        (b"autovacuum_work_mem = -1\n", {"autovacuum_work_mem": "-1"}),
        (b"work_mem = 0x1000\n", {"work_mem": "0x1000"}),
        (b"log_directory = pg-log/a.b:c\n", {"log_directory": "pg-log/a.b:c"}),
        (b"auto_explain.log_analyze = on\n", {"auto_explain.log_analyze": "on"}),
        ("cluster_name = 'straße'\n".encode(), {"cluster_name": "straße"}),
        (b"# f\xfcr alle\nwork_mem = 4MB\n", {"work_mem": "4MB"}),
        (b"cluster_name = 'f\xfcr'", {"cluster_name": "f\udcfcr"}),
        (b"\xef\xbb\xbfwork_mem = 4MB\n", {"\ufeffwork_mem": "4MB"}),
    ],
)
def test_a_line_means_what_it_means_to_the_server(content: bytes, expected: dict[str, str]) -> None:
    assert values(content) == expected


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"shared_buffers = 1.5GB", 'syntax error near token "GB"'),
        (b"shared_buffers = 128 MB", 'syntax error near token "MB"'),
        (b"work_mem = 1e0", 'syntax error near token "0"'),
        (b"work_mem", "syntax error near end of line"),
        (b"work_mem =", "syntax error near end of line"),
        (b"work_mem = = 4MB", 'syntax error near token "="'),
        (b"work_mem = 4MB; x = 1", 'syntax error near token ";"'),
        (b"= 4MB", 'syntax error near token "="'),
        (b"default_text_search_config = pg_catalog.english", 'syntax error near token "pg_catalog.english"'),
        (b"log_line_prefix = 'open", 'syntax error near token "\'"'),
        (b'log_line_prefix = "double"', 'syntax error near token """'),
        (b"4MB", 'syntax error near token "4MB"'),
        (b"work_mem = 4MB \x0c", 'syntax error near token "\x0c"'),
        (b"cluster_name = 'a\0b'", 'syntax error near token "\'"'),
    ],
)
def test_a_line_that_the_server_refuses_is_named(content: bytes, what: str) -> None:
    assert list(parse(b"\n" + content + b"\nwork_mem = 1MB\n")) == [
        Broken(line=2, what=what),
        AssignmentLine(line=3, name="work_mem", value="1MB"),
    ]


def test_a_file_that_is_no_configuration_is_given_up_after_a_hundred_errors() -> None:
    result = list(parse(b"\x7fELF\n" * 5000))
    assert len(result) == 101
    assert result[-1] == Broken(line=100, what="too many syntax errors, the rest of the file is not read")


def test_the_last_line_wins_and_what_alter_system_wrote_comes_after_every_file() -> None:
    configuration = read(
        {
            CONFIG: b"work_mem = 1MB\ninclude_dir = 'conf.d'\nport = 5433\n",
            "/etc/postgresql/15/main/conf.d/10-a.conf": b"work_mem = 2MB\njit = off",
            f"{DATA}/postgresql.auto.conf": b"work_mem = '3MB'\n",
        }
    )
    assert configuration.problems == ()
    assert {name: (line.value, line.place) for name, line in configuration.effective.items()} == {
        "work_mem": ("3MB", f"{DATA}/postgresql.auto.conf:1"),
        "jit": ("off", "/etc/postgresql/15/main/conf.d/10-a.conf:2"),
        "port": ("5433", f"{CONFIG}:3"),
    }


def test_a_directory_is_read_in_the_order_of_bytes_and_only_what_ends_in_conf() -> None:
    names = ("10-a.conf", "100.conf", "Z.conf", "a.conf", "ä.conf", ".x.conf", ".conf", "b.conf.bak", "c.cnf")
    files = {f"/etc/postgresql/15/main/d/{name}": f"jit = '{name}'".encode() for name in names}
    configuration = read({CONFIG: b"include_dir d", **files}, "/etc/postgresql/15/main/d/sub.conf")
    assert [line.value for line in configuration.assignments] == [
        "10-a.conf",
        "100.conf",
        "Z.conf",
        "a.conf",
        "ä.conf",
    ]
    assert configuration.problems == ()


def test_an_included_directory_is_told_with_what_is_read_around_it() -> None:
    configuration = read(
        {
            CONFIG: b"jit = on\ninclude_dir = '../conf.d/'\njit = off\n",
            "/etc/postgresql/15/conf.d/a.conf": b"port=1",
        }
    )
    (directory,) = configuration.directories
    assert (directory.path, directory.place) == ("/etc/postgresql/15/conf.d", f"{CONFIG}:2")
    assert [line.value for line in configuration.assignments[directory.after : configuration.automatic]] == [
        "off"
    ]


def test_includes_are_relative_to_the_file_that_has_them() -> None:
    configuration = read(
        {
            CONFIG: b"include 'sub/one.conf'\nINCLUDE_IF_EXISTS = '/elsewhere/none.conf'\n",
            "/etc/postgresql/15/main/sub/one.conf": b"include 'two.conf'",
            "/etc/postgresql/15/main/sub/two.conf": b"jit = off",
        }
    )
    assert configuration.effective["jit"].file == "/etc/postgresql/15/main/sub/two.conf"
    assert "no such file: /elsewhere/none.conf" in configuration.skipped
    assert configuration.problems == ()


@pytest.mark.parametrize(
    "line", [b"include 'gone.conf'", b"include_dir = 'gone.d'", b"include ''", b"include_dir ''"]
)
def test_an_include_that_leads_nowhere_is_a_problem_of_its_line(line: bytes) -> None:
    (problem,) = read({CONFIG: b"jit = off\n" + line}).problems
    assert problem.place == f"{CONFIG}:2"


def test_a_file_that_includes_itself_ends() -> None:
    configuration = read({CONFIG: b"jit = off\ninclude 'postgresql.conf'\n"})
    assert len(configuration.assignments) == MAX_DEPTH + 1
    assert [str(problem) for problem in configuration.problems] == [
        f"{CONFIG}:2: includes are nested more than {MAX_DEPTH} deep"
    ]


def test_files_that_include_their_own_directory_end() -> None:
    files = {f"/etc/postgresql/15/main/{number}.conf": b"include_dir '.'" for number in range(9)}
    configuration = read({CONFIG: b"include_dir '.'", **files})
    assert f"more than {MAX_FILES} files are included" in {problem.what for problem in configuration.problems}


def test_a_missing_main_file_is_a_problem_and_no_exception() -> None:
    (problem,) = read({}).problems
    assert str(problem) == f"{CONFIG}: no such file: {CONFIG}"


def test_a_file_that_is_far_too_large_is_refused() -> None:
    (problem,) = read({CONFIG: b"jit = on\n" * (MAX_BYTES // 9 + 1)}).problems
    assert problem.what == f"larger than 16 MiB, not read: {CONFIG}"


@pytest.mark.timeout(5)
@pytest.mark.parametrize("part", [b"\\' ", b"''", b"' ", b"= ", b"'a' ", b"a.", b"\\\\", b"#", b"-"])
def test_a_long_line_takes_no_longer_than_it_is(part: bytes) -> None:
    assert len(list(parse(b"x = '" + part * 200_000))) == 1


def test_names_of_long_ago_are_known_by_their_successors() -> None:
    assert read({CONFIG: b"sort_mem = 8MB"}).effective["work_mem"].value == "8MB"


@given(st.text().filter(lambda text: "\n" not in text and "\0" not in text))
def test_a_quoted_value_is_read_back_as_it_was(value: str) -> None:
    line = f"cluster_name = {quoted(value)}".encode()
    assert list(parse(line)) == [AssignmentLine(line=1, name="cluster_name", value=value)]


@pytest.mark.parametrize("value", ["a\nb", "\0"])
def test_a_value_that_no_line_can_hold_is_refused(value: str) -> None:
    with pytest.raises(InputError, match="cannot hold"):
        quoted(value)


@given(st.binary(max_size=400))
def test_no_bytes_break_the_reader(content: bytes) -> None:
    configuration = read({CONFIG: content})
    assert all(line.name for line in configuration.assignments)
