"""A bundle's review as blocks: page one, on which a board decides, then appendices that prove it.

Nothing comes from the clock, and the order is stable: the same plan gives the same review, in both formats.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tunewiz.bundle.dropins import drop_ins
from tunewiz.bundle.placement import Placement
from tunewiz.bundle.placing import placed
from tunewiz.bundle.review.advice import for_people
from tunewiz.bundle.review.blocks import Block, Bullets, EffectPicture, PageEnd, Paragraph, heading, marked
from tunewiz.bundle.review.change import change_in_brief, change_in_full, effects, is_measured
from tunewiz.bundle.review.health import health_section
from tunewiz.bundle.review.html import html
from tunewiz.bundle.review.left_alone import left_alone
from tunewiz.bundle.review.markdown import markdown
from tunewiz.bundle.review.memory import memory_budget
from tunewiz.bundle.review.order import order_of_work
from tunewiz.bundle.review.page_one import page_one, rest_out_of_reach, title_of
from tunewiz.bundle.review.proof import in_review
from tunewiz.bundle.review.sources import Sources, list_of
from tunewiz.bundle.review.tables import single_tables
from tunewiz.bundle.review.usage import usage
from tunewiz.core.planning.impact import by_impact
from tunewiz.core.planning.plan import Plan
from tunewiz.core.proof.proof import Proof


def reviews(plan: Plan, placement: Placement, installed: Mapping[str, bytes]) -> Mapping[str, bytes]:
    """The review by the names of its two files, which say the same."""
    blocks = tuple(review(plan, placement, installed))
    return {
        "REVIEW.md": markdown(blocks).encode(),
        "REVIEW.html": html(title_of(plan), blocks).encode(),
    }


def review_of(plan: Plan) -> tuple[Block, ...]:
    """The review of the plan's bundle; raises BundleError for a plan that no bundle can carry."""
    placement = placed(plan)
    return tuple(review(plan, placement, drop_ins(placement)))


def review(plan: Plan, placement: Placement, installed: Mapping[str, bytes]) -> Iterator[Block]:
    """The whole document."""
    yield from page_one(plan, placement)
    yield PageEnd()
    yield from rest_out_of_reach(plan, placement)
    yield from health_section(plan)
    if isinstance(plan.start.proof, Proof):
        yield from in_review(plan.start.proof)
    yield from _evidence(plan, placement)
    yield from memory_budget(plan)
    if placement.count:
        yield from usage(placement, installed)
        yield from order_of_work(placement, installed)
    yield from for_people(plan)
    yield from single_tables(plan)
    yield from left_alone(plan)


def _evidence(plan: Plan, placement: Placement) -> Iterator[Block]:
    if not placement.count:
        return
    changes = by_impact(placement.findings)
    sources = Sources.behind(changes)
    yield heading(2, "Evidence")
    yield Paragraph(
        (marked("`tunewiz explain NAME` tells the rest: what it means, what for, how to watch it."),)
    )
    if bars := tuple(effects(changes)):
        yield EffectPicture(bars)
    numbered = tuple(enumerate(changes, start=1))
    for number, finding in numbered:
        if is_measured(finding):
            yield from change_in_full(number, finding, plan.start, sources)
    if rest := [row for row in numbered if not is_measured(row[1])]:
        yield heading(3, "Not measured by any source")
        yield Bullets(tuple(change_in_brief(number, finding, plan.start) for number, finding in rest))
    yield from list_of(sources)
