"""Where each change of a plan goes: the kernel, a drop-in, postgresql.auto.conf, or out of reach."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import PurePosixPath
from typing import assert_never

from tunewiz.bundle.cluster import cluster_of
from tunewiz.bundle.placement import (
    NOT_KNOWN,
    OutOfReach,
    Placed,
    PlacedChoice,
    PlacedHost,
    PlacedSetting,
    PlacedSysctl,
    Placement,
)
from tunewiz.core.facts.server import PostgresServer, Setting
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan, actions_of
from tunewiz.core.recommendation.actions import Action, ByHand, HostAction, PgSetting, Sysctl, SysfsValue
from tunewiz.core.recommendation.cluster import Cluster, NoCluster
from tunewiz.core.recommendation.situation import NoServer, Situation
from tunewiz.core.recommendation.targets import Effect, SysctlTarget
from tunewiz.core.server.huge_page_pool import neighbours_pages
from tunewiz.core.server.shared_memory import SHARED_FLOOR
from tunewiz.core.values.errors import BundleError
from tunewiz.core.values.known import Absent, Fact, Known, known_or
from tunewiz.core.values.pg_settings import SettingError, SettingInfo

PAGES_UNIT = 1000 * 1024
"""Bytes in the unit in which the scripts compare memory: thousands of kB, so that 32-bit shells can."""

_NOT_SET_BY_ANYONE = ("default", "override")
_SETTING_NAME = re.compile(r"[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?")
_SYSCTL_NAME = re.compile(r"[a-z0-9_]+(\.[a-z0-9_-]+)+")
_SYSFS_PATH = re.compile(r"/sys(/[A-Za-z0-9_:-][A-Za-z0-9_.:-]*)+")
_WORD = re.compile(r"[A-Za-z0-9_+.-]+")


def placed(plan: Plan) -> Placement:
    """Every change where it belongs; raises BundleError for a name that no target can have."""
    cluster = cluster_of(_with_own_directory(plan.start))
    found = _without_lonely(
        tuple(each for finding in plan.changes for each in _placed(finding, plan.start, cluster))
    )
    return Placement(
        cluster=cluster,
        sysctls=tuple(each for each in found if isinstance(each, PlacedSysctl)),
        choices=tuple(each for each in found if isinstance(each, PlacedChoice)),
        host=tuple(each for each in found if isinstance(each, PlacedHost)),
        settings=tuple(each for each in found if isinstance(each, PlacedSetting)),
        out_of_reach=tuple(each for each in found if isinstance(each, OutOfReach)),
    )


def _with_own_directory(start: Situation) -> PostgresServer | NoServer:
    """A directory that the files of several servers include would give one's settings to all of them."""
    server = start.server
    if isinstance(server, NoServer):
        return server
    others = (each for each in start.facts.postgres if each.data_directory != server.data_directory)
    included = server.include_directory
    if isinstance(included, Known) and any(_includes(each, included.value) for each in others):
        return replace(server, include_directory=Absent(f"{included.value} is read by other servers too"))
    return server


def _includes(server: PostgresServer, directory: str) -> bool:
    return isinstance(server.include_directory, Known) and server.include_directory.value == directory


def _without_lonely(found: tuple[Placed, ...]) -> tuple[Placed, ...]:
    """A kernel change that was computed from a setting makes no sense where the setting is out of reach."""
    missing = {each.finding.recommendation.id for each in found if isinstance(each, OutOfReach)}
    return tuple(_or_lonely(each, missing) for each in found)


def _or_lonely(each: Placed, missing: set[str]) -> Placed:
    rests_on = sorted(missing.intersection(each.finding.recommendation.after))
    if isinstance(each, PlacedSysctl | PlacedChoice) and rests_on:
        return OutOfReach(
            finding=each.finding, why=f"of no use without {', '.join(rests_on)}, which it cannot set"
        )
    return each


def _placed(finding: Finding, start: Situation, cluster: Cluster | NoCluster) -> tuple[Placed, ...]:
    """All of a finding's actions, or that it is out of reach: half of one is none."""
    found = tuple(_one_placed(finding, action, start, cluster) for action in actions_of(finding, start))
    lost = tuple(each for each in found if isinstance(each, OutOfReach))
    return lost[:1] or found


def _one_placed(finding: Finding, action: Action, start: Situation, cluster: Cluster | NoCluster) -> Placed:
    match action:
        case Sysctl():
            return _sysctl(finding, action, start)
        case SysfsValue():
            return _choice(finding, action, start)
        case PgSetting():
            return _setting(finding, action, start, cluster)
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


def _sysctl(finding: Finding, action: Sysctl, start: Situation) -> PlacedSysctl:
    _expect(_SYSCTL_NAME, action.name, "a kernel setting")
    if action.twin:
        _expect(_SYSCTL_NAME, action.twin, "a kernel setting")
    before = _word(start.kernel(action.name))
    return PlacedSysctl(
        finding=finding,
        name=action.name,
        value=str(action.value),
        before=before,
        twin=action.twin,
        twin_before=_word(start.kernel(action.twin)) if action.twin else "",
        memory=_memory(finding, action.value, before, start),
        own_pages=_own_pages(finding, action.value, start),
    )


def _memory(finding: Finding, value: int, before: str, start: Situation) -> str:
    target = finding.recommendation.target
    size = start.facts.memory.huge_page_size
    if not isinstance(target, SysctlTarget) or target.unit != "huge pages" or not isinstance(size, Known):
        return ""
    more = value - (int(before) if before.isdigit() else 0)
    return str(-(-more * size.value.count // PAGES_UNIT)) if more > 0 else ""


def _own_pages(finding: Finding, value: int, start: Situation) -> tuple[str, ...]:
    target = finding.recommendation.target
    size = start.facts.memory.huge_page_size
    if not isinstance(target, SysctlTarget) or target.unit != "huge pages" or not isinstance(size, Known):
        return ()
    return (str(max(0, value - neighbours_pages(start, size.value, SHARED_FLOOR))),)


def _choice(finding: Finding, action: SysfsValue, start: Situation) -> PlacedChoice:
    _expect(_SYSFS_PATH, action.path, "a path under /sys")
    _expect(_WORD, action.value, "a word")
    target = finding.recommendation.target
    return PlacedChoice(
        finding=finding,
        path=action.path,
        fact=target.fact if target.kind == "sysfs" else "",
        value=action.value,
        before=known_or(start.current(target), NOT_KNOWN),
    )


def _word(fact: Fact[int | str]) -> str:
    return str(fact.value) if isinstance(fact, Known) else NOT_KNOWN


def _setting(
    finding: Finding, action: PgSetting, start: Situation, cluster: Cluster | NoCluster
) -> PlacedSetting | OutOfReach:
    _expect(_SETTING_NAME, action.name, "a setting of PostgreSQL")
    if isinstance(cluster, NoCluster):
        return OutOfReach(finding=finding, why=cluster.why)
    live = start.live_settings.get(action.name)
    if live is not None and live.source == "command line":
        return OutOfReach(
            finding=finding, why="it stands on the server's command line, which wins over every file"
        )
    if _is_set_by_alter_system(live) and not cluster.alter_system:
        why = "it was set with ALTER SYSTEM, which wins over files and is forbidden now (allow_alter_system)"
        return OutOfReach(finding=finding, why=why)
    info = start.settings[action.name]
    before = NOT_KNOWN if live is None else _in_own_unit(info, live.value)
    nobody_set_it = live is not None and live.source in _NOT_SET_BY_ANYONE
    return PlacedSetting(
        finding=finding,
        name=action.name,
        text=action.value,
        where="auto" if _is_set_by_alter_system(live) or not cluster.drop_in else "dropin",
        effect="restart" if finding.takes_effect is Effect.RESTART else "reload",
        value=info.canonical(action.value),
        before=before,
        before_in_files=info.canonical(info.default) if nobody_set_it else before,
    )


def _in_own_unit(info: SettingInfo, found: str) -> str:
    """A server may be built with choices that are not known here: they are compared as they are."""
    try:
        return info.canonical(found)
    except SettingError:
        return found


def _is_set_by_alter_system(live: Setting | None) -> bool:
    """Such a line wins over every drop-in: the change must be made where it stands."""
    if live is None or live.sourcefile is None:
        return False
    return PurePosixPath(live.sourcefile).name.partition(":")[0] == "postgresql.auto.conf"


def _expect(form: re.Pattern[str], text: str, what: str) -> None:
    if form.fullmatch(text) is None:
        raise BundleError(f"expected {what}, found {text!r}")
