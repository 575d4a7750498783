"""backend_flush_after: how soon the kernel is asked to begin writing what a session wrote."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.values.known import known_or
from tunewiz.core.values.units import KIB, Bytes

SMALL = Bytes(512 * KIB)
"""Twice what checkpoints use (checkpoint_flush_after); 2 MB is the most that PostgreSQL accepts."""


def decide(situation: Situation) -> Verdict:
    """Off, the default; shown where the kernel's own limits are out of reach."""
    current = situation.will_be_size("backend_flush_after")
    if current:
        return Declined(because=f"{current.pg()} was chosen", kind="keep")
    if not situation.workload.writes:
        return Declined(because="0 stays: sessions write little here", kind="keep")
    if not _kernel_is_closed(situation):
        return Declined(because="0 stays: the kernel's dirty limits bound all writers alike", kind="keep")
    return Proposal(
        value=SMALL.pg(),
        because="the kernel's dirty limits are out of reach here, and this bounds the server's own part",
        computed=f"{SMALL.short()}: the kernel writes along with a session instead of gathering",
        ticked=False,
    )


def _kernel_is_closed(situation: Situation) -> bool:
    writable = known_or(situation.facts.kernel.writable, otherwise=True)
    return situation.in_container or not writable or not situation.answers.risk.kernel


RECOMMENDATION = Recommendation(
    id="pg.backend_flush_after",
    title="Let sessions flush their writes early",
    group="writing",
    target=PgTarget(name="backend_flush_after"),
    explanation=Explanation(
        changes="After this much written by one session (pages that it had to push out of shared_buffers) "
        "the kernel is asked to begin putting it on disk. 0: never.",
        helps="Bursts of writing get smaller, as with the kernel's dirty limits, but for the server alone "
        "and without touching the kernel.",
        leave_alone="At 0 where the kernel's dirty limits can be set. Where what is changed fits the page "
        "cache but not shared_buffers, throughput may fall.",
        costs="Pages that change again soon are written twice.",
        watch="Write latency in iostat -x and the slowest queries, before and after, under the same load.",
    ),
    pros=(
        "Works where kernel settings cannot be changed: in containers.",
        "Takes a reload; a session can try it.",
    ),
    cons=("May cost throughput.", "No source of this project measured it."),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="z-deck.dirty_limits", near=True),
        Cite(claim="kernel-talk.blkio_throttling", near=True),
        Cite(claim="postgres-manual.backend_flush_after"),
    ),
    decide=decide,
    examples=(
        Example(name="a container", given=Given(container="docker"), outcome=Sets(value="512kB")),
        Example(name="the kernel's limits can be set", given=Given(), outcome=Declines(kind="keep")),
        Example(
            name="mostly reads",
            given=Given(container="docker", workload="read_mostly"),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="a value was chosen",
            given=Given(container="docker", settings={"backend_flush_after": "1MB"}),
            outcome=Declines(kind="keep"),
        ),
    ),
)
