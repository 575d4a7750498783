"""What a board decides with: when to go, when to roll back and who does it, and the lines to sign."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.bundle.placement import Placement
from tunewiz.bundle.reverting import MINUTES, confirming
from tunewiz.bundle.review.blocks import Block, Bullets, Line, Paragraph, Strong, heading, line, marked
from tunewiz.bundle.review.guarding import GUARDED_MINUTES, guard_is_first, guarded, has_guard
from tunewiz.bundle.review.interruption import huge_pages, reached
from tunewiz.core.planning.budget import MemoryBudget
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.cluster import Cluster
from tunewiz.core.recommendation.situation import Situation

SPARE = 2
"""Memory available may fall to this part of what the budget leaves to the system before that is alarming."""
TO_FILL = "........................"


def decision(plan: Plan, placement: Placement) -> Iterator[Block]:
    """Go, no-go, rollback; then window and approval."""
    end = reached(plan, placement)
    again = " (one more restart)" if placement.restart else ""
    yield heading(2, "Go, no-go, rollback and approval")
    yield Bullets(
        (
            (Strong("Go"), *marked(f": {'; '.join(_go(plan.start, end, placement))}.")),
            (Strong("Apply"), *marked(f": {_apply(plan.start, placement)}.")),
            (Strong("Confirm only if"), *marked(f": {'; '.join(_confirm(plan.start, end, placement))}.")),
            (
                Strong("Roll back"),
                *marked(
                    f": by itself if {_by_itself(placement)}; later by `sudo sh rollback.sh`{again}, "
                    f"if {'; '.join(_back(plan))}."
                ),
            ),
        )
    )
    yield Paragraph(tuple(_to_sign()))


def _apply(start: Situation, placement: Placement) -> str:
    confirm = "`sudo sh apply.sh --confirm` from a new login"
    watches = "watches the server before (about 1 min) and after (5 min) and rolls back if it is unhealthy"
    if guard_is_first(placement):
        return f"`sudo sh apply.sh {guarded(start, placement)}`, which {watches}; otherwise {confirm}"
    plain = f"`sudo sh apply.sh {confirming(start, placement)}`, then {confirm}"
    return f"{plain}; `{guarded(start, placement)}` also {watches}" if has_guard(placement) else plain


def _by_itself(placement: Placement) -> str:
    if guard_is_first(placement):
        return f"the server is unhealthy, or if not confirmed within {GUARDED_MINUTES} minutes"
    return f"not confirmed within {MINUTES} minutes"


def _go(start: Situation, end: Situation, placement: Placement) -> Iterator[str]:
    yield "`sudo sh apply.sh --dry-run` ends with exit status 0"
    if needed := huge_pages(start, end):
        yield f"MemAvailable in /proc/meminfo is at least {needed.short()}"
    if placement.restart:
        yield "no base backup or dump is running"
        yield "replication lag is under 1 min"


def _confirm(start: Situation, end: Situation, placement: Placement) -> Iterator[str]:
    if placement.reboot:
        yield "`sudo sh verify.sh` lists nothing but what waits for the reboot"
    else:
        yield "`sudo sh verify.sh` ends with exit status 0 (every value in force)"
    if huge_pages(start, end):
        yield f"HugePages_Total in /proc/meminfo is {end.kernel_count('vm.nr_hugepages'):,} or more"
    if isinstance(placement.cluster, Cluster) and placement.settings:
        yield "the server answers, and its log has no new errors"


def _back(plan: Plan) -> Iterator[str]:
    yield "response times (99th percentile) stay above twice the usual for 10 minutes"
    if isinstance(plan.after, MemoryBudget):
        spare = plan.after.system // SPARE
        yield f"memory available falls below {spare.short()} or swap grows"


def _to_sign() -> Iterator[Line]:
    yield line(f"Window: from {TO_FILL} to {TO_FILL}")
    yield line(f"Applied and confirmed by: {TO_FILL}  Rolled back by: {TO_FILL}")
    yield line(f"Approved (name, date): {TO_FILL}  {TO_FILL}  {TO_FILL}")
