"""A study retold beside this machine's plan: for the wizard's page and for `tunewiz study`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from rich.text import Text

from tunewiz.core.comparison.study import Study
from tunewiz.core.comparison.study_outcomes import OUTCOMES, Outcome, Retold, ToldStep
from tunewiz.core.recommendation.evidence import Claim, Library
from tunewiz.core.values.known import known_or
from tunewiz.core.values.plural import how_many
from tunewiz.core.words.evidence import FITS
from tunewiz.core.words.finding import NOTHING
from tunewiz.core.words.harmless import harmless
from tunewiz.knowledge.studies import series_of
from tunewiz.text.charts import chart
from tunewiz.text.report import line, machine_line, paper_width, printed
from tunewiz.text.wrapping import hanging

LABEL = 10
"""Cells of a label before its text; below a step it begins further in."""
STEPS = "Its steps beside this plan"
INDENT = " " * 4
UNMEASURED = "not measured"
MARKS: Mapping[Outcome, str] = MappingProxyType(
    {
        "followed": "[x]",
        "corrected": "[~]",
        "declined": "[-]",
        "refused": "[-]",
        "open": "[ ]",
        "not_applicable": " · ",
    }
)
"""As in the list of recommendations."""


def study_list(studies: Mapping[str, Study], library: Library) -> str:
    """Every study: name, year, the system and what was measured there."""
    width = max(map(len, studies))
    return _on_paper(row for name, study in studies.items() for row in _entry(name, study, library, width))


def _entry(name: str, study: Study, library: Library, width: int) -> Iterator[Text]:
    blank = " " * (width + 2)
    yield Text.assemble((name.ljust(width), "bold"), f"  \t{study.year}  {study.title}")
    yield Text(f"{blank}\t{_systems(study, library)}")
    yield Text(f"{blank}\t{study.measured}; {how_many(len(study.steps), 'step')}")


def study_text(outcome: Retold) -> str:
    """The whole study beside the plan."""
    return _on_paper(outcome_lines(outcome))


def _on_paper(rows: Iterable[Text]) -> str:
    width = paper_width()
    return printed(line(row.plain, str(row.style)) for text in rows for row in _wrapped(text, width))


def _wrapped(text: Text, width: int) -> Sequence[Text]:
    return (text,) if text.no_wrap else hanging(text, width)


def outcome_lines(outcome: Retold) -> Iterator[Text]:
    """Head, figures, steps in the order of the documents, what else was measured, and where."""
    yield from _head(outcome)
    yield from _figures(outcome.study)
    yield Text()
    yield Text(STEPS, style="bold")
    for number, step in enumerate(outcome.steps, 1):
        yield from _step(number, step, outcome)
    yield from _also(outcome)
    yield from _origin(outcome)


def counted(entry: Retold) -> str:
    """How many steps had which outcome."""
    return ", ".join(f"{count} {OUTCOMES[outcome]}" for outcome, count in entry.counts.items())


def _head(outcome: Retold) -> Iterator[Text]:
    study, start = outcome.study, outcome.plan.start
    yield Text(study.title, style="bold")
    yield _labelled("measured", f"{study.measured}, on {_systems(study, start.library)}")
    name = harmless(known_or(start.facts.host.name, "this machine"))
    yield _labelled("beside", f"{name}: {machine_line(start.facts)}")
    system, fit, because = outcome.closest
    yield _labelled("likeness", f"{system.name} is {FITS[fit]}: {because}")
    yield _labelled("result", counted(outcome))


def _figures(study: Study) -> Iterator[Text]:
    for series in series_of(study):
        yield Text()
        yield from chart(series)
    if study.without_figures:
        yield Text()
        yield Text(study.without_figures)


def _step(number: int, told_step: ToldStep, outcome: Retold) -> Iterator[Text]:
    step, library = told_step.step, outcome.plan.start.library
    yield Text()
    yield Text(f"{number:>2}. {MARKS[told_step.outcome]} \t{step.title}", style="bold")
    yield _below("study", _of_study(number, told_step, outcome))
    yield _below("where", "; ".join((*_measured_on(told_step.own, library), step.place)))
    for claim in told_step.own:
        if claim.caution and outcome.first(claim) == number:
            yield _below("careful", claim.caution)
    yield _below("here", harmless(f"{OUTCOMES[told_step.outcome]}: {_reason(told_step)}"))
    if told_step.outcome == "corrected" and told_step.finding.state != "not_applicable":
        yield _below("plan", harmless(f"{_values(told_step)}{told_step.finding.because}"))


def _of_study(number: int, told_step: ToldStep, outcome: Retold) -> str:
    """Its value and its figures; a figure that was told before is referred to."""
    measured = [claim for claim in told_step.own if claim.figure != UNMEASURED]
    figures = dict.fromkeys(_figure(claim, number, outcome) for claim in measured)
    return ": ".join(part for part in (told_step.step.value, "; ".join(figures) or UNMEASURED) if part)


def _figure(claim: Claim, number: int, outcome: Retold) -> str:
    first = outcome.first(claim)
    return claim.figure if first == number else f"measured with step {first}"


def _measured_on(claims: Iterable[Claim], library: Library) -> Sequence[str]:
    keys = dict.fromkeys(key for claim in claims for key in claim.measured_on)
    return tuple(library.systems[key].name for key in keys)


def _reason(told_step: ToldStep) -> str:
    """Of a correction that it is one; otherwise with the plan's own values."""
    values = "" if told_step.outcome == "corrected" else _values(told_step)
    return f"{values}{told_step.because}"


def _values(told_step: ToldStep) -> str:
    """The value before and after, where the plan sets one."""
    words = told_step.in_words
    if not told_step.finding.changes or words.then.short == NOTHING:
        return ""
    return f"{words.name.short} {words.now.short} -> {words.then.short}: "


def _also(outcome: Retold) -> Iterator[Text]:
    if outcome.also:
        yield Text()
        yield Text("Also measured", style="bold")
    for claim in outcome.also:
        yield Text(f"  - \t{claim.text} ({claim.place}; {claim.figure})")


def _origin(outcome: Retold) -> Iterator[Text]:
    """Documents and systems, in full."""
    library = outcome.plan.start.library
    yield Text()
    yield Text("Told by", style="bold")
    for source in (library.sources[key] for key in outcome.study.documents):
        yield Text(f"  - \t{source.title} ({source.author}, {source.date}; {source.kind})")
    yield Text()
    yield Text("Measured on", style="bold")
    for system in (library.systems[key] for key in outcome.study.systems):
        yield Text(f"  - \t{system.name}: {system.summary}")


def _systems(study: Study, library: Library) -> str:
    return " and ".join(library.systems[key].name for key in study.systems)


def _below(label: str, text: str) -> Text:
    return _labelled(f"{INDENT}{label}", text)


def _labelled(label: str, text: str) -> Text:
    return Text.assemble((label.ljust(LABEL + len(INDENT) * label.startswith(INDENT)), "dim"), "\t", text)
