"""Whether the kernel promises more memory than there is, and what strict accounting needs with huge pages."""

from __future__ import annotations

from tunewiz.core.planning.budget import budget_of
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, RiskLevel, Verdict
from tunewiz.core.server.seen_room import ROOM
from tunewiz.core.server.start_limits import STRICT, commit_kilobytes, commit_limit, reserved_pool
from tunewiz.core.values.known import needed
from tunewiz.core.values.units import KIB, Bytes

ALWAYS = 1
"""The kernel promises memory without limit; 0 is its own judgement (overcommit-accounting.rst)."""


def decide(situation: Situation) -> Verdict:
    """Advice against unlimited promises, and where strict accounting would not leave enough."""
    if situation.in_container:
        return Declined(because="it belongs to the host, not to a container", kind="not_applicable")
    mode = situation.kernel_number("vm.overcommit_memory")
    if mode == ALWAYS:
        return _not_always()
    if mode != STRICT:
        return Declined(
            because="the kernel decides by itself; strict accounting is safer only if it is sized well"
        )
    limit, claimed = commit_limit(situation), _claimed(situation)
    if limit >= claimed:
        because = f"strict accounting allows {limit.short()}, the busy server claims {claimed.short()}"
        return Declined(because=because, kind="keep")
    return _too_strict(situation, limit, claimed)


def _claimed(situation: Situation) -> Bytes:
    """What counts against the limit when the server is busy: all but huge pages and page tables."""
    budget = budget_of(situation)
    shared = budget.buffers + budget.shared_other
    in_pages = (
        shared
        if situation.will_be("huge_pages") != "off" and reserved_pool(situation) >= shared
        else Bytes(0)
    )
    return budget.claimed - budget.huge_pages_idle - budget.page_tables - in_pages


def _not_always() -> Advice:
    return Advice(
        because="the kernel promises memory without limit: a spike ends with the out-of-memory killer",
        steps=("sysctl -w vm.overcommit_memory=0, and the same in a file under /etc/sysctl.d",),
        undo=("sysctl -w vm.overcommit_memory=1, and remove the file",),
    )


def _too_strict(situation: Situation, limit: Bytes, claimed: Bytes) -> Advice:
    beside_swap = claimed - needed(situation.facts.memory.swap_total, "the size of swap")
    rest = needed(situation.facts.memory.total, "the size of memory") - reserved_pool(situation)
    if commit_kilobytes(situation):
        knob, old, wanted = "vm.overcommit_kbytes", commit_kilobytes(situation), beside_swap.count // KIB
        computed = f"{beside_swap.short()} beside swap = {wanted} kB"
    else:
        knob, old = "vm.overcommit_ratio", situation.kernel_number("vm.overcommit_ratio")
        wanted = -(-beside_swap.count * 100 // rest.count)
        computed = f"{beside_swap.short()} beside swap / {rest.short()} beside huge pages = {wanted} %"
    return Advice(
        because=f"strict accounting allows {limit.short()}, the busy server claims {claimed.short()}",
        steps=(
            "CommitLimit and Committed_AS in /proc/meminfo: the second must stay below the first",
            f"sysctl -w {knob}={wanted}, and the same in a file under /etc/sysctl.d",
        ),
        undo=(f"sysctl -w {knob}={old}, and remove the file",),
        computed=computed,
    )


RECOMMENDATION = Recommendation(
    id="kernel.overcommit_memory",
    title="Use strict memory overcommit",
    group="kernel",
    target=AdviceTarget(name="memory overcommit"),
    explanation=Explanation(
        changes="Programs ask for memory before they use it. The kernel may promise it as it sees fit (0), "
        "always (1), or only up to a limit (2, strict accounting).",
        helps="With the limit, a request that goes too far fails in one session, with an error that "
        "PostgreSQL handles; without it the out-of-memory killer may end the whole server.",
        leave_alone="Strict accounting is not proposed where it is not in use: other programs that ask for "
        "much and use little fail first, and a limit below what is in use keeps every program from starting.",
        costs="With the limit part of memory may stay unused. Reserved huge pages lower the limit, so it "
        "must be recomputed with them.",
        watch="CommitLimit and Committed_AS in /proc/meminfo; `out of memory` in the server's log (one "
        "session) and in the kernel's (a killed process).",
    ),
    pros=("A spike costs one query instead of the server.",),
    cons=("A limit too low keeps programs from starting.", "Must be recomputed with huge pages or swap."),
    risk=RiskLevel.MEDIUM,
    basis="well understood",
    versions="every Linux",
    cites=(
        Cite(claim="z-deck.swap", near=True),
        Cite(claim="z-deck.shared_buffers_half", near=True),
        Cite(claim="postgres-manual.overcommit"),
        Cite(claim="kernel-manual.overcommit_memory"),
    ),
    decide=decide,
    witnesses=ROOM,
    after=(
        "kernel.nr_hugepages",
        "pg.huge_pages",
        "pg.shared_buffers",
        "pg.work_mem",
        "pg.maintenance_work_mem",
        "pg.max_connections",
    ),
    examples=(
        Example(name="promises always", given=Given(kernel={"vm.overcommit_memory": 1}), outcome=Advises()),
        Example(
            name="strict, and huge pages lower the limit",
            given=Given(
                swap="0B",
                kernel={"vm.overcommit_memory": 2, "vm.overcommit_ratio": 20, "vm.nr_hugepages": 8500},
                settings={"shared_buffers": "16GB", "work_mem": "64MB"},
            ),
            outcome=Advises(),
        ),
        Example(
            name="strict by a number of kilobytes",
            given=Given(
                swap="0B",
                kernel={
                    "vm.overcommit_memory": 2,
                    "vm.overcommit_ratio": 0,
                    "vm.overcommit_kbytes": 2097152,
                },
            ),
            outcome=Advises(),
        ),
        Example(
            name="strict and enough",
            given=Given(kernel={"vm.overcommit_memory": 2, "vm.overcommit_ratio": 80}),
            outcome=Declines(kind="keep"),
        ),
        Example(name="the kernel's own judgement", given=Given(), outcome=Declines()),
        Example(
            name="a container",
            given=Given(container="docker"),
            outcome=Declines(kind="not_applicable"),
        ),
    ),
)
