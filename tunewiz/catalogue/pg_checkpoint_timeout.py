"""checkpoint_timeout: the longest time between two checkpoints."""

from __future__ import annotations

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
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.own_numbers import rather_than
from tunewiz.core.server.recovery import (
    checkpoint_distance,
    distance_in_words,
    rate_in_words,
    rate_is_known,
    recovery_time,
)
from tunewiz.core.server.seen_storage import PROBED
from tunewiz.core.server.seen_work import FULL_PAGES, few_full_pages
from tunewiz.core.server.server_log import REPLAY
from tunewiz.core.server.wal_room import GROWING, beyond_wal_room, growing_wal
from tunewiz.core.values.units import Duration, in_words

MINIMUM = Duration(300_000)
"""PostgreSQL's default: nothing shorter is proposed."""

FAR = 4
"""Times what would be proposed: longer is nobody's advice. An assumption."""


def decide(situation: Situation) -> Verdict:
    """The workload's value where max_wal_size bounds recovery; else no longer than recovery may take."""
    accepted = situation.answers.risk.recovery_time
    estimate = recovery_time(situation, situation.will_be_size("max_wal_size"))
    wanted, current = checkpoint_distance(situation), _current(situation)
    value = wanted if estimate <= accepted else max(MINIMUM, min(wanted, accepted))
    if value > current:
        for few_full_page in few_full_pages(situation):
            because = f"{current.pg()} is long enough: {rather_than(few_full_page, value.pg())}"
            return Declined(because=because, kind="keep")
        most = situation.will_be_size("max_wal_size")
        full = beyond_wal_room(situation, most) or growing_wal(situation)
        return Proposal(
            value=value.pg(),
            because="fewer checkpoints: fewer whole pages in the WAL and less writing"
            f"{f'; but {full}' if full else ''}",
            computed=_computed(situation, estimate, value),
            ticked=not full,
        )
    if current > value and estimate > accepted and rate_is_known(situation):
        return Proposal(
            value=value.pg(),
            because=f"{current.pg()} of changes may take longer to replay than {in_words(accepted)}",
            computed=_computed(situation, estimate, value),
            ticked=False,
        )
    if estimate > accepted and current < wanted:
        because = f"{current.pg()} stays: to replay max_wal_size may take {in_words(estimate)}, more than "
        return Declined(because=f"{because}{in_words(accepted)}", kind="keep")
    if current.seconds > value.seconds * FAR:
        because = f"{current.pg()} was chosen, far more than {value.pg()}: only max_wal_size bounds recovery"
        return Declined(because=because, kind="keep")
    return Declined(because=f"{current.pg()} is right for this workload and recovery time", kind="keep")


def _current(situation: Situation) -> Duration:
    return Duration.parse(situation.will_be("checkpoint_timeout"))


def _computed(situation: Situation, estimate: Duration, value: Duration) -> str:
    wal, rate = situation.will_be("max_wal_size"), rate_in_words(situation)
    accepted = situation.answers.risk.recovery_time
    bound = f"max_wal_size {wal} / {rate} = {in_words(estimate)} of recovery"
    if estimate <= accepted:
        return f"{bound}, within {in_words(accepted)}: {distance_in_words(situation)}"
    return f"{bound}, over {in_words(accepted)}: no longer than that, at least {MINIMUM.pg()}: {value.pg()}"


RECOMMENDATION = Recommendation(
    id="pg.checkpoint_timeout",
    title="Increase checkpoint_timeout",
    group="writing",
    target=PgTarget(name="checkpoint_timeout"),
    explanation=Explanation(
        changes="After this time the server starts a checkpoint (writes all changed pages to their "
        "files) even if max_wal_size is not reached.",
        helps="A page that changes often is written once per checkpoint, and goes into the WAL as a "
        "whole once after each. Longer intervals save both.",
        leave_alone="When the log shows that max_wal_size starts the checkpoints: then that is the limit. "
        "When recovery and failover must be short.",
        costs="Longer recovery after a crash, as far as max_wal_size lets it grow. A base backup with "
        "--checkpoint=spread waits longer to begin.",
        watch="checkpoints_timed against checkpoints_req in pg_stat_bgwriter (pg_stat_checkpointer from 17), "
        "“redo done” in the log after a crash.",
    ),
    pros=(
        "One of the two settings that mattered on Power10 and Ice Lake; max_wal_size is the other.",
        "Less writing: hot pages are written less often.",
    ),
    cons=(
        "Recovery after a crash takes longer.",
        "No source names a value: this one is three to twelve times the default.",
    ),
    risk=RiskLevel.MEDIUM,
    basis="well understood",
    cites=(
        Cite(claim="power.checkpoint_timeout"),
        Cite(claim="power.max_wal_size"),
        Cite(claim="power.latency"),
        Cite(claim="postgres-manual.checkpoint_timeout"),
    ),
    disputes=(
        Dispute(
            one="Power10 and Ice Lake (2023): a longer time between checkpoints was one of the two "
            "settings that gained, and no value is named.",
            other="The manual: the default is five minutes, and a longer time lets recovery after a crash "
            "take longer.",
            follows="Longer, as far as your recovery time allows: whole pages are written once for each "
            "checkpoint. How much shorter WAL gets here, wal_fpi tells before and after.",
            claims=(
                "power.checkpoint_timeout",
                "postgres-manual.checkpoint_timeout",
            ),
        ),
    ),
    decide=decide,
    witnesses=(FULL_PAGES, REPLAY, PROBED, GROWING),
    observed=(forced_checkpoints, wal_volume),
    after=("pg.max_wal_size",),
    examples=(
        Example(name="15 minutes for transactions", given=Given(), outcome=Sets(value="15min")),
        Example(name="30 minutes for loads", given=Given(workload="analytics"), outcome=Sets(value="30min")),
        Example(name="no room for WAL", given=Given(free_space="1GB"), outcome=Sets(value="15min")),
        Example(
            name="recovery may take longer than usual",
            given=Given(recovery_time="15min"),
            outcome=Sets(value="45min"),
        ),
        Example(
            name="a large max_wal_size lets the time bound recovery",
            given=Given(
                settings={"max_wal_size": "100GB", "checkpoint_timeout": "30min"}, recovery_time="10min"
            ),
            outcome=Sets(value="10min"),
        ),
        Example(
            name="recovery must be short",
            given=Given(settings={"max_wal_size": "100GB"}, recovery_time="1min"),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="a longer time was chosen and recovery is bounded",
            given=Given(settings={"checkpoint_timeout": "1h"}),
            outcome=Declines(kind="keep"),
        ),
    ),
)
