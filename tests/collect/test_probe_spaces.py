"""Tablespaces on file systems of their own are probed apart, within the same budget."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tunewiz.collect.probe.facts import probe_of
from tunewiz.collect.probe.protocol import MeasuredReads, MeasuredSpace, Message, ProbeRequest, ProbeResults
from tunewiz.collect.probe.reads import PAGE
from tunewiz.collect.probe.spaces import opened_spaces
from tunewiz.collect.probe.table_files import data_directory, largest_files
from tunewiz.core.values.known import Known, Unknown
from tunewiz.formats import json
from tunewiz.formats.structure import structure
from tunewiz.text.measuring import probed_in_words

MEMORY = Path("/dev/shm")  # noqa: S108 - a file system of its own nearly everywhere
MEBIBYTE = 1 << 20
READS = MeasuredReads(
    block=PAGE, count=100, median_us=90.0, p95_us=120.0, p99_us=300.0, bytes_a_second=MEBIBYTE, span=MEBIBYTE
)


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Path]:
    """A directory on another file system than the data directory's."""
    if not MEMORY.is_dir() or MEMORY.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("there is no second file system here")
    made = Path(tempfile.mkdtemp(dir=MEMORY))
    yield made
    shutil.rmtree(made)


def space(above: Path, name: str = "fast", version: str = "PG_15_202209061") -> Path:
    """A tablespace with one table."""
    tables = above / name / version / "5"
    tables.mkdir(parents=True)
    (tables / "16384").write_bytes(os.urandom(MEBIBYTE))
    return above / name


def spaces_of(data: Path, *spaces: Path, major: str = "15") -> list[tuple[str, str]]:
    with ExitStack() as stack:
        opened = stack.enter_context(data_directory(str(data), os.geteuid()))
        probe_request = request(data, *spaces, major=major)
        return [
            (opened_space.directory, opened_space.version)
            for opened_space in opened_spaces(stack, probe_request, opened)
        ]


def request(data: Path, *spaces: Path, major: str = "15") -> ProbeRequest:
    return ProbeRequest(
        directory=str(data),
        uid=os.geteuid(),
        seconds=60,
        fsync="",
        timing="",
        major=major,
        spaces=tuple(map(str, spaces)),
    )


def test_a_tablespace_on_a_file_system_of_its_own_is_opened_once(tmp_path: Path, elsewhere: Path) -> None:
    fast, same = space(elsewhere), space(elsewhere, "same device")
    assert spaces_of(tmp_path, fast, same) == [(str(fast), "PG_15_202209061")]


def test_one_on_the_data_directorys_file_system_is_left_out(tmp_path: Path) -> None:
    assert spaces_of(tmp_path, space(tmp_path)) == []


@pytest.mark.parametrize("wrong", ["a link", "missing", "another major's", "a file"])
def test_what_holds_no_tables_of_the_server_is_left_out(wrong: str, tmp_path: Path, elsewhere: Path) -> None:
    made = space(elsewhere, version="PG_14_202107181" if wrong == "another major's" else "PG_15_202209061")
    named = elsewhere / "named"
    match wrong:
        case "a link":
            named.symlink_to(made)
        case "another major's":
            named = made
        case "a file":
            named.write_text("")
        case _:
            pass
    assert spaces_of(tmp_path, named) == []


def test_of_two_majors_the_servers_own_is_read(tmp_path: Path, elsewhere: Path) -> None:
    made = space(elsewhere, version="PG_14_202107181")
    (made / "PG_15_202209061").mkdir()
    assert spaces_of(tmp_path, made) == [(str(made), "PG_15_202209061")]
    assert spaces_of(tmp_path, made, major="9.6") == []


def test_its_tables_are_read(tmp_path: Path, elsewhere: Path) -> None:
    made = space(elsewhere)
    with ExitStack() as stack:
        data = stack.enter_context(data_directory(str(tmp_path), os.geteuid()))
        (fast,) = opened_spaces(stack, request(tmp_path, made), data)
        (table,) = largest_files(fast.opened, PAGE, fast.version)
        assert (table.name, table.database, table.size) == ("16384", "5", MEBIBYTE)


def test_a_request_and_its_answer_read_back_as_they_were_written(tmp_path: Path) -> None:
    probe_request = request(tmp_path, Path("/fast"))
    assert ProbeRequest.from_json(probe_request.to_json()) == probe_request
    said = Message(done=ProbeResults(seconds=5.0, spaces=(MeasuredSpace(directory="/fast", random=READS),)))
    assert structure(json.loads(said.to_json(), "it"), Message, "it") == said


def test_it_is_told_apart_in_the_facts_and_in_words() -> None:
    measured = ProbeResults(
        seconds=5.0,
        reading="direct",
        random=READS,
        why={"sequential": "it is too small"},
        spaces=(
            MeasuredSpace(directory="/fast", reading="direct", random=READS, why={"sequential": "too small"}),
            MeasuredSpace(directory="/slow", why={"random": "no table file could be opened"}),
            MeasuredSpace(directory="/not/asked/about", reading="direct", random=READS),
        ),
    )
    probe = probe_of(measured, None, {"/fast": None, "/slow": None}, "probed in /data")
    assert isinstance(probe, Known)
    fast, slow = probe.value.tablespaces
    assert isinstance(fast.random, Known)
    assert fast.random.how.endswith("in the tablespace /fast")
    assert fast.sequential == Unknown("too small")
    assert slow.random == Unknown("no table file could be opened")
    words = probed_in_words(probe)
    assert "in the tablespace /fast 8 kB reads 90 µs" in words
    assert "the tablespace /slow: no table file could be opened" in words


def test_what_no_device_can_do_makes_the_probe_unknown() -> None:
    impossible = MeasuredReads(
        block=PAGE, count=0, median_us=9.0, p95_us=9.0, p99_us=9.0, bytes_a_second=1, span=MEBIBYTE
    )
    measured = ProbeResults(seconds=5.0, spaces=(MeasuredSpace(directory="/fast", random=impossible),))
    probe = probe_of(measured, None, {"/fast": None}, "probed in /data")
    assert isinstance(probe, Unknown)
    assert probe.why.startswith("probe.tablespaces.0.random.count")
