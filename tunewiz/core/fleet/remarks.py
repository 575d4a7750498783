"""Everything that a reviewer of a fleet is told, one remark each, with the file that it is about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from tunewiz.core.fleet.fleet import Fleet
from tunewiz.core.fleet.groups import HostGroup, drift_in
from tunewiz.core.fleet.history import FIRST, AgainstPlan, HostValueChange, SinceLast
from tunewiz.core.fleet.hosts import HostDecision, HostPlan
from tunewiz.core.recommendation.targets import Effect
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.record import dataclass
from tunewiz.core.words.finding import TAKES

Level: TypeAlias = Literal["error", "warning", "note"]
MOST_NAMES = 3
"""Most hosts to name; groups.json lists all."""
AGAINST_PLAN: dict[AgainstPlan, str] = {
    "off plan": "left the plan",
    "still off plan": "not as planned, before and now",
    "as planned": "as planned",
    "not planned": "nothing planned",
}
KINDS = {
    "policy-broken": "A plan does not obey a rule of the shop",
    "policy-expired": "A rule of the shop has expired",
    "policy-today": "A value in force does not keep a rule of the shop",
    "host-not-planned": "A host could not be planned",
    "answers-for-no-host": "Answers or rules are for no host",
    "value-changed": "A value has changed since the last collection",
    "value-unlike-group": "A value is not that of most hosts of its group",
    "change": "The plan changes a value",
    "advice": "The plan leaves something to a person",
}
"""What a remark can be about, the worst first."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Remark:
    """One thing to look at."""

    kind: str
    """One of `KINDS`."""
    level: Level
    text: str
    file: str
    line: int = 0
    """In that file; 0 for the file as a whole."""
    key: tuple[str, ...]
    """What stays the same when only figures change: whoever compares two reports knows it again."""


def remarks_of(fleet: Fleet, since: SinceLast = FIRST) -> tuple[Remark, ...]:
    """The worst first; the same fleet gives the same remarks."""
    hosts = {host.host: host for group in fleet.groups for host in group.hosts}
    result = (
        *_violations(fleet),
        *_against_today([hosts[name] for name in sorted(hosts)]),
        *_not_planned(fleet),
        *(_changed(change, hosts[change.host]) for change in since.drifted),
        *(remark for group in fleet.groups for remark in _unlike_group(group)),
        *(_decided(decision, group) for group in fleet.groups for decision in group.decisions),
    )
    order = list(KINDS)
    return tuple(sorted(result, key=lambda remark: order.index(remark.kind)))


def some_of(names: Sequence[str]) -> str:
    """A few names, and how many more there are."""
    rest = len(names) - MOST_NAMES
    text = ", ".join(names[:MOST_NAMES])
    return f"{text} and {how_many(rest, 'other')}" if rest > 0 else text


def of_hosts(values: Sequence[str]) -> str:
    """The different values of a group's hosts, in words.

    >>> of_hosts(["4GB"]), of_hosts(["1GB", "2GB"]), of_hosts(["1GB", "2GB", "4GB", "8GB"])
    ('4GB', '1GB or 2GB by host', '4 values by host')
    """
    if len(values) == 1:
        return values[0]
    if len(values) <= MOST_NAMES:
        return f"{', '.join(values[:-1])} or {values[-1]} by host"
    return f"{how_many(len(values), 'value')} by host"


def change_in_words(change: HostValueChange) -> str:
    """A value that changed, without its host."""
    return f"{change.name} was {change.before} and is {change.after}: {AGAINST_PLAN[change.against_plan]}"


def _violations(fleet: Fleet) -> Iterator[Remark]:
    for violation in fleet.violations:
        rule = violation.rule
        text = violation.text.removeprefix(f"{violation.file}: ")
        why = "" if violation.kind == "expired" else f"; the rule: {rule.reason} ({rule.owner})"
        yield Remark(
            kind=f"policy-{violation.kind}",
            level="error",
            text=f"{text}{why}",
            file=violation.file,
            line=violation.line,
            key=(rule.demands[0], rule.owner),
        )


def _against_today(hosts: Sequence[HostPlan]) -> Iterator[Remark]:
    against = defaultdict[str, list[tuple[HostPlan, str]]](list)
    for host in hosts:
        for demand, value in host.against:
            against[demand].append((host, value))
    for demand, broken in against.items():
        values = [f"{host.host} ({value})" for host, value in broken]
        text = f"{demand} is not kept today on {how_many(len(broken), 'host')}: {some_of(values)}"
        yield Remark(kind="policy-today", level="warning", text=text, file=broken[0][0].source, key=(demand,))


def _not_planned(fleet: Fleet) -> Iterator[Remark]:
    for failed in fleet.failed:
        yield Remark(
            kind="host-not-planned",
            level="error",
            text=f"{failed.host}: {failed.why}",
            file=failed.source,
            key=(failed.host,),
        )
    for message in fleet.messages:
        file, _, text = message.partition(": ")
        yield Remark(kind="answers-for-no-host", level="warning", text=text, file=file, key=(message,))


def _changed(change: HostValueChange, host: HostPlan) -> Remark:
    text = f"{change.host}: {change_in_words(change)}"
    key = (change.host, change.name)
    return Remark(kind="value-changed", level="warning", text=text, file=host.source, key=key)


def _unlike_group(group: HostGroup) -> Iterator[Remark]:
    sources = {host.host: host.source for host in group.hosts}
    for drift in drift_in(group):
        yield Remark(
            kind="value-unlike-group",
            level="warning",
            text=f"{drift.host}: {drift.name} is {drift.found}; "
            f"{float(drift.share):.0%} of its group has {drift.most}",
            file=sources[drift.host],
            key=(drift.host, drift.name),
        )


def _decided(decision: HostDecision, group: HostGroup) -> Remark:
    names = some_of([host.host for host in group.hosts])
    today, then = of_hosts(group.today(decision)), of_hosts(group.values(decision))
    decided = f"; {decision.decided}" if decision.decided else ""
    return Remark(
        kind="change" if decision.state == "change" else "advice",
        level="note",
        text=f"{decision.name}: {today} -> {then} ({TAKES[Effect(decision.takes)]}) on "
        f"{how_many(len(group.hosts), 'host')}: {names}{decided}",
        file=group.hosts[0].source,
        key=(decision.id, group.major, group.hosts[0].host),
    )
