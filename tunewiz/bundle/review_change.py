"""One change, as the review tells it: in a line, and in full."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.bundle.markdown import bullets, code, prose, table
from tunewiz.core.answers import Accepted, Refused, Replaced
from tunewiz.core.evidence import Fitted
from tunewiz.core.finding import Finding, Undecided
from tunewiz.core.known import Known
from tunewiz.core.model import Advice, PgTarget, Proposal
from tunewiz.core.observed import Observation
from tunewiz.core.situation import Situation
from tunewiz.core.wording import NEAR, likeness

_TAKES = {
    "now": "nothing: it counts at once",
    "reload": "a reload of the server",
    "restart": "a restart of the server",
    "reboot": "a reboot",
    "manual": "a person",
}


def value_before(finding: Finding, start: Situation) -> str:
    """What is in force now, or that it is not known."""
    current = start.current(finding.recommendation.target)
    if isinstance(current, Known):
        return current.value
    return (finding.verdict.before if isinstance(finding.verdict, Proposal) else "") or "not known"


def value_then(finding: Finding) -> str:
    """What is proposed."""
    match finding.verdict:
        case Proposal(value=value):
            return value
        case Advice(steps=steps):
            return "; ".join(steps)
        case _:
            return ""


def at_a_glance(number: int, finding: Finding, start: Situation) -> tuple[str, ...]:
    """A row: number, setting, now, then, takes, risk."""
    return (
        str(number),
        code(finding.recommendation.target.name),
        code(value_before(finding, start)),
        code(value_then(finding)),
        str(finding.takes_effect),
        str(finding.risk),
    )


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
    target = finding.recommendation.target
    current = start.current(target)
    yield "setting", code(target.name)
    how = f" ({prose(current.how)})" if isinstance(current, Known) else ""
    now = value_before(finding, start)
    yield "now", now if now == "not known" else f"{code(now)}{how}"
    yield "then", code(value_then(finding))
    if isinstance(target, PgTarget):
        yield "default", code(start.default(target.name))
    if isinstance(finding.verdict, Proposal):
        yield "computed", prose(finding.verdict.computed)
    yield "takes", _TAKES[finding.takes_effect]
    yield "risk", str(finding.risk)
    yield from _said(finding)


def _said(finding: Finding) -> Iterator[tuple[str, str]]:
    match finding.said:
        case Accepted(note=note):
            yield "decided", _noted("accepted", note)
        case Replaced(note=note):
            yield "decided", _noted("value set by hand", note)
        case Refused(note=note):
            yield "decided", _noted("declined", note)
        case Undecided():
            yield "decided", "as proposed"


def _noted(deed: str, note: str) -> str:
    return f"{deed}: {prose(note)}" if note else deed


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
    systems = "; ".join(prose(each.name) for each in fitted.systems) or "not said"
    return (
        side + figure,
        systems,
        prose(likeness(fitted)),
        f"{prose(fitted.source.title)} ({prose(fitted.source.date)}), {prose(claim.place)}",
    )
