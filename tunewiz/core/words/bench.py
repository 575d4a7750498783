"""A measurement of a bundle in words, before, during and after it: the same in every front end."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from math import ceil
from typing import TypeAlias

from tunewiz.core.proof.bench_seen import Outlook, SoFar
from tunewiz.core.proof.figures import ratio_in_words
from tunewiz.core.proof.looks import FIRST, LAST, SAME_PAIRS, planned_looks
from tunewiz.core.proof.remaining import ARMS, ReachedLook, next_look, seconds_left, total
from tunewiz.core.values.plural import how_many
from tunewiz.core.words.proof import seconds_in_words, verdict_in_words

Labelled: TypeAlias = tuple[str, str]
"""A label and its sentence."""
HOUR = 3_600
FOR_RESTARTS = 1.2
"""The proposed window is a fifth longer, for restarts and for copying the data."""
INSTEAD = (
    "where this server must not be disturbed: --copy DIR measures the settings on a running copy of it; "
    "`tunewiz prove switchback` switches what a reload changes back and forth under its clients."
)
DURING = "Ctrl-C in its terminal ends it and puts everything back. You may close this wizard."


def start_command(outlook: Outlook) -> str:
    """The command that starts it."""
    longest = _seconds(outlook, LAST) * FOR_RESTARTS
    bundle, proof = shlex.quote(outlook.directory), shlex.quote(outlook.proof_file)
    return f"sudo tunewiz prove bench {bundle} --window {max(1, ceil(longest / HOUR))}h -o {proof}"


def resume_command(directory: str) -> str:
    """The command that follows, continues or cleans up a measurement."""
    return f"sudo tunewiz prove bench {shlex.quote(directory)} --resume"


def outlook_lines(outlook: Outlook) -> Iterator[Labelled]:
    """What it does, how long it takes, what it touches, and how it is started."""
    changes = how_many(outlook.changes, "change")
    yield "what", f"pgbench runs with and without the {changes} of this bundle, in pairs of random order."
    yield "time", _time(outlook)
    yield "start", start_command(outlook)
    yield from _in_order()
    yield "touches", _touches(outlook)
    if outlook.later:
        yield "left out", f"changes that need a reboot or manual work: {outlook.later}"
    yield "instead", INSTEAD
    yield (
        "refused",
        (
            "on a standby, with standbys or a WAL archive, without enough free disk space, and with clients "
            "connected unless --window allows disturbing them"
        ),
    )
    yield (
        "end",
        (
            "whatever ends it (Ctrl-C, a crash, a power cut, the end of the window), everything is put back. "
            "It needs neither its terminal nor this wizard to continue."
        ),
    )


def _in_order() -> Iterator[Labelled]:
    *early, last = (str(look.pairs) for look in planned_looks(LAST))
    first = (
        f"{how_many(SAME_PAIRS, 'A/A pair')} with nothing changed show the smallest detectable difference on "
        "this server. Then you are asked whether to continue."
    )
    then = (
        f"at most {LAST} pairs. Results are judged after {', '.join(early)} and {last} pairs only: judging "
        "after every pair would find differences where there are none."
    )
    yield from (("first", first), ("then", then))


def _time(outlook: Outlook) -> str:
    first, last = (seconds_in_words(_seconds(outlook, pairs)) for pairs in (FIRST, LAST))
    run = seconds_in_words(outlook.lengths.arm)
    return (
        f"{run} a run: {first} to the first result, at most {last}, plus restarts and copying the data. "
        "--run and --budget shorten it."
    )


def _seconds(outlook: Outlook, pairs: int) -> int:
    return (SAME_PAIRS + pairs) * ARMS * outlook.lengths.arm


def _touches(outlook: Outlook) -> str:
    restarts = "the server restarts before every run" if outlook.restarts else "without a restart"
    return (
        f"the server in {outlook.server}: before every run the bundle's scripts apply the changes or "
        f"roll them back ({restarts}). pgbench works in two databases of its own, which are dropped; no "
        "other database is written."
    )


def where_in_words(so_far: SoFar) -> str:
    """The progress: `A/A pair 2 of 3`, `pair 7 of at most 16`, `cycle 1 of 4`."""
    if len(so_far.same_pairs) < so_far.same_planned:
        return f"A/A pair {len(so_far.same_pairs) + 1} of {so_far.same_planned}"
    unit, done = ("cycle", so_far.cycles) if so_far.groups else ("pair", len(so_far.pairs))
    most = "" if so_far.groups else "at most "
    return f"{unit} {min(done + 1, total(so_far))} of {most}{total(so_far)}"


def left_in_words(so_far: SoFar) -> str:
    """The time left: to the next look, and at most."""
    longest = seconds_left(so_far, total(so_far))
    if not longest:
        return "unknown until the first run has ended" if not so_far.arm_seconds else "nothing"
    look = next_look(so_far)
    at_most = f"{seconds_in_words(longest)} at most" if look else f"about {seconds_in_words(longest)}"
    if look is None or look == total(so_far):
        return at_most
    return f"about {seconds_in_words(seconds_left(so_far, look))} to the look after {look} pairs, {at_most}"


def look_in_words(looked: ReachedLook) -> str:
    """What a planned look says: `planned look after 6 pairs: helped, 1.09 (99.5 %: 1.01 to 1.19)`."""
    result = looked.result
    verdict = verdict_in_words(result.verdict, result.within)
    return f"planned look after {looked.look.pairs} pairs: {verdict}, {ratio_in_words(result)}"


def no_verdict_in_words(so_far: SoFar) -> str:
    """When the next verdict comes; empty if no look is left."""
    if so_far.groups:
        return "No verdict before the last cycle."
    look = next_look(so_far)
    return "" if look is None else f"No verdict before the look after {look} pairs."
