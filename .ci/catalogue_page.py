"""Makes docs/catalogue.md: every recommendation, and every claim that it leans on.

.venv/bin/python .ci/catalogue_page.py [-o FILE]
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from page_file import write_page

from tunewiz.bundle.review.markdown import bullets, code, prose, table
from tunewiz.core.recommendation.evidence import Cite, Claim, Library
from tunewiz.core.recommendation.recommendation import Advises, Declines, Example, Recommendation, Sets
from tunewiz.core.words.finding import GROUPS
from tunewiz.knowledge.loading import Knowledge, load_knowledge
from tunewiz.text.explanation import GROUNDS, what_it_is

INTRODUCTION = (
    "Every recommendation that tunewiz knows, with its reasons, its price and what was measured.",
    "Each looks at the machine: it proposes a value, advises a person, or leaves things alone and says why.",
    "`tunewiz explain ID` prints the same; `tunewiz plan` and the wizard hold it against a machine.",
    "",
    "`make docs` makes this page from `tunewiz/catalogue/` and `profiles/sources/`: change those.",
    "",
)
_BETWEEN_SENTENCES = re.compile(r"(?<=[.?!]) (?=[A-Z“0-9])")
_KINDS = {"keep": "right already", "declined": "left alone", "not_applicable": "not applicable"}


def page(knowledge: Knowledge) -> str:
    """The whole page."""
    lines = (
        "# The catalogue",
        "",
        *INTRODUCTION,
        *_contents(knowledge),
        *_groups(knowledge),
        *_claims(knowledge),
    )
    return "\n".join(lines).rstrip("\n") + "\n"


def _contents(knowledge: Knowledge) -> Iterator[str]:
    for group, title in GROUPS.items():
        catalogue = [
            recommendation for recommendation in knowledge.catalogue if recommendation.group == group
        ]
        yield from (f"{title}:", "")
        yield from (
            *bullets(f"[{code(entry.id)}](#{_anchor(entry)}) {prose(entry.title)}" for entry in catalogue),
            "",
        )


def _anchor(recommendation: Recommendation) -> str:
    return recommendation.id.replace(".", "")


def _groups(knowledge: Knowledge) -> Iterator[str]:
    for group, title in GROUPS.items():
        yield from (f"## {title}", "")
        for recommendation in knowledge.catalogue:
            if recommendation.group == group:
                yield from _recommendation(recommendation, knowledge)


def _recommendation(recommendation: Recommendation, knowledge: Knowledge) -> Iterator[str]:
    explanation = recommendation.explanation
    yield from (f"### {recommendation.id}", "")
    what = what_it_is(recommendation, knowledge)
    yield from (
        f"**{prose(recommendation.title)}.**",
        f"{prose(_raised(what))}; {recommendation.risk.value} risk; {GROUNDS[recommendation.basis]}.",
        "",
    )
    for label, text in (
        ("What changes", explanation.changes),
        ("Why it helps", explanation.helps),
        ("When to leave it alone", explanation.leave_alone),
        ("What it costs", explanation.costs),
        ("How to watch it afterwards", explanation.watch),
    ):
        yield from (f"*{label}:*", *_sentences(text), "")
    yield from ("For it:", "", *bullets(map(prose, recommendation.pros)), "")
    yield from ("Against it:", "", *bullets(map(prose, recommendation.cons)), "")
    yield from _disputes(recommendation)
    yield from (
        "Evidence:",
        "",
        *bullets(_cited(cite, knowledge.library) for cite in recommendation.cites),
        "",
    )
    yield from ("Examples:", "", *bullets(map(_example, recommendation.examples)), "")


def _raised(text: str) -> str:
    return text[0].upper() + text[1:]


def _sentences(text: str) -> list[str]:
    return [prose(sentence) for sentence in _BETWEEN_SENTENCES.split(text)]


def _disputes(recommendation: Recommendation) -> Iterator[str]:
    for dispute in recommendation.disputes:
        yield from ("Where sources disagree:", "")
        yield from (*table(("one side", "another"), ((prose(dispute.one), prose(dispute.other)),)), "")
        yield from ("The plan follows:", *_sentences(dispute.follows), "")


def _cited(cite: Cite, library: Library) -> str:
    claim = library.claims[cite.claim]
    side = "the other side: " if cite.opposes else "of something near it: " if cite.near else ""
    systems = ", ".join(library.systems[key].name for key in claim.measured_on)
    where = f" ({prose(systems)})" if systems else ""
    return f"[{claim.id}](#{_anchor(claim)}): {side}{prose(claim.figure)}{where}"


def _example(example: Example) -> str:
    return f"{prose(example.name)}: {_outcome(example)}"


def _outcome(example: Example) -> str:
    match example.outcome:
        case Sets(value=value):
            return code(value)
        case Advises():
            return "advice"
        case Declines(kind=kind):
            return _KINDS[kind]


def _anchor(claim: Claim) -> str:
    """As sites that show Markdown make it of a heading."""
    return claim.id.replace(".", "")


def _claims(knowledge: Knowledge) -> Iterator[str]:
    library = knowledge.library
    yield from ("## What the sources claim", "")
    for source in library.sources.values():
        head = f"{source.title} ({source.author}, {source.date}, {source.kind})"
        yield from (f"### {prose(head)}", "")
        if source.address:
            yield from (f"<{source.address}>", "")
        for claim in library.claims.values():
            if claim.source == source.key:
                yield from _claim(claim, library)
    yield from ("## What was measured on", "")
    for system in library.systems.values():
        yield f"- **{prose(system.name)}**: {prose(system.summary)}"


def _claim(claim: Claim, library: Library) -> Iterator[str]:
    yield from (f"#### {claim.id}", "")
    yield from (f"{prose(claim.subject)}: **{prose(claim.figure)}**.", *_sentences(claim.text))
    systems = ", ".join(library.systems[key].name for key in claim.measured_on)
    if systems:
        yield f"Measured on: {prose(systems)}."
    yield f"Place: {prose(claim.place)}."
    if claim.caution:
        yield from ("Careful:", *_sentences(claim.caution))
    if claim.today:
        yield from ("Known today:", *_sentences(claim.today))
    yield ""


if __name__ == "__main__":
    sys.exit(write_page("catalogue.md", lambda: page(load_knowledge())))
