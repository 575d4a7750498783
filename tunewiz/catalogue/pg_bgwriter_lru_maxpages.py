"""bgwriter_lru_maxpages: how many pages the background writer may write at a time."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.values.units import GIB, KIB, Bytes

USUAL = 100
"""PostgreSQL's default: 4 MB a second at most."""

EACH = Bytes(4 * GIB)
"""Of buffers, for each of which the default pace is counted once. The source speaks of 20 GB beside 500 MB
and 2 GB, and names no number."""

PAGE = Bytes(8 * KIB)
ROUNDS = 5
"""In a second, with the default bgwriter_delay of 200 ms."""

PAGES = 400
"""Four times the default: 400 pages x 5 a second = 16 MB/s at most."""


def decide(situation: Situation) -> Verdict:
    """More for large buffers that are written to; one source's opinion, so never ticked by itself."""
    buffers, current = (
        situation.will_be_size("shared_buffers"),
        int(situation.will_be("bgwriter_lru_maxpages")),
    )
    value = min(PAGES, USUAL * buffers.count // EACH.count)
    if current == 0:
        return Declined(because="the background writer was turned off on purpose", kind="keep")
    if not situation.workload.writes or current >= value:
        because = f"{current} pages are enough for {buffers.short()} of buffers and this workload"
        return Declined(because=because, kind="keep")
    return Proposal(
        value=str(value),
        because=f"{buffers.short()} of buffers: sessions that need room write fewer pages themselves",
        computed=f"{USUAL} for each {EACH.short()} of {buffers.short()}, at most {PAGES}: {value} pages x "
        f"8 kB x 5 a second = {(PAGE * (value * ROUNDS)).short()} a second",
    )


RECOMMENDATION = Recommendation(
    id="pg.bgwriter_lru_maxpages",
    title="Increase bgwriter_lru_maxpages",
    group="writing",
    target=PgTarget(name="bgwriter_lru_maxpages"),
    explanation=Explanation(
        changes="How many changed pages the background writer may write in one round (bgwriter_delay, "
        "200 ms) so that sessions find clean ones.",
        helps="A session that needs room for a page does not have to write another one first.",
        leave_alone="When maxwritten_clean in pg_stat_bgwriter does not grow: then the limit is never "
        "reached. bgwriter_delay and bgwriter_lru_multiplier are right by default.",
        costs="A page that changes again soon is written twice.",
        watch="maxwritten_clean and buffers_backend in pg_stat_bgwriter (from 17 pg_stat_io, client backend "
        "writes).",
    ),
    pros=("Shorter waits for sessions that read much.", "Takes a reload."),
    cons=("More writing overall.", "One source thinks a gain likely and did not try it."),
    risk=RiskLevel.LOW,
    basis="reasoned",
    cites=(
        Cite(claim="vxfs.background_writer"),
        Cite(claim="postgres-manual.bgwriter_lru_maxpages"),
    ),
    decide=decide,
    after=("pg.shared_buffers",),
    examples=(
        Example(
            name="large buffers", given=Given(settings={"shared_buffers": "20GB"}), outcome=Sets(value="400")
        ),
        Example(name="small buffers", given=Given(), outcome=Declines(kind="keep")),
        Example(
            name="turned off on purpose",
            given=Given(settings={"shared_buffers": "20GB", "bgwriter_lru_maxpages": "0"}),
            outcome=Declines(kind="keep"),
        ),
    ),
)
