"""A run within a budget: its schedule before it begins, and anew once this server's pace is known."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tunewiz.bench.errors import RefusedError
from tunewiz.bench.options import BenchOptions
from tunewiz.bench.run import BenchRun, Partial, so_far
from tunewiz.bench.switching import NOTHING, WHOLE, Switch
from tunewiz.core.proof.pace import ServerPace, affordable_data, assumed_pace
from tunewiz.core.proof.ratios import LEAST_PAIRS
from tunewiz.core.proof.remaining import seconds_left
from tunewiz.core.proof.schedule import (
    SCRIPTS_A_TRIAL,
    BenchRequest,
    BenchSchedule,
    TooShort,
    plan_schedule,
    put_back_seconds,
    round_up,
    runs_reckoned_with,
)
from tunewiz.core.values.units import MIB, Bytes
from tunewiz.core.words.schedule import time_option, too_short, too_short_rest

if TYPE_CHECKING:
    from tunewiz.bench.measuring import Bench

BYTES_A_SCALE = 16 * MIB
"""pgbench's tables at scale 1 with indexes (PostgreSQL documentation, pgbench: about 16 MB)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TimeLimit:
    """The time that a run may take, and the option that says so."""

    option: str
    seconds: int


@dataclass(frozen=True, kw_only=True, slots=True)
class DataSize:
    """How large the data are that every run starts from."""

    database: Bytes | None
    """Size of the database that is copied; None where pgbench makes tables."""
    scale: int
    """The scale that was asked for, or the usual one."""
    is_given: bool
    """Whether the scale was asked for."""
    clients: int

    def scale_within(self, budget: int, runs: int) -> int:
        """The scale that a budget allows: not below the clients, who would wait for the same rows."""
        if self.is_given or self.database is not None:
            return self.scale
        affordable = affordable_data(budget, runs).count // BYTES_A_SCALE
        return min(self.scale, max(self.clients, affordable))

    def size(self, scale: int) -> Bytes:
        """The data of that scale, or of the database that is copied."""
        return self.database or Bytes(BYTES_A_SCALE * scale)


def limit_of(options: BenchOptions) -> TimeLimit | None:
    """The shorter one of budget and window; None without any."""
    typed = (("--budget", options.budget), ("--window", options.window))
    limits = [TimeLimit(option=option, seconds=seconds) for option, seconds in typed if seconds]
    return min(limits, key=lambda limit: limit.seconds, default=None)


def schedule_of(
    request: BenchRequest, limit: TimeLimit, data: DataSize, *, memory: Bytes, restarts: bool
) -> tuple[BenchSchedule, int]:
    """The schedule within the limit and the scale of its data; raises RefusedError.

    Args:
        request: What is to be measured.
        limit: The time that it may take.
        data: The data of its runs.
        memory: Of the machine; 0 if unknown.
        restarts: Whether the changes need a restart.
    """
    runs = runs_reckoned_with(request)

    def pace_within(budget: int) -> ServerPace:
        size = data.size(data.scale_within(budget, runs))
        return assumed_pace(size, memory, restarts=restarts)

    result = plan_schedule(request, pace_within, limit.seconds)
    if isinstance(result, TooShort):
        raise RefusedError(*too_short(limit.option, result))
    return result, data.scale_within(limit.seconds, runs)


def measured_pace(bench: Bench, switch: Switch, before: ServerPace) -> ServerPace:
    """How long this server takes for restarts and copies, by a trial of both sides; raises RunError."""
    bench.server.ask("CHECKPOINT", watch=bench.watch)
    began = time.monotonic()
    switch.to(WHOLE)
    applied = time.monotonic() - began
    copy_changed = bench.rehearse(bench.run.seed)
    began = time.monotonic()
    switch.to(NOTHING)
    restored = time.monotonic() - began
    return replace(
        before,
        create=0.0,
        copy=bench.rehearse(bench.run.seed),
        copy_changed=copy_changed,
        switch=(applied + restored) / SCRIPTS_A_TRIAL,
        is_measured=True,
    )


def planned_anew(run: BenchRun, schedule: BenchSchedule, pace: ServerPace) -> BenchRun:
    """The run as it fits into the time that is left; raises RefusedError if nothing useful does."""
    passed = time.time() - run.began
    result = plan_schedule(schedule.request, lambda _: pace, max(0, int(run.until - time.time())))
    if isinstance(result, TooShort):
        raise RefusedError(*too_short_rest(result, passed))
    return with_schedule(run, result)


def with_schedule(run: BenchRun, schedule: BenchSchedule) -> BenchRun:
    """The run as the schedule has it."""
    return replace(
        run,
        schedule=schedule,
        lengths=schedule.lengths,
        pairs=schedule.pairs,
        same_pairs=schedule.same_pairs,
    )


def time_to_measure(run: BenchRun) -> float:
    """Seconds until a run with a budget must begin to put everything back."""
    return run.until - reserve_of(run) - time.time()


def reserve_of(run: BenchRun) -> float:
    """What is kept of a run's time to put everything back."""
    return put_back_seconds(run.until - run.began if run.schedule is None else run.schedule.budget)


def continued_within(before: BenchRun, partial: Partial, limit: TimeLimit | None) -> BenchRun:
    """An interrupted run with the time that it may still take; raises RefusedError if its rest does not fit.

    What was measured settles the lengths of its runs. Where nothing was, all is planned for the new time.
    """
    if limit is None:
        return replace(before, until=0, schedule=None)
    run, schedule = replace(before, until=int(time.time()) + limit.seconds), before.schedule
    if schedule is None or partial.same_pairs:
        _check_rest(run, partial, limit)
        return run
    result = plan_schedule(schedule.request, lambda _: schedule.pace, limit.seconds)
    if isinstance(result, TooShort):
        raise RefusedError(*too_short(limit.option, result))
    return with_schedule(run, result)


def _check_rest(run: BenchRun, partial: Partial, limit: TimeLimit) -> None:
    observed = so_far(run, replace(partial, arm_seconds=partial.arm_seconds or run.lengths.arm))
    needed = seconds_left(observed, partial.agreed or LEAST_PAIRS) + reserve_of(run)
    if needed > limit.seconds:
        raise RefusedError(
            f"{limit.option}: found {time_option(limit.seconds)}, expected "
            f"{time_option(round_up(needed))} or more for the rest of this run",
            "Allow more time; what was measured is kept.",
        )
