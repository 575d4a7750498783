"""One change, as the review tells it: in a row of page one, and with its evidence in the appendix."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from tunewiz.bundle.review.blocks import (
    Block,
    CodeText,
    EffectBar,
    Line,
    Paragraph,
    Strong,
    heading,
    line,
    listed,
)
from tunewiz.bundle.review.sources import Sources, measured, systems_of
from tunewiz.core.planning.evidence_range import EvidenceRange
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.impact import NothingMeasured, decided_here, nearest_evidence, promised, range_of
from tunewiz.core.planning.proved import Proved, what_it_means
from tunewiz.core.recommendation.evidence import Fitted
from tunewiz.core.recommendation.observed import Observation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.verdicts import Proposal
from tunewiz.core.words.decided import decided_in_words
from tunewiz.core.words.evidence import FITS, range_in_words
from tunewiz.core.words.finding import name_of, words_of
from tunewiz.core.words.weighing import weighing_in_words

COLUMNS = ("setting", "now", "then", "takes", "risk")
TOGETHER = "together with "
"""How a claim's figure names the other setting of an effect that was measured of two."""
PAGE_ONE = ("", *COLUMNS, "why", "expected, and how sure")


def at_a_glance(finding: Finding, start: Situation) -> tuple[Line, ...]:
    """A row of COLUMNS."""
    words = words_of(finding, start)
    values = (line(CodeText(phrase.short)) for phrase in (words.name, words.now, words.then))
    return (*values, line(words.takes), line(words.risk))


def on_page_one(number: int, finding: Finding, start: Situation) -> tuple[Line, ...]:
    """A row of PAGE_ONE."""
    decided = decided_in_words(finding.decision)
    why = line(finding.because, f"; {decided}" if decided else "")
    return (line(str(number)), *at_a_glance(finding, start), why, line(expected(finding)))


def expected(finding: Finding) -> str:
    """What was gained on how many systems, and the nearest of them with its own figure."""
    if isinstance(finding.proved, Proved) and finding.proved.is_of_this:
        return f"{finding.proved.part.figure}; measured here: {what_it_means(finding.proved)}"
    figures = [entry.figure for entry in finding.observed if entry.speaks_for]
    observation = f". Seen here: {figures[0]}" if figures else ""
    nearest = nearest_evidence(finding)
    if isinstance(nearest, NothingMeasured):
        grounds = "documented" if finding.recommendation.basis == "well understood" else "reasoned"
        return f"not measured: {grounds}{observation}"
    return f"{_on_how_many(finding, nearest)}{observation}"


def _on_how_many(finding: Finding, nearest: Fitted) -> str:
    """The range with the nearest system's own figure; of one system alone, only that."""
    system = f"{systems_of(nearest)}, {FITS[nearest.fit]}" if nearest.fit == "like" else systems_of(nearest)
    measured = range_of(finding)
    if not isinstance(measured, EvidenceRange) or measured.systems == 1:
        return f"{nearest.figure}, on one system ({system})"
    return f"{range_in_words(measured)}; nearest: {system}, {nearest.figure}"


def bar_of(finding: Finding) -> Iterator[EffectBar]:
    """The bar of the nearest evidence, if it has a figure in percent and nothing was measured here."""
    nearest = nearest_evidence(finding)
    if isinstance(nearest, NothingMeasured) or decided_here(finding) or not (percent := promised(nearest)):
        return
    joint = nearest.figure.partition(TOGETHER)[2]
    like = nearest.fit == "like"
    yield EffectBar(name=name_of(finding).short, joint=joint, percent=float(percent), like=like)


def effects(changes: Iterable[Finding]) -> Iterator[EffectBar]:
    """A bar for each figure: one that was measured of two settings is drawn once, with both names."""
    drawn = set[tuple[str, float]]()
    for bar in (bar for change in changes for bar in bar_of(change)):
        if (bar.name, bar.percent) not in drawn:
            drawn.add((bar.joint, bar.percent))
            yield replace(bar, name=" + ".join(sorted((bar.name, bar.joint)))) if bar.joint else bar


def change_in_full(number: int, finding: Finding, start: Situation, sources: Sources) -> Iterator[Block]:
    """A section of the appendix: what page one leaves out of a change that was measured."""
    yield heading(3, f"{number}. {finding.recommendation.title}")
    yield Paragraph(tuple(_grounds(finding, start)))
    yield from listed(*_measurements(number, finding, sources))


def change_in_brief(number: int, finding: Finding, start: Situation) -> Line:
    """The same as an item of a list, of a change that nothing was measured of."""
    grounds = [part for ground in _grounds(finding, start) for part in (". ", *ground)]
    return line(Strong(f"{number}. {finding.recommendation.title}"), *grounds)


def is_measured(finding: Finding) -> bool:
    """Whether anything was measured of it, elsewhere or here."""
    return bool(finding.observed or any(True for _ in measured(finding)))


def _measurements(number: int, finding: Finding, sources: Sources) -> Iterator[Line]:
    yield from map(_seen_here, finding.observed)
    yield from _cited(number, finding, sources)
    for dispute in finding.recommendation.disputes:
        sides = f"Source A: {dispute.one} Source B: {dispute.other}"
        yield line(f"Where sources disagree: {sides} This plan follows: {dispute.follows}")


def _grounds(finding: Finding, start: Situation) -> Iterator[Line]:
    words = words_of(finding, start)
    exact = words.name.more, words.then.more
    if any(exact):
        yield line(
            CodeText(words.name.short), words.name.more, " = ", CodeText(words.then.short), words.then.more
        )
    if isinstance(finding.verdict, Proposal) and finding.verdict.computed:
        yield line(f"Computed: {finding.verdict.computed}")
    if weighing := weighing_in_words(finding):
        yield line(f"Based on: {weighing}")
    yield line(f"Against it: {' '.join(finding.recommendation.cons)}")


def _cited(number: int, finding: Finding, sources: Sources) -> Iterator[Line]:
    for fitted in measured(finding):
        side = "The other side: " if fitted.claim.id in finding.opposing else ""
        first = sources.first[fitted.claim.id]
        if first == number:
            yield line(side, *_citation(fitted, finding, sources))
        else:
            yield line(side, Strong(fitted.figure), f" (as under {first})")


def _citation(fitted: Fitted, finding: Finding, sources: Sources) -> Line:
    claim = fitted.claim
    opposes = claim.id in finding.opposing
    is_disputed = any(claim.id in dispute.claims for dispute in finding.recommendation.disputes)
    text = f": {claim.text}" if opposes and not is_disputed else ""
    system = f"{systems_of(fitted)}, {FITS[fitted.fit]}"
    place = f"source {sources.numbers[fitted.source.key]}, {claim.place}"
    return line(Strong(fitted.figure), f"{text} ({system}; {place})")


def _seen_here(observation: Observation) -> Line:
    side = "The other side, measured here: " if observation.opposes else "Measured here: "
    return line(side, Strong(observation.figure), f": {observation.means} ({observation.how})")
