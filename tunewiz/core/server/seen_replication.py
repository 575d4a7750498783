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


def _held_told(situation: Situation) -> Iterator[Seen]:
    if not any(replication(situation)):
        return
    for slot in slots(situation)[:1]:
        most = f"the replication slot {slot.name} holds back {slot.held.short()} of WAL"
        yield Seen(words=most if len(slots(situation)) == 1 else f"{most}, the other slots at most as much")
        return
    yield Seen(words=_NO_SLOT)


HELD = Witness(of="WAL that replication slots hold back", look=_held_told)


def _readers_told(situation: Situation) -> Iterator[Seen]:
    if not any(replication(situation)):
        return
    idle = [slot.name for slot in slots(situation) if not slot.active]
    count = how_many(len(slots(situation)), "replication slot") if slots(situation) else _NO_SLOT
    yield Seen(words=f"{count}, inactive: {', '.join(idle)}" if idle else count)


READERS = Witness(of="inactive replication slots", look=_readers_told)


def _standbys_told(situation: Situation) -> Iterator[Seen]:
    if standbys(situation) and any(replication(situation)):
        with_slots = how_many(standbys_with_slots(situation), "standby")
        yield Seen(words=f"{with_slots} with a replication slot")


STANDBYS = Witness(of="standbys that read a replication slot", look=_standbys_told)


def _followers_told(situation: Situation) -> Iterator[Seen]:
    for sign in signs_of_standbys(situation):
        yield Seen(words=f"a standby follows this server: {sign}", decides=False)


FOLLOWERS = Witness(of="standbys that follow this server", look=_followers_told)


def _rate_told(situation: Situation) -> Iterator[Seen]:
    if standbys(situation):
        for rate in wal_rate(situation):
            yield Seen(words=f"{rate.a_second.human()} of WAL a second {rate.when}")


WAL_RATE = Witness(of="WAL rate while watched", look=_rate_told)


def _decoding_told(situation: Situation) -> Iterator[Seen]:
    for count, size in spilled(situation):
        text = f" of {(size // count).short()}" if count else ""
        were = "was" if count == 1 else "were"
        yield Seen(words=f"{how_many(count, 'transaction')}{text} {were} written to disk to be decoded")


DECODING = Witness(of="transactions that logical decoding wrote to disk (14 and newer)", look=_decoding_told)


def _cancelled_told(situation: Situation) -> Iterator[Seen]:
    if not is_standby(situation):
        return
    for observation in replication(situation):
        words = f"{how_many(observation.cancelled, 'query')} cancelled since the statistics were reset"
        for kinds in conflicts(situation):
            words += f", {kinds.snapshot:,} of them for rows that vacuum removed"
        yield Seen(words=words)


CANCELLED = Witness(of="queries cancelled on the standby, by conflict", look=_cancelled_told)


def _others_told(situation: Situation) -> Iterator[Seen]:
    if is_standby(situation):
        for conflict in conflicts(situation):
            yield Seen(words=f"{how_many(conflict.others, 'query')} cancelled for locks and other conflicts")


CONFLICTS = Witness(of="queries cancelled on the standby for locks and other conflicts", look=_others_told)
