"""A budget is refused before anything is begun, or ends with an answer: never with nothing."""

import dataclasses
import time
from itertools import count
from math import isclose
from pathlib import Path
from random import Random
from types import MappingProxyType

import pytest

from bench_runs import RELOADED, as_before, prove
from bench_seen_cases import SPEED, pairs_of, run_of
from real_subject import MakeSubject
from tunewiz.bench.budget import DataSize, TimeLimit, continued_within, limit_of, planned_anew, schedule_of
from tunewiz.bench.errors import OutOfTimeError, RefusedError
from tunewiz.bench.experiment import Experiment
from tunewiz.bench.measuring import Bench
from tunewiz.bench.options import BenchOptions
from tunewiz.bench.outcome import proof_of
from tunewiz.bench.owner import nobody_watches
from tunewiz.bench.progress import ProgressFile, lines_from
from tunewiz.bench.run import BenchRun, GroupOfChanges, Partial, RunDirectory, read_partial
from tunewiz.bench.server import server_of
from tunewiz.bench.switching import NOTHING, Switch
from tunewiz.core.proof.lengths import lengths_of
from tunewiz.core.proof.proof import Arm
from tunewiz.core.proof.schedule import BenchRequest, BenchSchedule
from tunewiz.core.values.units import Bytes

REQUEST = BenchRequest(
    usual=lengths_of(300, writes=True),
    is_run_fixed=False,
    pairs=0,
    same_pairs=0,
    most=16,
    groups=0,
    is_latency=False,
)
DATA = DataSize(database=None, scale=1_000, is_given=False, clients=4)
PARTS = (GroupOfChanges(name="memory", ids=("pg.work_mem",)), GroupOfChanges(name="WAL", ids=("pg.wal",)))
HALF = 0.5
A_SAME_PAIR = 2


def planned(seconds: int, data: DataSize = DATA) -> tuple[BenchSchedule, int]:
    limit = TimeLimit(option="--budget", seconds=seconds)
    return schedule_of(REQUEST, limit, data, memory=Bytes.parse("8GB"), restarts=True)


def experiment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, runs: int, groups: tuple[GroupOfChanges, ...] = ()
) -> Experiment:
    """One in which the plan halves the throughput, and the time is up after so many runs."""
    switch, done, draw = Switch(place=RunDirectory(tmp_path), minutes=1), count(1), Random(3)  # noqa: S311 - noise

    def to(self: Switch, name: str) -> None:
        self.applied = name

    def arm(_self: Bench, _rate: float, _seed: int) -> Arm:
        if next(done) > runs:
            raise OutOfTimeError("the time budget is used up")
        speed = SPEED if switch.applied == NOTHING else SPEED * HALF
        return Arm(figures=MappingProxyType({"throughput": speed * (1 + draw.gauss(0, 0.05))}))

    monkeypatch.setattr(Switch, "to", to)

    def prepare(_self: Bench) -> None:
        """There is no server."""

    monkeypatch.setattr(Bench, "prepare", prepare)
    monkeypatch.setattr(Bench, "arm", arm)
    run = dataclasses.replace(run_of(""), ask=False, same_pairs=2, groups=groups)
    return Experiment(
        bench=Bench(run=run, server=server_of(run), watch=nobody_watches),
        switch=switch,
        place=switch.place,
        progress=ProgressFile(switch.place.progress),
        primary="throughput",
    )


@pytest.mark.parametrize(("pairs", "looks"), [(2, [2]), (5, [5]), (6, [6])])
def test_the_end_of_the_time_is_the_last_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pairs: int, looks: list[int]
) -> None:
    measured = experiment(tmp_path, monkeypatch, 2 * A_SAME_PAIR + 2 * pairs + 1)
    measured.measure()
    proof = proof_of(measured, finished="", seconds=1, early="")
    assert [look.pairs for look in proof.looks] == looks
    assert isclose(proof.metrics["throughput"].ratio, HALF, rel_tol=0.2)
    assert proof.verdict == "hurt"
    assert read_partial(measured.place).agreed == (pairs if pairs < 6 else 16)


def test_too_few_pairs_are_said_to_be_too_few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measured = experiment(tmp_path, monkeypatch, 2 * A_SAME_PAIR + 3)
    with pytest.raises(OutOfTimeError, match="1 of 16 pairs are complete, expected 2 or more"):
        measured.measure()


def test_a_time_that_ends_before_anything_is_measured_was_too_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(RefusedError, match="used up before an A/A pair is complete"):
        experiment(tmp_path, monkeypatch, 1).measure()


def test_cycles_that_are_complete_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measured = experiment(tmp_path, monkeypatch, 2 * A_SAME_PAIR + 2 * 5 + 3, PARTS)
    measured.measure()
    proof = proof_of(measured, finished="", seconds=1, early="")
    assert (len(proof.cycles), len(proof.groups)) == (2, 2)
    steps = [line.text for line in lines_from(measured.place.progress, 0)]
    assert "the time budget is used up: 2 of 16 cycles are complete" in steps


def test_data_whose_size_nobody_asked_for_fit_the_budget() -> None:
    scales = [planned(minutes * 60)[1] for minutes in (10, 60, 600)]
    assert scales == sorted(set(scales))
    assert planned(2_000_000)[1] == DATA.scale
    assert planned(600, dataclasses.replace(DATA, scale=6))[1] == 6
    assert planned(36_000, dataclasses.replace(DATA, is_given=True))[1] == DATA.scale
    copied = dataclasses.replace(DATA, database=Bytes.parse("1GB"), scale=0)
    assert planned(36_000, copied)[1] == 0


def test_the_smallest_budget_is_accepted_when_it_is_given() -> None:
    with pytest.raises(RefusedError, match=r"--budget: found 1min, expected (\d+)s or more") as refused:
        planned(60)
    seconds = int(refused.value.message.split("expected ")[1].split("s ")[0])
    assert planned(seconds)[0].seconds <= seconds


def test_the_shorter_of_budget_and_window_counts() -> None:
    options = BenchOptions(bundle=Path("/nowhere"), budget=900, window=600)
    assert limit_of(options) == TimeLimit(option="--window", seconds=600)
    assert limit_of(dataclasses.replace(options, budget=None, window=None)) is None


def begun(seconds: int, ago: int = 0) -> BenchRun:
    """A run within a budget that began so many seconds ago."""
    now = int(time.time())
    return dataclasses.replace(
        run_of(""), schedule=planned(seconds)[0], began=now - ago, until=now - ago + seconds
    )


def test_what_is_left_is_planned_anew_by_this_servers_own_pace() -> None:
    run = begun(1_800, ago=60)
    assert run.schedule is not None
    slow = dataclasses.replace(run.schedule.pace, create=0.0, switch=9.0, is_measured=True)
    anew = planned_anew(run, run.schedule, slow)
    assert anew.schedule is not None
    assert anew.schedule.seconds <= 1_740
    assert anew.lengths.full_speed < run.schedule.lengths.full_speed
    with pytest.raises(RefusedError, match="as measured here") as refused:
        planned_anew(run, run.schedule, dataclasses.replace(slow, switch=90.0))
    assert refused.value.hint.startswith("Allow ")


def test_a_run_is_continued_only_if_its_rest_fits() -> None:
    run, limit = begun(1_800), TimeLimit(option="--budget", seconds=900)
    anew = continued_within(run, Partial(), limit)
    assert anew.schedule is not None
    assert anew.schedule.budget == 900
    measured = Partial(same_pairs=pairs_of(3, 1), pairs=pairs_of(4, 1), agreed=6, arm_seconds=40)
    assert continued_within(run, measured, limit).lengths == run.lengths
    with pytest.raises(RefusedError, match="expected 280s or more for the rest of this run"):
        continued_within(run, measured, TimeLimit(option="--budget", seconds=120))
    assert continued_within(run, measured, None).until == 0


def test_a_budget_that_is_too_short_is_refused_before_anything_is_begun(make_subject: MakeSubject) -> None:
    subject = make_subject()
    bundle, before = subject.bundle(RELOADED), as_before(subject)
    done = prove(subject, bundle, "--run", "60s", "--scale", "1", "--budget", "12s")
    assert done.returncode == 4
    assert "--budget: found 12s, expected " in done.stderr
    assert " or more on this server" in done.stderr
    assert "4 pairs can show a difference of " in done.stderr
    assert as_before(subject) == before
    assert not (subject.state / "prove").exists()
