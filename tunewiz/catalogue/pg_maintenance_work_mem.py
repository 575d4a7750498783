"""maintenance_work_mem: memory for CREATE INDEX, VACUUM and autovacuum."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.planning.budget import budget_of, maintenance_users, room_for_maintenance
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.own_numbers import rather_than
from tunewiz.core.server.seen_index_scans import (
    INDEX_SCANS,
    IndexScans,
    index_scans_suffice,
    repeated_index_scans,
)
from tunewiz.core.server.seen_memory import MEMORY, memory_is_short
from tunewiz.core.server.seen_room import ROOM
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.rounding import COARSE, close, round_down, rounded_in_words
from tunewiz.core.values.units import MIB, Bytes

MINIMUM = Bytes(64 * MIB)
"""PostgreSQL's default: nothing smaller is proposed."""


def decide(situation: Situation) -> Verdict:
    """A share of memory, divided by all processes that may take it at once; more if dead rows did not fit."""
    users, room = maintenance_users(situation), room_for_maintenance(situation)
    current, share = situation.will_be_size("maintenance_work_mem"), _share(situation, users, room)
    value = max(
        (
            share,
            *(
                _rounded(situation, min(scans.worth, _most(situation, users)))
                for scans in _too_little(situation)
            ),
        )
    )
    if value > current and not close(value, current):
        return Proposal(
            value=value.pg(),
            because=f"{_why_more(situation, share, value)}{_short(situation)}",
            computed=_computed(situation, users, value)
            if value == share
            else _for_dead_rows(situation, users, value),
            ticked=not _short(situation),
        )
    fits = _claimed(situation) <= room
    if MINIMUM <= value < current and not fits:
        return Proposal(
            value=value.pg(),
            because=f"{users} processes may each take {current.pg()}: more than memory allows",
            computed=_computed(situation, users, value),
        )
    if MINIMUM <= value < current and current >= situation.memory * situation.thresholds.maintenance_most:
        return Proposal(
            value=value.pg(),
            because=f"one command by hand may take {current.pg()}, of "
            f"{situation.memory.short()} for everything",
            computed=_computed(situation, users, value),
        )
    return Declined(because=_why_kept(situation, current, users, room, fits=fits), kind="keep")


def _share(situation: Situation, users: int, room: Bytes) -> Bytes:
    """What documents propose."""
    size = situation.memory * situation.workload.maintenance_share // users
    return _rounded(situation, min(size, room // users, situation.workload.maintenance_cap))


def _rounded(situation: Situation, size: Bytes) -> Bytes:
    return situation.settings["maintenance_work_mem"].clamped(round_down(size, COARSE))


def _too_little(situation: Situation) -> Iterator[IndexScans]:
    """Where autovacuum shares this limit and its dead rows did not fit."""
    if situation.will_be("autovacuum_work_mem") == "-1":
        yield from repeated_index_scans(situation)


def _most(situation: Situation, users: int) -> Bytes:
    """For each process, however much its dead rows would need."""
    return (
        min(situation.memory * situation.thresholds.maintenance_most, room_for_maintenance(situation))
        // users
    )


def _why_more(situation: Situation, share: Bytes, value: Bytes) -> str:
    for scans in _too_little(situation):
        if value > share:
            return rather_than(scans.words, share.pg())
        return f"indexes are built and dead rows removed in fewer passes: {scans.words}"
    for enough in index_scans_suffice(situation):
        return f"indexes are built in fewer passes; autovacuum needs no more ({enough})"
    return "indexes are built and dead rows removed in fewer passes"


def _for_dead_rows(situation: Situation, users: int, value: Bytes) -> str:
    most, worth = _most(situation, users), max(scans.worth for scans in _too_little(situation))
    if worth <= most:
        return f"the dead rows of any run fit in {worth.short()}{rounded_in_words(worth, value)}"
    left = f"at most {most.short()} for each of {how_many(users, 'process')}"
    return f"the dead rows of any run would fit in {worth.short()}; {left}{rounded_in_words(most, value)}"


def _short(situation: Situation) -> str:
    return "".join(f"; but {observation}" for observation in memory_is_short(situation))


def _claimed(situation: Situation) -> Bytes:
    budget = budget_of(situation)
    return budget.maintenance + budget.autovacuum if maintenance_users(situation) > 1 else budget.maintenance


def _computed(situation: Situation, users: int, value: Bytes) -> str:
    share, room = situation.memory * situation.workload.maintenance_share, room_for_maintenance(situation)
    text = f"{situation.memory_in_words} x {situation.workload.maintenance_share}"
    if room < share:
        text = f"connections and system leave room for less than {share.short()}: {room.short()}"
    size = min(share, room) // users
    result = f"{text} / {how_many(users, 'process')} = {size.short()}"
    if value == situation.workload.maintenance_cap < size:
        return f"{result}; at most {value.short()}"
    return f"{result}{rounded_in_words(size, value)}"


def _why_kept(situation: Situation, current: Bytes, users: int, room: Bytes, *, fits: bool) -> str:
    share = situation.memory * situation.workload.maintenance_share // users
    for scans in _too_little(situation):
        return f"{current.pg()} stays, there is no memory for more, but {scans.words}"
    if not fits:
        return f"{current.pg()} is little already, and connections leave no memory for more"
    if room // users < min(share, situation.workload.maintenance_cap) and room // users <= current:
        return f"{current.pg()} stays: connections and system leave room for no more"
    if current > min(share, situation.workload.maintenance_cap) and not close(current, share):
        return f"{current.pg()} is more than would be proposed for {how_many(users, 'process')}, and fits"
    return f"{current.pg()} is right for {how_many(users, 'process')} on this machine"


RECOMMENDATION = Recommendation(
    id="pg.maintenance_work_mem",
    title="Size maintenance_work_mem",
    group="memory",
    target=PgTarget(name="maintenance_work_mem"),
    explanation=Explanation(
        changes="How much memory one CREATE INDEX, VACUUM or ALTER TABLE … ADD FOREIGN KEY may take. Each "
        "autovacuum worker may take as much, unless autovacuum_work_mem says otherwise.",
        helps="CREATE INDEX sorts in memory. VACUUM remembers more dead rows and scans the indexes "
        "less often.",
        leave_alone="When tables are small: vacuum needs 6 bytes per dead row before version 17, far less "
        "since. If one restore needs a lot, set it in that session.",
        costs="Memory while such a command runs, times the autovacuum workers. Before version 17 "
        "vacuum could not use more than 1 GB of it.",
        watch="“index scans: 1” in VACUUM VERBOSE or the autovacuum log; more than 1 means that it was too "
        "small for that table.",
    ),
    pros=("CREATE INDEX and restores finish sooner.", "VACUUM passes over the indexes once."),
    cons=(
        "Each autovacuum worker may take as much: the value is divided for that reason.",
        "No source of this project measured it.",
        "Nothing shows how much of it index builds would use, so the documented share stays for them.",
    ),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="z-guide.queries_first", near=True),
        Cite(claim="z-deck.shared_buffers_half", near=True),
        Cite(claim="postgres-manual.maintenance_work_mem"),
    ),
    decide=decide,
    witnesses=(INDEX_SCANS, MEMORY, *ROOM),
    gives_way=2,
    after=(
        "pg.temp_buffers",
        "kernel.nr_hugepages",
        "pg.huge_pages",
        "pg.autovacuum_max_workers",
        "pg.autovacuum_work_mem",
        "pg.max_connections",
        "pg.shared_buffers",
    ),
    examples=(
        Example(name="1/8 of 64 GB for four", given=Given(memory="64GB"), outcome=Sets(value="2GB")),
        Example(name="1/8 of 16 GB for four", given=Given(memory="16GB"), outcome=Sets(value="512MB")),
        Example(
            name="autovacuum has its own",
            given=Given(memory="8GB", connections=50, settings={"autovacuum_work_mem": "128MB"}),
            outcome=Sets(value="1GB"),
        ),
        Example(
            name="the default suits a small machine",
            given=Given(memory="2GB", available="1GB", connections=20),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="a value that was chosen and fits stays",
            given=Given(memory="64GB", settings={"maintenance_work_mem": "4GB"}),
            outcome=Declines(kind="keep"),
        ),
    ),
)
