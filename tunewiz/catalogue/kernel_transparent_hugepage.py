"""Whether the kernel hands out huge pages unasked: not to PostgreSQL."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import IBM_Z, Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import SysfsTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.values.known import Absent, needed

FOR_ALL = "always"
WHERE_ASKED = "madvise"


def decide(situation: Situation) -> Verdict:
    """Only where programs ask for it, which PostgreSQL never does."""
    if isinstance(transparent := situation.facts.memory.transparent_huge_pages, Absent):
        because = f"this kernel has no transparent huge pages ({transparent.how})"
        return Declined(because=because, kind="not_applicable")
    word = needed(situation.kernel("thp.enabled"), "the mode of transparent huge pages")
    if word != FOR_ALL:
        return Declined(because=f"it is {word}: PostgreSQL gets no huge pages unasked", kind="keep")
    return Proposal(
        value=WHERE_ASKED,
        because="the kernel looks for huge pages for every process, unasked, and may stall it meanwhile",
        computed=f"{FOR_ALL} becomes {WHERE_ASKED}: off for PostgreSQL, other programs may still ask",
    )


RECOMMENDATION = Recommendation(
    id="kernel.transparent_hugepage",
    title="Restrict transparent huge pages",
    group="kernel",
    target=SysfsTarget(
        name="/sys/kernel/mm/transparent_hugepage/enabled",
        fact="thp.enabled",
        choices=(FOR_ALL, WHERE_ASKED, "never"),
    ),
    explanation=Explanation(
        changes="Transparent huge pages are large pages that the kernel gives to processes unasked, joining "
        "small ones behind the scenes. They are not the reserved huge pages that shared_buffers uses.",
        helps="Finding and joining pages takes time at unplanned moments, and short-lived server "
        "processes gain little. PostgreSQL's documentation discourages them: on some kernels they "
        "slowed servers down.",
        leave_alone="Where another program on this machine was measured to need them without asking.",
        costs="Other programs that never ask lose them too. Pages already joined stay until they are freed.",
        watch="compact_stall and thp_fault_alloc in /proc/vmstat, AnonHugePages in /proc/meminfo.",
    ),
    pros=(
        "No stalls while the kernel compacts memory for a page that nobody asked for.",
        "Takes effect at once and is undone as easily.",
    ),
    cons=(
        "Programs that gain from them must ask (madvise).",
        "Its share in the measured gain is not known apart from reserved huge pages.",
    ),
    risk=RiskLevel.LOW,
    basis="well understood",
    versions="Linux 2.6.38 and newer; on IBM Z where the machine has EDAT",
    cites=(
        Cite(claim="z-deck.transparent_huge_pages_off"),
        Cite(claim="kernel-talk.memory_fragmentation", near=True),
        Cite(claim="kernel-manual.transparent_hugepage"),
        Cite(claim="s390-edat.required", only_on=IBM_Z),
    ),
    decide=decide,
    examples=(
        Example(name="always becomes madvise", given=Given(), outcome=Sets(value="madvise")),
        Example(
            name="madvise stays",
            given=Given(kernel={"thp.enabled": "madvise"}),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="never stays", given=Given(kernel={"thp.enabled": "never"}), outcome=Declines(kind="keep")
        ),
        Example(
            name="a machine without EDAT",
            given=Given(architecture="s390x", huge_page_size="", transparent=False),
            outcome=Declines(kind="not_applicable"),
        ),
        Example(
            name="/sys is read-only",
            given=Given(proc_sys_writable=False),
            outcome=Declines(kind="not_applicable"),
        ),
        Example(
            name="kernel changes are ruled out",
            given=Given(may_change_kernel=False),
            outcome=Declines(),
        ),
    ),
)
