"""A fleet from a saved session: decisions are taken over only for hosts that are as they were."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from tunewiz.core.answers.answers import Decision
from tunewiz.core.fleet.hosts import FailedHost, HostPlan
from tunewiz.core.values.errors import InputError
from tunewiz.fleet.answers import named_answers
from tunewiz.fleet.basis import unchanged
from tunewiz.fleet.files import facts_files
from tunewiz.fleet.open_fleet import OpenFleet, Since, opened_from, with_answers
from tunewiz.fleet.own_answers import with_decisions
from tunewiz.fleet.planning import Progress
from tunewiz.session.fleet_record import FleetSession, decided_alike


def session_of(opened: OpenFleet) -> FleetSession:
    """The session to save."""
    answers = opened.answers.source
    return FleetSession(
        place=_absolute(opened.place),
        answers=_absolute(answers) if answers else "",
        hosts=opened.bases,
        own=opened.answers.own,
    )


def noted(opened: OpenFleet, hosts: frozenset[str], decisions: Mapping[str, Decision]) -> OpenFleet:
    """With decisions that are not planned yet: for saving only."""
    return replace(opened, answers=with_decisions(opened.answers, hosts, decisions))


def _absolute(typed: str) -> str:
    return str(Path(typed).expanduser().absolute())


def resumed(session: FleetSession, progress: Callable[[int], Progress]) -> OpenFleet:
    """Read and plan all hosts again, with the decisions that still stand.

    Raises:
        TunewizError: There are no facts, or the answers cannot be used any more.
    """
    answers, files = named_answers(session.answers), facts_files([Path(session.place)])
    same = unchanged(session.hosts, files, answers)
    own = {host: decisions for host, decisions in session.own.items() if host in same}
    opened = opened_from(session.place, files, replace(answers, own=own), progress)
    _check_same(opened, session)
    return _told(_without_unfit(opened, progress), session, same)


def _check_same(opened: OpenFleet, session: FleetSession) -> None:
    for result in opened.results:
        if not isinstance(result, HostPlan) or result.host not in opened.answers.own:
            continue
        if result.digest != session.hosts[result.host].facts:
            raise InputError(f"{result.source}: was changed since it was read: run the command again")


def _without_unfit(opened: OpenFleet, progress: Callable[[int], Progress]) -> OpenFleet:
    """Without decisions that make no plan for one of the hosts that have them."""
    failed = {
        result.host: result.why
        for result in opened.results
        if isinstance(result, FailedHost) and result.host in opened.answers.own
    }
    unfit = [hosts for hosts in decided_alike(opened.answers.own) if not failed.keys().isdisjoint(hosts)]
    without = frozenset(host for hosts in unfit for host in hosts)
    if not without:
        return opened
    own = {host: row for host, row in opened.answers.own.items() if host not in without}
    files = [result.source for result in opened.results if result.host in without]
    again = with_answers(opened, files, replace(opened.answers, own=own), progress(len(files)))
    why = next(f"{host}: {text}" for host, text in failed.items())
    return replace(again, since=Since(unfit=tuple(sorted(without)), why_unfit=why))


def _told(opened: OpenFleet, session: FleetSession, same: frozenset[str]) -> OpenFleet:
    """With what no longer is as it was saved."""
    there = {result.host for result in opened.results}
    other = sorted(session.own.keys() - same)
    since = replace(
        opened.since,
        changed=tuple(host for host in other if host in there),
        gone=tuple(host for host in other if host not in there),
        new=tuple(sorted(opened.bases.keys() - session.hosts.keys())),
    )
    return replace(opened, since=since)
