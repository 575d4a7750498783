"""One finding in words: in a few lines beside the list, and in full."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.style import Style
from rich.text import Text

from tunewiz.core.answers.answers import Refused
from tunewiz.core.planning.decisions import note_of
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.measurement_series import series_behind
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.evidence import Fitted, MeasuredSystem
from tunewiz.core.recommendation.verdicts import Advice, Declined, Proposal
from tunewiz.core.values.plural import how_many
from tunewiz.core.words.evidence import FITS, NEAR, likeness
from tunewiz.core.words.finding import name_of, words_of
from tunewiz.core.words.weighing import seen_in_words, weighing_in_words
from tunewiz.knowledge.manuals import manual_pages
from tunewiz.knowledge.series import load_series
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
    """What fits in the pane: the computation, pros and cons, the evidence, the memory."""
    head = Text.assemble((name_of(finding).short, "bold"), "  ", computed(finding))
    result = [labelled_rows(label, text, width) for label, text in parts_in_short(finding) if text]
    rows = [cut(head, width), *dealt(result, height - 2, width)]
    return (*rows, *[Text()] * (height - 1 - len(rows)), memory_line(plan.after, width))


def parts_in_short(finding: Finding) -> tuple[tuple[str, str], ...]:
    """Note, both sides and the evidence, each with its label; what there is nothing of is empty."""
    is_closed = isinstance(finding.verdict, Declined)
    is_refused = isinstance(finding.decision, Refused)
    reasons = (
        *(() if is_refused else (finding.because,)),
        *(() if is_closed else finding.recommendation.pros),
    )
    return (
        ("note", note_of(finding)),
        ("why" if is_closed else "for", " ".join(_sentence(reason) for reason in reasons)),
        ("seen", weighing_in_words(finding) if seen_in_words(finding) else ""),
        ("against", " ".join(_sentence(con) for con in finding.recommendation.cons)),
        ("evidence", _evidence_in_short(finding)),
    )


def dealt(parts: Sequence[Sequence[Text]], room: int, width: int) -> Iterator[Text]:
    """As many rows of each part as fit: one for each, the rest for the first parts that need more."""
    counts = [1] * len(parts)
    for _ in range(room - len(parts)):
        wanting = [number for number, part in enumerate(parts) if counts[number] < len(part)]
        if wanting:
            counts[min(wanting, key=lambda number: counts[number])] += 1
    for part, count in zip(parts, counts, strict=True):
        yield from (cut(row, width) for row in part[: count - 1])
        last = part[count - 1]
        yield cut(shortened(last) if count < len(part) else last, width)


def _sentence(text: str) -> str:
    """With a capital letter, unless it begins with the name of a setting."""
    word = text.partition(" ")[0]
    first = text[:1].upper() if word.isalpha() and word.islower() else text[:1]
    return f"{first}{text[1:].removesuffix('.')}."


def cut(text: Text, width: int) -> Text:
    """The row after a blank, in that many cells; what does not fit is cut, visibly."""
    kept = text.copy()
    kept.truncate(width - 1, overflow="ellipsis")
    return Text.assemble(" ", kept)


def shortened(row: Text) -> Text:
    """The row with the dots of a text that goes on."""
    kept = row.copy()
    kept.rstrip()
    return Text.assemble(kept, " …")


def labelled_rows(label: str, text: str, width: int) -> Sequence[Text]:
    """The rows of a text after its label, in a pane of that many cells."""
    return hanging(Text.assemble((label.ljust(9), "dim"), "\t", text), width - 4)


def computed(finding: Finding) -> str:
    """The computation, where there is one."""
    return "" if isinstance(finding.verdict, Declined) else finding.verdict.computed


def _fit_in_short(fitted: Fitted) -> str:
    return FITS[fitted.fit] if fitted.systems else "a statement"


def _measured_in_short(fitted: Fitted) -> str:
    if fitted.source.is_manual:
        return fitted.source.title
    of_what = NEAR if fitted.near else ""
    where = " and ".join(system.name for system in fitted.systems) or fitted.source.title
    return f"{of_what}{fitted.figure} ({where}, {_fit_in_short(fitted)})"


def _evidence_in_short(finding: Finding) -> str:
    here = [f"{observation.figure}: {observation.means} (this server)" for observation in finding.observed]
    decided = [evidence for evidence in _nearest_first(finding) if not evidence.claim.undecided]
    is_measured = any(evidence.systems and not evidence.near for evidence in decided)
    telling = [
        evidence for evidence in decided if not evidence.near or (evidence.systems and not is_measured)
    ]
    result = map(_measured_in_short, telling or _nearest_first(finding))
    return "; ".join((*here, *result)) or "PostgreSQL's or the kernel's own documentation"


def _nearest_first(finding: Finding) -> tuple[Fitted, ...]:
    """What speaks of the very thing before what was measured near it."""
    return tuple(sorted(finding.evidence, key=lambda evidence: evidence.near))


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
        *_steps(finding),
        *_disputes(finding),
        *_evidence(finding),
        *_section("How to watch it afterwards", explanation.watch),
        *_section("How it is undone", _undone(finding)),
        *_linked(MANUAL, manual_pages(recommendation.target, plan.start.major)),
    )


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
    for dispute in finding.recommendation.disputes:
        yield Text()
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
    for fitted in _nearest_first(finding):
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
