"""One finding in words: in a few lines beside the list, and in full."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.style import Style
from rich.text import Text

from tunewiz.core.planning.decisions import note_of
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.measurement_series import series_behind
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.evidence import Fitted, MeasuredSystem
from tunewiz.core.recommendation.verdicts import Advice, Declined, Proposal
from tunewiz.core.values.plural import how_many
from tunewiz.core.words.evidence import NEAR, likeness
from tunewiz.core.words.finding import name_of, words_of
from tunewiz.core.words.weighing import weighing_in_words
from tunewiz.knowledge.manuals import manual_pages
from tunewiz.knowledge.series import load_series
from tunewiz.text.bullets import bullets, cut, dealt, nearest_first
from tunewiz.text.charts import chart
from tunewiz.text.memory_bar import memory_line
from tunewiz.text.wrapping import hanging

MANUAL = "In the manual"
SIDES = {
    "for": "speaks for it",
    "against": "speaks against it",
    "neither": "speaks neither for it nor against",
}
LABEL = 10
"""Cells of a label in the full text, a blank included."""


def in_short(finding: Finding, plan: Plan, width: int, height: int) -> tuple[Text, ...]:
    """What fits in the pane: the computation, both sides, the evidence, the memory."""
    head = Text.assemble((name_of(finding).short, "bold"), "  ", computed(finding))
    rows = [cut(head, width), *dealt(bullets(finding), height - 2, width)]
    return (*rows, *[Text()] * (height - 1 - len(rows)), memory_line(plan.after, width))


def labelled_rows(label: str, text: str, width: int) -> Sequence[Text]:
    """The rows of a text after its label, in a pane of that many cells."""
    return hanging(Text.assemble((label.ljust(9), "dim"), "\t", text), width - 4)


def computed(finding: Finding) -> str:
    """The computation, where there is one."""
    return "" if isinstance(finding.verdict, Declined) else finding.verdict.computed


def in_full(finding: Finding, plan: Plan) -> tuple[Text, ...]:
    """Everything about one finding."""
    recommendation, explanation = finding.recommendation, finding.recommendation.explanation
    return (
        *_summary(finding, plan),
        *_section("What changes", explanation.changes),
        *_section("Why it helps", explanation.helps),
        *_listed("For", recommendation.pros),
        *_listed("Against", recommendation.cons),
        *_section("When to leave it alone", explanation.leave_alone),
        *_section("What it costs", explanation.costs),
        *_section("How it was computed", computed(finding)),
        *_further(finding, plan),
    )


def beyond_overview(finding: Finding, plan: Plan) -> tuple[Text, ...]:
    """The sections that are no part of the first page of an explanation."""
    explanation = finding.recommendation.explanation
    return (
        *_section("What changes", explanation.changes),
        *_section("Why it helps", explanation.helps),
        *_section("When to leave it alone", explanation.leave_alone),
        *_section("What it costs", explanation.costs),
        *_further(finding, plan),
    )


def _further(finding: Finding, plan: Plan) -> Iterator[Text]:
    yield from _steps(finding)
    yield from _disputes(finding)
    yield from _evidence(finding)
    yield from _section("How to watch it afterwards", finding.recommendation.explanation.watch)
    yield from _section("How it is undone", _undone(finding))
    yield from _linked(MANUAL, manual_pages(finding.recommendation.target, plan.start.major))


def _summary(finding: Finding, plan: Plan) -> Iterator[Text]:
    words = words_of(finding, plan.start)
    yield _labelled("setting", words.name.in_full)
    yield _labelled("now", words.now.in_full)
    yield _labelled("then", words.then.in_full)
    yield _labelled("why", finding.because)
    yield _labelled("takes", f"{words.takes}, risk {words.risk}")
    if weighing := weighing_in_words(finding):
        yield _labelled("based on", weighing)
    if note := note_of(finding):
        yield _labelled("note", note)


def _labelled(label: str, text: str) -> Text:
    return Text.assemble((label.ljust(LABEL), "dim"), "\t", text)


def _section(title: str, text: str) -> Iterator[Text]:
    if text:
        yield Text()
        yield Text(title, style="bold")
        yield Text(f"  {text}")


def _listed(title: str, texts: tuple[str, ...]) -> Iterator[Text]:
    if texts:
        yield Text()
        yield Text(title, style="bold")
        for text in texts:
            yield Text(f"  - \t{text}")


def _linked(title: str, addresses: tuple[str, ...]) -> Iterator[Text]:
    """Addresses, which a terminal with links opens; elsewhere they are read."""
    if addresses:
        yield Text()
        yield Text(title, style="bold")
        for address in addresses:
            yield Text.assemble("  - \t", (address, Style(link=address)))


def _steps(finding: Finding) -> Iterator[Text]:
    if isinstance(finding.verdict, Advice):
        yield from _listed("Steps", finding.verdict.steps)


def _undone(finding: Finding) -> str:
    match finding.verdict:
        case Proposal():
            return "rollback.sh puts back the value that apply.sh found, and what it found in the files."
        case Advice(undo=undo):
            return "; ".join(undo)
        case Declined():
            return ""


def _disputes(finding: Finding) -> Iterator[Text]:
    for number, dispute in enumerate(finding.recommendation.disputes):
        yield Text()
        if not number:
            yield Text("Where sources disagree", style="bold")
        yield _labelled("Source A", dispute.one)
        yield _labelled("Source B", dispute.other)
        yield _labelled("this plan", dispute.follows)


def _evidence(finding: Finding) -> Iterator[Text]:
    if not finding.evidence and not finding.observed:
        return
    yield Text()
    yield Text("Evidence", style="bold")
    for observation in finding.observed:
        side = SIDES["against" if observation.opposes else "for" if observation.speaks_for else "neither"]
        yield Text.assemble("  ", (observation.figure, "bold"), f" — on this server, {side}")
        yield Text(f"    {observation.means}")
        yield Text(f"    {observation.how}", style="dim")
    for fitted in nearest_first(finding):
        yield from _fitted(fitted)
    for series in series_behind(finding, load_series()):
        yield Text()
        yield from chart(series)


def _fitted(fitted: Fitted) -> Iterator[Text]:
    claim, source = fitted.claim, fitted.source
    of_what = NEAR if fitted.near else ""
    how_like = f" — {likeness(fitted)}" if fitted.systems else ""
    yield Text.assemble(f"  {of_what}", (fitted.figure, "bold"), how_like)
    yield Text(f"    {claim.text}")
    systems = "; ".join(_system(system) for system in fitted.systems)
    if systems:
        yield Text(f"    measured on {systems}")
    yield Text(f"    {source.title}, {source.author}, {source.date}: {claim.place}", style="dim")
    if claim.caution:
        yield Text(f"    Careful: {claim.caution}")
    if claim.today:
        yield Text(f"    Known today: {claim.today}")


def _system(system: MeasuredSystem) -> str:
    parts = [system.name]
    if system.cores:
        parts.append(f"{how_many(system.cores, 'core')}")
    if system.memory_gib:
        parts.append(f"{system.memory_gib} GiB")
    if system.postgres:
        parts.append(f"PostgreSQL {system.postgres}")
    return ", ".join(parts)
