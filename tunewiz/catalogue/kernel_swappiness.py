"""Which memory leaves first when it runs short: the page cache or that of programs."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import SysctlTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.seen_memory import MEMORY, memory_is_short
from tunewiz.core.values.known import needed

LOW = 10
NEVER = 0
"""Swap only when all page cache is nearly gone: the out-of-memory killer is near (kernel, sysctl/vm.rst)."""


def decide(situation: Situation) -> Verdict:
    """Low, not zero; shown, not ticked: no source measured it."""
    if not needed(situation.facts.memory.swap_total, "the size of swap"):
        return Declined(because="there is no swap, so it has no effect", kind="not_applicable")
    current = situation.kernel_number("vm.swappiness")
    if NEVER < current <= LOW:
        return Declined(because=f"it is {current}: low, and not 0", kind="keep")
    return Proposal(
        value=str(LOW),
        because="the server's own memory costs more to bring back than a page of the page cache"
        if current > LOW
        else "0 uses swap only when it is nearly too late",
        computed=f"{current} becomes {LOW}: the default is 60; 100 would swap as readily as drop "
        f"cache{_short(situation)}",
        ticked=bool(_short(situation)),
    )


def _short(situation: Situation) -> str:
    return "".join(f"; {observation}" for observation in memory_is_short(situation))


RECOMMENDATION = Recommendation(
    id="kernel.swappiness",
    title="Lower vm.swappiness",
    group="kernel",
    target=SysctlTarget(name="vm.swappiness", minimum=1, maximum=100),
    explanation=Explanation(
        changes="When memory runs short, the kernel drops pages of the page cache or moves memory of "
        "programs to swap. A low value prefers the page cache.",
        helps="Idle connections and ordinary shared buffers stay in memory; dropped cache pages are read "
        "again.",
        leave_alone="Where huge pages hold the buffers, which are never swapped, little is left to gain. 0 "
        "is not proposed: swap is then used when it is nearly too late.",
        costs="The page cache shrinks sooner, and PostgreSQL relies on it. No source measured the setting.",
        watch="si and so in vmstat 5 (memory coming from and going to swap) and blks_read in "
        "pg_stat_database.",
    ),
    pros=("Server processes respond immediately after a quiet night.",),
    cons=("Not measured by any source: only swap itself was.", "Less page cache under pressure."),
    risk=RiskLevel.LOW,
    basis="well understood",
    versions="every Linux",
    cites=(
        Cite(claim="z-deck.swap", near=True),
        Cite(claim="kernel-manual.swappiness"),
    ),
    decide=decide,
    witnesses=(MEMORY,),
    examples=(
        Example(name="the default", given=Given(), outcome=Sets(value="10")),
        Example(name="never", given=Given(kernel={"vm.swappiness": 0}), outcome=Sets(value="10")),
        Example(name="low", given=Given(kernel={"vm.swappiness": 1}), outcome=Declines(kind="keep")),
        Example(name="no swap", given=Given(swap="0B"), outcome=Declines(kind="not_applicable")),
    ),
)
