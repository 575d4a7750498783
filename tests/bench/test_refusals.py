"""What `tunewiz prove bench` refuses, with status 4 or 2, before anything is changed."""

import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bench_runs import RELOADED, SHORT, as_before, prove
from real_subject import MakeSubject, Subject
from tools_here import need
from tunewiz.bench.beginning import ROOTS_TEMPORARY
from tunewiz.cli import main

PAIRS = ("--pairs", "2")


@contextmanager
def client(subject: Subject) -> Generator[None]:
    """A session of someone else's."""
    need("psql")
    where = ("-h", subject.cluster.socket_directory, "-p", str(subject.cluster.port), "-U")
    session = subprocess.Popen(
        ["psql", "-XAtq", *where, subject.cluster.os_user, "postgres"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert session.stdin is not None
    assert session.stdout is not None
    session.stdin.write("SELECT 1;\n")
    session.stdin.flush()
    session.stdout.readline()
    try:
        yield
    finally:
        session.communicate()


def test_other_sessions_and_an_archive_are_named_together_and_nothing_is_begun(
    make_subject: MakeSubject, tmp_path: Path
) -> None:
    subject = make_subject()
    subject.cluster.query("ALTER SYSTEM SET archive_mode = on")
    subject.cluster.query("ALTER SYSTEM SET archive_command = 'cp %p /nowhere/%f'")
    subject.cluster.restart()
    bundle, before = subject.bundle(RELOADED), as_before(subject)
    script = tmp_path / "ours.sql"
    script.write_text(f"SELECT '{tmp_path.name}';\n")
    with client(subject):
        done = prove(subject, bundle, *SHORT, *PAIRS, "--script", str(script))
    assert done.returncode == 4
    assert "1 other sessions are connected" in done.stderr
    assert "it archives WAL (cp %p /nowhere/%f)" in done.stderr
    assert as_before(subject) == before
    assert not (subject.state / "prove").exists()
    places = {Path(tempfile.gettempdir()), Path(ROOTS_TEMPORARY)}
    copies = [copy for place in places for copy in place.glob("tunewiz-prove-*/script-1.sql")]
    assert script.read_bytes() not in {copy.read_bytes() for copy in copies}


def test_whatever_fails_before_anything_is_begun_is_a_refusal(make_subject: MakeSubject) -> None:
    subject = make_subject()
    bundle, before = subject.bundle(RELOADED), as_before(subject)
    done = prove(subject, bundle, *SHORT, *PAIRS, "--dbname", "nowhere")
    assert (done.returncode, "--dbname: found nowhere, expected one of postgres" in done.stderr) == (4, True)
    with client(subject):
        done = prove(subject, bundle, *SHORT, *PAIRS, "--dbname", "postgres", "--window", "10min")
    assert (done.returncode, "postgres has 1 connection, expected none" in done.stderr) == (4, True)
    # How it was started cannot be read.
    (subject.cluster.data_directory / "postmaster.opts").unlink()
    done = prove(subject, bundle, *SHORT, *PAIRS)
    assert (done.returncode, "postmaster.opts: cannot be read" in done.stderr) == (4, True), done.stderr
    assert as_before(subject) == before
    subject.cluster.stop()
    done = prove(subject, bundle, *SHORT, *PAIRS)
    assert (done.returncode, "the server cannot be queried" in done.stderr) == (4, True), done.stderr
    assert not (subject.state / "prove").exists()


def test_wrong_usage_is_told_before_anything_is_looked_at(make_subject: MakeSubject, tmp_path: Path) -> None:
    subject = make_subject()
    bundle = subject.bundle(RELOADED)
    cases = {
        ("--answers-out", "x.toml", *PAIRS): "--answers-out: expected --ablate beside it",
        (): "expected --yes, --pairs or --budget",
        ("--script", str(tmp_path / "none.sql"), *PAIRS): "none.sql: cannot be read",
    }
    for options, message in cases.items():
        done = prove(subject, bundle, *options)
        assert (done.returncode, message in done.stderr) == (2, True), done.stderr
    assert prove(subject, bundle, "--resume").returncode == 4


def test_a_bundle_that_was_changed_is_not_measured(make_subject: MakeSubject) -> None:
    subject = make_subject()
    bundle = subject.bundle(RELOADED)
    (bundle / "steps.txt").write_text("")
    done = prove(subject, bundle, *PAIRS)
    assert done.returncode == 2
    assert "steps.txt: was changed since the bundle was written" in done.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--run", "0s"), "expected a second or more"),
        (("--run", "long"), "expected a time such as"),
        (("--pairs", "1"), "found '1', expected 2 to 200"),
        (("--script", "a.sql@0"), "found the weight 0"),
        (("--metric", "speed"), "found 'speed', expected"),
        (("--builtin", "tpcb"), "expected tpcb-like"),
    ],
)
def test_what_cannot_be_typed_is_told(
    options: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["prove", "bench", "somewhere", *options])
    assert ended.value.code == 2
    assert message in capsys.readouterr().err
