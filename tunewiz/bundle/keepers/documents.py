"""The patches or variables for an operator or autobase, and their undo, as data for YAML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias, TypeGuard

from tunewiz.core.keepers.handover import Handover
from tunewiz.core.keepers.members import LocalSettings
from tunewiz.core.keepers.resources import NoResources, Resources
from tunewiz.core.planning.placed import NOT_KNOWN
from tunewiz.core.planning.plan import Plan
from tunewiz.core.values.known import known_or
from tunewiz.kinds.sysctl import PlacedSysctl

Document: TypeAlias = Mapping[str, object]
CLUSTER_NAME = "cluster_name"


def cluster_of(plan: Plan) -> str:
    """The name of the cluster, to which operators set cluster_name; empty if the facts lack it."""
    live_setting = plan.start.live_settings.get(CLUSTER_NAME)
    return "" if live_setting is None else live_setting.value


def parameters(handed: Handover) -> Document:
    """Settings as the keeper expects them: numbers as numbers, if it accepts those."""
    return {setting.name: written(setting.text, numbers=handed.rules.numbers) for setting in handed.settings}


def parameters_before(handed: Handover) -> Document:
    """The same before the plan; null removes a setting."""
    numbers = handed.rules.numbers
    return {
        setting.name: written(setting.was, numbers=numbers) if setting.was else None
        for setting in handed.settings
    }


def written(text: str, *, numbers: bool) -> str | int:
    """A value as it stands in the document."""
    return int(text) if numbers and text.isascii() and text.isdigit() else text


def patch(handed: Handover, resources: Resources | NoResources) -> Document:
    """A merge patch of the operator's resource."""
    rules = handed.rules
    document = _head(handed)
    _put_major(document, handed)
    _put(document, rules.path, parameters(handed))
    if handed.libraries:
        _put(document, rules.libraries.path, list(handed.libraries))
    if isinstance(resources, Resources) and rules.manifest.resources:
        _put(document, rules.manifest.resources, requests_and_limits(resources))
    return document


def undo(handed: Handover) -> Document:
    """The merge patch that undoes it: what the facts say was set, otherwise null.

    Requests and limits stay: the limits were the same before, and facts do not include requests.
    """
    rules = handed.rules
    document = _head(handed)
    _put_major(document, handed)
    _put(document, rules.path, parameters_before(handed))
    if handed.libraries:
        _put(document, rules.libraries.path, list(handed.libraries_before) or None)
    return document


def resources_alone(handed: Handover, resources: Resources) -> Document:
    """A merge patch of the requests and limits; where they are in a list, what belongs in its entry."""
    document = _head(handed) if handed.rules.manifest.resources else dict[str, object]()
    _put(document, handed.rules.manifest.resources or ("resources",), requests_and_limits(resources))
    return document


def resources_back(handed: Handover, resources: Resources, before: Resources | NoResources) -> Document:
    """The merge patch back to what they were without huge pages."""
    former: Document = before.quantities if isinstance(before, Resources) else {}
    results = {name: former.get(name) for name in resources.quantities}
    document = _head(handed) if handed.rules.manifest.resources else dict[str, object]()
    _put(
        document, handed.rules.manifest.resources or ("resources",), {"requests": results, "limits": results}
    )
    return document


def requests_and_limits(resources: Resources) -> Document:
    """Requests and limits alike: initdb is killed if it uses huge pages that were not requested."""
    return {"requests": dict(resources.quantities), "limits": dict(resources.quantities)}


def _head(handed: Handover) -> dict[str, object]:
    return {"apiVersion": handed.rules.manifest.api, "kind": handed.rules.manifest.kind}


def _put_major(document: dict[str, object], handed: Handover) -> None:
    """The major that was planned for, where the resource names it: another one's refuses the patch."""
    if handed.rules.manifest.major:
        _put(document, handed.rules.manifest.major, handed.major)


def _put(document: dict[str, object], path: Sequence[str], value: object) -> None:
    """Sets the value at a path, making the mappings on the way."""
    key, *rest = path
    if not rest:
        document[key] = value
        return
    below = document.setdefault(key, {})
    if not _is_branch(below):
        raise TypeError(f"{key} is not a mapping")
    _put(below, rest, value)


def _is_branch(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)


def variables(handed: Handover, sysctls: Sequence[PlacedSysctl]) -> Document:
    """The variables of autobase: lists of options, and the kernel settings of the database servers."""
    return {
        "postgresql_parameters": _options(parameters(handed)),
        "local_postgresql_parameters": [],
        **_sysctl_conf([(sysctl.name, sysctl.value) for sysctl in sysctls]),
        "pending_restart": handed.restart,
    }


def variables_before(handed: Handover, sysctls: Sequence[PlacedSysctl]) -> Document:
    """The same before the plan; autobase removes a setting whose value is the text `null`."""
    before = {name: "null" if value is None else value for name, value in parameters_before(handed).items()}
    known = [(sysctl.name, sysctl.before) for sysctl in sysctls if sysctl.before != NOT_KNOWN]
    return {
        "postgresql_parameters": _options(before),
        "local_postgresql_parameters": [],
        **_sysctl_conf(known),
        "pending_restart": handed.restart,
    }


def local_part(local: LocalSettings, *, autobase: bool) -> Document:
    """What belongs in one member's own file, or in its own variables."""
    settings = {setting.name: written(setting.text, numbers=True) for setting in local.settings}
    if autobase:
        return {"local_postgresql_parameters": _options(settings)}
    return {"postgresql": {"parameters": settings}}


def _options(settings: Document) -> list[Document]:
    return [{"option": name, "value": value} for name, value in settings.items()]


def _sysctl_conf(values: Sequence[tuple[str, str]]) -> Document:
    if not values:
        return {}
    entries = [{"name": name, "value": value} for name, value in values]
    return {"sysctl_set": True, "sysctl_conf": {"postgres_cluster": entries}}


def tuned_object(count: int, kilobytes: int, host: str) -> Document:
    """OpenShift's Tuned object: huge pages from the boot on, on nodes of a pool with a label of its own."""
    size = f"{kilobytes // 1024}M" if kilobytes % 1024 == 0 else f"{kilobytes}K"
    lines = (
        "[main]",
        "summary=Huge pages for PostgreSQL",
        "include=openshift-node",
        "[bootloader]",
        f"cmdline_tunewiz_hugepages=hugepagesz={size} hugepages={count}",
    )
    name = "tunewiz-hugepages"
    return {
        "apiVersion": "tuned.openshift.io/v1",
        "kind": "Tuned",
        "metadata": {
            "name": name,
            "namespace": "openshift-cluster-node-tuning-operator",
            "annotations": {"planned-for": host},
        },
        "spec": {
            "profile": [{"name": name, "data": "".join(f"{line}\n" for line in lines)}],
            "recommend": [
                {
                    "machineConfigLabels": {"machineconfiguration.openshift.io/role": "worker-hp"},
                    "priority": 30,
                    "profile": name,
                }
            ],
        },
    }


def host_of(plan: Plan) -> str:
    """The planned host, by name."""
    return known_or(plan.start.facts.host.name, "")
