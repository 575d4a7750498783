"""temp_buffers: memory that each session keeps for its temporary tables."""

from __future__ import annotations

from tunewiz.core.planning.budget import budget_of
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.seen_room import ROOM
from tunewiz.core.server.temp_buffers import MUCH, keeps_much


def decide(situation: Situation) -> Verdict:
    """The default, where all sessions together might keep much of memory; else what somebody chose."""
    size = situation.will_be_size("temp_buffers")
    if not keeps_much(situation):
        because = f"{size.pg()} for each session is little of {situation.memory.short()}"
        return Declined(because=because, kind="keep")
    hopeless = not budget_of(situation).fits
    sessions = situation.connections
    return Proposal(
        value=situation.default("temp_buffers"),
        because="a session that has filled temporary tables keeps that memory until it ends, and all of them "
        f"together might keep {(size * sessions).human()}",
        computed=f"{size.pg()} x {sessions:,} sessions, more than {MUCH} of {situation.memory.short()}; "
        "back to the default",
        risk=RiskLevel.LOW if hopeless else RiskLevel.MEDIUM,
        ticked=hopeless,
    )


RECOMMENDATION = Recommendation(
    id="pg.temp_buffers",
    title="Let temporary tables keep little memory",
    group="memory",
    target=PgTarget(name="temp_buffers"),
    explanation=Explanation(
        changes="The memory in which a session keeps pages of its temporary tables. It grows with use, "
        "and is given back only when the session ends.",
        helps="Sessions that fill large temporary tables, if there are few of them.",
        leave_alone="Where a handful of sessions fill temporary tables, or where a pool ends sessions often.",
        costs="With the default, large temporary tables are written to files and read again; such a session "
        "can SET temp_buffers before it touches its first one.",
        watch="Memory of server processes after they have used temporary tables; local blocks in EXPLAIN "
        "(ANALYZE, BUFFERS).",
    ),
    pros=(
        "Memory that sessions no longer need is free for all.",
        "Takes a reload; a session can set its own.",
    ),
    cons=("Work on large temporary tables gets slower.", "No source of this project measured it."),
    risk=RiskLevel.MEDIUM,
    basis="well understood",
    cites=(Cite(claim="postgres-manual.temp_buffers"),),
    decide=decide,
    witnesses=ROOM,
    after=("pg.max_connections",),
    examples=(
        Example(
            name="gigabytes for each of hundreds",
            given=Given(connections=300, settings={"temp_buffers": "2GB"}),
            outcome=Sets(value="8MB"),
        ),
        Example(
            name="gigabytes for a few",
            given=Given(connections=3, settings={"temp_buffers": "2GB"}),
            outcome=Declines(kind="keep"),
        ),
        Example(name="the default", given=Given(connections=300), outcome=Declines(kind="keep")),
    ),
)
