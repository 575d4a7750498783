"""What the readers of this server's WAL showed: slots, standbys, decoding, cancelled queries."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.recommendation.observed import wal_rate
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.witness import Seen, Witness
from tunewiz.core.server.replication import (
    conflicts,
    replication,
    signs_of_standbys,
    slots,
    spilled,
    standbys,
    standbys_with_slots,
)
from tunewiz.core.server.standby import is_standby
from tunewiz.core.values.plural import how_many

_NO_SLOT = "no replication slot"


def _held_told(now: Situation) -> Iterator[Seen]:
    if not any(replication(now)):
        return
    for slot in slots(now)[:1]:
        most = f"the replication slot {slot.name} holds back {slot.held.short()} of WAL"
        yield Seen(words=most if len(slots(now)) == 1 else f"{most}, the other slots at most as much")
        return
    yield Seen(words=_NO_SLOT)


HELD = Witness(of="WAL that replication slots hold back", look=_held_told)


def _readers_told(now: Situation) -> Iterator[Seen]:
    if not any(replication(now)):
        return
    idle = [slot.name for slot in slots(now) if not slot.active]
    count = how_many(len(slots(now)), "replication slot") if slots(now) else _NO_SLOT
    yield Seen(words=f"{count}, inactive: {', '.join(idle)}" if idle else count)


READERS = Witness(of="inactive replication slots", look=_readers_told)


def _standbys_told(now: Situation) -> Iterator[Seen]:
    if standbys(now) and any(replication(now)):
        with_slots = how_many(standbys_with_slots(now), "standby")
        yield Seen(words=f"{with_slots} with a replication slot")


STANDBYS = Witness(of="standbys that read a replication slot", look=_standbys_told)


def _followers_told(situation: Situation) -> Iterator[Seen]:
    for sign in signs_of_standbys(situation):
        yield Seen(words=f"a standby follows this server: {sign}", decides=False)


FOLLOWERS = Witness(of="standbys that follow this server", look=_followers_told)


def _rate_told(now: Situation) -> Iterator[Seen]:
    if standbys(now):
        for rate in wal_rate(now):
            yield Seen(words=f"{rate.a_second.human()} of WAL a second {rate.when}")


WAL_RATE = Witness(of="WAL rate while watched", look=_rate_told)


def _decoding_told(now: Situation) -> Iterator[Seen]:
    for count, size in spilled(now):
        each = f" of {(size // count).short()}" if count else ""
        were = "was" if count == 1 else "were"
        yield Seen(words=f"{how_many(count, 'transaction')}{each} {were} written to disk to be decoded")


DECODING = Witness(of="transactions that logical decoding wrote to disk (14 and newer)", look=_decoding_told)


def _cancelled_told(now: Situation) -> Iterator[Seen]:
    if not is_standby(now):
        return
    for seen in replication(now):
        words = f"{how_many(seen.cancelled, 'query')} cancelled since the statistics were reset"
        for kinds in conflicts(now):
            words += f", {kinds.snapshot:,} of them for rows that vacuum removed"
        yield Seen(words=words)


CANCELLED = Witness(of="queries cancelled on the standby, by conflict", look=_cancelled_told)


def _others_told(now: Situation) -> Iterator[Seen]:
    if is_standby(now):
        for seen in conflicts(now):
            yield Seen(words=f"{how_many(seen.others, 'query')} cancelled for locks and other conflicts")


CONFLICTS = Witness(of="queries cancelled on the standby for locks and other conflicts", look=_others_told)
