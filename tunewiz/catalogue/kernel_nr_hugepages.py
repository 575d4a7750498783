"""How many huge pages are reserved: what the server's shared memory needs, in this machine's page size."""

from __future__ import annotations

from fractions import Fraction

from tunewiz.core.kernel.huge_pages_at_boot import is_usual, why_at_boot, why_not_given
from tunewiz.core.recommendation.evidence import IBM_POWER, IBM_Z, Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import (
    Advises,
    Declines,
    Example,
    Explanation,
    Recommendation,
    Sets,
)
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import SysctlTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.huge_pages_limit import limit_below, limit_in_words
from tunewiz.core.server.page_tables import table_in_words
from tunewiz.core.server.shared_memory import (
    DECIDED_BY,
    EASILY_FOUND,
    WORTH_HUGE_PAGES,
    HugePages,
    huge_pages_needed,
)
from tunewiz.core.values.known import Known, known_or

IDLE_SHARE = Fraction(1, 4)
"""Idle pages beyond this share of those that are needed are more than a margin: an assumption."""


def decide(situation: Situation) -> Verdict:
    """As many pages as the server's shared memory takes after the plan."""
    need = huge_pages_needed(situation)
    if situation.in_container:
        pages = f"{need.count:,} pages of {need.size.short()}"
        return Declined(
            because=f"the pool belongs to the host: {pages} there would be enough", kind="not_applicable"
        )
    if is_usual(need, situation) and (idle := _idle_pages(situation, need)):
        return _give_back(situation, need, idle)
    buffers = situation.will_be_size("shared_buffers")
    if buffers < WORTH_HUGE_PAGES:
        from_on = WORTH_HUGE_PAGES.pg()
        return Declined(
            because=f"shared_buffers of {buffers.pg()} gain little: it is worth it from {from_on} on"
        )
    return _of_large_buffers(need, situation)


def _of_large_buffers(need: HugePages, situation: Situation) -> Verdict:
    if refused := why_not_given(need, situation):
        return Declined(because=refused)
    if why := why_at_boot(need, situation):
        return Declined(because=f"{why}: kernel.huge_pages_at_boot shows how")
    if not is_usual(need, situation):
        return _other_size(need)
    if limit := limit_below(situation, need):
        return Declined(because=f"{limit_in_words(limit, need)}: raise that first")
    reserved = situation.kernel_number("vm.nr_hugepages")
    if reserved >= need.count:
        return _enough(reserved, need)
    return _hardly_found(need) if need.size > EASILY_FOUND else _reserve(need, situation)


def _idle_pages(situation: Situation, need: HugePages) -> int:
    """Pages that nobody uses nor will, if they are many; 0 where another program may have them."""
    reserved = situation.kernel_count("vm.nr_hugepages")
    wanted = need.count if situation.will_be_size("shared_buffers") >= WORTH_HUGE_PAGES else 0
    free = known_or(situation.facts.memory.huge_pages_free, 0)
    idle = min(reserved - wanted, free)
    return idle if idle > wanted * IDLE_SHARE and need.size * idle >= WORTH_HUGE_PAGES else 0


def _give_back(situation: Situation, need: HugePages, idle: int) -> Advice:
    reserved = situation.kernel_number("vm.nr_hugepages")
    left = reserved - idle
    size = (need.size * idle).human()
    return Advice(
        because=f"{reserved:,} pages are reserved, {left:,} of them are or will be used: {size} lie idle",
        steps=(
            "HugePages_Free and HugePages_Rsvd in /proc/meminfo: who else is to use them (libvirt, a JVM)?",
            f"If nobody: sysctl -w vm.nr_hugepages={left}, once the server has been restarted with its plan",
            "The same number where they are reserved: a file under /etc/sysctl.d, the kernel's command line",
        ),
        undo=(f"sysctl -w vm.nr_hugepages={reserved}, and the old number in that file",),
        computed=f"{reserved:,} - {left:,} = {idle:,} pages x {need.size.short()} = {size}",
    )


def _reserve(need: HugePages, situation: Situation) -> Proposal:
    known = isinstance(situation.facts.memory.available, Known)
    missing = need.size * (need.count - situation.kernel_number("vm.nr_hugepages"))
    return Proposal(
        value=str(need.count),
        because=f"shared_buffers of {situation.will_be('shared_buffers')} fit "
        f"huge pages of {need.size.short()}; "
        f"to free {missing.short()} the kernel drops cached data and may stall programs: choose a quiet hour",
        computed=f"{need.computed}{_saved(situation)}"
        if known
        else f"{need.computed}{_saved(situation)}; free memory is not known: read the value back",
    )


def _saved(situation: Situation) -> str:
    """On POWER, what the pages save in page tables, which depends on how it translates addresses."""
    if not isinstance(situation.facts.memory.translation, Known):
        return ""
    table = table_in_words(situation, situation.will_be_size("shared_buffers"))
    return f"; saves a page table of {table}"


def _enough(reserved: int, need: HugePages) -> Declined:
    more = reserved - need.count
    rest = f"; {more:,} more may belong to another program" if more else ""
    return Declined(because=f"{reserved:,} pages are reserved, {need.count:,} are needed{rest}", kind="keep")


def _hardly_found(need: HugePages) -> Declined:
    because = f"pages of {need.size.short()} are rarely found in one piece while the system runs"
    return Declined(because=f"{because}: huge_page_size shows how to use smaller ones")


def _other_size(need: HugePages) -> Advice:
    pool = need.pool
    return Advice(
        because=f"huge_page_size asks for {need.size.short()} pages, which vm.nr_hugepages does not count",
        steps=(
            f"echo {need.count} > {pool}",
            f"cat {pool}: fewer than {need.count} mean that memory is too fragmented",
            f"Repeat it at boot, in a file under /etc/tmpfiles.d: w {pool} - - - - {need.count}",
        ),
        undo=(f"cat {pool} before the change, and write that number back",),
        computed=need.computed,
    )


RECOMMENDATION = Recommendation(
    id="kernel.nr_hugepages",
    title="Reserve huge pages for shared_buffers",
    group="kernel",
    target=SysctlTarget(name="vm.nr_hugepages", unit="huge pages", maximum=2**31 - 1),
    explanation=Explanation(
        changes="The kernel sets aside large pages of memory (1 MB on s390x, 2 MB on x86 and on POWER with "
        "radix translation, 16 MB there with hash) that only programs asking for them can use. PostgreSQL "
        "asks for them when huge_pages is on or try.",
        helps="Every process keeps its own table of the shared memory's pages. With large pages the table "
        "is hundreds of times smaller: memory is saved in each connection, and addresses are found faster.",
        leave_alone="Leave it where shared_buffers is small, where memory is nearly full, or in a "
        "container: the pool is the host's.",
        costs="A restart: only a server that starts later can use them (apply.sh --no-restart reserves "
        "none). Reserved pages are lost to everything else. Reserving drops cached data and moves memory, "
        "which can stall. The z13 study took 17408 pages of 1 MB for 16 GB of buffers; this count leaves "
        "less idle.",
        watch="HugePages_Total, HugePages_Free and HugePages_Rsvd in /proc/meminfo; from version 17 on SHOW "
        "huge_pages_status. A total below the value means that memory was too fragmented.",
    ),
    pros=(
        "Smaller page tables in every connection.",
        "The buffers cannot be swapped out.",
    ),
    cons=(
        "Idle pages are lost to the page cache and to all programs.",
        "A pool that became too small stops a server that insists on it (huge_pages=on).",
    ),
    risk=RiskLevel.MEDIUM,
    basis="well understood",
    versions="kernels built with huge pages; on IBM Z where the machine has EDAT",
    cites=(
        Cite(claim="z-deck.huge_pages"),
        Cite(claim="n0derunner-numa.huge_pages"),
        Cite(claim="n0derunner-pages.huge_pages"),
        Cite(claim="intel-guide.huge_pages"),
        Cite(claim="aws-graviton.lazy_preemption"),
        Cite(claim="z-deck.huge_pages_needed"),
        Cite(claim="kernel-talk.memory_fragmentation", near=True),
        Cite(claim="postgres-manual.huge_pages_needed"),
        Cite(claim="kernel-manual.huge_pages"),
        Cite(claim="kernel-power.page_tables", only_on=IBM_POWER),
        Cite(claim="kernel-power.huge_page_sizes", only_on=IBM_POWER),
        Cite(claim="ibm-huge-page-support.edat", only_on=IBM_Z),
        Cite(claim="s390-edat.required", only_on=IBM_Z),
    ),
    decide=decide,
    gives_way=5,
    after=DECIDED_BY,
    examples=(
        Example(
            name="16 GB of buffers on s390x: pages of 1 MB",
            given=Given(architecture="s390x", huge_page_size="1MB", settings={"shared_buffers": "16GB"}),
            outcome=Sets(value="16916"),
        ),
        Example(
            name="the same on x86-64: pages of 2 MB",
            given=Given(settings={"shared_buffers": "16GB"}),
            outcome=Sets(value="8458"),
        ),
        Example(
            name="the default of 128 MB is too small to matter",
            given=Given(),
            outcome=Declines(),
        ),
        Example(
            name="enough pages are there",
            given=Given(
                settings={"shared_buffers": "16GB"},
                kernel={"vm.nr_hugepages": 9000},
            ),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="POWER with hash translation: pages of 16 MB",
            given=Given(
                architecture="ppc64le",
                huge_page_size="16MB",
                more_huge_page_sizes=("16GB",),
                translation="hash",
                settings={"shared_buffers": "16GB"},
            ),
            outcome=Sets(value="1058"),
        ),
        Example(
            name="a kernel without huge pages",
            given=Given(huge_page_size="", settings={"shared_buffers": "16GB"}),
            outcome=Declines(kind="not_applicable"),
        ),
        Example(
            name="pages of 512 MB beside smaller ones",
            given=Given(
                architecture="aarch64",
                huge_page_size="512MB",
                more_huge_page_sizes=("2MB",),
                settings={"shared_buffers": "16GB"},
            ),
            outcome=Declines(),
        ),
        Example(
            name="pages of 512 MB and no setting to ask for others: at boot only",
            given=Given(
                architecture="aarch64",
                huge_page_size="512MB",
                more_huge_page_sizes=("2MB",),
                major="13",
                settings={"shared_buffers": "16GB"},
            ),
            outcome=Declines(),
        ),
        Example(
            name="the server asks for another size than the kernel's",
            given=Given(
                architecture="aarch64",
                huge_page_size="512MB",
                settings={"shared_buffers": "16GB", "huge_page_size": "2MB"},
            ),
            outcome=Advises(),
        ),
        Example(
            name="memory is nearly full: reserve at boot",
            given=Given(available="8GB", settings={"shared_buffers": "16GB"}),
            outcome=Declines(),
        ),
        Example(
            name="a container",
            given=Given(container="docker", settings={"shared_buffers": "16GB"}),
            outcome=Declines(kind="not_applicable"),
        ),
    ),
)
