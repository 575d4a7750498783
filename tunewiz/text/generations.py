"""The bundles that were applied on a host, for a person at a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from rich.text import Text

from tunewiz.core.generations.between import GenerationReturn
from tunewiz.core.generations.generation import Generation
from tunewiz.core.generations.in_force import Stand, Standing, StandingChange, standing_of
from tunewiz.core.values.plural import how_many
from tunewiz.core.words.harmless import harmless
from tunewiz.formats.generations import AppliedBundles, TwoGenerations, return_commands
from tunewiz.text.report import line, paper_width, printed
from tunewiz.text.wrapping import hanging

INDENT = "  "
STANDS: Mapping[Stand, str] = {
    "in force": "in force",
    "in force in part": "in force, in part superseded by {by}",
    "superseded": "superseded by {by}",
    "waits for confirmation": "waits for confirmation{until}",
    "waits for a restart": "in force, in part only after a restart of the server",
    "cut off": "cut off, or still at work: rollback.sh takes back what was done",
    # Both leave the same records.
    "rolled back in part": "rolled back except for what others changed, or not to its end: "
    "rollback.sh tells which",
    "rolled back": "rolled back{ended}",
    "not begun": "nothing was done",
    "records damaged": "not known: its records are lost or damaged",
}
LABEL = 10
"""Columns of what stands before a fact."""
MAX_NAMES = 4
"""Changes that a line of the list names."""


def history_text(bundles: AppliedBundles) -> str:
    """The list, the newest first."""
    return _printed(_list(bundles))


def generation_text(bundles: AppliedBundles, way: GenerationReturn) -> str:
    """One bundle in detail, with the way back to it."""
    return _printed(_detail(bundles, way))


def two_generations_text(bundles: AppliedBundles, two: TwoGenerations) -> str:
    """What differs between two."""
    return _printed(_two(bundles, two))


def _printed(report: Iterator[Text | str]) -> str:
    """A str is to be copied: it stays on one line, however long."""
    width, pages = paper_width(), list[str]()
    for is_copied, rows in groupby(report, lambda row: isinstance(row, str)):
        if is_copied:
            pages.extend(f"{harmless(str(row))}\n" for row in rows)
        else:
            texts = (row for text in rows if isinstance(text, Text) for row in hanging(text, width))
            pages.append(printed(line(row.plain, str(row.style)) for row in texts))
    return "".join(pages)


def _list(bundles: AppliedBundles) -> Iterator[Text | str]:
    if not bundles.history.generations:
        yield Text(f"No bundle was applied on this host: {harmless(bundles.state)} has no records.")
        return
    for generation in bundles.listed:
        standing = standing_of(bundles.history, generation)
        yield Text(f"{generation.records}  {_when(generation)}  {_stand(generation, standing)}", style="bold")
        if about := ", ".join(_about(generation)):
            yield Text(f"{INDENT}\t{harmless(about)}")
        yield from _damage(generation)
    left = len(bundles.history.generations) - len(bundles.listed)
    if left:
        yield Text(f"{left:,} older: without --last they are listed too.")


def _when(generation: Generation) -> str:
    """When it was applied, else begun."""
    when = generation.applied_at or generation.begun_at
    return _time(when) if when else "at a time not known"


def _time(when: str) -> str:
    return f"{when[:10]} {when[11:16]} UTC"


def _stand(generation: Generation, standing: Standing) -> str:
    until = f" until {_time(generation.confirm_until)}" if generation.confirm_until else ""
    ended = f" {_time(generation.ended_at)}" if generation.ended_at else ""
    return STANDS[standing.stand].format(by=", ".join(standing.superseded_by), until=until, ended=ended)


def _about(generation: Generation) -> Iterator[str]:
    """`db1, /var/lib/postgresql/15/main, oltp, 2 changes: work_mem, vm.swappiness`."""
    yield from (text for text in (generation.host, generation.cluster, generation.workload) if text)
    names = [change.name for change in generation.changes]
    if names:
        more = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
        yield f"{how_many(len(names), 'change')}: {', '.join(names[:MAX_NAMES])}{more}"


def _damage(generation: Generation) -> Iterator[str]:
    for sentence in generation.damage:
        yield f"{INDENT}damaged: {sentence}"


def _detail(bundles: AppliedBundles, way: GenerationReturn) -> Iterator[Text | str]:
    generation = way.to
    standing = standing_of(bundles.history, generation)
    yield Text(f"{generation.records}: {_stand(generation, standing)}", style="bold")
    yield f"{INDENT}{'applied':<{LABEL}}{_when(generation)}"
    for name, value in (
        ("host", generation.host),
        ("server", generation.cluster),
        ("workload", generation.workload),
        ("bundle", generation.scripts or "no longer where it was"),
    ):
        if value:
            yield f"{INDENT}{name:<{LABEL}}{value}"
    yield from _damage(generation)
    yield Text()
    yield Text(f"Changes ({len(standing.changes)})", style="bold")
    yield from map(_change, standing.changes)
    yield Text()
    yield from _return(bundles, way)


def _change(standing: StandingChange) -> Text:
    change = standing.change
    later = f", superseded by {standing.superseded_by}" if standing.superseded_by else ""
    waits = ", after a restart of the server" if change.put_off else ""
    values = f"{change.name}: {change.before_in_words} -> {change.value_in_words}"
    return Text(f"{INDENT}\t{harmless(values)}{later}{waits}")


def _return(bundles: AppliedBundles, way: GenerationReturn) -> Iterator[Text | str]:
    yield Text("Return to the state after it", style="bold")
    if way.why_not:
        yield Text(f"{INDENT}\t{harmless(way.why_not[0].upper() + way.why_not[1:])}.")
        return
    ids = ", ".join(one.id for one in way.rolls_back)
    yield Text(f"{INDENT}\tRolls back, in this order: {ids}")
    for command in return_commands(bundles.state, way):
        yield f"{INDENT}{command}"


def _two(bundles: AppliedBundles, two: TwoGenerations) -> Iterator[Text]:
    for generation in (two.a, two.b):
        stand = _stand(generation, standing_of(bundles.history, generation))
        yield Text(f"{generation.records}  {_when(generation)}  {stand}", style="bold")
    yield Text()
    if not two.differences:
        yield Text("Settings and kernel values are the same after both.")
        return
    yield Text(f"After the first -> after the second ({len(two.differences)})", style="bold")
    for difference in two.differences:
        values = f"{difference.name}: {difference.before} -> {difference.value}"
        yield Text(f"{INDENT}\t{harmless(values)}")
