"""What is known of a history: by what was seen of the machine, not by the scripts' records."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from history_bundles import HistoryBundle, Name, cell, is_planned
from history_truth import AUTO, DROP_IN, NEEDS_RESTART, SWAPPINESS, Truth
from pretend_root import Entry, Ran

Stage = Literal["fresh", "begun", "applied", "restored"]
"""`begun`: it may have changed something, and has not been taken back for certain."""

OTHERS: Final = "others"
STRAY: Final = ".tunewiz-new"
"""In the names of files that are not in their place yet."""


@dataclass(kw_only=True, slots=True)
class Standing:
    """How one bundle stands on the machine."""

    bundle: HistoryBundle
    stage: Stage = "fresh"
    before: Truth | None = None
    former: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    """Of each setting what the server had and what its files gave before the first change."""
    applied_as: int = 0
    """Later ones have greater numbers."""
    has_written: bool = False
    """Something was changed by it: a run that was killed early has changed nothing, and kept nothing."""
    others_set_something: bool = False
    """In ALTER SYSTEM's file, since the first change."""
    left_file: Entry | None = None
    """ALTER SYSTEM's, as the last run of the bundle left it."""
    waits_for_confirmation: bool = False
    """Certainly; a run that was killed may have armed a revert too."""
    revert_is_spent: bool = False
    """Its time was up once, and it failed: it does not come again."""
    reverts_without_restart: bool = False
    """What was applied without a restart is taken back without one when its time is up."""

    @property
    def in_between(self) -> bool:
        """Whether there may be something to take back."""
        return self.stage in {"begun", "applied"}


class Model:
    """What is known of the history so far."""

    def __init__(self, bundles: Mapping[Name, HistoryBundle]) -> None:
        self.standings = {name: Standing(bundle=bundle) for name, bundle in bundles.items()}
        self.writers: dict[str, str] = {}
        self.we_stopped_it = False
        self.killed_once = False
        self.locked_out = False
        self.applications = 0

    # Who has written what.

    def attribute(self, then: Truth, now: Truth, actor: str) -> None:
        """Remembers who changed what."""
        for name in self._cells() | {AUTO}:
            if cell(then, name) != cell(now, name):
                self.writers[name] = actor
                for standing in self.standings.values():
                    standing.has_written |= actor == standing.bundle.name and name in standing.bundle.cells
        if now.up or then.up:
            if actor != OTHERS and then.up and not now.up:
                self.we_stopped_it = True
            elif now.up:
                self.we_stopped_it = False

    def _cells(self) -> set[str]:
        return {name for standing in self.standings.values() for name in standing.bundle.cells}

    def is_others(self, standing: Standing, truth: Truth, name: str) -> bool:
        """Whether someone else has put something there that is neither the former nor the planned."""
        return (
            standing.before is not None
            and self.writers.get(name) == OTHERS
            and cell(truth, name) != cell(standing.before, name)
            and not is_planned(standing.bundle, truth, name)
        )

    def above(self, standing: Standing) -> list[Standing]:
        """Bundles that were applied on top of this one and are there still."""
        return [
            entry
            for entry in self.standings.values()
            if entry is not standing and entry.in_between and entry.applied_as > standing.applied_as
        ]

    def below_is_gone(self, standing: Standing) -> bool:
        """Whether a bundle that this one was put on top of has been taken back, wholly or in part."""
        return any(
            entry.applied_as and entry.applied_as < standing.applied_as and self._writes_into(entry, standing)
            for entry in self.standings.values()
        )

    def _writes_into(self, one: Standing, other: Standing) -> bool:
        shared = set(one.bundle.cells) & set(other.bundle.cells)
        return any(self.writers.get(name) == one.bundle.name for name in shared)

    # Where a bundle's values differ from what was there before it.

    def differences(self, standing: Standing, truth: Truth) -> dict[str, str]:
        """By the name that a person knows it by; what was found and what was there before."""
        return dict(self._differing_cells(standing, truth)) | dict(self._differing_settings(standing, truth))

    def _differing_cells(self, standing: Standing, truth: Truth) -> Iterator[tuple[str, str]]:
        before = standing.before
        assert before is not None
        shared = {name for entry in self.above(standing) for name in entry.bundle.cells}
        for name in standing.bundle.cells:
            if name not in shared and cell(truth, name) != cell(before, name):
                yield called(name), f"{cell(truth, name)}, before {cell(before, name)}"

    def _differing_settings(self, standing: Standing, truth: Truth) -> Iterator[tuple[str, str]]:
        above = {name for entry in self.above(standing) for name in entry.bundle.settings}
        files = truth.configured
        for name, former in standing.former.items():
            if name in above:
                continue
            if files is not None and files[name] not in former:
                yield name, f"the files give {files[name]}, before {former}"
            elif truth.up and truth.running[name] not in former:
                yield name, f"the server has {truth.running[name]}, before {former}"

    def waits(self, standing: Standing, truth: Truth) -> set[str]:
        """Settings whose files are as before, which the server has to be restarted for."""
        files = truth.configured
        return {
            name
            for name, former in standing.former.items()
            if truth.up
            and files is not None
            and name in NEEDS_RESTART
            and files[name] in former
            and truth.running[name] not in former
        }


def called(name: str) -> str:
    """As a person would be told of it."""
    if name == SWAPPINESS:
        return "vm.swappiness"
    if name.startswith("auto:"):
        return name.removeprefix("auto:")
    return f"/{name}"


def claims_all_is_as_before(ran: Ran) -> bool:
    """Whether it says so without an exception."""
    return any("as it was before" in line and "except for" not in line for line in ran.said.splitlines())


def foreign_restart(standing: Standing, truth: Truth) -> set[str]:
    """What others have changed that a restart would put in force."""
    files = truth.configured
    if not truth.up or files is None:
        return set()
    own = set(standing.bundle.settings)
    return {name for name in NEEDS_RESTART - own if files[name] != truth.running[name]}


def foreign_way_back(standing: Standing, truth: Truth) -> set[str]:
    """What a rollback's restart would put in force of others: the bundle's own settings count too."""
    files = truth.configured
    if not truth.up or files is None:
        return set()
    planned = {name: value for name, value in standing.bundle.settings.items() if name in NEEDS_RESTART}
    known = {
        name: {value, truth.running[name], *standing.former.get(name, ())} for name, value in planned.items()
    }
    return foreign_restart(standing, truth) | {
        name for name, values in known.items() if files[name] not in values
    }


def stays_in_force(standing: Standing, truth: Truth) -> bool:
    """Whether everything is as planned, or waits for a restart that was not to be made."""
    bundle = standing.bundle
    return (
        bundle.planned_kernel(truth)
        and bundle.planned_settings(truth)
        and (not truth.up or all(_has_or_waits(truth, *item) for item in bundle.settings.items()))
    )


def _has_or_waits(truth: Truth, name: str, planned: str) -> bool:
    return truth.running[name] == planned or (name in NEEDS_RESTART and name in truth.waiting)


def as_planned(standing: Standing, truth: Truth) -> bool:
    """What verify.sh is asked: in force now, and after a restart and a reboot."""
    bundle = standing.bundle
    return (
        bundle.planned_kernel(truth)
        and bundle.planned_settings(truth)
        and (not truth.up or all(truth.running[name] == value for name, value in bundle.settings.items()))
    )


def drop_in_is_shared(standing: Standing, others: list[Standing]) -> bool:
    return DROP_IN in standing.bundle.cells and any(DROP_IN in other.bundle.cells for other in others)
