"""How long crash recovery may take: an estimate that bounds the distance between checkpoints, and says so."""

from __future__ import annotations

from fractions import Fraction

from tunewiz.core.answers.answers import DEFAULT_RECOVERY
from tunewiz.core.facts.storage_kind import StorageKind
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.disk_layout import disks_at_once
from tunewiz.core.server.network_volumes import on_network_volume
from tunewiz.core.server.server_log import replay_seen
from tunewiz.core.values.known import Known, MissingFact
from tunewiz.core.values.units import MIB, Bytes, Duration, in_words

REPLAY_RATE: dict[StorageKind, Bytes] = {
    "hdd": Bytes(16 * MIB),
    "san": Bytes(64 * MIB),
    "ssd": Bytes(96 * MIB),
    "nvme": Bytes(128 * MIB),
}
"""WAL that recovery replays in a second: an assumption, deliberately low, since pages must be read first.

With every page cached 336 MB were replayed in a second (PostgreSQL 15.18, pgbench, small virtual machine,
2026-11). The server's log shows the real rate after a crash (`redo done`).
"""


VOLUME_RATE = Bytes(24 * MIB)
"""The same for a volume that is reached over a network, until a probe tells more: 3,000 requests of a page,
which the smallest volumes of clouds are promised a second (Amazon EBS gp3)."""

LONGEST_DISTANCE = Duration(3_600_000)
"""Between two timed checkpoints: beyond an hour hardly a page is still changed that would have been written
twice. An assumption; PostgreSQL takes up to a day."""

MINUTE = 60_000
"""Milliseconds."""

SLOWEST: StorageKind = "hdd"
"""Assumed where the kind of storage is not known: recovery then takes no longer than was accepted."""


def replay_rate(situation: Situation) -> Bytes:
    """WAL replayed in a second: by this server's log, else on this storage, or on the slowest kind."""
    for size, _ in replay_seen(situation):
        return size
    if on_network_volume(situation):
        return VOLUME_RATE
    fact = situation.storage_told
    if isinstance(fact, Known) and fact.value == "hdd":
        return min(REPLAY_RATE["hdd"] * rotating_disks(situation), REPLAY_RATE["san"])
    return REPLAY_RATE[fact.value if isinstance(fact, Known) else SLOWEST]


def rotating_disks(situation: Situation) -> int:
    """How many of them work at once below the data: one where that is not known."""
    try:
        return max(1, disks_at_once(situation.storage_for("data"), "data"))
    except MissingFact:
        return 1


def rate_is_known(situation: Situation) -> bool:
    """Whether the rate was seen, or is that of a known kind of storage."""
    return any(replay_seen(situation)) or isinstance(situation.storage_told, Known)


def rate_in_words(situation: Situation) -> str:
    """The same for a computation: `16MB/s assumed`."""
    for size, where in replay_seen(situation):
        return f"{size.short()}/s seen in {where}"
    rate = f"{replay_rate(situation).short()}/s assumed"
    if on_network_volume(situation):
        return f"{rate} (a network volume, not probed)"
    match situation.storage_told:
        case Known(value="hdd") if (disks := rotating_disks(situation)) > 1:
            return f"{rate} (an array of {disks} disks)"
        case Known():
            return rate
        case _:
            pass
    return f"{rate} (as on spinning disks: the kind is not known)"


def recovery_time(situation: Situation, wal: Bytes) -> Duration:
    """How long it takes to replay that much WAL."""
    return Duration(int(1000 * Fraction(wal.count, replay_rate(situation).count)))


def replayed_within(situation: Situation, time: Duration) -> Bytes:
    """How much WAL is replayed in that time.

    max_wal_size is the most that recovery may have to replay: the server starts a checkpoint when
    max_wal_size / (1 + checkpoint_completion_target) is written, and the old one counts until it is done.
    """
    return replay_rate(situation) * Fraction(time.milliseconds, 1000)


def counted_on(situation: Situation) -> Duration:
    """The part of the accepted recovery time that the posture counts on: the rate is an assumption."""
    return Duration(int(situation.answers.risk.recovery_time.milliseconds * situation.posture.recovery_share))


def checkpoint_distance(situation: Situation) -> Duration:
    """The workload's time between two checkpoints, longer where a longer recovery than usual is accepted."""
    usual, accepted = situation.workload.checkpoint_timeout, situation.answers.risk.recovery_time
    longer = usual.milliseconds * max(
        Fraction(1), Fraction(accepted.milliseconds, DEFAULT_RECOVERY.milliseconds)
    )
    return Duration(min(int(longer), LONGEST_DISTANCE.milliseconds) // MINUTE * MINUTE)


def distance_in_words(situation: Situation) -> str:
    """The same for a computation."""
    usual, value = situation.workload.checkpoint_timeout, checkpoint_distance(situation)
    if value == usual:
        return f"{value.pg()} for this workload"
    factor = f"{in_words(situation.answers.risk.recovery_time)} / {in_words(DEFAULT_RECOVERY)} of recovery"
    return f"{usual.pg()} for this workload x {factor}, at most {LONGEST_DISTANCE.pg()}: {value.pg()}"
