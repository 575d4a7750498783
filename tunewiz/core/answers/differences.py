"""What differs between two states of a person's choices, in words: one line for each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from tunewiz.core.answers.answers import Accepted, Answers, Decision, Refused, Replaced
from tunewiz.core.answers.corrections import CORRECTABLE
from tunewiz.core.answers.questions import (
    CONNECTIONS,
    DATABASE_SIZE,
    KERNEL,
    REBOOT,
    RECOVERY_TIME,
    REPLICAS,
    RESTART,
    SHARE,
)
from tunewiz.core.facts.facts import Facts
from tunewiz.core.values.known import Known

TYPED = (CONNECTIONS, DATABASE_SIZE, REPLICAS, SHARE, RECOVERY_TIME)
YES_NO = (RESTART, KERNEL, REBOOT)
EMPTY = "not set"


def differences(before: tuple[Facts, Answers], after: tuple[Facts, Answers]) -> tuple[str, ...]:
    """What the second state has instead of the first: `Connections at the peak: 300 -> 200`."""
    return (*_of_facts(before[0], after[0]), *_of_answers(before[1], after[1]))


def _of_facts(before: Facts, after: Facts) -> Iterator[str]:
    for correctable in CORRECTABLE:
        yield from _changed(correctable.title, correctable.shown(before), correctable.shown(after))
    for earlier, later in zip(before.postgres, after.postgres, strict=False):
        for title, one, other in (
            ("Watched at work", earlier.window, later.window),
            ("Storage measured", earlier.probe, later.probe),
            ("Log read", earlier.log, later.log),
        ):
            yield from _changed(title, _yes(isinstance(one, Known)), _yes(isinstance(other, Known)))


def _of_answers(before: Answers, after: Answers) -> Iterator[str]:
    for typed in TYPED:
        yield from _changed(typed.title, typed.shown(before), typed.shown(after))
    for question in YES_NO:
        yield from _changed(question.title, _yes(question.shown(before)), _yes(question.shown(after)))
    old, new = before.server, after.server
    yield from _changed("Workload", _word(before.workload.kind), _word(after.workload.kind))
    yield from _changed("Posture", before.risk.posture, after.risk.posture)
    yield from _changed("Storage", old.storage or "as found", new.storage or "as found")
    yield from _changed("Server", old.data_directory or "as found", new.data_directory or "as found")
    yield from _changed("Major version", old.postgres or "as found", new.postgres or "as found")
    yield from _of_decisions(before, after)


def _of_decisions(before: Answers, after: Answers) -> Iterator[str]:
    for name in sorted({*before.decisions, *after.decisions}):
        earlier, later = before.decisions.get(name), after.decisions.get(name)
        if earlier != later:
            yield from _changed(name.partition(".")[2], _decided(earlier), _decided(later))


def _decided(decision: Decision | None) -> str:
    match decision:
        case None:
            return "as proposed"
        case Accepted(note=note):
            return f"yes{_noted(note)}"
        case Refused(note=note):
            return f"no{_noted(note)}"
        case Replaced(value=value, note=note):
            return f"{value}{_noted(note)}"
        case _:
            assert_never(decision)


def _noted(note: str) -> str:
    return f" (“{note}”)" if note else ""


def _changed(title: str, before: str, after: str) -> Iterator[str]:
    if before != after:
        yield f"{title}: {before or EMPTY} -> {after or EMPTY}"


def _yes(said: bool) -> str:  # noqa: FBT001 - the one thing it puts into a word
    return "yes" if said else "no"


def _word(kind: str) -> str:
    return kind.replace("_", " ")
