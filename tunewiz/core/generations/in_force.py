"""What of a bundle is in force where bundles overlap: the latest in place that changes the same counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tunewiz.core.generations.generation import BundleHistory, Generation, RecordedChange

Stand: TypeAlias = Literal[
    "in force",
    "in force in part",
    "superseded",
    "waits for confirmation",
    "waits for a restart",
    "cut off",
    "rolled back in part",
    "rolled back",
    "not begun",
    "records damaged",
]


@dataclass(frozen=True, kw_only=True, slots=True)
class StandingChange:
    """A change, and the later bundle that has changed the same since."""

    change: RecordedChange
    superseded_by: str
    """Its id; empty where none has."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """How a bundle stands today."""

    stand: Stand
    changes: tuple[StandingChange, ...]

    @property
    def superseded_by(self) -> tuple[str, ...]:
        """The bundles that have changed the same since."""
        ids = (change.superseded_by for change in self.changes)
        return tuple(dict.fromkeys(one for one in ids if one))


def standing_of(history: BundleHistory, generation: Generation) -> Standing:
    """How it stands among the others."""
    if not generation.is_in_place:
        changes = tuple(StandingChange(change=change, superseded_by="") for change in generation.changes)
        return Standing(stand=_away(generation), changes=changes)
    owners = _owners(history.after(generation))
    changes = tuple(_standing_change(change, owners) for change in generation.changes)
    return Standing(stand=_in_place(generation, changes), changes=changes)


def _away(generation: Generation) -> Stand:
    if generation.outcome == "lost":
        return "records damaged"
    return "not begun" if generation.outcome == "none" else "rolled back"


def _in_place(generation: Generation, changes: tuple[StandingChange, ...]) -> Stand:
    if generation.outcome == "begun":
        return "cut off"
    if generation.undone:
        return "rolled back in part"
    if generation.confirmation == "pending":
        return "waits for confirmation"
    if any(change.put_off for change in generation.changes):
        return "waits for a restart"
    superseded = sum(bool(change.superseded_by) for change in changes)
    if not superseded:
        return "in force"
    return "superseded" if superseded == len(changes) else "in force in part"


def _owners(later: tuple[Generation, ...]) -> Mapping[str, str]:
    """Which of these, the newest first, changes a thing last."""
    result = dict[str, str]()
    for generation in reversed(later):
        result.update((key, generation.id) for change in generation.changes for key in change.keys)
    return result


def _standing_change(change: RecordedChange, owners: Mapping[str, str]) -> StandingChange:
    ids = (owners[key] for key in change.keys if key in owners)
    return StandingChange(change=change, superseded_by=next(ids, ""))
