"""How much WAL between checkpoints is worth its room and recovery, by machine, workload and own numbers."""

from __future__ import annotations

from fractions import Fraction

from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.database_size import size_of
from tunewiz.core.server.recovery import checkpoint_distance
from tunewiz.core.server.seen_checkpoints import wal_seen
from tunewiz.core.server.seen_wal import wal_gathered
from tunewiz.core.values.known import Known
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.units import Bytes

MEASURED_CORES = 4
"""Of the z13 study, which took 16 GB (z-deck.max_wal_size): more cores write more in the same time."""

DATABASES_KEPT = 8
"""Times the size of all databases: between two checkpoints, half of it, whole pages of all of them are then
no more than a quarter of the WAL, and less frequent checkpoints save little."""

CHECKPOINTS_KEPT = 2
"""Times shared_buffers: a checkpoint writes no more than all of them, and max_wal_size holds the WAL of two.
No more is worth it, however long the time between checkpoints, unless this server's own WAL asks for it."""


def wal_worth(situation: Situation) -> Bytes:
    """The machine's, or what this server's checkpoints and WAL ask for."""
    return max((_by_own_numbers(situation), *(wal.size for wal in wal_gathered(situation))))


def _by_own_numbers(situation: Situation) -> Bytes:
    """The prior, unless this server's checkpoints tell that less is enough, or that more is not."""
    prior = worth_for_the_machine(situation)
    for wal in wal_seen(situation):
        return min(prior, wal.worth) if wal.what == "lasts" else max(prior, wal.worth)
    return prior


def worth_for_the_machine(situation: Situation) -> Bytes:
    """The workload's value for the cores and the distance of checkpoints, no more than is worth it."""
    scaled = situation.workload.max_wal_size * _scale(situation)
    return min(scaled, size_of(situation) * DATABASES_KEPT, _written_by_checkpoints(situation))


def _scale(situation: Situation) -> Fraction:
    usual, distance = situation.workload.checkpoint_timeout, checkpoint_distance(situation)
    return _by_cores(situation) * Fraction(distance.milliseconds, usual.milliseconds)


def _by_cores(situation: Situation) -> Fraction:
    return Fraction(_cores(situation), MEASURED_CORES)


def _written_by_checkpoints(situation: Situation) -> Bytes:
    """What two checkpoints can write, where that is more than the workload's value for the cores."""
    buffers = situation.will_be_size("shared_buffers") * CHECKPOINTS_KEPT
    return max(situation.workload.max_wal_size * _by_cores(situation), buffers)


def _cores(situation: Situation) -> int:
    """As many as were measured on where they are not known."""
    return situation.cores if isinstance(situation.facts.cpu.cores, Known) else MEASURED_CORES


def wal_worth_in_words(situation: Situation) -> str:
    """The same as a computation."""
    wanted = _own_numbers_in_words(situation)
    for wal in wal_gathered(situation):
        return f"the larger of {wanted} and {wal.words}"
    return wanted


def _own_numbers_in_words(situation: Situation) -> str:
    usual = _machine_in_words(situation)
    for wal in wal_seen(situation):
        if _by_own_numbers(situation) != worth_for_the_machine(situation):
            return f"{usual}, but {wal.computed}"
    return usual


def _machine_in_words(situation: Situation) -> str:
    usual, scale = situation.workload.max_wal_size, _scale(situation)
    kept = size_of(situation) * DATABASES_KEPT
    written = _written_by_checkpoints(situation)
    if written < min(kept, usual * scale):
        return _written_in_words(situation, written)
    if kept < usual * scale:
        return f"all databases {size_of(situation).short()} x {DATABASES_KEPT} = {kept.short()}"
    if scale == 1:
        return f"{usual.short()} for this workload on {how_many(MEASURED_CORES, 'core')}"
    here = (
        f"{how_many(_cores(situation), 'core')} and {checkpoint_distance(situation).pg()} between checkpoints"
    )
    return f"{usual.short()} x {scale} = {(usual * scale).short()} for {here}"


def _written_in_words(situation: Situation, written: Bytes) -> str:
    buffers = situation.will_be_size("shared_buffers")
    if written == buffers * CHECKPOINTS_KEPT:
        return f"shared_buffers {buffers.short()} x {CHECKPOINTS_KEPT} checkpoints = {written.short()}"
    usual, cores = situation.workload.max_wal_size, how_many(_cores(situation), "core")
    return (
        f"{usual.short()} for this workload, {written.short()} on {cores}, however far apart checkpoints are"
    )
