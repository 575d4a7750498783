"""Reads inventories in JSON: of `ansible-inventory --list`, `kubectl get pods` and `patronictl list`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from tunewiz.core.fleet.labels import CLUSTER, GROUP, ROLE, InventoryHost
from tunewiz.core.values.errors import InputError
from tunewiz.formats import json as strict_json
from tunewiz.formats.ansible_inventory import AnsibleInventory
from tunewiz.formats.mismatch import shown
from tunewiz.formats.structure import is_list, is_table

META = "_meta"
_UNSAFE = "__ansible_unsafe"
"""The key under which Ansible writes a text that is no template."""
NAMESPACE = "namespace"
_ROLE_LABELS = ("cnpg.io/instanceRole", "postgres-operator.crunchydata.com/role", "spilo-role", ROLE)
"""CloudNativePG; Crunchy's and Percona's operators; Zalando's; Patroni, StackGres and older CloudNativePG."""
_CLUSTER_LABELS = (
    "cnpg.io/cluster",
    "postgres-operator.crunchydata.com/cluster",
    "cluster-name",
    "stackgres.io/cluster-name",
    CLUSTER,
)
"""Those of operators go before a label that anybody may have meant otherwise."""
_ROLES: Mapping[str, str] = {
    **dict.fromkeys(("primary", "master", "leader"), "primary"),
    **dict.fromkeys(
        ("standby", "replica", "sync_standby", "quorum_standby", "standby_leader", ""), "standby"
    ),
}
"""As Patroni and operators write them, in small letters; before 2.0, `patronictl` left a replica's out."""


def kind_of(document: object) -> str:
    """Which of the three this is: ansible, pods or patroni; empty if none."""
    if is_list(document):
        return "patroni"
    if not is_table(document):
        return ""
    return "pods" if "kind" in document and "apiVersion" in document else "ansible"


def read_documents(text: str, where: str) -> object:
    """The data of a JSON text; `patronictl` writes a list for each cluster, here they are one."""
    if not text.lstrip().startswith("["):
        return strict_json.loads(text, where)
    decoder, members, rest = json.JSONDecoder(), list[object](), text.strip()
    try:
        while rest:
            document, end = decoder.raw_decode(rest)
            members += document if is_list(document) else [document]
            rest = rest[end:].lstrip()
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: not valid JSON: {error}") from error
    return members


def read_ansible(document: object, where: str, inventory: AnsibleInventory) -> None:
    """Add what `ansible-inventory --list` wrote, or an inventory script in the same form."""
    for name, group in _table(document, where).items():
        if name != META:
            _read_group(name, group, f"{where}: {name}", inventory)
    meta = _table(_table(document, where).get(META, {}), f"{where}: {META}")
    for name, variables in _table(meta.get("hostvars", {}), f"{where}: {META}.hostvars").items():
        at = f"{where}: {META}.hostvars.{name}"
        inventory.set_host_variables(name, _variables(variables, at))


def _read_group(name: str, group: object, at: str, inventory: AnsibleInventory) -> None:
    """A group is a table, in the form of old scripts a list of its hosts."""
    inventory.add_group(name)
    table = _group_table(group, at)
    for host in _names(table.get("hosts", []), f"{at}.hosts"):
        inventory.add_host(host, name, {})
    for child in _names(table.get("children", []), f"{at}.children"):
        inventory.add_group(child)
        inventory.add_child(name, child)
    for variable, value in _variables(table.get("vars", {}), f"{at}.vars").items():
        inventory.set_variable(name, variable, value)


def _group_table(group: object, at: str) -> Mapping[str, object]:
    if is_list(group):
        return {"hosts": group}
    if is_table(group):
        return group
    raise InputError(
        f"{at}: found {shown(group)}, expected a group of hosts",
        "Inventories in JSON are what `ansible-inventory --list`, `kubectl get pods -o json` or "
        "`patronictl list -f json` writes.",
    )


def _variables(value: object, at: str) -> Mapping[str, object]:
    return {
        name: variable[_UNSAFE] if is_table(variable) and _UNSAFE in variable else variable
        for name, variable in _table(value, at).items()
    }


def _table(value: object, at: str) -> Mapping[str, object]:
    if not is_table(value):
        raise InputError(f"{at}: found {shown(value)}, expected keys and values")
    return value


def _names(value: object, at: str) -> Sequence[str]:
    if not is_list(value):
        raise InputError(f"{at}: found {shown(value)}, expected a list of names")
    return [_text(entry, f"{at}.{number}") for number, entry in enumerate(value)]


def _text(value: object, at: str) -> str:
    if not isinstance(value, str):
        raise InputError(f"{at}: found {shown(value)}, expected text")
    return value


def read_pods(document: object, where: str) -> Iterator[InventoryHost]:
    """The pods of `kubectl get pods -o json`, with their labels."""
    table = _table(document, where)
    items = table.get("items", [table])
    if not is_list(items):
        raise InputError(f"{where}: items: found {shown(items)}, expected a list of pods")
    for number, item in enumerate(items):
        at = f"{where}: items.{number}"
        pod = _table(item, at)
        if pod.get("kind", "Pod") != "Pod":
            raise InputError(
                f"{at}: found {shown(pod['kind'])}, expected pods",
                "Write them with: kubectl get pods -o json > pods.json",
            )
        metadata = _table(pod.get("metadata"), f"{at}.metadata")
        labels = {
            name: _text(value, f"{at}.metadata.labels.{name}")
            for name, value in _table(metadata.get("labels") or {}, f"{at}.metadata.labels").items()
        }
        namespace = _text(metadata.get("namespace", "default"), f"{at}.metadata.namespace")
        yield InventoryHost(
            name=_text(metadata.get("name"), f"{at}.metadata.name"),
            where=where,
            labels=_pod_labels({**labels, NAMESPACE: namespace}),
        )


def _pod_labels(labels: Mapping[str, str]) -> Mapping[str, tuple[str, ...]]:
    """All of them as they are, and from those of the operators the role and the cluster."""
    typed = [labels[name] for name in _ROLE_LABELS if labels.get(name)]
    roles = dict.fromkeys(_ROLES[role] for role in typed if role in _ROLES)
    clusters = [labels[name] for name in _CLUSTER_LABELS if labels.get(name)]
    derived = {ROLE: tuple(roles), CLUSTER: tuple(clusters[:1])}
    plain = {name: (value,) for name, value in labels.items() if name not in {ROLE, CLUSTER, GROUP}}
    return {**plain, **{name: values for name, values in derived.items() if values}}


def read_members(document: object, where: str) -> Iterator[InventoryHost]:
    """The members of `patronictl list -f json`, with their roles and their cluster."""
    if not is_list(document):
        raise InputError(f"{where}: found {shown(document)}, expected a list of members")
    for number, entry in enumerate(document):
        at = f"{where}: {number}"
        member = _table(entry, at)
        if "Member" not in member:
            raise InputError(
                f"{at}: found no Member, expected a list of members as patronictl writes it",
                "Write it with: patronictl list -f json > patroni.json",
            )
        typed = _text(member.get("Role", ""), f"{at}.Role")
        role = _ROLES.get(typed.lower().replace(" ", "_"))
        if role is None:
            raise InputError(f"{at}.Role: found {shown(typed)}, expected Leader, Replica or Sync Standby")
        cluster = _text(member.get("Cluster", ""), f"{at}.Cluster")
        yield InventoryHost(
            name=_text(member["Member"], f"{at}.Member"),
            where=where,
            labels={ROLE: (role,), **({CLUSTER: (cluster,)} if cluster else {})},
        )
