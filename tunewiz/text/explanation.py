"""One recommendation in full, as `tunewiz explain` prints it, without a machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import assert_never

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from tunewiz.core.recommendation.evidence import Cite, Library, MeasuredSystem
from tunewiz.core.recommendation.recommendation import (
    Advises,
    Basis,
    Declines,
    Dispute,
    Example,
    Recommendation,
    Sets,
)
from tunewiz.core.recommendation.target_words import target_name
from tunewiz.core.recommendation.targets import AdviceTarget, HostTarget, PgTarget, SysctlTarget, SysfsTarget
from tunewiz.core.words.evidence import NEAR
from tunewiz.knowledge.loading import Knowledge
from tunewiz.knowledge.manuals import manual_pages
from tunewiz.text.own_measurement import how_to_measure
from tunewiz.text.report import line, printed


def explained(recommendation: Recommendation, knowledge: Knowledge) -> str:
    """The whole text."""
    return printed(_parts(recommendation, knowledge))


def _parts(recommendation: Recommendation, knowledge: Knowledge) -> Iterator[RenderableType]:
    explanation = recommendation.explanation
    yield line(f"{recommendation.id}: {recommendation.title}", "bold")
    yield line(
        f"{what_it_is(recommendation, knowledge)}; {recommendation.risk.value} risk; "
        f"{GROUNDS[recommendation.basis]}"
    )
    yield from _section("What changes", explanation.changes)
    yield from _section("Why it helps", explanation.helps)
    yield from _listed("For", recommendation.pros)
    yield from _listed("Against", recommendation.cons)
    yield from _section("When to leave it alone", explanation.leave_alone)
    yield from _section("What it costs", explanation.costs)
    yield from _listed(
        "Decided by this server's own numbers", tuple(witness.of for witness in recommendation.witnesses)
    )
    yield from _section("How to watch it afterwards", explanation.watch)
    yield from _disputes(recommendation.disputes)
    yield from _evidence(recommendation.cites, knowledge.library)
    yield from _measured_here(how_to_measure(recommendation, knowledge))
    yield from _listed("In the manual", _pages(recommendation, knowledge))
    yield from _listed("Examples", tuple(map(_example, recommendation.examples)))


GROUNDS: Mapping[Basis, str] = MappingProxyType(
    {
        "measured": "based on measurements only",
        "well understood": "well documented",
        "reasoned": "reasoned, not measured",
    }
)


def what_it_is(recommendation: Recommendation, knowledge: Knowledge) -> str:
    """The kind of target, its name, and the versions that have it."""
    name = target_name(recommendation.target)
    match recommendation.target:
        case PgTarget():
            return f"PostgreSQL setting {name} ({_versions(name, knowledge)})"
        case SysctlTarget():
            return f"kernel setting {name} ({recommendation.versions})"
        case SysfsTarget(name=path):
            return f"kernel setting {name} ({path}; {recommendation.versions})"
        case HostTarget():
            return f"change of the host: {name} ({recommendation.versions})"
        case AdviceTarget():
            return f"advice: {name} ({recommendation.versions})"
        case _:
            assert_never(recommendation.target)


def _pages(recommendation: Recommendation, knowledge: Knowledge) -> tuple[str, ...]:
    """The page of the newest version that has the setting."""
    name = recommendation.target.name
    majors = [major for major, settings in knowledge.settings.items() if settings.has(name)]
    return manual_pages(recommendation.target, max(majors, default=max(knowledge.settings)))


def _versions(name: str, knowledge: Knowledge) -> str:
    majors = sorted(major for major, settings in knowledge.settings.items() if settings.has(name))
    return f"{majors[0]} to {majors[-1]}" if len(majors) > 1 else str(majors[0])


def _section(title: str, text: str) -> Iterator[RenderableType]:
    yield Text()
    yield line(title, "bold")
    yield _indented(text)


def _indented(shown: str | Table, by: int = 2) -> Padding:
    return Padding(line(shown) if isinstance(shown, str) else shown, (0, 0, 0, by))


def _listed(title: str, texts: tuple[str, ...]) -> Iterator[RenderableType]:
    if not texts:
        return
    yield Text()
    yield line(title, "bold")
    for text in texts:
        yield _indented(_beside("-", text))


def _beside(*texts: str, equal: bool = False) -> Table:
    """Columns of wrapped text: a bullet and its text, or two sides of equal width."""
    table = Table.grid(padding=(0, 2 if equal else 1, 0, 0), expand=equal)
    for text in texts:
        table.add_column(ratio=1 if equal or text is texts[-1] else None)
    table.add_row(*map(line, texts))
    return table


def _disputes(disputes: tuple[Dispute, ...]) -> Iterator[RenderableType]:
    for dispute in disputes:
        yield Text()
        yield line("Where sources disagree", "bold")
        yield _indented(_beside(f"Source A: {dispute.one}", f"Source B: {dispute.other}", equal=True))
        yield Text()
        yield _indented(f"This plan follows: {_lowered(dispute.follows)}")


def _lowered(text: str) -> str:
    return text[0].lower() + text[1:]


def _evidence(cites: tuple[Cite, ...], library: Library) -> Iterator[RenderableType]:
    yield Text()
    yield line("Evidence", "bold")
    if not cites:
        yield _indented("PostgreSQL's or the kernel's own documentation.")
    result = set[str]()
    for number, cite in enumerate(cites):
        if number:
            yield Text()
        yield from _cited(cite, library, result)
        result |= {*library.claims[cite.claim].measured_on}


def _measured_here(lines: tuple[str, ...]) -> Iterator[RenderableType]:
    if lines:
        yield Text()
    for number, text in enumerate(lines):
        yield _indented(text, 4 if number else 2)


def _side(cite: Cite) -> str:
    return "The other side: " if cite.opposes else NEAR if cite.near else ""


def _cited(cite: Cite, library: Library, described: set[str]) -> Iterator[RenderableType]:
    """One claim; a system that was already described is only named."""
    claim = library.claims[cite.claim]
    source = library.sources[claim.source]
    yield _indented(f"{_side(cite)}{claim.figure}")
    yield _indented(claim.text, 4)
    systems = "; ".join(_system(library.systems[key], known=key in described) for key in claim.measured_on)
    if systems:
        yield _indented(f"Measured on: {systems}", 4)
    if claim.caution:
        yield _indented(f"Careful: {claim.caution}", 4)
    if claim.today:
        yield _indented(f"Known today: {claim.today}", 4)
    yield _indented(f"{source.title}, {source.author}, {source.date}: {claim.place} (claim {claim.id})", 4)
    if source.address:
        yield _indented(source.address, 4)


def _system(system: MeasuredSystem, *, known: bool) -> str:
    return system.name if known or not system.summary else f"{system.name} ({system.summary})"


def _example(example: Example) -> str:
    match example.outcome:
        case Sets(value=value):
            return f"{example.name}: {value}"
        case Advises():
            return f"{example.name}: advice"
        case Declines(kind=kind):
            return f"{example.name}: {_KINDS[kind]}"


_KINDS = {"keep": "right already", "declined": "left alone", "not_applicable": "not applicable"}
