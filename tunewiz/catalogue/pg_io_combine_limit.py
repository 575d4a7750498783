"""io_combine_limit: how many adjacent pages one read may combine."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
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
from tunewiz.core.values.units import KIB, Bytes

USUAL = Bytes(128 * KIB)
"""The default (pg_settings, 17 and 18)."""


def decide(situation: Situation) -> Verdict:
    """The default where it was lowered; no source measured a higher value on machines like this."""
    current = situation.will_be_size("io_combine_limit")
    if current < USUAL:
        return Proposal(
            value=USUAL.pg(),
            because=f"with {current.pg()} a scan takes {USUAL.count // current.count} reads instead of one",
            computed=f"{USUAL.pg()}, the default",
            ticked=False,
        )
    if (
        situation.settings.has("io_max_combine_limit")
        and situation.will_be_size("io_max_combine_limit") < current
    ):
        most = situation.will_be("io_max_combine_limit")
        return Declined(because=f"{current.pg()} is capped at {most} by io_max_combine_limit", kind="keep")
    return Declined(
        because=f"reads of up to {current.pg()}; no source measured what a higher value gains", kind="keep"
    )


RECOMMENDATION = Recommendation(
    id="pg.io_combine_limit",
    title="Read adjacent pages in one request",
    group="storage",
    target=PgTarget(name="io_combine_limit"),
    explanation=Explanation(
        changes="Adjacent pages are read in one request of at most this size (17 and newer; from 18 on "
        "io_max_combine_limit caps it).",
        helps="Fewer, larger requests for scans.",
        leave_alone="Where it is the default. Larger requests may help scans on storage with high "
        "latency; a session can try it (SET io_combine_limit).",
        costs="Practically none at the default.",
        watch="Average size of reads in pg_stat_io (read_bytes over reads, 18 and newer) during a scan.",
    ),
    pros=("Scans take fewer requests.", "Takes a reload; a session can try it first."),
    cons=("What a value above the default gains was not measured.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(Cite(claim="postgres-manual.io_combine_limit"),),
    decide=decide,
    examples=(
        Example(
            name="one page at a time",
            given=Given(major="17", settings={"io_combine_limit": "8kB"}),
            outcome=Sets(value="128kB"),
        ),
        Example(name="the default", given=Given(major="17"), outcome=Declines(kind="keep")),
        Example(
            name="more than the server uses",
            given=Given(major="18", settings={"io_combine_limit": "1MB"}),
            outcome=Declines(kind="keep"),
        ),
        Example(name="16 has none", given=Given(major="16"), outcome=Declines(kind="not_applicable")),
    ),
)
