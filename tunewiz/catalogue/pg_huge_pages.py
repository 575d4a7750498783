"""huge_pages: whether the server asks the kernel for huge pages, and starts without them."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import IBM_POWER, IBM_Z, Cite
from tunewiz.core.recommendation.examples import Given
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
from tunewiz.core.server.huge_pages_limit import kills, limit_below, limit_in_words
from tunewiz.core.server.shared_memory import (
    DECIDED_BY,
    HugePages,
    huge_pages_needed,
    is_resized,
    pages_reserved,
)


def decide(situation: Situation) -> Verdict:
    """On if enough are certainly reserved already; try if not."""
    if situation.settings.has("shared_memory_type") and situation.will_be("shared_memory_type") == "sysv":
        return Declined(because="shared_memory_type is sysv, which cannot use huge pages this way")
    need, current = huge_pages_needed(situation), situation.will_be("huge_pages")
    if pages_reserved(situation) and (limit := limit_below(situation, need)):
        decide_by = _killed if kills(limit) else _refused
        return decide_by(current, limit_in_words(limit, need))
    return _by_the_pool(situation, need, current)


def _by_the_pool(situation: Situation, need: HugePages, current: str) -> Verdict:
    reserved = pages_reserved(situation)
    if situation.in_container:
        because = f"{current} stays: in a container a limit on huge pages may keep the server from starting"
        return Declined(because=because)
    if reserved >= need.count and "vm.nr_hugepages" in situation.chosen:
        return _until_reserved(current, need)
    if reserved >= need.count:
        return Proposal(
            value="on",
            because="enough pages are reserved; with try, a later shortage would go unnoticed",
            computed=f"{need.computed}; {reserved:,} reserved",
            ticked=current != "try",
        )
    if current == "on" and is_resized(situation):
        return Proposal(
            value="try",
            because="with on and too few reserved pages the server would not start",
            computed=f"{need.computed}; {reserved:,} reserved",
            risk=RiskLevel.LOW,
        )
    return Declined(because=_why_kept(current, need.count, reserved), kind="keep")


def _killed(current: str, limit: str) -> Verdict:
    """The kernel hands the pages out and kills the server when it touches them."""
    if current == "off":
        return Declined(because=f"off stays: {limit}", kind="keep")
    because = f"{limit}: the kernel lets the server start, and kills it (SIGBUS) as soon as it touches more"
    return Proposal(value="off", because=because, computed="", risk=RiskLevel.LOW)


def _refused(current: str, limit: str) -> Verdict:
    """The kernel gives the server none, and says so."""
    if current != "on":
        return Declined(because=f"{limit}: with {current} the server starts without them", kind="keep")
    because = f"{limit}: with on the server does not start"
    return Proposal(value="try", because=because, computed="", risk=RiskLevel.LOW)


def _until_reserved(current: str, need: HugePages) -> Verdict:
    """A restart by someone else may come before the pages are there."""
    why = "starts before the pages are reserved, too; on can be chosen once they are"
    if current == "try":
        return Declined(because=f"try {why}", kind="keep")
    return Proposal(value="try", because=f"try {why}", computed=need.computed, risk=RiskLevel.LOW)


def _why_kept(current: str, count: int, reserved: int) -> str:
    if current == "on":
        return "it is on, the server runs with it, and its memory does not change"
    if current == "off":
        return f"huge pages: {reserved:,} reserved, {count:,} needed: on or try would change nothing"
    return f"try starts either way; huge pages: {reserved:,} reserved, {count:,} needed"


RECOMMENDATION = Recommendation(
    id="pg.huge_pages",
    title="Use huge pages for shared memory",
    group="memory",
    target=PgTarget(name="huge_pages"),
    explanation=Explanation(
        changes="Whether shared memory is in huge pages (2 MB on x86-64, 1 MB on s390x; on POWER 2 MB "
        "with radix translation, 16 MB with hash) that the kernel holds ready for it. try takes them if "
        "there are enough; on insists.",
        helps="Fewer pages, so the processor finds them faster, and no page tables of many megabytes for "
        "each connection. The pages are never swapped out.",
        leave_alone="With a small shared_buffers, below about 2 GB. Where the memory must be free for others "
        "while the server is down.",
        costs="A restart. With on the server does not start when too few pages are reserved, after an "
        "upgrade that needs more shared memory, for example.",
        watch="huge_pages_status (17 and newer), HugePages_Free and HugePages_Rsvd in /proc/meminfo, "
        "PageTables there before and after.",
    ),
    pros=(
        "Measured three times: about 7 % on the z13, 3.8 and 7.5 % on two other systems.",
        "On instead of try: a shortage is seen at the start, not as a slower server.",
    ),
    cons=(
        "The server does not start when the reserve is too small.",
        "Reserved pages are lost to everything else, used or not.",
    ),
    risk=RiskLevel.MEDIUM,
    basis="well understood",
    cites=(
        Cite(claim="z-deck.huge_pages"),
        Cite(claim="n0derunner-numa.huge_pages"),
        Cite(claim="n0derunner-pages.huge_pages"),
        Cite(claim="intel-guide.huge_pages"),
        Cite(claim="aws-graviton.lazy_preemption"),
        Cite(claim="lwn-lazy.not_so_grave", opposes=True),
        Cite(claim="z-deck.huge_pages_needed"),
        Cite(claim="kernel-talk.memory_fragmentation", near=True),
        Cite(claim="kernel-manual.huge_pages_limit"),
        Cite(claim="postgres-manual.huge_pages"),
        Cite(claim="postgres-manual.huge_pages_needed"),
        Cite(claim="kernel-power.huge_page_sizes", only_on=IBM_POWER),
        Cite(claim="ibm-huge-page-support.edat", only_on=IBM_Z),
        Cite(claim="s390-edat.required", only_on=IBM_Z),
    ),
    disputes=(
        Dispute(
            one="AWS (2026): from Linux 7.0 a session may lose its processor while it holds a spinlock "
            "and maps a page, and all others spin. Huge pages make that rare.",
            other="LWN (2026): half of the throughput was reported lost, but looked into, the case was "
            "less grave. Such loads are sensitive to their configuration.",
            follows="Huge pages either way: they gained 4 to 8 % with older kernels too, and a server "
            "that has them is not concerned.",
            claims=(
                "aws-graviton.lazy_preemption",
                "lwn-lazy.not_so_grave",
            ),
        ),
    ),
    decide=decide,
    gives_way=6,
    after=("kernel.nr_hugepages", *DECIDED_BY),
    examples=(
        Example(
            name="enough are reserved",
            given=Given(settings={"shared_buffers": "16GB"}, kernel={"vm.nr_hugepages": 9000}),
            outcome=Sets(value="on"),
        ),
        Example(
            name="1 MB pages on s390x",
            given=Given(
                architecture="s390x",
                huge_page_size="1MB",
                settings={"shared_buffers": "16GB"},
                kernel={"vm.nr_hugepages": 17_408},
            ),
            outcome=Sets(value="on"),
        ),
        Example(name="none are reserved", given=Given(), outcome=Declines(kind="keep")),
        Example(
            name="too few are reserved",
            given=Given(settings={"shared_buffers": "16GB"}, kernel={"vm.nr_hugepages": 4000}),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="a container",
            given=Given(
                container="docker", settings={"shared_buffers": "1GB"}, kernel={"vm.nr_hugepages": 4000}
            ),
            outcome=Declines(),
        ),
        Example(
            name="the kernel has no huge pages",
            given=Given(huge_page_size=""),
            outcome=Declines(kind="not_applicable"),
        ),
    ),
)
