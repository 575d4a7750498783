"""One change, as the review tells it: in a line, and in full."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.bundle.review.markdown import bullets, code, prose, table
from tunewiz.core.answers.answers import Accepted, Refused, Replaced
from tunewiz.core.planning.finding import Finding, NotDecided
from tunewiz.core.recommendation.evidence import Fitted
from tunewiz.core.recommendation.observed import Observation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Proposal
from tunewiz.core.words.evidence import NEAR, likeness
from tunewiz.core.words.finding import Phrase, words_of

COLUMNS = ("setting", "now", "then", "takes", "risk")


def at_a_glance(finding: Finding, start: Situation) -> tuple[str, ...]:
    """A row of these columns."""
    words = words_of(finding, start)
    return code(words.name.short), code(words.now.short), code(words.then.short), words.takes, words.risk


def change_in_full(number: int, finding: Finding, start: Situation) -> Iterator[str]:
    """A section with everything that speaks for and against."""
    told = finding.recommendation
    yield from (f"### {number}. {prose(told.title)} ({code(told.id)})", "")
    yield from (*table(("", ""), _figures(finding, start)), "")
    yield from (f"Why here: {prose(finding.because)}.", "")
    explained = told.explanation
    yield from (prose(explained.changes), prose(explained.helps), "")
    yield from ("For it:", "", *bullets(map(prose, told.pros)), "")
    yield from ("Against it:", "", *bullets(map(prose, told.cons)), "")
    yield from (f"Leave it alone: {prose(explained.leave_alone)}", "")
    yield from (f"What it costs: {prose(explained.costs)}", "")
    yield from (f"How to watch it: {prose(explained.watch)}", "")
    yield from _disputes(finding)
    yield from _evidence(finding)


def _disputes(finding: Finding) -> Iterator[str]:
    for dispute in finding.recommendation.disputes:
        yield from ("Where sources disagree:", "")
        yield from (*table(("one side", "another"), ((prose(dispute.one), prose(dispute.other)),)), "")
        yield from (f"The plan follows: {prose(dispute.follows)}", "")


def _figures(finding: Finding, start: Situation) -> Iterator[tuple[str, str]]:
    target, words = finding.recommendation.target, words_of(finding, start)
    yield "setting", _phrase(words.name)
    yield "now", _phrase(words.now)
    yield "then", _phrase(words.then)
    if isinstance(target, PgTarget):
        yield "default", code(start.default(target.name))
    if isinstance(finding.verdict, Proposal):
        yield "computed", prose(finding.verdict.computed)
    yield "takes", words.takes
    yield "risk", words.risk
    yield from _said(finding)


def _phrase(words: Phrase) -> str:
    return f"{code(words.short)}{prose(words.more)}"


def _said(finding: Finding) -> Iterator[tuple[str, str]]:
    match finding.decision:
        case Accepted(note=note):
            yield "decided", _noted("accepted", note)
        case Replaced(note=note):
            yield "decided", _noted("value set by hand", note)
        case Refused(note=note):
            yield "decided", _noted("declined", note)
        case NotDecided():
            yield "decided", "as proposed"


def _noted(action_in_words: str, note: str) -> str:
    return f"{action_in_words}: {prose(note)}" if note else action_in_words


def _evidence(finding: Finding) -> Iterator[str]:
    if not finding.evidence and not finding.observed:
        return
    yield from ("Evidence:", "")
    rows = (
        *map(_seen_here, finding.observed),
        *(_row(each, opposes=each.claim.id in finding.opposing) for each in finding.evidence),
    )
    yield from (*table(("what was measured", "where it was", "how like this host", "source"), rows), "")
    today = [f"Known today: {prose(each.claim.today)}" for each in finding.evidence if each.claim.today]
    if today:
        yield from (*bullets(today), "")


def _seen_here(seen: Observation) -> tuple[str, str, str, str]:
    figure = f"**{prose(seen.figure)}**: {prose(seen.means)}"
    told = f"The other side: {figure}" if seen.opposes else figure
    return told, "this server", "measured here", prose(seen.how)


def _row(fitted: Fitted, *, opposes: bool) -> tuple[str, str, str, str]:
    claim = fitted.claim
    figure = f"**{prose(claim.figure)}**: {prose(claim.text)}"
    side = "The other side: " if opposes else NEAR if fitted.near else ""
    systems = "; ".join(prose(system.name) for system in fitted.systems) or "not said"
    return (
        side + figure,
        systems,
        prose(likeness(fitted)),
        f"{prose(fitted.source.title)} ({prose(fitted.source.date)}), {prose(claim.place)}",
    )
