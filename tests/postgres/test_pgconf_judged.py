"""The reader and the real server are given the same files and must agree on every one."""

import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fixtures_postgres import directory_of, unprivileged_user
from real_postgres import Programs
from tunewiz.collect.postgres.conf import Configuration, quoted, read_configuration
from tunewiz.collect.system import LiveSystem

JUDGED = "log_line_prefix"
"""A setting that takes any text."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Judge:
    """A server's program, and a directory of its owner to which it looks for its configuration."""

    program: Path
    directory: Path
    user: str

    def write(self, files: Mapping[str, bytes]) -> None:
        """Files in the hands of the owner; nothing else stays in the directory."""
        for old in self.directory.iterdir():
            shutil.rmtree(old) if old.is_dir() else old.unlink()
        for name, content in files.items():
            path = self.directory / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
            for made in (path, path.parent):
                shutil.chown(made, self.user)

    def ours(self) -> Configuration:
        """What our reader makes of them."""
        directory = str(self.directory)
        return read_configuration(LiveSystem(), f"{directory}/postgresql.conf", directory)

    def servers(self) -> subprocess.CompletedProcess[bytes]:
        """What `postgres -C` says of the setting: it reads the files and starts nothing."""
        account = pwd.getpwnam(self.user)
        root = os.geteuid() == 0
        return subprocess.run(
            [self.program, "-D", self.directory, "-C", JUDGED],
            capture_output=True,
            check=False,
            cwd=self.directory,
            env={"LC_ALL": "C.UTF-8"},
            user=account.pw_uid if root else None,
            group=account.pw_gid if root else None,
            extra_groups=[] if root else None,
        )


@pytest.fixture(scope="module")
def judge(postgres_programs: Programs) -> Iterator[Judge]:
    user = unprivileged_user()
    with directory_of(user) as directory:
        data = directory / "data"
        data.mkdir()
        shutil.chown(data, user)
        yield Judge(program=postgres_programs.bin_directory / "postgres", directory=data, user=user)


ACCEPTED: dict[str, dict[str, bytes]] = {
    "plain": {"postgresql.conf": b"log_line_prefix = 'x'\n"},
    "no equals sign": {"postgresql.conf": b"log_line_prefix 'x'"},
    "nothing between": {"postgresql.conf": b"log_line_prefix'x'"},
    "capitals": {"postgresql.conf": b"LOG_Line_PREFIX = X\n"},
    "CRLF": {"postgresql.conf": b"\r\nlog_line_prefix = 'x'\r\nport = 6000\r\n"},
    "carriage return inside": {"postgresql.conf": b"log_line_prefix\r=\r'x\ry'"},
    "Latin-1 comment": {"postgresql.conf": b"# f\xfcr alle\nlog_line_prefix = 'x'# \xe4\n"},
    "Latin-1 value": {"postgresql.conf": b"log_line_prefix = '\xe4'"},
    "Latin-1 word": {"postgresql.conf": b"log_line_prefix = \xe4\xe4"},
    "UTF-8": {"postgresql.conf": "log_line_prefix = 'straße'".encode()},
    "doubled quotes": {"postgresql.conf": b"log_line_prefix = '''it''s'''"},
    "backslashes": {"postgresql.conf": rb"log_line_prefix = 'a\'b\\c\td\q\101\7\0179'"},
    "a NUL by escape": {"postgresql.conf": rb"log_line_prefix = 'ab\000cd'"},
    "byte above 255": {"postgresql.conf": rb"log_line_prefix = '\777\501'"},
    "comment sign in quotes": {"postgresql.conf": b"log_line_prefix = '# x' # y"},
    "word with signs": {"postgresql.conf": b"log_line_prefix = a-b.c:d/e_1"},
    "number": {"postgresql.conf": b"log_line_prefix = -12.5e+7"},
    "hexadecimal": {"postgresql.conf": b"log_line_prefix = 0xFFkB"},
    "a dot": {"postgresql.conf": b"log_line_prefix = ."},
    "duplicates": {
        "postgresql.conf": b"log_line_prefix = x\nwork_mem = banana\nlog_line_prefix = y\nwork_mem = 1MB"
    },
    "alter system": {
        "postgresql.conf": b"log_line_prefix = x",
        "postgresql.auto.conf": b"log_line_prefix = 'y'",
    },
    "include": {
        "postgresql.conf": b"include 'd/a.conf'",
        "d/a.conf": b"include = 'b.conf'",
        "d/b.conf": b"log_line_prefix = b",
    },
    "include that need not be": {"postgresql.conf": b"log_line_prefix = x\ninclude_if_exists 'nothing.conf'"},
    "directory": {
        "postgresql.conf": b"include_dir = d\n",
        **{f"d/{name}.conf": f"log_line_prefix = '{name}'".encode() for name in ("10-a", "100", "a", "Z")},
        **{f"d/{name}": b"no such thing at all" for name in (".hidden.conf", "x.conf.bak", "y.cnf", ".conf")},
        "d/z.conf/inner": b"a directory with the name of a file",
    },
    "after a directory": {
        "postgresql.conf": b"include_dir = d\nlog_line_prefix = last",
        "d/a.conf": b"log_line_prefix = a",
    },
    "include in what alter system wrote": {
        "postgresql.conf": b"",
        "postgresql.auto.conf": b"include 'e/x.conf'",
        "e/x.conf": b"log_line_prefix = e",
    },
    "two directories": {
        "postgresql.conf": b"include_dir 'e'\ninclude_dir 'd'\n",
        "d/a.conf": b"log_line_prefix = d",
        "e/z.conf": b"log_line_prefix = e",
    },
}

REFUSED: dict[str, dict[str, bytes]] = {
    "fraction with unit": {"postgresql.conf": b"\nshared_buffers = 1.5GB"},
    "space before the unit": {"postgresql.conf": b"shared_buffers = 128 MB"},
    "exponent": {"postgresql.conf": b"work_mem = 1e0"},
    "qualified word": {"postgresql.conf": b"log_line_prefix = pg_catalog.english"},
    "no value": {"postgresql.conf": b"log_line_prefix =\n"},
    "only a name": {"postgresql.conf": b"log_line_prefix"},
    "two equals signs": {"postgresql.conf": b"log_line_prefix == x"},
    "open quote": {"postgresql.conf": b"log_line_prefix = 'x\nwork_mem = '4MB'"},
    "double quotes": {"postgresql.conf": b'log_line_prefix = "x"'},
    "semicolon": {"postgresql.conf": b"log_line_prefix = x;"},
    "form feed": {"postgresql.conf": b"log_line_prefix = x\x0c"},
    "a number first": {"postgresql.conf": b"4MB = work_mem"},
    "backslash at the end": {"postgresql.conf": b"log_line_prefix = 'x\\\n'"},
    "two values": {"postgresql.conf": b"log_line_prefix = x y"},
    "comma": {"postgresql.conf": b"log_line_prefix = x,y"},
    "missing include": {"postgresql.conf": b"include 'gone.conf'"},
    "missing directory": {"postgresql.conf": b"include_dir 'gone'"},
    "included directory instead of a file": {"postgresql.conf": b"include 'd'", "d/a.conf": b""},
    "itself": {"postgresql.conf": b"include 'postgresql.conf'"},
    "too deep": {
        "postgresql.conf": b"include 'd/0.conf'",
        **{f"d/{n}.conf": f"include '{n + 1}.conf'".encode() for n in range(12)},
        "d/12.conf": b"",
    },
    "mistake in what alter system wrote": {
        "postgresql.conf": b"",
        "postgresql.auto.conf": b"log_line_prefix = = 'y'",
    },
    "mistake in an include": {"postgresql.conf": b"include_dir d", "d/a.conf": b"x"},
}


@pytest.mark.parametrize("files", ACCEPTED.values(), ids=ACCEPTED)
def test_what_the_server_takes_is_read_with_the_same_value(judge: Judge, files: dict[str, bytes]) -> None:
    judge.write(files)
    configuration, judged = judge.ours(), judge.servers()
    assert (judged.returncode, configuration.problems) == (0, ()), judged.stderr
    value = configuration.effective[JUDGED].value.encode(errors="surrogateescape")
    assert value + b"\n" == judged.stdout


@pytest.mark.parametrize("files", REFUSED.values(), ids=REFUSED)
def test_what_the_server_refuses_is_a_problem_too(judge: Judge, files: dict[str, bytes]) -> None:
    judge.write(files)
    configuration, judged = judge.ours(), judge.servers()
    assert judged.returncode == 1, judged.stdout
    assert configuration.problems


def test_a_syntax_error_is_placed_where_the_server_places_it(judge: Judge) -> None:
    judge.write({"postgresql.conf": b"# one\nlog_line_prefix = x y\n"})
    (problem,) = judge.ours().problems
    file, _, line = problem.place.rpartition(":")
    said = f'{problem.what.partition(" near")[0]} in file "{file}" line {line}, near token "y"'
    assert said in judge.servers().stderr.decode()


def test_ten_includes_inside_each_other_are_followed_by_both(judge: Judge) -> None:
    chain = {f"d/{n}.conf": f"include '{n + 1}.conf'".encode() for n in range(9)}
    judge.write({"postgresql.conf": b"include 'd/0.conf'", **chain, "d/9.conf": b"log_line_prefix = deep"})
    assert (judge.ours().problems, judge.servers().stdout) == ((), b"deep\n")


@settings(max_examples=40)
@given(st.text(max_size=60).filter(lambda text: "\n" not in text and "\0" not in text))
def test_a_quoted_value_reaches_the_server_as_it_was(judge: Judge, value: str) -> None:
    judge.write({"postgresql.conf": f"log_line_prefix = {quoted(value)}".encode()})
    assert judge.servers().stdout == f"{value}\n".encode()


SIGNS = (b"=", b"'", b"''", b"\\", b" ", b"\t", b"#", b"\n", b"\r\n", b"-", b".", b'"', b":")
WORDS = (b"log_line_prefix", b"x", b"4MB", b"1.5", b"a.b", b"\xe4", b"0x1", b"e5")
FRAGMENTS = st.sampled_from((*SIGNS, *WORDS))


@settings(max_examples=100)
@given(st.lists(FRAGMENTS, max_size=8).map(b"".join))
def test_random_lines_are_judged_alike(judge: Judge, content: bytes) -> None:
    judge.write({"postgresql.conf": b"log_line_prefix = ''\n" + content})
    configuration, judged = judge.ours(), judge.servers()
    unknown = b"unrecognized configuration parameter" in judged.stderr
    assert bool(configuration.problems) == (b"syntax error" in judged.stderr)
    if not configuration.problems and not unknown:
        assert judged.stdout == configuration.effective[JUDGED].value.encode(errors="surrogateescape") + b"\n"
