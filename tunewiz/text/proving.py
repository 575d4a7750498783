"""A measurement of a bundle as rows: what it will do, its progress, the results so far, the verdict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import assert_never

from rich.text import Text

from tunewiz.core.proof.bench_seen import (
    BenchSeen,
    CannotMeasure,
    Finished,
    NotBegun,
    NotPutBack,
    OtherUnderWay,
    PutBack,
    SoFar,
    UnderWay,
)
from tunewiz.core.proof.drawn import Dot, dots_of, interval_of, pair_dots
from tunewiz.core.proof.metrics import METRICS, MetricName
from tunewiz.core.proof.proof import GroupResult, MetricResult, Proof, Verdict
from tunewiz.core.proof.remaining import looked
from tunewiz.core.words.bench import (
    left_in_words,
    look_in_words,
    no_verdict_in_words,
    outlook_lines,
    resume_command,
    where_in_words,
)
from tunewiz.core.words.harmless import harmless
from tunewiz.core.words.proof import headline, proof_lines
from tunewiz.text.colors import DANGER, FOR
from tunewiz.text.ratio_chart import SAME, Axis, axis_of

LABEL = 10
ROW = 24
"""Cells before the axis."""

STATES: Mapping[type[BenchSeen], str] = MappingProxyType(
    {
        CannotMeasure: "cannot be measured",
        NotBegun: "not begun",
        OtherUnderWay: "another measurement is running",
        PutBack: "ended early, everything was put back",
        NotPutBack: "NOT put back",
    }
)
_STYLES: Mapping[Verdict, str] = MappingProxyType({"helped": FOR, "hurt": DANGER})
"""Of a verdict: its words say the same."""
COMMANDS = ("start", "continue", "put back", "show", "follow")
"""The labels of commands."""


def proving_rows(state: BenchSeen) -> tuple[Text, ...]:
    """All rows of a measurement."""
    return tuple(_rows(state))


def short_state(state: BenchSeen) -> str:
    """The same in a few words."""
    match state:
        case UnderWay(so_far=so_far):
            return where_in_words(so_far)
        case Finished(proof=proof):
            return headline(proof)
        case _:
            return STATES[type(state)]


def command_in(state: BenchSeen) -> str:
    """The command that a person would type next; empty where there is none."""
    result = [text for label, text in _labelled_of(state) if label in COMMANDS]
    return result[-1] if result else ""


def _rows(state: BenchSeen) -> Iterator[Text]:
    labelled = [_row(label, text) for label, text in _labelled_of(state)]
    match state:
        case UnderWay(so_far=so_far) | PutBack(so_far=so_far):
            yield from labelled
            yield from _so_far(so_far)
        case Finished(proof=proof):
            yield from _of_proof(proof)
            if labelled:
                yield Text()
            yield from labelled
        case CannotMeasure() | NotBegun() | OtherUnderWay() | NotPutBack():
            yield from labelled
        case _:
            assert_never(state)


def _labelled_of(state: BenchSeen) -> Iterator[tuple[str, str]]:
    match state:
        case CannotMeasure(why=why):
            yield "not here", why
        case NotBegun(outlook=outlook, unseen=unseen):
            yield from outlook_lines(outlook)
            if unseen:
                yield "unseen", unseen
        case OtherUnderWay():
            yield "waits", "Another measurement is running on this machine, and only one can run at a time."
        case UnderWay():
            yield from _under_way(state)
        case PutBack(directory=directory, why=why):
            yield "ended", f"early, and everything was put back: {why}"
            yield "continue", resume_command(directory)
        case NotPutBack(directory=directory, why=why):
            yield from (("NOT done", text) for text in why)
            yield "put back", resume_command(directory)
        case Finished(directory=directory, unshown=unshown):
            if unshown:
                yield "show", resume_command(directory)
        case _:
            assert_never(state)


def _under_way(run: UnderWay) -> Iterator[tuple[str, str]]:
    if words := no_verdict_in_words(run.so_far):
        yield "verdict", words
    yield "now", run.doing
    yield "left", left_in_words(run.so_far)
    if run.question:
        yield "asks", f"{run.question} Continue? Answer where the command runs, or follow it again."
    result = [look_in_words(reached_look) for reached_look in looked(run.so_far)]
    yield from (("look", text) for text in result)
    yield "follow", resume_command(run.directory)


def _so_far(so_far: SoFar) -> Iterator[Text]:
    primary = so_far.primary
    dots = (*pair_dots(so_far.same_pairs, primary, "A/A"), *pair_dots(so_far.pairs, primary, "pair"))
    if not dots:
        return
    result = tuple(looked(so_far))
    bounds = [bound for entry in result for bound in (entry.result.low, entry.result.high)]
    axis = axis_of((*(dot.ratio for dot in dots), *bounds))
    yield Text()
    yield from _head(primary, axis)
    for reached_look in result:
        yield _chart(f"look after {reached_look.look.pairs}", _interval(axis, reached_look.result))
    yield from _dots(axis, dots)


def _of_proof(proof: Proof) -> Iterator[Text]:
    verdict, *rest = proof_lines(proof)
    yield Text(harmless(verdict), style=_STYLES.get(proof.verdict, "bold"))
    if proof.verdict != "observed":
        yield Text()
    yield from (Text(harmless(line)) for line in rest)
    dots, whole = dots_of(proof), interval_of(proof)
    result: tuple[MetricResult | GroupResult, ...] = (*whole, *proof.groups)
    bounds = (bound for entry in result for bound in (entry.low, entry.high))
    axis = axis_of((*(dot.ratio for dot in dots), *bounds))
    yield Text()
    yield from _head(proof.primary, axis)
    yield from (_chart("all changes", _interval(axis, metric)) for metric in whole)
    yield from (
        _chart(harmless(group_result.name), _interval(axis, group_result)) for group_result in proof.groups
    )
    yield from _dots(axis, dots)


def _head(primary: MetricName, axis: Axis) -> Iterator[Text]:
    metric = METRICS[primary]
    yield Text(f"{metric.title}, with the changes against without; {metric.better} is better", style="bold")
    yield _chart("", axis.head())


def _dots(axis: Axis, dots: Sequence[Dot]) -> Iterator[Text]:
    """The comparisons, the newest first; the A/A pairs in one row, to see the noise."""
    same = [entry.ratio for entry in dots if entry.kind == "A/A"]
    if same:
        yield _chart("A/A, nothing changed", axis.dots(same, SAME))
    for dot in reversed(dots):
        if dot.kind != "A/A":
            yield _chart(dot.label, axis.dots((dot.ratio,)), f" {dot.ratio:.3f}")


def _interval(axis: Axis, result: MetricResult | GroupResult) -> str:
    return axis.interval(result.ratio, result.low, result.high)


def _chart(label: str, drawn: str, figure: str = "") -> Text:
    return Text(
        f"  {label[: ROW - 2].ljust(ROW - 2)}{drawn}{figure}".rstrip(), no_wrap=True, overflow="ellipsis"
    )


def _row(label: str, text: str) -> Text:
    return Text.assemble((label.ljust(LABEL), "bold"), "\t", harmless(text))
