"""Whatever ends a run, the server and its files are as before, and no database, process or file is left.

TUNEWIZ_TEST_KILLS=40 tries so many random moments.
"""

import os
import signal
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

import pytest

from bench_runs import BRIEF, RELOADED, UnderWay, as_before, prove, under_way
from history_scripts import processes_in
from killed_servers import postmaster_of
from real_subject import MakeSubject
from tunewiz.bench.run import read_partial, read_run
from tunewiz.formats.proof import proof_from_json

LONG = (*BRIEF, "--pairs", "6", "--same-pairs", "2")
KILLS = int(os.environ.get("TUNEWIZ_TEST_KILLS", "3"))
MOST_DELAY = 25.0
"""Seconds: by then a run under a loaded machine has begun with its pairs."""


def kill_runner(run: UnderWay) -> None:
    os.kill(run.runner(), signal.SIGKILL)


def kill_guard(run: UnderWay) -> None:
    os.kill(run.guard(), signal.SIGKILL)


def interrupt(run: UnderWay) -> None:
    run.follower.send_signal(signal.SIGINT)


def crash_server(run: UnderWay) -> None:
    """As pg_ctl does, which would go on waiting where the run has started the server again."""
    cluster = run.subject.cluster
    run.until(lambda: postmaster_of(cluster) is not None)
    crashed = postmaster_of(cluster)
    assert crashed is not None
    os.kill(crashed, signal.SIGQUIT)
    run.until(lambda: crashed not in processes_in(cluster.data_directory))


def stop_runner(run: UnderWay) -> None:
    os.kill(run.runner(), signal.SIGTERM)


ENDS: Mapping[str, Callable[[UnderWay], None]] = {
    "the process that measures is killed": kill_runner,
    "the server crashes": crash_server,
    "someone presses Ctrl-C": interrupt,
    "the process that measures is asked to stop": stop_runner,
}


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    "end",
    [
        "the process that measures is killed",
        *(pytest.param(end, marks=pytest.mark.slow) for end in list(ENDS)[1:]),
    ],
)
def test_everything_comes_back_while_a_change_is_in_force(end: str, make_subject: MakeSubject) -> None:
    subject = make_subject()
    bundle, before = subject.bundle(RELOADED), as_before(subject)
    with under_way(subject, bundle, *LONG) as run:
        run.until_in_force()
        ENDS[end](run)
        run.until_over()
        assert run.follower.wait(timeout=60) == 5
        said = run.follower.stderr
        assert said is not None
        assert "everything was put back" in said.read()
        assert not run.place.runner.exists(), "its number may be another process's by now"
    assert as_before(subject) == before
    assert not (subject.state / "prove" / "bundles").exists()
    assert not (subject.state / "prove" / "state").exists()


@pytest.mark.slow
@pytest.mark.timeout(60 * KILLS + 240)
@pytest.mark.parametrize("end", list(ENDS)[:2])
def test_everything_comes_back_at_random_moments(end: str, make_subject: MakeSubject) -> None:
    subject, draw = make_subject(), Random()  # noqa: S311 - moments
    bundle, before = subject.bundle(RELOADED), as_before(subject)
    for number in range(KILLS):
        delay = draw.uniform(0, MOST_DELAY)
        with under_way(subject, bundle, *LONG) as run:
            time.sleep(delay)
            ENDS[end](run)
            run.until_over()
            where = f"run {number}, after {delay:.2f} s: {run.place.status.read_text()}"
            assert not Path(read_run(run.place).work).exists(), where
        assert subject.cluster.is_running(), where
        assert as_before(subject) == before, where


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_closed_terminal_ends_nothing_and_the_result_is_there(
    make_subject: MakeSubject, tmp_path: Path
) -> None:
    subject = make_subject()
    bundle, before, out = subject.bundle(RELOADED), as_before(subject), tmp_path / "proof.json"
    with under_way(subject, bundle, *BRIEF, "--pairs", "2", "--same-pairs", "2") as run:
        os.killpg(run.follower.pid, signal.SIGHUP)
        run.follower.wait(timeout=20)
        second = prove(subject, bundle, *BRIEF, "--pairs", "2")
        assert second.returncode == 4
        assert "a run is in progress" in second.stderr
        run.until_over()
    assert as_before(subject) == before
    shown = prove(subject, bundle, "--resume", "-o", str(out))
    assert shown.returncode in (0, 1, 3, 4), shown.stderr
    assert out.exists()
    assert not (subject.state / "prove").exists()


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_with_both_processes_killed_the_revert_is_armed_and_the_next_command_puts_back(
    make_subject: MakeSubject, tmp_path: Path
) -> None:
    subject = make_subject()
    bundle, before, out = subject.bundle(RELOADED), as_before(subject), tmp_path / "proof.json"
    with under_way(subject, bundle, *BRIEF, "--pairs", "2", "--same-pairs", "2") as run:
        run.until(lambda: run.place.partial.exists() and '"order"' in run.place.partial.read_text())
        run.until_in_force()
        kill_guard(run)
        kill_runner(run)
        assert run.follower.wait(timeout=60) == 5
        (watcher,) = run.place.state.glob("*/watcher")
        assert Path(f"/proc/{watcher.read_text().split()[0]}").exists()
        assert as_before(subject) != before
    measured = read_partial(run.place)
    done = prove(subject, bundle, *BRIEF, "--resume", "-o", str(out))
    assert done.returncode in (0, 1, 3, 4), done.stderr
    proof = proof_from_json(out.read_text(), str(out))
    assert proof.same_pairs[: len(measured.same_pairs)] == measured.same_pairs
    assert as_before(subject) == before
    assert not (subject.state / "prove").exists()


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_budget_is_kept(make_subject: MakeSubject) -> None:
    subject = make_subject()
    bundle, before = subject.bundle(RELOADED), as_before(subject)
    began = time.monotonic()
    done = prove(subject, bundle, *BRIEF, "--pairs", "2", "--same-pairs", "2", "--budget", "3min")
    assert done.returncode in (0, 1, 3, 4), done.stderr
    assert "planned within 3min: data " in done.stderr
    assert "restarts and copies as measured" in done.stderr
    assert time.monotonic() - began < 180
    assert as_before(subject) == before
