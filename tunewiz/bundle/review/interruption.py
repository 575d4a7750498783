"""What a change costs those who use the server: downtime, recovery after a crash, a cold cache, who notices.

Everything here is estimated before anything was done, and says from what.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from types import MappingProxyType

from tunewiz.bundle.placement import Placement
from tunewiz.bundle.review.blocks import CodeText, Line, Strong, line
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.preload_libraries import SETTING, is_installed, libraries_in
from tunewiz.core.server.recovery import recovery_time, replay_rate
from tunewiz.core.server.standby import is_standby
from tunewiz.core.values.known import Known, MissingFact, known_or
from tunewiz.core.values.units import GIB, Bytes, Duration, in_words

RESTART = Duration(200)
"""A stop and a start with nothing to write (benchmarks/downtime.py: PostgreSQL 15.18, two cores, 2026-11)."""
RESTART_PER_GIB = Duration(30)
"""More for each GiB of shared_buffers, whose tables are made at the start: measured there, 128MB to 16GB."""
BUSY = 5
"""A busy server takes longer: sessions end, and what changed since the checkpoint just before is written."""
PREWARM = "pg_prewarm"


def interruption(plan: Plan, placement: Placement) -> Iterator[Line]:
    """The items of the list on page one."""
    start, end = plan.start, reached(plan, placement)
    yield _downtime(end, placement)
    yield _recovery(start, end)
    yield from _cold_cache(end, placement)
    result = [
        *_standbys(start, placement),
        *_backups(start, end, placement),
        *_monitoring(start, end, placement),
    ]
    if result:
        yield line(Strong("Who will notice"), f": {' '.join(result)}")


def reached(plan: Plan, placement: Placement) -> Situation:
    """What the bundle itself leads to: without the changes that are out of its reach."""
    values = {finding.recommendation.target.name: finding.sets for finding in placement.findings}
    return dataclasses.replace(plan.start, chosen=MappingProxyType(values))


def _downtime(end: Situation, placement: Placement) -> Line:
    reboot = " A reboot is up to you: no script does it." if placement.reboot else ""
    if not placement.restart:
        return line(Strong("Downtime"), f": none is expected, nothing is restarted.{reboot}")
    least = _idle_restart(end)
    more = " ".join(change.action.downtime for change in placement.host if change.action.downtime)
    return line(
        Strong("Downtime"),
        f": {_seconds(least)} to {_seconds(least * BUSY)} s, estimated from restarts of an idle server on a "
        f"small machine, and up to {BUSY} times that under load; a checkpoint is made just before, then "
        f"connections are cut (fast mode).{f' {more}' if more else ''} If the server does not come up, its "
        f"former files are restored and it is started again at once.{reboot}",
    )


def _idle_restart(end: Situation) -> int:
    buffers = end.will_be_size("shared_buffers")
    return RESTART.milliseconds + RESTART_PER_GIB.milliseconds * buffers.count // GIB


def idle_restart(end: Situation) -> str:
    """Seconds that a restart with those settings takes on an idle server."""
    return _seconds(_idle_restart(end))


def _seconds(milliseconds: int) -> str:
    """Rounded up."""
    return str(-(-milliseconds // 1000))


def _recovery(start: Situation, end: Situation) -> Line:
    title = Strong("Recovery after a crash")
    try:
        before, after = _replayed(start), _replayed(end)
        rate = replay_rate(end)
    except MissingFact as missing:
        return line(title, f": not known: {missing}.")
    change = f"at most {in_words(after)}, now {in_words(before)}" if before != after else _same(after)
    assumed = f"estimated from max_wal_size and {rate.pg()} of WAL replayed a second"
    return line(title, f": {change} ({assumed}).")


def _same(time: Duration) -> str:
    return f"at most {in_words(time)}, as now"


def _replayed(situation: Situation) -> Duration:
    return recovery_time(situation, situation.will_be_size("max_wal_size"))


def _cold_cache(end: Situation, placement: Placement) -> Iterator[Line]:
    if not placement.restart:
        return
    buffers = end.will_be("shared_buffers")
    empty = (
        f": shared_buffers ({buffers}) is empty after the restart and fills from the page cache or disks; "
    )
    yield line(Strong("Cold cache"), empty, CodeText(PREWARM), f" {_warmed(end)}")


def _warmed(situation: Situation) -> str:
    loaded = situation.setting(SETTING)
    if isinstance(loaded, Known) and PREWARM in libraries_in(loaded.value):
        return "is loaded: its autoprewarm reads back what was there."
    known = "is not loaded" if isinstance(loaded, Known) else "may not be loaded"
    if PREWARM in libraries_in(situation.will_be(SETTING)):
        return f"{known} yet: this restart is slow at first, and later ones read back what was there."
    if _is_missing(situation):
        return (
            "is not installed: before clients come back, read the busiest tables once (SELECT count(*) FROM "
            "TABLE), which brings them into the page cache at least, or expect slow first minutes."
        )
    return (
        f"{known}: before clients come back, CREATE EXTENSION {PREWARM} and call {PREWARM}('TABLE') for the "
        f"busiest tables and indexes, or expect slow first minutes. Listed in {SETTING}, it does so "
        "automatically from "
        "PostgreSQL 11 on."
    )


def _is_missing(situation: Situation) -> bool:
    """Whether the server is known to have no such library."""
    try:
        return not is_installed(PREWARM, situation)
    except MissingFact:
        return False


def _standbys(start: Situation, placement: Placement) -> Iterator[str]:
    if placement.restart and is_standby(start):
        yield "This standby stops replaying for the restart and catches up."
    elif placement.restart:
        yield "Standbys, if any, lose their connection for the restart and reconnect by themselves."


def _backups(start: Situation, end: Situation, placement: Placement) -> Iterator[str]:
    if placement.restart:
        yield "A running backup would be interrupted, so the restart is refused until it ends."
    before, after = (situation.will_be_size("max_wal_size") for situation in (start, end))
    if before != after:
        yield f"The WAL directory may hold {after.pg()} (max_wal_size, now {before.pg()})."


def _monitoring(start: Situation, end: Situation, placement: Placement) -> Iterator[str]:
    if placement.restart:
        yield "Monitoring reports the server down for the restart; start a new baseline after it."
    if pool := huge_pages(start, end):
        yield f"Memory used rises by {pool.short()}: reserved huge pages count as used."


def huge_pages(start: Situation, end: Situation) -> Bytes:
    """How much more memory is reserved as huge pages; 0 if none is, or it is not known."""
    size = known_or(start.facts.memory.huge_page_size, Bytes(0))
    try:
        more = end.kernel_count("vm.nr_hugepages") - start.kernel_count("vm.nr_hugepages")
    except MissingFact:
        return Bytes(0)
    return size * max(0, more)
