"""Settings managed elsewhere: a change in the files would be undone, so the plan says where to make it.

Patroni and Kubernetes operators rewrite a server's files; a sysctl.d or tmpfiles.d file that overrides
ours resets a value at the next boot; so does tuned when it applies its profile.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from tunewiz.core.facts.owners import Rival
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.kernel.tuned_profiles import to_include
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.target_words import value_in_words
from tunewiz.core.recommendation.targets import PgTarget, SysctlTarget, SysfsTarget, Target
from tunewiz.core.recommendation.verdicts import Advice, Declined, Proposal, Verdict
from tunewiz.core.values.known import Known, known_or

Keeper: TypeAlias = str
"""What manages a server's configuration, by name; empty if only its administrators do."""

CHILD = "tunewiz"
"""The tuned profile that an administrator should create."""
_OURS = {"sysctl.d": "is read after 90-tunewiz.conf", "tmpfiles.d": "is read before tunewiz.conf and wins"}
_OF_CLUSTER = {
    "CloudNativePG": ("cluster", ("spec", "postgresql", "parameters")),
    "Zalando Postgres Operator": ("postgresql", ("spec", "postgresql", "parameters")),
    "Crunchy Postgres for Kubernetes": ("postgrescluster", ("spec", "config", "parameters")),
    "Percona Operator for PostgreSQL": (
        "perconapgcluster",
        ("spec", "patroni", "dynamicConfiguration", "postgresql", "parameters"),
    ),
    "StackGres": ("sgpgconfig", ("spec", "postgresql.conf")),
}
"""The resource and the place in it where each operator takes settings from."""
_KEPT = "{} manages this server's settings and would overwrite its files: "
_IN_VM_SECTION = frozenset(
    {"vm.dirty_bytes", "vm.dirty_ratio", "vm.dirty_background_bytes", "vm.dirty_background_ratio"}
)
"""What the [vm] section of a profile writes itself; the rest goes into [sysctl]."""


def keeper_of(situation: Situation) -> Keeper:
    """What manages the configuration of the planned server."""
    if not isinstance(situation.server, PostgresServer):
        return ""
    operator = known_or(situation.facts.owners.operator, "")
    return operator or ("Patroni" if situation.server.owner == "patroni" else "")


def reason_apart(because: str, situation: Situation) -> str:
    """The reason for a value, without the words about who manages it."""
    return because.removeprefix(_KEPT.format(keeper_of(situation)))


def rival_of(target: Target, situation: Situation) -> Rival | None:
    """The line that overrides a bundle's, for the setting or for its twin."""
    match target:
        case SysctlTarget(name=name, twin=twin):
            names = {name, twin}
        case SysfsTarget(name=name):
            names = {name}
        case _:
            return None
    return next((rival for rival in known_or(situation.facts.owners.rivals, ()) if rival.name in names), None)


def left_to_owner(
    target: Target, verdict: Verdict, situation: Situation, *, restart: bool, assumed: bool
) -> Verdict:
    """The verdict on a proposal if the setting is managed elsewhere.

    Args:
        target: What would be set.
        verdict: What was decided; only proposals are touched.
        situation: The machine and the server.
        restart: Whether the server must be restarted for it.
        assumed: Whether the plan assumes that the value will be set.
    """
    if not isinstance(verdict, Proposal):
        return verdict
    keeper, rival = keeper_of(situation), rival_of(target, situation)
    if isinstance(target, PgTarget) and keeper:
        return _for_keeper(keeper, target.name, verdict, situation, restart=restart, assumed=assumed)
    if rival is None:
        return verdict
    if rival.keeper == "tuned":
        return _for_tuned(target, rival, verdict, situation, assumed=assumed)
    return Declined(
        because=f"{rival.place} sets {rival.name} = {rival.value} and {_OURS[rival.keeper]}: "
        f"remove that line and plan again; it would be {value_in_words(target, verdict.value)}"
    )


def rests_on_advice(
    settings: tuple[str, ...], target: Target, verdict: Proposal, situation: Situation
) -> Declined:
    """A kernel setting computed from settings that are managed elsewhere and not yet set there."""
    return Declined(
        because=f"it was computed from {', '.join(settings)}, which {keeper_of(situation)} manages: "
        f"plan again once that is in force; it would be {value_in_words(target, verdict.value)}"
    )


def _for_keeper(
    keeper: Keeper, name: str, verdict: Proposal, situation: Situation, *, restart: bool, assumed: bool
) -> Advice:
    before = _set_before(name, situation)
    if keeper == "KubeBlocks":
        former = situation.in_force(name) if before is None else before
        steps, undo = _request(name, verdict.value), _request(name, former)
    elif keeper in _OF_CLUSTER:
        steps, undo = _manifest(keeper, name, verdict.value), _manifest(keeper, name, before)
    else:
        steps, undo = _patroni(name, verdict.value), _patroni(name, before)
    restarts = _restarts(keeper) if restart else ()
    return Advice(
        because=f"{_KEPT.format(keeper)}{verdict.because}",
        steps=(*steps, *restarts),
        undo=(*undo, *restarts),
        computed=verdict.computed,
        value=verdict.value,
        assumed=assumed,
    )


def _set_before(name: str, situation: Situation) -> str | None:
    """The value that was set; None if it is the default."""
    live, fact = situation.live_settings.get(name), situation.setting(name)
    is_set = live is not None and live.is_set
    return fact.value if is_set and isinstance(fact, Known) else None


def _patroni(name: str, value: str | None) -> tuple[str, ...]:
    assignment = shlex.quote(f"{name}={'null' if value is None else value}")
    in_yaml = "null" if value is None else json.dumps(value)
    return (
        f"patronictl edit-config --pg {assignment}",
        f"or in its YAML: postgresql: {{parameters: {{{name}: {in_yaml}}}}}",
    )


def _restarts(keeper: Keeper) -> tuple[str, ...]:
    if keeper == "Patroni":
        return ("patronictl restart CLUSTER --pending",)
    if keeper == "StackGres":
        return ("restart the cluster: create an SGDbOps with op: restart",)
    return (f"wait until {keeper} has restarted the servers",)


def _manifest(keeper: Keeper, name: str, value: str | None) -> tuple[str, ...]:
    resource, path = _OF_CLUSTER[keeper]
    patch: object = {name: value}
    for key in reversed(path):
        patch = {key: patch}
    document = json.dumps(patch, separators=(",", ":"))
    return (
        f"in the manifest of the {resource}, {'.'.join(path)}: "
        + (f"{name}: {json.dumps(value)}" if value is not None else f"take {name} away"),
        f"or at once: kubectl patch {resource} NAME --type merge -p {shlex.quote(document)}",
    )


def _request(name: str, value: str) -> tuple[str, ...]:
    """KubeBlocks takes orders: nothing that it was given is taken away again, only set anew."""
    where = "in an OpsRequest of type Reconfiguring, for the component postgresql"
    return (f"{where}: key: {name}, value: {json.dumps(value)}",)


def _for_tuned(
    target: Target, rival: Rival, verdict: Proposal, situation: Situation, *, assumed: bool
) -> Advice:
    section, option = _of_profile(target)
    profile = known_or(situation.facts.owners.tuned, "")
    lines = [f"{option}={verdict.value}"]
    if isinstance(target, SysctlTarget) and rival.name == target.twin:
        lines.append(f"drop={_of_profile(SysctlTarget(name=target.twin))[1]}")
    return Advice(
        because=f"tuned writes {rival.name} = {rival.value} over it ({rival.place}): {verdict.because}",
        steps=child_profile(to_include(situation), {section: lines}),
        undo=(f"tuned-adm profile {profile}",),
        computed=verdict.computed,
        value=verdict.value,
        assumed=assumed,
    )


def _of_profile(target: Target) -> tuple[str, str]:
    """Section and option in which a profile of tuned has a setting."""
    match target:
        case SysctlTarget(name=name) if name in _IN_VM_SECTION:
            return "vm", name.removeprefix("vm.")
        case SysctlTarget(name=name):
            return "sysctl", name
        case SysfsTarget(fact="thp.enabled"):
            return "vm", "transparent_hugepages"
        case _:
            return "sysfs", target.name


def profile_lines(wanted: Iterable[tuple[Target, str]]) -> Mapping[str, list[str]]:
    """Lines of a profile by section; what has no value is left out."""
    sections = dict[str, list[str]]()
    for target, value in wanted:
        section, option = _of_profile(target)
        if value:
            sections.setdefault(section, []).append(f"{option}={value}")
    return sections


def child_profile(profile: str, sections: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """How to have tuned write other values: with a custom profile that includes the active one."""
    file = f"/etc/tuned/{CHILD}/tuned.conf"
    added = [f"in {file}, under [{section}]: {', '.join(lines)}" for section, lines in sections.items()]
    if CHILD in profile.split():
        return (*added, f"tuned-adm profile {shlex.quote(profile)}")
    begin = f"make {file} begin with the lines [main] and include={','.join(profile.split())}"
    return (begin, *added, f"tuned-adm profile {CHILD}")
