"""huge_page_size: which of the kernel's huge pages the server asks for."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import IBM_POWER, Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.server.shared_memory import (
    EASILY_FOUND,
    WORTH_HUGE_PAGES,
    HugePages,
    huge_pages_of,
    pages_reserved,
    smaller_pages,
)
from tunewiz.core.values.known import needed
from tunewiz.core.values.units import Bytes


def decide(situation: Situation) -> Verdict:
    """Advice where the kernel's own size is too large to be found while the system runs."""
    chosen = situation.will_be_size("huge_page_size")
    if chosen:
        return Declined(because=f"{chosen.pg()} was chosen", kind="keep")
    size = needed(situation.facts.memory.huge_page_size, "the size of huge pages")
    fine = _why_fine(situation, size)
    if fine:
        return Declined(because=f"0 stays: {fine}", kind="keep")
    if situation.in_container:
        return Declined(because="the pools belong to the host, not to a container", kind="not_applicable")
    smaller = smaller_pages(situation)
    if not smaller:
        because = f"this kernel offers nothing smaller than {size.short()}"
        return Declined(because=because, kind="not_applicable")
    return _advice(huge_pages_of(situation, smaller), size)


def _why_fine(situation: Situation, size: Bytes) -> str:
    """Why the kernel's own size is good enough; empty if it is not."""
    if size <= EASILY_FOUND:
        return f"the kernel's own size, {size.short()}, is right"
    buffers, reserved = situation.will_be_size("shared_buffers"), pages_reserved(situation)
    if buffers < WORTH_HUGE_PAGES:
        return f"shared_buffers of {buffers.pg()} gain little from huge pages"
    if reserved >= huge_pages_of(situation, size).count:
        return f"pages of {size.short()} are reserved ({reserved:,})"
    return ""


def _advice(need: HugePages, usual: Bytes) -> Advice:
    return Advice(
        because=f"pages of {usual.short()} are rarely found while the system runs, those of "
        f"{need.size.short()} are",
        steps=(
            f"echo {need.count} > {need.pool}",
            f"cat {need.pool}: fewer than {need.count} mean that memory is too fragmented",
            f"Repeat it at boot, in a file under /etc/tmpfiles.d: w {need.pool} - - - - {need.count}",
            f"ALTER SYSTEM SET huge_page_size = '{need.size.pg()}'; then restart the server.",
        ),
        undo=(
            "ALTER SYSTEM RESET huge_page_size; then restart the server.",
            f"echo 0 > {need.pool} (or what it held before), and remove the file under /etc/tmpfiles.d.",
        ),
        computed=need.computed,
    )


RECOMMENDATION = Recommendation(
    id="pg.huge_page_size",
    title="Choose a huge page size that the kernel has",
    group="memory",
    target=PgTarget(name="huge_page_size"),
    explanation=Explanation(
        changes="Nothing is changed here. A kernel has huge pages of several sizes; 0 asks for its own "
        "default (14 and newer).",
        helps="Kernels for ARM with base pages of 64 kB have 512 MB as their default. So much memory in one "
        "piece is hardly ever found once the system runs; pages of 2 MB are.",
        leave_alone="On x86-64, s390x and POWER, whose defaults of 1 to 16 MB are right (on POWER 2 MB with "
        "radix translation, 16 MB with hash). Where large pages were reserved at boot.",
        costs="A restart. vm.nr_hugepages counts the default size only: the other pool has its own file.",
        watch="The pool's nr_hugepages and free_hugepages; from version 17 on SHOW huge_pages_status.",
    ),
    pros=("Huge pages without a restart of the machine.", "Less is lost to the last page, half empty."),
    cons=("A pool of its own to keep, outside vm.nr_hugepages.", "No source of this project measured it."),
    risk=RiskLevel.MEDIUM,
    basis="well understood",
    cites=(
        Cite(claim="z-deck.huge_pages", near=True),
        Cite(claim="kernel-talk.memory_fragmentation", near=True),
        Cite(claim="postgres-manual.huge_page_size"),
        Cite(claim="kernel-power.huge_page_sizes", only_on=IBM_POWER),
    ),
    decide=decide,
    after=("pg.shared_buffers", "pg.max_connections", "pg.max_worker_processes", "pg.autovacuum_max_workers"),
    examples=(
        Example(
            name="a kernel for ARM with base pages of 64 kB",
            given=Given(
                architecture="aarch64",
                huge_page_size="512MB",
                more_huge_page_sizes=("2MB", "16GB"),
                settings={"shared_buffers": "16GB"},
            ),
            outcome=Advises(),
        ),
        Example(
            name="x86-64", given=Given(settings={"shared_buffers": "16GB"}), outcome=Declines(kind="keep")
        ),
        Example(
            name="large pages were reserved at boot",
            given=Given(
                huge_page_size="1GB",
                more_huge_page_sizes=("2MB",),
                kernel={"vm.nr_hugepages": 17},
                settings={"shared_buffers": "16GB"},
            ),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="nothing smaller is offered",
            given=Given(huge_page_size="1GB", settings={"shared_buffers": "16GB"}),
            outcome=Declines(kind="not_applicable"),
        ),
        Example(name="13 cannot choose", given=Given(major="13"), outcome=Declines(kind="not_applicable")),
        Example(
            name="a size was chosen",
            given=Given(settings={"huge_page_size": "2MB"}),
            outcome=Declines(kind="keep"),
        ),
    ),
)
