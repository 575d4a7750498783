"""A fleet as it was collected before, and what changed since: against last time, the plan and the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, TypeAlias

from tunewiz.core.fleet.fleet import Fleet
from tunewiz.core.fleet.hosts import HostPlan
from tunewiz.core.values.record import dataclass

AgainstPlan: TypeAlias = Literal["off plan", "still off plan", "as planned", "not planned"]
"""What became of a value: it left the plan, it was and is another, it is now what the plan wants, or the plan
wanted nothing of it and still does not."""


@dataclass(frozen=True, kw_only=True, slots=True)
class HostRecord:
    """A host of one collection."""

    host: str
    digest: str
    """Of the file of its facts."""
    values: Mapping[str, str]
    """The values in force, in words."""
    off_plan: Mapping[str, str]
    """What the plan of that day changed, with the values that it set."""
    against: tuple[str, ...]
    """The rules of the shop that the values in force did not keep."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CollectionCounts:
    """A collection in numbers."""

    hosts: int
    failed: int
    changed: int
    """Values that are not as in the collection before."""
    off_plan: int
    """Values that the plan changes."""
    against: int
    """Values that break a rule of the shop."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CollectionHead:
    """When a collection was recorded, and what it was."""

    number: int
    at: int
    """Seconds since 1970."""
    counts: CollectionCounts


@dataclass(frozen=True, kw_only=True, slots=True)
class Collection:
    """All hosts at one time."""

    head: CollectionHead
    hosts: Mapping[str, HostRecord]
    failed: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class HostValueChange:
    """A value that is not as it was."""

    host: str
    name: str
    before: str
    after: str
    against_plan: AgainstPlan

    @property
    def is_drift(self) -> bool:
        """Whether nobody who followed the plan did it."""
        return self.against_plan != "as planned"


@dataclass(frozen=True, kw_only=True, slots=True)
class PlanChange:
    """A value that is as it was, and what is planned for it is not."""

    host: str
    name: str
    value: str
    """Empty where it was not read, then and now."""
    planned_before: str
    """Empty where the plan left it."""
    planned: str
    """Empty where the plan leaves it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RuleChange:
    """A rule that the values of a host began or ceased to break."""

    host: str
    rule: str


@dataclass(frozen=True, kw_only=True, slots=True)
class UnreadValues:
    """Values of a host that were read then and are not now, as of a server that is stopped."""

    host: str
    names: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class SinceLast:
    """What changed since a collection."""

    last: tuple[CollectionHead, ...] = ()
    """That collection; empty where there is none."""
    changed: tuple[HostValueChange, ...] = ()
    replanned: tuple[PlanChange, ...] = ()
    newly_broken: tuple[RuleChange, ...] = ()
    mended: tuple[RuleChange, ...] = ()
    unread: tuple[UnreadValues, ...] = ()
    new: tuple[str, ...] = ()
    """Hosts that were not there."""
    gone: tuple[str, ...] = ()
    """Hosts that are not there any more."""
    lost: tuple[str, ...] = ()
    """Hosts that had a plan and have none now."""
    trend: tuple[CollectionHead, ...] = ()
    """The collections that are kept, the oldest first, up to this one."""

    @property
    def drifted(self) -> tuple[HostValueChange, ...]:
        """The changes that no plan asked for."""
        return tuple(change for change in self.changed if change.is_drift)

    @property
    def is_drift(self) -> bool:
        """Whether anything changed that no plan asked for."""
        return bool(self.drifted or self.newly_broken or self.gone or self.lost)


FIRST = SinceLast()
"""Where nothing was collected before."""


def states_of(fleet: Fleet) -> Mapping[str, HostRecord]:
    """Every planned host, by name."""
    hosts = sorted((host for group in fleet.groups for host in group.hosts), key=lambda host: host.host)
    return {host.host: _state(host) for host in hosts}


def _state(host: HostPlan) -> HostRecord:
    return HostRecord(
        host=host.host,
        digest=host.digest,
        values=dict(zip(host.read, host.now, strict=True)),
        off_plan=host.off_plan,
        against=tuple(demand for demand, _ in host.against),
    )


def is_same_collection(last: Collection, fleet: Fleet) -> bool:
    """Whether these are, byte for byte, the facts of that collection."""
    states = states_of(fleet)
    failed = tuple(sorted({failure.host for failure in fleet.failed}))
    return failed == last.failed and {name: state.digest for name, state in states.items()} == {
        name: state.digest for name, state in last.hosts.items()
    }


def since_last(last: Collection, fleet: Fleet) -> SinceLast:
    """What is not as it was then, host by host, then name by name."""
    states, failed = states_of(fleet), {failure.host for failure in fleet.failed}
    both = [(last.hosts[name], states[name]) for name in sorted({*states} & {*last.hosts})]
    missing = {*last.hosts} - {*states}
    return SinceLast(
        last=(last.head,),
        changed=tuple(change for before, after in both for change in _changes(before, after)),
        replanned=tuple(change for before, after in both for change in _replanned(before, after)),
        newly_broken=tuple(_rules(both, newly=True)),
        mended=tuple(_rules(both, newly=False)),
        unread=tuple(unread for before, after in both for unread in _unread(before, after)),
        new=tuple(sorted({*states} - {*last.hosts} - {*last.failed})),
        gone=tuple(sorted((missing | {*last.failed}) - failed - {*states})),
        lost=tuple(sorted(missing & failed)),
    )


def _changes(before: HostRecord, after: HostRecord) -> Iterator[HostValueChange]:
    for name in sorted({*before.values} & {*after.values}):
        old, new = before.values[name], after.values[name]
        if old != new:
            against = _against_plan(name, before, after)
            yield HostValueChange(host=after.host, name=name, before=old, after=new, against_plan=against)


def _unread(before: HostRecord, after: HostRecord) -> Iterator[UnreadValues]:
    if names := tuple(sorted({*before.values} - {*after.values})):
        yield UnreadValues(host=after.host, names=names)


def _against_plan(name: str, before: HostRecord, after: HostRecord) -> AgainstPlan:
    match name in before.off_plan, name in after.off_plan:
        case False, True:
            return "off plan"
        case True, True:
            return "still off plan"
        case True, False:
            return "as planned"
        case _:
            return "not planned"


def _replanned(before: HostRecord, after: HostRecord) -> Iterator[PlanChange]:
    for name in sorted({*before.off_plan} | {*after.off_plan}):
        old, new = before.off_plan.get(name, ""), after.off_plan.get(name, "")
        value = after.values.get(name, "")
        if old != new and value == before.values.get(name, ""):
            yield PlanChange(host=after.host, name=name, value=value, planned_before=old, planned=new)


def _rules(both: Iterable[tuple[HostRecord, HostRecord]], *, newly: bool) -> Iterator[RuleChange]:
    for before, after in both:
        one, other = (after, before) if newly else (before, after)
        for demand in sorted({*one.against} - {*other.against}):
            yield RuleChange(host=after.host, rule=demand)


def counts_of(fleet: Fleet, since: SinceLast) -> CollectionCounts:
    """This collection in numbers."""
    hosts = [host for group in fleet.groups for host in group.hosts]
    return CollectionCounts(
        hosts=len(hosts),
        failed=len(fleet.failed),
        changed=len(since.changed),
        off_plan=sum(len(host.off_plan) for host in hosts),
        against=sum(len(host.against) for host in hosts),
    )
