"""How hard the kernel works to find a transparent huge page: not while a process waits."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import IBM_Z, Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import SysfsTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.values.known import Absent, known_or, needed

FOLDER = "/sys/kernel/mm/transparent_hugepage"
STALLS = "always"
USUAL = "madvise"
"""The kernel's default since 4.6."""


def decide(situation: Situation) -> Verdict:
    """The kernel's default, where every process may be stalled."""
    if isinstance(transparent := situation.facts.memory.transparent_huge_pages, Absent):
        because = f"this kernel has no transparent huge pages ({transparent.how})"
        return Declined(because=because, kind="not_applicable")
    word = needed(situation.kernel("thp.defrag"), "how huge pages are sought")
    if word != STALLS:
        return Declined(because=f"it is {word}: nobody waits for a page that was not asked for", kind="keep")
    enabled = situation.chosen.get(f"{FOLDER}/enabled", known_or(situation.kernel("thp.enabled"), STALLS))
    if enabled != STALLS:
        because = f"with thp.enabled set to {enabled} it affects only programs that ask for huge pages"
        return Declined(because=because, kind="keep")
    return Proposal(
        value=USUAL,
        because="a process may be stalled while the kernel moves memory for a page that nobody asked for",
        computed=f"{STALLS} becomes {USUAL}, the kernel's default",
    )


RECOMMENDATION = Recommendation(
    id="kernel.transparent_hugepage_defrag",
    title="Never stall for a transparent huge page",
    group="kernel",
    target=SysfsTarget(
        name=f"{FOLDER}/defrag",
        fact="thp.defrag",
        choices=("always", "defer", "defer+madvise", "madvise", "never"),
    ),
    explanation=Explanation(
        changes="Where no free huge page is at hand, the kernel may free and move memory to make one: at "
        "once, while the process waits (always), later (defer), or only for programs that ask (madvise).",
        helps="No query waits for memory to be moved. A neighbour that fragments memory makes such "
        "waits longer.",
        leave_alone="Where thp.enabled is madvise or never: then it does not touch PostgreSQL.",
        costs="Programs that gain from huge pages without asking get fewer of them.",
        watch="compact_stall in /proc/vmstat: it should not grow.",
    ),
    pros=("No stalls while memory is moved.", "Takes effect at once and is undone as easily."),
    cons=("Fewer huge pages for programs that never ask.", "No source of this project measured it alone."),
    risk=RiskLevel.LOW,
    basis="well understood",
    versions="Linux 2.6.38 and newer",
    cites=(
        Cite(claim="kernel-talk.memory_fragmentation", near=True),
        Cite(claim="z-deck.transparent_huge_pages_off", near=True),
        Cite(claim="kernel-manual.transparent_hugepage_defrag"),
        Cite(claim="s390-edat.required", near=True, only_on=IBM_Z),
    ),
    decide=decide,
    after=("kernel.transparent_hugepage",),
    examples=(
        Example(
            name="every process may be stalled",
            given=Given(kernel={"thp.defrag": "always"}),
            outcome=Sets(value="madvise"),
        ),
        Example(
            name="it touches only programs that ask",
            given=Given(kernel={"thp.enabled": "madvise", "thp.defrag": "always"}),
            outcome=Declines(kind="keep"),
        ),
        Example(name="the kernel's default", given=Given(), outcome=Declines(kind="keep")),
        Example(
            name="a kernel without them",
            given=Given(architecture="s390x", huge_page_size="", transparent=False),
            outcome=Declines(kind="not_applicable"),
        ),
    ),
)
