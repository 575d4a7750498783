"""Where each change of a plan goes: the kernel, a drop-in, postgresql.auto.conf, or out of reach."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from tunewiz.bundle.cluster import cluster_of
from tunewiz.bundle.placement import Placed, PlacedHost, Placement
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.placed import OutOfReach
from tunewiz.core.planning.plan import Plan, actions_of
from tunewiz.core.recommendation.actions import Action, ByHand, HostAction, PgSetting, Sysctl, SysfsValue
from tunewiz.core.recommendation.cluster import Cluster, NoCluster
from tunewiz.core.recommendation.situation import NoServer, Situation
from tunewiz.core.values.known import Absent, Known
from tunewiz.core.words.finding import name_of
from tunewiz.kinds.setting import PlacedSetting, place_setting
from tunewiz.kinds.sysctl import PlacedSysctl, place_sysctl
from tunewiz.kinds.sysfs import PlacedChoice, place_choice


def placed(plan: Plan) -> Placement:
    """Every change where it belongs; raises BundleError for a name that no target can have."""
    cluster = cluster_of(_with_own_directory(plan.start))
    result = _without_lonely(
        tuple(change for finding in plan.changes for change in _placed(finding, plan.start, cluster))
    )
    return Placement(
        cluster=cluster,
        sysctls=tuple(change for change in result if isinstance(change, PlacedSysctl)),
        choices=tuple(change for change in result if isinstance(change, PlacedChoice)),
        host=tuple(change for change in result if isinstance(change, PlacedHost)),
        settings=tuple(change for change in result if isinstance(change, PlacedSetting)),
        out_of_reach=tuple(change for change in result if isinstance(change, OutOfReach)),
    )


def _with_own_directory(start: Situation) -> PostgresServer | NoServer:
    """A directory that the files of several servers include would give one's settings to all of them."""
    server = start.server
    if isinstance(server, NoServer):
        return server
    others = (
        postgres_server
        for postgres_server in start.facts.postgres
        if postgres_server.data_directory != server.data_directory
    )
    included = server.include_directory
    if isinstance(included, Known) and any(_includes(other, included.value) for other in others):
        return replace(server, include_directory=Absent(f"{included.value} is read by other servers too"))
    return server


def _includes(server: PostgresServer, directory: str) -> bool:
    return isinstance(server.include_directory, Known) and server.include_directory.value == directory


def _without_lonely(change: tuple[Placed, ...]) -> tuple[Placed, ...]:
    """A kernel change that was computed from a setting makes no sense where the setting is out of reach."""
    missing = {
        entry.finding.recommendation.id: name_of(entry.finding).short
        for entry in change
        if isinstance(entry, OutOfReach)
    }
    return tuple(_or_lonely(entry, missing) for entry in change)


def _or_lonely(change: Placed, missing: Mapping[str, str]) -> Placed:
    """Names by id of what the bundle does not reach."""
    after = change.finding.recommendation.after
    rests_on = [name for missed, name in sorted(missing.items()) if missed in after]
    if isinstance(change, PlacedSysctl | PlacedChoice) and rests_on:
        return OutOfReach(
            finding=change.finding,
            why=f"of no use without {', '.join(rests_on)}, which the bundle cannot set",
        )
    return change


def _placed(finding: Finding, start: Situation, cluster: Cluster | NoCluster) -> tuple[Placed, ...]:
    """All of a finding's actions, or that it is out of reach: half of one is none."""
    result = tuple(_one_placed(finding, action, start, cluster) for action in actions_of(finding, start))
    lost = tuple(change for change in result if isinstance(change, OutOfReach))
    return lost[:1] or result


def _one_placed(finding: Finding, action: Action, start: Situation, cluster: Cluster | NoCluster) -> Placed:
    match action:
        case Sysctl():
            return place_sysctl(finding, action, start)
        case SysfsValue():
            return place_choice(finding, action, start)
        case PgSetting():
            return place_setting(finding, action, start, cluster)
        case ByHand(subject=subject):
            return OutOfReach(finding=finding, why=f"{subject}: only a person can change it")
        case HostAction():
            return _host(finding, action, cluster)
        case _:
            assert_never(action)


def _host(finding: Finding, action: HostAction, cluster: Cluster | NoCluster) -> PlacedHost | OutOfReach:
    why = action.why_not
    if not why and action.needs_server and isinstance(cluster, NoCluster):
        why = cluster.why
    return OutOfReach(finding=finding, why=why) if why else PlacedHost(finding=finding, action=action)
