"""What `tunewiz explain` prints: one recommendation in full, with or without a machine, or a list of all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import assert_never

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from tunewiz.core.planning.evidence_fit import here_of
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.evidence import Cite, Library
from tunewiz.core.recommendation.example_words import USUAL, described
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
from tunewiz.core.words.finding import GROUPS, STATES, words_of
from tunewiz.knowledge.loading import Knowledge
from tunewiz.knowledge.manuals import manual_pages
from tunewiz.text.documents import ONLY_MANUALS, OURS, Beside, NoMachine, all_together, by_side, cited
from tunewiz.text.own_measurement import how_to_measure
from tunewiz.text.report import line, printed


def catalogue_list(catalogue: Iterable[Recommendation]) -> str:
    """Every recommendation by group: id and title."""
    return printed(_catalogue(tuple(catalogue)))


def _catalogue(catalogue: tuple[Recommendation, ...]) -> Iterator[RenderableType]:
    width = max((len(recommendation.id) for recommendation in catalogue), default=0)
    for group, title in GROUPS.items():
        result = [recommendation for recommendation in catalogue if recommendation.group == group]
        if result:
            yield line(title, "bold")
        for entry in result:
            yield line(f"  {entry.id:<{width}}  {entry.title}")


def explained(recommendation: Recommendation, knowledge: Knowledge) -> str:
    """The whole text, without a machine."""
    return printed(_parts(recommendation, knowledge, NoMachine(), ()))


def explained_for(finding: Finding, plan: Plan, knowledge: Knowledge) -> str:
    """The same for a machine: what is found and proposed there, and how like it each measured system is."""
    here = here_of(plan.start)
    return printed(_parts(finding.recommendation, knowledge, here, tuple(_on_this_machine(finding, plan))))


def _on_this_machine(finding: Finding, plan: Plan) -> Iterator[str]:
    finding_words = words_of(finding, plan.start)
    yield f"now {finding_words.now.in_full}; {STATES[finding.state].lower()}: {finding.because}"
    if finding.state in ("change", "advise"):
        yield f"then {finding_words.then.in_full} (takes {finding_words.takes}, risk {finding_words.risk})"


def _parts(
    recommendation: Recommendation, knowledge: Knowledge, beside: Beside, machine: tuple[str, ...]
) -> Iterator[RenderableType]:
    explanation = recommendation.explanation
    yield line(f"{recommendation.id}: {recommendation.title}", "bold")
    yield line(
        f"{what_it_is(recommendation, knowledge)}; {recommendation.risk.value} risk; "
        f"{GROUNDS[recommendation.basis]}"
    )
    yield from _listed("On this machine", machine)
    yield from _section("What changes", explanation.changes)
    yield from _section("Why it helps", explanation.helps)
    yield from _listed(OURS["for"], recommendation.pros)
    yield from _listed(OURS["against"], recommendation.cons)
    yield from _section("When to leave it alone", explanation.leave_alone)
    yield from _section("What it costs", explanation.costs)
    yield from _listed(
        "Decided by this server's own numbers", tuple(witness.of for witness in recommendation.witnesses)
    )
    yield from _section("How to watch it afterwards", explanation.watch)
    yield from _disputes(recommendation.disputes)
    yield from _evidence(recommendation.cites, knowledge.library, beside)
    yield from _measured_here(how_to_measure(recommendation, knowledge))
    yield from _listed("In the manual", _pages(recommendation, knowledge))
    yield from _examples(recommendation.examples)


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
    for number, dispute in enumerate(disputes):
        yield Text()
        if not number:
            yield line("Where sources disagree", "bold")
        yield _indented(_beside(f"Source A: {dispute.one}", f"Source B: {dispute.other}", equal=True))
        yield Text()
        yield _indented(f"This plan follows: {_lowered(dispute.follows)}")


def _lowered(text: str) -> str:
    return text[0].lower() + text[1:]


def _evidence(cites: tuple[Cite, ...], library: Library, beside: Beside) -> Iterator[RenderableType]:
    if not cites:
        yield from _section("Evidence", ONLY_MANUALS)
    described = set[str]()
    for title, members in by_side(cites).items():
        yield Text()
        yield line(title, "bold")
        for number, cite in enumerate(members):
            if number:
                yield Text()
            yield from (
                _indented(part.text, part.indented) for part in cited(cite, library, described, beside)
            )
    if common := all_together(cites, library):
        yield from _section("All measured systems together", common)


def _measured_here(lines: tuple[str, ...]) -> Iterator[RenderableType]:
    if lines:
        yield Text()
    for number, text in enumerate(lines):
        yield _indented(text, 4 if number else 2)


def _examples(examples: tuple[Example, ...]) -> Iterator[RenderableType]:
    if not examples:
        return
    yield from _section("Examples", USUAL)
    for example in examples:
        yield _indented(_beside("-", _example(example)))


def _example(example: Example) -> str:
    situation = described(example.name, example.given)
    match example.outcome:
        case Sets(value=value):
            return f"{situation}: {value}"
        case Advises():
            return f"{situation}: advice"
        case Declines(kind=kind):
            return f"{situation}: {_KINDS[kind]}"


_KINDS = {"keep": "right already", "declined": "left alone", "not_applicable": "not applicable"}
