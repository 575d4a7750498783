"""A bundle that was applied on a host, as its records there tell of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

STATE_DIRECTORY = "/var/lib/tunewiz"
"""Where the scripts of bundles keep their records, unless TUNEWIZ_STATE_DIR is another."""

Outcome: TypeAlias = Literal["none", "begun", "applied", "restored", "lost"]
"""As its journal ends: nothing begun, cut off or at work, applied, rolled back, or no longer known."""
Confirmation: TypeAlias = Literal["none", "pending", "confirmed"]


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordedChange:
    """A change that the bundle made."""

    kind: str
    """`setting`, `sysctl`, `sysfs`, or another kind of step."""
    name: str
    before: str
    value: str
    """Both as the plan's data have them, settings in the server's own unit; empty where it has no value."""
    before_in_words: str
    value_in_words: str
    keys: tuple[str, ...]
    """What it changes, as the scripts compare bundles by."""
    twin: str = ""
    """Another kernel value, which the kernel sets to 0 for this one."""
    twin_before: str = ""
    put_off: bool = False
    """Whether it waits for a restart of the server."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Generation:
    """One application of a bundle."""

    id: str
    records: str
    """The name of its directory: that of an earlier application of the same bundle has a number behind."""
    order: int | None
    """Later bundles have greater ones; None where that is lost."""
    outcome: Outcome
    changes: tuple[RecordedChange, ...] = ()
    carriers: tuple[str, ...] = ()
    """Keys of what it only puts in place for its changes: files."""
    begun_at: str = ""
    """UTC; empty where it is not known, as the next two."""
    applied_at: str = ""
    ended_at: str = ""
    """When it was rolled back."""
    undone: bool = False
    """Whether a rollback took back some of it: all but what others had changed, or it was cut off."""
    confirmation: Confirmation = "none"
    confirm_until: str = ""
    host: str = ""
    cluster: str = ""
    """The data directory of its server; empty where it changes none."""
    workload: str = ""
    """Of the answers that it was planned on; empty without a copy of the bundle."""
    scripts: str = ""
    """A directory from which its scripts can be run; empty where there is none."""
    returns: bool = False
    """Whether those scripts know --to."""
    damage: tuple[str, ...] = ()
    """What of its records cannot be read, a sentence each."""

    @property
    def is_current(self) -> bool:
        """Whether these are the bundle's records of today, not of an earlier application."""
        return self.records == self.id

    @property
    def is_in_place(self) -> bool:
        """Whether something of it may be in force."""
        return self.is_current and self.outcome in ("begun", "applied")

    @property
    def keys(self) -> frozenset[str]:
        """All that it touches."""
        return frozenset(self.carriers).union(*(change.keys for change in self.changes))


@dataclass(frozen=True, kw_only=True, slots=True)
class BundleHistory:
    """All bundles that were applied on a host, the newest first; those without an order come last."""

    generations: tuple[Generation, ...]

    def after(self, generation: Generation) -> tuple[Generation, ...]:
        """Those in place that were applied later, the newest first: in this order they are rolled back."""
        order = generation.order
        return tuple(
            one
            for one in self.generations
            if order is not None and one.is_in_place and one.order is not None and one.order > order
        )

    def unclear_after(self, generation: Generation) -> tuple[Generation, ...]:
        """Those whose records no longer tell whether they are to be rolled back first."""
        order = generation.order
        return tuple(
            one
            for one in self.generations
            if one.is_current
            and one != generation
            and (one.outcome == "lost" or (one.is_in_place and one.order is None))
            and (one.order is None or order is None or one.order > order)
        )


def history_of(generations: tuple[Generation, ...]) -> BundleHistory:
    """In the order of their numbers."""

    def newest_first(one: Generation) -> tuple[bool, int, str]:
        return one.order is None, -(one.order or 0), one.records

    return BundleHistory(generations=tuple(sorted(generations, key=newest_first)))
