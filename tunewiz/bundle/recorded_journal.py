"""The journal of an applied bundle, read as the scripts read it (read_journal)."""

from __future__ import annotations

from dataclasses import dataclass

from tunewiz.core.generations.generation import Outcome

WORDS = frozenset({
    *("begin", "applied", "restored", "confirmed", "intent", "undo", "later", "done", "undone"),
    *("server", "wal"),
})  # fmt: skip
"""First words of its lines."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordedJournal:
    """How the bundle stands by it."""

    outcome: Outcome
    confirmed: bool
    undone: bool
    """Whether a rollback has taken something back since it was applied, and not everything."""
    put_off: frozenset[int]
    """Steps that wait for a restart of the server."""
    is_damaged: bool


def read_journal(text: str) -> RecordedJournal:
    """What its lines say; a last line without its end was never finished."""
    outcome: Outcome = "none"
    confirmed = undone = damaged = False
    put_off = frozenset[int]()
    for entry in text.split("\n")[:-1]:
        word, _, rest = entry.partition(" ")
        if entry.endswith("~"):
            continue
        damaged |= word not in WORDS
        if word in ("begin", "applied", "restored"):
            outcome = _OUTCOMES[word]
            confirmed = undone = False
        confirmed |= word == "confirmed"
        undone |= word in ("undo", "undone")
        put_off = _put_off(word, rest, put_off)
    return RecordedJournal(
        outcome=outcome, confirmed=confirmed, undone=undone, put_off=put_off, is_damaged=damaged
    )


_OUTCOMES: dict[str, Outcome] = {"begin": "begun", "applied": "applied", "restored": "restored"}


def _put_off(word: str, rest: str, before: frozenset[int]) -> frozenset[int]:
    step = frozenset({int(rest)} if rest.isascii() and rest.isdecimal() else ())
    match word:
        case "later":
            return before | step
        case "done" | "undone":
            return before - step
        case "restored":
            return frozenset()
        case _:
            return before
