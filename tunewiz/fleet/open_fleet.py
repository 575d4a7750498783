"""A fleet that is being reviewed: decided group by group, then written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tunewiz.bundle.review.blocks import Block
from tunewiz.core.answers.answers import Decision
from tunewiz.core.fleet.fleet import Fleet
from tunewiz.core.fleet.groups import HostGroup, outliers
from tunewiz.core.fleet.hosts import FailedHost, HostPlan, HostResult
from tunewiz.core.planning.plan import Plan
from tunewiz.core.values.errors import InputError
from tunewiz.fleet.answers import FleetAnswers
from tunewiz.fleet.basis import bases_of
from tunewiz.fleet.files import facts_files
from tunewiz.fleet.own_answers import with_decisions
from tunewiz.fleet.planning import Progress, fleet_of, plan_hosts
from tunewiz.fleet.review import group_blocks
from tunewiz.session.fleet_record import Basis


class FleetStoppedError(Exception):
    """The user stopped the work; nothing was kept."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Since:
    """What is no longer as it was when the session was saved: hosts by name."""

    changed: tuple[str, ...] = ()
    """Hosts with decisions whose facts or answers are others."""
    gone: tuple[str, ...] = ()
    """Hosts with decisions of which there are no facts any more."""
    new: tuple[str, ...] = ()
    unfit: tuple[str, ...] = ()
    """Hosts whose decisions make no plan any more."""
    why_unfit: str = ""
    """Of one of them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenFleet:
    """An immutable fleet; a decision creates another."""

    place: str
    """The directory of its facts."""
    answers: FleetAnswers
    results: tuple[HostResult, ...]
    """The results, host by host."""
    fleet: Fleet
    bases: Mapping[str, Basis]
    """What each host was planned from, apart from decisions made here."""
    since: Since = Since()
    """Empty unless it was resumed."""

    def group(self, name: str) -> HostGroup:
        """The group of that name, which must be one of its own."""
        return next(host_group for host_group in self.fleet.groups if host_group.name == name)

    def review(self, group: HostGroup, first: Plan) -> Iterator[Block]:
        """A group's review, as it would be written; `first` is the plan of its first host."""
        apart = outliers(self.fleet.groups).get(group.name)
        return group_blocks(group, apart, self.fleet.waves, first)


def open_fleet(place: str, answers: FleetAnswers, progress: Callable[[int], Progress]) -> OpenFleet:
    """Read and plan all hosts below a directory; raises UsageError if there are no facts.

    Args:
        place: As typed.
        answers: From files.
        progress: Given the number of hosts, returns the function that reports progress.
    """
    return opened_from(place, facts_files([Path(place).expanduser()]), answers, progress)


def opened_from(
    place: str, files: Sequence[str], answers: FleetAnswers, progress: Callable[[int], Progress]
) -> OpenFleet:
    """Read and plan the hosts of these files."""
    results = plan_hosts(files, answers, progress(len(files)))
    bases = bases_of(results, answers)
    return OpenFleet(
        place=place, answers=answers, results=results, fleet=fleet_of(results, answers), bases=bases
    )


def decided(
    opened: OpenFleet, hosts: frozenset[str], decisions: Mapping[str, Decision], progress: Progress
) -> OpenFleet:
    """The fleet with exactly these decisions for the hosts of a group; only these are planned again.

    Raises:
        InputError: A decision does not fit all the hosts; the message names one, with the reason.
    """
    planned = (host for host in opened.results if isinstance(host, HostPlan))
    files = [host.source for host in planned if host.host in hosts]
    done = with_answers(opened, files, with_decisions(opened.answers, hosts, decisions), progress)
    read = frozenset(files)
    for result in done.results:
        if isinstance(result, FailedHost) and result.source in read:
            raise InputError(f"{result.host}: {result.why}", "Nothing was changed for the group.")
    return done


def with_answers(
    opened: OpenFleet, files: Sequence[str], answers: FleetAnswers, progress: Progress
) -> OpenFleet:
    """The fleet with other answers, which are others for the hosts of these files: they are planned again."""
    again = dict(zip(files, plan_hosts(files, answers, progress), strict=True))
    results = tuple(again.get(result.source, result) for result in opened.results)
    return replace(opened, answers=answers, results=results, fleet=fleet_of(results, answers))
