"""logical_decoding_work_mem: memory in which large transactions are decoded for subscribers."""

from __future__ import annotations

from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.example_replication import read_slot, spilling_slot, with_slots
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import (
    Declines,
    Example,
    Explanation,
    Recommendation,
    Sets,
)
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.replication import logical_slots
from tunewiz.core.server.seen_replication import DECODING
from tunewiz.core.values.known import needed
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.rounding import COARSE, round_down, rounded_in_words
from tunewiz.core.values.units import Bytes

ENOUGH = 100
"""Transactions written to disk: fewer than this are an occasional bulk load."""
SHARE = 64
"""The largest share of memory for all logical slots together: the plan's budget does not include it."""


def decide(situation: Situation) -> Verdict:
    """The average size of a transaction that was written to disk, by the server's own counters."""
    current = situation.will_be_size("logical_decoding_work_mem")
    logical = logical_slots(situation)
    if not logical:
        why = (
            "no logical replication slot is known"
            if isinstance(situation.server, PostgresServer)
            else "no server"
        )
        return Declined(because=why, kind="not_applicable")
    spills = sum(needed(slot.spills, "what decoding wrote to disk") for slot in logical)
    if spills < ENOUGH:
        because = (
            f"{how_many(spills, 'transaction')} written to disk: {current.pg()} is enough for nearly all"
        )
        return Declined(because=because, kind="keep")
    spilled = sum((needed(slot.spilled, "what decoding wrote to disk") for slot in logical), Bytes(0))
    mean, most = spilled // spills, situation.memory // (SHARE * len(logical))
    exact = min(max(mean, current) * 2, most)
    value = round_down(exact, COARSE)
    if value <= current:
        because = f"large transactions wrote {mean.short()} each to disk, but memory has no room for more"
        return Declined(because=because)
    return Proposal(
        value=value.pg(),
        because=f"{spills:,} transactions of {mean.short()} were written to disk to be decoded",
        computed=f"2 x {max(mean, current).short()}, at most {situation.memory_in_words} / {SHARE} / "
        f"{how_many(len(logical), 'logical slot')} = {most.short()}{rounded_in_words(exact, value)}",
        ticked=False,
    )


RECOMMENDATION = Recommendation(
    id="pg.logical_decoding_work_mem",
    title="Decode large transactions in memory",
    group="memory",
    target=PgTarget(name="logical_decoding_work_mem"),
    explanation=Explanation(
        changes="How much memory each logical replication connection uses for the changes of "
        "transactions that have not ended; anything more goes to files (13 and newer).",
        helps="Large transactions reach subscribers without being written to disk first. The manual calls "
        "much more than work_mem safe here: there are few such connections.",
        leave_alone="Where nothing is spilled, and where subscribers receive transactions while they run "
        "(streaming = on, 14 and newer).",
        costs="This much memory for each such connection.",
        watch="spill_txns and spill_bytes in pg_stat_replication_slots.",
    ),
    pros=("Less writing while large transactions are decoded.", "Takes a reload."),
    cons=("Memory outside the plan's budget, for each subscriber.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(Cite(claim="postgres-manual.logical_decoding_work_mem"),),
    decide=decide,
    witnesses=(DECODING,),
    examples=(
        Example(
            name="large transactions are written to disk",
            given=Given(replication=with_slots(spilling_slot(spills=1000, spilled="200GB"))),
            outcome=Sets(value="384MB"),
        ),
        Example(
            name="a few",
            given=Given(replication=with_slots(spilling_slot(spills=3, spilled="1GB"))),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="little memory",
            given=Given(
                memory="4GB",
                available="3GB",
                replication=with_slots(spilling_slot(spills=1000, spilled="200GB")),
            ),
            outcome=Declines(),
        ),
        Example(
            name="no logical replication",
            given=Given(replication=with_slots(read_slot("standby"))),
            outcome=Declines(kind="not_applicable"),
        ),
        Example(name="12 has none", given=Given(major="12"), outcome=Declines(kind="not_applicable")),
    ),
)
