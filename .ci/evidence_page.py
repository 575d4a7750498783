"""Makes docs/evidence.md: every recommendation with its best evidence, its date, its range and its dispute.

.venv/bin/python .ci/evidence_page.py [-o FILE]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from page_file import write_page

from tunewiz.bundle.review.markdown import prose
from tunewiz.core.planning.evidence_range import EvidenceRange, measured_range
from tunewiz.core.recommendation.evidence import Claim, Library
from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.core.words.evidence import range_in_words
from tunewiz.knowledge.loading import Knowledge, load_knowledge

INTRODUCTION = (
    "# What each recommendation rests on",
    "",
    "The best evidence of each: a measurement of that very change before a manual, and the newest first.",
    "The range is over all systems on which that change was measured and can be compared.",
    "Where nobody published a measurement, `tunewiz explain` says so, and how to measure it here.",
    "",
    "`make docs` generates this page from the program.",
    "",
    "| recommendation | best evidence | date | what was measured | range | dispute |",
    "|---|---|---|---|---|---|",
)


def page(knowledge: Knowledge) -> str:
    """The whole page."""
    rows = (
        _row(entry, knowledge.library) for entry in sorted(knowledge.catalogue, key=lambda entry: entry.id)
    )
    return "\n".join((*INTRODUCTION, *rows, ""))


def _row(recommendation: Recommendation, library: Library) -> str:
    best = max(_claims(recommendation, library), key=lambda claim: _rank(claim, library), default=None)
    cells = (f"`{recommendation.id}`", *_best(best, library), _range(recommendation, library))
    return f"| {' | '.join((*cells, _dispute(recommendation)))} |"


def _claims(recommendation: Recommendation, library: Library) -> Iterator[Claim]:
    """Those of the very change."""
    for cite in recommendation.cites:
        if not cite.near:
            yield library.claims[cite.claim]


def _rank(claim: Claim, library: Library) -> tuple[bool, bool, bool, str]:
    source = library.sources[claim.source]
    date = "" if source.date == "undated" else source.date
    return bool(claim.measured_on), not claim.undecided, source.is_manual, date


def _best(claim: Claim | None, library: Library) -> tuple[str, str, str]:
    if claim is None:
        return "none: reasoned", "", ""
    source = library.sources[claim.source]
    anchor = claim.id.replace(".", "")
    title = f"{source.title}, {claim.place}" if source.is_manual else source.title
    return f"[{prose(title)}](catalogue.md#{anchor})", source.date, prose(claim.figure)


def _range(recommendation: Recommendation, library: Library) -> str:
    cites = (cite for cite in recommendation.cites if not cite.near)
    match measured_range((library.claims[cite.claim], cite.opposes) for cite in cites):
        case EvidenceRange() as measured:
            return prose(range_in_words(measured))
        case _:
            return ""


def _dispute(recommendation: Recommendation) -> str:
    anchor = recommendation.id.replace(".", "")
    return f"[{len(recommendation.disputes)}](catalogue.md#{anchor})" if recommendation.disputes else ""


if __name__ == "__main__":
    sys.exit(write_page("evidence.md", lambda: page(load_knowledge())))
