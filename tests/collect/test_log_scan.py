"""A server's log is read in any format, in any pieces, with whatever is damaged in it."""

import bz2
import gzip
import io
import lzma
import os
import random
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunewiz.collect.logs.files import read_log
from tunewiz.collect.logs.scan import LONGEST, Counts, Form, scan
from tunewiz.core.facts.log import LogSeen, SizeClass
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.units import KIB, MIB, Bytes

VACUUM = (
    'automatic vacuum of table "shop.public.orders": index scans: 1\n\tpages: 0 removed\n'
    "\tsystem usage: CPU: user: 1.00 s, system: 0.50 s, elapsed: 75.25 s"
)
OLD_VACUUM = (
    'automatic vacuum of table "a.b.c": index scans: 0\n\tsystem usage: CPU 0.00s/0.00u sec elapsed 7.01 sec'
)
COMPRESS: Mapping[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
}
STAMP = "2026-11-20 12:00:00.123 UTC [4711] "
MESSAGES = (
    'temporary file: path "base/pgsql_tmp/pgsql_tmp4711.0", size 1048577',
    'temporary file: path "base/pgsql_tmp/pgsql_tmp4711.1", size 1048576',
    "checkpoint starting: time",
    "checkpoint complete: wrote 123 buffers (0.8%); 0 WAL file(s) added; distance=2048 kB, estimate=4096 kB",
    "checkpoint starting: wal",
    "restartpoint starting: immediate force wait",
    VACUUM,
    "redo starts at 0/1000028",
    "redo done at 0/9000028 system usage: CPU: user: 0.2 s, system: 0.1 s, elapsed: 2.50 s",
    "process 4711 still waiting for ShareLock on transaction 123 after 1000.123 ms",
)
SEEN = {
    "temp_files": (SizeClass(at_most=Bytes(MIB), files=1), SizeClass(at_most=Bytes(2 * MIB), files=1)),
    "checkpoints_timed": 1,
    "checkpoints_by_wal": 1,
    "checkpoints_otherwise": 1,
    "largest_distance": Bytes(2048 * KIB),
    "autovacuums": 1,
    "longest_autovacuum": 75,
    "repeated_index_scans": 0,
    "most_index_scans": 1,
    "lock_waits": 1,
    "recoveries": 1,
    "replayed": Bytes(128 * MIB),
    "replay_seconds": 2.5,
}


def stderr(message: str) -> str:
    return f"{STAMP}LOG:  {message}\n"


def csv(message: str) -> str:
    doubled = message.replace('"', '""')
    return f'2026-11-20 12:00:00 UTC,"app","shop",4711,,65.1,1,"",,3/1,0,LOG,00000,"{doubled}",,,,,,,,,""\n'


def json(message: str) -> str:
    escaped = message.replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'{{"timestamp":"2026-11-20 12:00:00","error_severity":"LOG","message":"{escaped}"}}\n'


def syslog(message: str) -> str:
    return f"Nov 20 12:00:00 db1 postgres[4711]: [5-1] {STAMP}LOG:  {message}\n"


FORMS: tuple[Form, ...] = ("text", "csv", "json")
FORMATS = {"stderr": stderr, "csv": csv, "json": json, "syslog": syslog}


SUFFIX = {"stderr": "log", "csv": "csv", "json": "json", "syslog": "log"}


def log(written: str, directory: Path, form: str = "stderr") -> LogSeen:
    path = directory / f"postgresql.{SUFFIX[form]}"
    path.write_text(written)
    return read_log([path])


def fields(observation: LogSeen) -> dict[str, object]:
    return {name: getattr(observation, name) for name in SEEN}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_tells_the_same(name: str, tmp_path: Path) -> None:
    observation = log("".join(map(FORMATS[name], MESSAGES)), tmp_path, name)
    assert fields(observation) == SEEN
    assert (observation.files, observation.damaged) == (1, 0)


@pytest.mark.parametrize("why", ["", ": time", ": end-of-recovery fast wait", ":"])
@pytest.mark.parametrize("name", FORMATS)
def test_a_checkpoint_that_says_why_again_is_read_like_one_that_does_not(
    why: str, name: str, tmp_path: Path
) -> None:
    message = f"checkpoint complete{why}: wrote 9 buffers (0.1%), wrote 1 SLRU buffers; distance=2048 kB"
    assert log(FORMATS[name](message), tmp_path, name).largest_distance == Bytes(2048 * KIB)


@pytest.mark.parametrize("name", FORMATS)
def test_a_checkpoint_that_says_something_else_has_no_distance(name: str, tmp_path: Path) -> None:
    message = "checkpoint complete: by hand; wrote 9 buffers; distance=2048 kB"
    assert log(FORMATS[name](message), tmp_path, name).largest_distance == Bytes(0)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    "begins",
    [
        "automatic vacuum of table",
        "automatic aggressive vacuum of table",
        "automatic vacuum to prevent wraparound of table",
        "automatic aggressive vacuum to prevent wraparound of table",
    ],
)
def test_every_kind_of_autovacuum_tells_how_often_it_scanned_the_indexes(
    name: str, begins: str, tmp_path: Path
) -> None:
    run = VACUUM.replace("automatic vacuum of table", begins)
    runs = [run.replace("index scans: 1", f"index scans: {scans}") for scans in (0, 1, 2, 7)]
    observation = log("".join(map(FORMATS[name], runs)), tmp_path, name)
    assert (observation.autovacuums, observation.repeated_index_scans, observation.most_index_scans) == (
        4,
        2,
        7,
    )
    assert observation.damaged == 0


def test_messages_of_older_servers_are_read_too(tmp_path: Path) -> None:
    older = (
        "checkpoint starting: xlog",
        OLD_VACUUM,
        "redo starts at 0/1000028",
        "redo done at 0/9000028",
    )
    observation = log("".join(map(stderr, older)), tmp_path)
    assert (observation.checkpoints_by_wal, observation.longest_autovacuum, observation.recoveries) == (
        1,
        7,
        0,
    )
    assert observation.damaged == 0


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("begins", ["", "LOG:  ", ',"', '"message":"', "\n", "\n\t", f"{STAMP}LOG:  "])
def test_what_somebody_wrote_into_a_statement_is_no_message(name: str, begins: str, tmp_path: Path) -> None:
    tab = "\n\t" if name in {"stderr", "syslog"} else "\n"
    texts = [f"statement: SELECT 1; {begins}{message}".replace("\n", tab) for message in MESSAGES]
    observation = log("".join(map(FORMATS[name], texts)), tmp_path, name)
    assert observation == LogSeen(files=1, size=observation.size, damaged=0)


@settings(max_examples=40, database=None, derandomize=True, deadline=None)
@given(st.integers(1, 60_000), st.randoms(use_true_random=False))
def test_it_does_not_matter_in_which_pieces_a_log_is_read(block: int, chance: random.Random) -> None:
    form = chance.choice(FORMS)
    lines = [FORMATS[{"text": "stderr"}.get(form, form)](message) for message in MESSAGES * 3]
    padded = "".join(line + "x" * chance.randrange(2 * LONGEST) + "\n" for line in lines).encode()
    whole, pieces = Counts(), Counts()
    scan(io.BytesIO(padded), whole, form)
    scan(io.BytesIO(padded), pieces, form, block=block)
    assert pieces == whole
    assert (whole.lock_waits, whole.autovacuums, whole.recoveries) == (3, 3, 3)


@settings(max_examples=200, database=None, derandomize=True, deadline=None)
@given(st.binary(max_size=300), st.integers(0, 2**32), st.integers(0, 2**32))
def test_any_bytes_are_read(rubbish: bytes, first: int, second: int) -> None:
    written = "".join(map(stderr, MESSAGES)).encode()
    place, end = first % len(written), second % len(written)
    counts = Counts()
    scan(io.BytesIO(written[:place] + rubbish + written[end:]), counts)
    assert counts.size == len(written[:place]) + len(rubbish) + len(written[end:])


def test_a_message_that_is_cut_off_is_counted_and_the_others_are_read(tmp_path: Path) -> None:
    cut = stderr('temporary file: path "base/pgsql_tmp/pgsq')
    observation = log(cut + "".join(map(stderr, MESSAGES)), tmp_path)
    assert (observation.damaged, fields(observation)) == (1, SEEN)


@pytest.mark.parametrize("suffix", COMPRESS)
def test_rotated_and_compressed_files_are_read_with_the_others(suffix: str, tmp_path: Path) -> None:
    written = "".join(map(stderr, MESSAGES)).encode()
    compress = COMPRESS[suffix]
    (tmp_path / f"a.log{suffix}").write_bytes(compress(written))
    (tmp_path / "b.log").write_bytes(written)
    observation = read_log([tmp_path])
    assert (observation.files, observation.autovacuums, observation.size) == (2, 2, Bytes(2 * len(written)))


@pytest.mark.parametrize("suffix", COMPRESS)
def test_a_compressed_file_that_is_cut_off_tells_what_is_left(suffix: str, tmp_path: Path) -> None:
    compress = COMPRESS[suffix]
    whole = compress(os.urandom(200_000) + "".join(map(stderr, MESSAGES)).encode())
    (tmp_path / f"a.log{suffix}").write_bytes(whole[: len(whole) // 2])
    (tmp_path / f"b.log{suffix}").write_bytes(b"not compressed at all")
    (tmp_path / "c.log").write_text("".join(map(stderr, MESSAGES)))
    observation = read_log([tmp_path])
    assert (observation.files, observation.damaged, observation.autovacuums) == (3, 2, 1)


@pytest.mark.parametrize("kind", ["missing", "fifo", "zst"])
def test_what_is_no_log_is_refused_with_its_name(kind: str, tmp_path: Path) -> None:
    path = tmp_path / ("log.zst" if kind == "zst" else "log")
    if kind == "fifo":
        os.mkfifo(path)
    with pytest.raises(InputError, match=str(path)):
        read_log([path])


def test_a_log_in_another_language_tells_nothing(tmp_path: Path) -> None:
    observation = log(stderr("temporäre Datei: Pfad „base/pgsql_tmp/pgsql_tmp1.0“, Größe 12345678"), tmp_path)
    assert observation == LogSeen(files=1, size=observation.size, damaged=0)
