"""Whether max_wal_size lasts on this server from one timed checkpoint to the next."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

from tunewiz.core.recommendation.forced_checkpoints import Checkpoints, checkpoints_by_reason
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.witness import Needs, Seen, Witness, too_little
from tunewiz.core.server.recovery import checkpoint_distance
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import Bytes, Duration


@dataclass(frozen=True, kw_only=True, slots=True)
class WalSeen:
    """How far max_wal_size went, and how far it would have to go."""

    figure: str
    what: Literal["lasts", "fills"]
    """Whether it lasted from one timed checkpoint to the next, or was full before."""
    worth: Bytes
    """The same for the planned distance of checkpoints: enough if it lasts, too little if it fills."""
    computed: str
    """The same in words."""


_CHECKPOINTS = "checkpoints_requested", "checkpoints_timed"


def wal_seen(situation: Situation) -> Iterator[WalSeen]:
    """What forced checkpoints, or their absence in a day and more, say about max_wal_size."""
    timeout, size = (
        Duration.parse(situation.in_force("checkpoint_timeout")),
        situation.size_in_force("max_wal_size"),
    )
    if timeout.seconds == 0:
        return
    few = checkpoints_by_reason(situation, enough=situation.thresholds.checkpoints)
    if few and _fills(situation, few):
        yield _wal_seen(situation, few, "fills", size, timeout)
        return
    many = _day_of_checkpoints(situation, timeout)
    if many and _rarely_forced(situation, many):
        yield _wal_seen(situation, many, "lasts", size, timeout)


def _rarely_forced(situation: Situation, checkpoints: Checkpoints) -> bool:
    """Whether so few were forced, by share and by number, that no busy hour can hide among quiet days."""
    few = checkpoints.by_wal <= checkpoints.total * situation.thresholds.rarely_forced
    return few and checkpoints.by_wal < situation.thresholds.checkpoints


def _fills(situation: Situation, checkpoints: Checkpoints) -> bool:
    """Whether WAL is known to have forced most of them: a backup's checkpoint says nothing of its size."""
    mostly = checkpoints.by_wal >= checkpoints.total * situation.thresholds.mostly_forced
    return mostly and checkpoints.reason != "unknown"


def _day_of_checkpoints(situation: Situation, timeout: Duration) -> Checkpoints | None:
    needs = _timed_checkpoints(situation, timeout)
    return checkpoints_by_reason(situation, enough=needs.enough, weigh=needs.weigh)


def _timed_checkpoints(situation: Situation, timeout: Duration) -> Needs:
    return Needs(
        names=_CHECKPOINTS,
        enough=situation.thresholds.checkpoint_time.seconds,
        unit="seconds of timed checkpoints",
        weigh=lambda values: values[1] * timeout.seconds,
    )


def _wal_seen(
    situation: Situation,
    checkpoints: Checkpoints,
    what: Literal["lasts", "fills"],
    size: Bytes,
    timeout: Duration,
) -> WalSeen:
    distance = checkpoint_distance(situation)
    worth = size * Fraction(distance.milliseconds, timeout.milliseconds)
    figure = checkpoints.in_words
    lasted = "lasts" if what == "lasts" else "does not last"
    computed = f"{figure}: {size.short()} {lasted} {timeout.pg()}"
    if worth != size:
        than = "" if what == "lasts" else "more than "
        computed += f", {distance.pg()} take {than}{worth.short()}"
    return WalSeen(figure=figure, what=what, worth=worth, computed=computed)


def _checkpoints_told(situation: Situation) -> Iterator[Seen]:
    result = [Seen(words=wal.computed) for wal in wal_seen(situation)]
    if result:
        yield from result
        return
    timeout = Duration.parse(situation.in_force("checkpoint_timeout"))
    if checkpoints := _day_of_checkpoints(situation, timeout):
        unclear = "neither few nor most of them"
        if checkpoints.reason == "unknown":
            unclear = "log_checkpoints names the reason"
        yield Seen(words=f"{checkpoints.in_words}: {unclear}")
        return
    yield from too_little(situation, _timed_checkpoints(situation, timeout))


CHECKPOINTS = Witness(of="share of checkpoints that WAL forced", look=_checkpoints_told)
