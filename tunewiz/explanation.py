"""One recommendation in full, as `tunewiz explain` prints it: what can be said without a machine."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from tunewiz.core.evidence import Cite, Library, MeasuredSystem
from tunewiz.core.model import Advises, Declines, Example, Recommendation, Sets
from tunewiz.core.target_words import name_of
from tunewiz.report import harmless, printed


def explained(recommendation: Recommendation, library: Library) -> str:
    """The whole text."""
    return printed(_parts(recommendation, library))


def _parts(recommendation: Recommendation, library: Library) -> Iterator[RenderableType]:
    explanation = recommendation.explanation
    yield _line(f"{recommendation.id}: {recommendation.title}", "bold")
    yield _line(
        f"{recommendation.target.kind} {name_of(recommendation.target)}, group {recommendation.group}, "
        f"risk {recommendation.risk.value}, {recommendation.basis}"
    )
    yield from _section("What changes", explanation.changes)
    yield from _section("Why it helps", explanation.helps)
    yield from _listed("For", recommendation.pros)
    yield from _listed("Against", recommendation.cons)
    yield from _section("When to leave it alone", explanation.leave_alone)
    yield from _section("What it costs", explanation.costs)
    yield from _section("How to watch it afterwards", explanation.watch)
    yield from _evidence(recommendation.cites, library)
    yield from _listed("Examples", tuple(map(_example, recommendation.examples)))


def _line(text: str, style: str = "") -> Text:
    return Text(harmless(text), style=style)


def _section(title: str, text: str) -> Iterator[RenderableType]:
    yield Text()
    yield _line(title, "bold")
    yield _indented(text)


def _indented(text: str, by: int = 2) -> Padding:
    return Padding(_line(text), (0, 0, 0, by))


def _listed(title: str, texts: tuple[str, ...]) -> Iterator[RenderableType]:
    if not texts:
        return
    yield Text()
    yield _line(title, "bold")
    for text in texts:
        yield _indented(f"- {text}")


def _evidence(cites: tuple[Cite, ...], library: Library) -> Iterator[RenderableType]:
    yield Text()
    yield _line("Evidence", "bold")
    if not cites:
        yield _indented("PostgreSQL's or the kernel's own documentation.")
    for cite in cites:
        yield from _cited(cite, library)


def _cited(cite: Cite, library: Library) -> Iterator[RenderableType]:
    claim = library.claims[cite.claim]
    source = library.sources[claim.source]
    yield _indented(f"{'Against: ' if cite.opposes else ''}{claim.figure}")
    yield _indented(claim.text, 4)
    systems = "; ".join(_system(library.systems[key]) for key in claim.measured_on)
    if systems:
        yield _indented(f"Measured on: {systems}", 4)
    if claim.caution:
        yield _indented(f"Careful: {claim.caution}", 4)
    if claim.today:
        yield _indented(f"Known today: {claim.today}", 4)
    yield _indented(f"{source.title}, {source.author}, {source.date}: {claim.place} (claim {claim.id})", 4)


def _system(system: MeasuredSystem) -> str:
    return f"{system.name} ({system.summary})" if system.summary else system.name


def _example(example: Example) -> str:
    match example.outcome:
        case Sets(value=value):
            return f"{example.name}: {value}"
        case Advises():
            return f"{example.name}: advice"
        case Declines(kind=kind):
            return f"{example.name}: {_KINDS[kind]}"


_KINDS = {"keep": "right already", "declined": "left alone", "not_applicable": "not applicable"}
