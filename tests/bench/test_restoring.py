"""Putting back after a crash, at moments that random kills seldom hit."""

import os
import shutil
import signal
from threading import Timer

import pytest

from bench_seen_cases import run_of
from killed_servers import postmaster_of
from real_subject import MakeSubject, Subject
from tunewiz.bench.restoring import restore
from tunewiz.bench.run import BenchRun, MeasuredServer, RunDirectory
from tunewiz.bench.server import server_of
from tunewiz.bench.starting import remember

SECONDS_ON_ITS_WAY_OUT = 1.0


def begun(subject: Subject) -> tuple[RunDirectory, BenchRun]:
    """A run that has changed nothing yet."""
    cluster = subject.cluster
    measured = MeasuredServer(
        major=cluster.programs.major,
        data_directory=str(cluster.data_directory),
        owner=cluster.os_user,
        role=cluster.os_user,
        programs="" if shutil.which("psql") else str(cluster.programs.bin_directory),
    )
    place, run = RunDirectory(subject.state / "prove"), run_of("", measured)
    place.directory.mkdir(parents=True)
    remember(place, server_of(run))
    return place, run


@pytest.mark.timeout(90)
def test_a_server_that_is_still_on_its_way_out_is_started_once_it_is_gone(make_subject: MakeSubject) -> None:
    subject = make_subject()
    place, run = begun(subject)
    postmaster = postmaster_of(subject.cluster)
    assert postmaster is not None
    os.kill(postmaster, signal.SIGSTOP)
    gone = Timer(SECONDS_ON_ITS_WAY_OUT, os.kill, (postmaster, signal.SIGKILL))
    gone.start()
    result = list[str]()
    assert restore(place, run, result.append) == ()
    gone.join()
    assert result == ["the server was down: it was started"]
    assert subject.cluster.query("SELECT 1") == "1"


def test_the_number_of_a_dead_server_may_be_anothers_by_now(make_subject: MakeSubject) -> None:
    subject = make_subject()
    _, run = begun(subject)
    server, file = server_of(run), subject.cluster.data_directory / "postmaster.pid"
    assert server.is_running()
    _, *rest = file.read_text().splitlines()
    subject.cluster.stop()
    assert not server.is_running()
    file.write_text("\n".join((str(os.getpid()), *rest)))
    assert not server.is_running()
    file.unlink()


def test_a_server_that_runs_and_has_nothing_of_a_run_is_left_alone(make_subject: MakeSubject) -> None:
    subject = make_subject()
    place, run = begun(subject)
    before, text = subject.started(), list[str]()
    assert restore(place, run, text.append) == ()
    assert text == []
    assert subject.started() == before
