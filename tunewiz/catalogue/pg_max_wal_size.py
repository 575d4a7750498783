"""max_wal_size: how much WAL may be written before a checkpoint is forced."""

from __future__ import annotations

from fractions import Fraction

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.observed import forced_checkpoints, wal_volume
from tunewiz.core.recommendation.recommendation import (
    Declines,
    Dispute,
    Example,
    Explanation,
    Recommendation,
    Sets,
)
from tunewiz.core.recommendation.situation import NoServer, Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.own_numbers import rather_than
from tunewiz.core.server.recovery import (
    counted_on,
    rate_in_words,
    rate_is_known,
    recovery_time,
    replayed_within,
)
from tunewiz.core.server.seen_checkpoints import CHECKPOINTS, wal_seen
from tunewiz.core.server.seen_storage import PROBED
from tunewiz.core.server.seen_wal import WAL, wal_gathered
from tunewiz.core.server.server_log import REPLAY
from tunewiz.core.server.wal_room import GROWING, beyond_wal_room, growing_wal
from tunewiz.core.server.wal_worth import wal_worth, wal_worth_in_words, worth_for_the_machine
from tunewiz.core.values.known import Fact, Known, Unknown
from tunewiz.core.values.rounding import WHOLE, close, round_down, rounded_in_words
from tunewiz.core.values.units import Bytes, in_words

MIN_SEGMENTS = 64
"""PostgreSQL's default of 1 GB in WAL segments of 16 MB, as initdb scales it: nothing smaller is proposed."""

NEAR = Fraction(2, 3)
"""Of what would be proposed: a chosen value that is as large is not worth a change. An assumption."""


def decide(situation: Situation) -> Verdict:
    """The workload's value, bounded by the accepted recovery time and the free space for WAL."""
    wanted, bound = wal_worth(situation), _bound(situation)
    least, current = (
        situation.will_be_size("wal_segment_size") * MIN_SEGMENTS,
        situation.will_be_size("max_wal_size"),
    )
    value = max(least, round_down(min(wanted, bound), WHOLE))
    if close(value, current):
        return Declined(because=_why_kept(situation, current), kind="keep")
    if value > current and _is_near(situation, current, value):
        because = (
            f"{current.pg()} was chosen, and is near {value.pg()}: checkpoints would hardly come less often"
        )
        return Declined(because=because, kind="keep")
    if value > current:
        growing = growing_wal(situation)
        return Proposal(
            value=value.pg(),
            because=f"checkpoints come less often; {growing or _free_space_in_words(situation, value)}",
            computed=_computed(situation, value),
            ticked=not growing,
        )
    if not rate_is_known(situation):
        because = f"{current.pg()} was chosen; how fast this storage recovers is not known"
        return Declined(because=because, kind="keep")
    if current <= max(least, bound):
        because = f"{current.pg()} is more than would be proposed; recovery takes about "
        return Declined(because=because + in_words(recovery_time(situation, current)), kind="keep")
    return Proposal(
        value=value.pg(),
        because=f"with {current.pg()} recovery may take {in_words(recovery_time(situation, current))}, "
        "or WAL more of the free space than is wise",
        computed=_computed(situation, value),
        ticked=False,
    )


def _is_near(situation: Situation, current: Bytes, value: Bytes) -> bool:
    """Whether somebody chose nearly as much, and nothing that this server counted asks for more."""
    asks_for_more = any(wal.what != "lasts" for wal in wal_seen(situation)) or any(wal_gathered(situation))
    chosen = situation.will_be("max_wal_size") != situation.default("max_wal_size")
    return chosen and not asks_for_more and current >= value * NEAR


def _why_kept(situation: Situation, current: Bytes) -> str:
    if full := beyond_wal_room(situation, current):
        return f"{full}: enlarge the file system first; {current.pg()} is the least that is proposed"
    for wal in wal_seen(situation):
        if wal.what == "lasts" and wal.worth < worth_for_the_machine(situation):
            return rather_than(wal.computed, worth_for_the_machine(situation).short())
    return f"{current.pg()} is right for this workload, recovery time and free space"


def _bound(situation: Situation) -> Bytes:
    return min(replayed_within(situation, counted_on(situation)), _space(situation, wal_worth(situation)))


def _space(situation: Situation, otherwise: Bytes) -> Bytes:
    """The posture's share of the free space on the WAL's file system, if that is known."""
    free = _free(situation)
    return free.value * situation.posture.wal_disk_share if isinstance(free, Known) else otherwise


def _free(situation: Situation) -> Fact[Bytes]:
    """What is free for WAL; unknown before there is a server, when the answers alone decide."""
    if isinstance(situation.server, NoServer) and not situation.facts.storage:
        return Unknown("there is no server yet")
    return situation.storage_for("wal").free


def _free_space_in_words(situation: Situation, value: Bytes) -> str:
    free = _free(situation)
    if isinstance(free, Known):
        return f"{free.value.short()} are free for WAL"
    return f"free space is not known: see that {(value * 2).short()} are free for WAL"


def _computed(situation: Situation, value: Bytes) -> str:
    time = counted_on(situation)
    parts = [wal_worth_in_words(situation)]
    parts.append(
        f"{rate_in_words(situation)} x {in_words(time)} = {replayed_within(situation, time).short()}"
    )
    free = _free(situation)
    if isinstance(free, Known):
        share = situation.posture.wal_disk_share
        parts.append(f"{free.value.short()} free x {share} = {(free.value * share).short()}")
    smallest = min(wal_worth(situation), _bound(situation))
    result = f"{smallest.short()}{rounded_in_words(smallest, value)}"
    return f"smallest of {'; '.join(parts)}: {result}, recovery about {_estimate(situation, value)}"


def _estimate(situation: Situation, value: Bytes) -> str:
    return in_words(recovery_time(situation, value))


RECOMMENDATION = Recommendation(
    id="pg.max_wal_size",
    title="Size max_wal_size",
    group="writing",
    target=PgTarget(name="max_wal_size"),
    explanation=Explanation(
        changes="How much write-ahead log (WAL, the journal of all changes) may accumulate before the server "
        "forces a checkpoint, which writes all changed pages to their files. A soft limit.",
        helps="After each checkpoint the first change of a page writes the whole page into the WAL. Fewer "
        "checkpoints write fewer such images and spread their work.",
        leave_alone="When the log shows checkpoints starting by time only, WAL never fills the present "
        "limit. When crash recovery or failover must be as short as possible.",
        costs="Disk space for WAL. After a crash up to this much WAL is replayed before the server answers: "
        "the estimate stands with the value.",
        watch="Checkpoints requested against timed (pg_stat_bgwriter, from 17 pg_stat_checkpointer), "
        "“checkpoints are occurring too frequently” in the log, free space for WAL.",
    ),
    pros=(
        "With a longer checkpoint_timeout +7 to +12 % on Power10 at eight threads per core, +2 % at four.",
        "Fewer checkpoints: fewer whole pages in the WAL, and fewer bursts of writing.",
    ),
    cons=(
        "Recovery after a crash takes longer.",
        "Needs disk space for WAL.",
        "On a small virtual machine few short runs could not tell whether it helps.",
    ),
    risk=RiskLevel.MEDIUM,
    basis="well understood",
    cites=(
        Cite(claim="z-deck.max_wal_size"),
        Cite(claim="power.max_wal_size"),
        Cite(claim="power.latency"),
        Cite(claim="own-small-vm.max_wal_size"),
        Cite(claim="postgres-manual.max_wal_size"),
    ),
    disputes=(
        Dispute(
            one="Power10 and Ice Lake (2023): one of the only two settings that mattered. With "
            "checkpoint_timeout +7 to +12 % at eight threads per core, +2 % at four, +1.5 and +2.5 % on x86.",
            other="z13 (2018): one of the settings that raise no throughput; it is advised for even "
            "response times, with a value from the Internet.",
            follows="The larger value, within the recovery time that you allow: how much it gains depends on "
            "how often the present one forces checkpoints.",
            claims=("power.max_wal_size", "z-deck.max_wal_size"),
        ),
    ),
    decide=decide,
    witnesses=(CHECKPOINTS, WAL, REPLAY, PROBED, GROWING),
    observed=(forced_checkpoints, wal_volume),
    after=("pg.shared_buffers",),
    examples=(
        Example(name="16 GB for transactions", given=Given(), outcome=Sets(value="16GB")),
        Example(name="half the cores write half as much", given=Given(cores=2), outcome=Sets(value="8GB")),
        Example(
            name="an hour of recovery",
            given=Given(disk="nvme", cores=8, recovery_time="1h", settings={"shared_buffers": "64GB"}),
            outcome=Sets(value="112GB"),
        ),
        Example(
            name="no more than two checkpoints write",
            given=Given(disk="nvme", recovery_time="2h", settings={"shared_buffers": "16GB"}),
            outcome=Sets(value="32GB"),
        ),
        Example(
            name="500 MB of data fill no more",
            given=Given(database_size="500MB"),
            outcome=Sets(value="3584MB"),
        ),
        Example(
            name="a short recovery bounds it",
            given=Given(recovery_time="1min"),
            outcome=Sets(value="5GB"),
        ),
        Example(
            name="slow disks replay slowly",
            given=Given(disk="hdd"),
            outcome=Sets(value="4GB"),
        ),
        Example(
            name="storage of unknown kind may replay slowly",
            given=Given(disk_unknown=True),
            outcome=Sets(value="4GB"),
        ),
        Example(
            name="a chosen value stays where the storage is not known",
            given=Given(disk_unknown=True, settings={"max_wal_size": "24GB"}),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="a small file system bounds it",
            given=Given(free_space="20GB"),
            outcome=Sets(value="5GB"),
        ),
        Example(
            name="nothing below the default on a tiny disk",
            given=Given(free_space="3GB"),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="a larger value within the recovery time stays",
            given=Given(settings={"max_wal_size": "24GB"}),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="the WAL's file system is not known",
            given=Given(wal_unknown=True),
            outcome=Declines(kind="not_applicable"),
        ),
    ),
)
