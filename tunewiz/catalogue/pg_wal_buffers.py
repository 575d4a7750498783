"""wal_buffers: shared memory for WAL that is not yet written."""

from __future__ import annotations

from fractions import Fraction

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.seen_work import WAL_BUFFERS, wal_buffers_fill
from tunewiz.core.values.rounding import close
from tunewiz.core.values.units import KIB, MIB, Bytes

SHARE = Fraction(1, 32)
"""What -1 means: 1/32 of shared_buffers, at least 64 kB, at most one WAL segment (since 9.1)."""


LARGER = Bytes(64 * MIB)
"""Four WAL segments, for sessions that write more than one between two commits."""


def decide(situation: Situation) -> Verdict:
    """Leave it to the server, unless someone set it lower than the server would."""
    buffers, segment = situation.will_be_size("shared_buffers"), situation.will_be_size("wal_segment_size")
    automatic = min(max(buffers * SHARE, Bytes(64 * KIB)), segment)
    for often, words in wal_buffers_fill(situation):
        if often and (verdict := _more(situation, automatic, words)):
            return verdict
    if _computed_by_the_server(situation):
        because = (
            f"-1 makes it {automatic.short()} with {buffers.short()} of buffers: setting 16MB by hand "
            f"gains nothing"
        )
        return Declined(because=because, kind="keep")
    current = situation.will_be_size("wal_buffers")
    if current >= automatic or close(current, automatic):
        return Declined(
            because=f"{current.pg()} was set by hand and is no less than -1 would give", kind="keep"
        )
    return Proposal(
        value="-1",
        because=f"{current.pg()} was set by hand and is less than the server would take itself",
        computed=f"{buffers.short()} x {SHARE}, at most one segment = {automatic.short()}",
    )


def _more(situation: Situation, automatic: Bytes, words: str) -> Proposal | None:
    """Four segments where one is often full; None where there is as much already."""
    value = max(LARGER, automatic)
    current = automatic if _computed_by_the_server(situation) else situation.will_be_size("wal_buffers")
    if current >= value or close(current, value):
        return None
    return Proposal(
        value=value.pg(),
        because=f"sessions had to write WAL before they committed: {words}",
        computed=f"{words}: {LARGER.pg()} instead of {current.short()}",
    )


def _computed_by_the_server(situation: Situation) -> bool:
    """Its computed value shows as `override` up to 14 and as `default` since, and stands in no file."""
    return situation.will_be("wal_buffers") == "-1"


RECOMMENDATION = Recommendation(
    id="pg.wal_buffers",
    title="Leave wal_buffers automatic",
    group="writing",
    target=PgTarget(name="wal_buffers"),
    explanation=Explanation(
        changes="The shared memory in which WAL waits to be written. At each commit it is written anyway.",
        helps="A transaction that writes a lot can continue while WAL accumulates. -1 lets the server take "
        "1/32 of "
        "shared_buffers, up to one WAL segment: 16 MB from 512 MB of buffers on.",
        leave_alone="Nearly always: the advice to set 16MB by hand comes from times when buffers were small.",
        costs="With 16MB by hand: nothing gained over -1. The source warns of more lost transactions; with "
        "synchronous_commit=on none is lost, since a commit waits for its WAL.",
        watch="wal_buffers_full in pg_stat_wal (14 and newer): if it grows by thousands an hour, try 64MB.",
    ),
    pros=("The server's own choice follows shared_buffers.", "One line less to maintain."),
    cons=("A change needs a restart.", "Loads in bulk may gain from more than one segment: measure."),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="z-deck.wal_buffers"),
        Cite(claim="postgres-manual.wal_buffers"),
    ),
    decide=decide,
    witnesses=(WAL_BUFFERS,),
    after=("pg.shared_buffers",),
    examples=(
        Example(
            name="too little by hand",
            given=Given(settings={"shared_buffers": "16GB", "wal_buffers": "1MB"}),
            outcome=Sets(value="-1"),
        ),
        Example(name="the server computes it", given=Given(), outcome=Declines(kind="keep")),
        Example(
            name="more by hand",
            given=Given(settings={"shared_buffers": "16GB", "wal_buffers": "64MB"}),
            outcome=Declines(kind="keep"),
        ),
    ),
)
