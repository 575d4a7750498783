"""What Ansible, Kubernetes and Patroni list as JSON: roles and labels, and errors with their place."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunewiz.core.fleet.labels import InventoryHost
from tunewiz.core.values.errors import InputError
from tunewiz.formats.ansible_inventory import AnsibleInventory
from tunewiz.formats.inventory_documents import (
    kind_of,
    read_ansible,
    read_documents,
    read_members,
    read_pods,
)


def pod(name: str, labels: dict[str, str] | None, namespace: str = "prod") -> dict[str, object]:
    metadata = {"name": name, "namespace": namespace, "labels": labels}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata}


def pods_of(*pods: object) -> list[InventoryHost]:
    return [*read_pods({"apiVersion": "v1", "kind": "List", "items": [*pods]}, "pods.json")]


def member(role: object, **more: object) -> dict[str, object]:
    return {
        "Cluster": "orders",
        "Member": "db1",
        "Host": "10.0.0.1",
        "Role": role,
        "State": "running",
        **more,
    }


@pytest.mark.parametrize(
    ("labels", "role", "cluster"),
    [
        ({"cnpg.io/instanceRole": "primary", "role": "primary", "cnpg.io/cluster": "o"}, "primary", "o"),
        ({"cnpg.io/instanceRole": "replica", "cnpg.io/cluster": "o"}, "standby", "o"),
        ({"application": "spilo", "spilo-role": "master", "cluster-name": "o"}, "primary", "o"),
        ({"application": "spilo", "spilo-role": "replica", "cluster-name": "o"}, "standby", "o"),
        ({"postgres-operator.crunchydata.com/role": "master"}, "primary", ""),
        ({"postgres-operator.crunchydata.com/role": "replica"}, "standby", ""),
        ({"application": "patroni", "role": "sync_standby", "cluster-name": "o"}, "standby", "o"),
        ({"role": "frontend"}, "", ""),
        ({"cluster": "eu", "cnpg.io/cluster": "o"}, "", "o"),
        ({"cluster": "eu"}, "", "eu"),
        ({"spilo-role": ""}, "", ""),
        ({}, "", ""),
    ],
)
def test_a_pod_has_the_role_that_its_operator_gives_it(
    labels: dict[str, str], role: str, cluster: str
) -> None:
    (host,) = pods_of(pod("o-1", labels))
    assert host.labels.get("role", ()) == ((role,) if role else ())
    assert host.labels.get("cluster", ()) == ((cluster,) if cluster else ())


def test_all_labels_of_a_pod_are_kept_and_its_namespace() -> None:
    (host,) = pods_of(pod("o-1", {"environment": "staging", "team": "shop"}))
    assert host == InventoryHost(
        name="o-1",
        where="pods.json",
        labels={"environment": ("staging",), "team": ("shop",), "namespace": ("prod",)},
    )


def test_a_pod_without_labels_and_one_pod_alone_are_read() -> None:
    assert [host.name for host in pods_of(pod("o-1", None))] == ["o-1"]
    assert [host.name for host in read_pods(pod("o-2", {}), "pod.json")] == ["o-2"]


def test_two_roles_of_a_pod_are_both_kept_for_whoever_asks() -> None:
    (host,) = pods_of(pod("o-1", {"cnpg.io/instanceRole": "primary", "role": "replica"}))
    assert host.labels["role"] == ("primary", "standby")


@pytest.mark.parametrize(
    ("typed", "role"),
    [
        ("Leader", "primary"),
        ("Replica", "standby"),
        ("Sync Standby", "standby"),
        ("Quorum Standby", "standby"),
        ("Standby Leader", "standby"),
        ("", "standby"),
    ],
)
def test_a_member_has_the_role_that_patroni_gives_it(typed: str, role: str) -> None:
    (host,) = read_members([member(typed)], "patroni.json")
    assert host == InventoryHost(
        name="db1", where="patroni.json", labels={"role": (role,), "cluster": ("orders",)}
    )


def test_clusters_that_are_listed_one_after_another_are_read_together() -> None:
    text = json.dumps([member("Leader")]) + "\n" + json.dumps([member("Replica", Member="db2")]) + "\n"
    document = read_documents(text, "patroni.json")
    assert [host.name for host in read_members(document, "patroni.json")] == ["db1", "db2"]


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ([member("Boss")], 'patroni.json: 0.Role: found "Boss", expected Leader, Replica or Sync Standby'),
        ([member(3)], "patroni.json: 0.Role: found 3, expected text"),
        ([3], "patroni.json: 0: found 3, expected keys and values"),
        ([{"Name": "db1"}], "patroni.json: 0: found no Member"),
        ({}, "patroni.json: found {}, expected a list of members"),
    ],
)
def test_what_is_no_list_of_members_is_refused(document: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        _ = [*read_members(document, "patroni.json")]
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("item", "message"),
    [
        (3, "items.0: found 3, expected keys and values"),
        ({"kind": "Service"}, 'items.0: found "Service", expected pods'),
        ({"kind": "Pod"}, "items.0.metadata: found null, expected keys and values"),
        ({"kind": "Pod", "metadata": {}}, "items.0.metadata.name: found null, expected text"),
        (pod("a", {"b": 3}), "items.0.metadata.labels.b: found 3, expected text"),  # type: ignore[dict-item]
    ],
)
def test_what_is_no_pod_is_refused(item: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        pods_of(item)
    assert f"pods.json: {message}" in str(caught.value)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"eu": 3}, "eu: found 3, expected a group of hosts"),
        ({"eu": {"hosts": {}}}, "eu.hosts: found {}, expected a list of names"),
        ({"eu": {"hosts": [3]}}, "eu.hosts.0: found 3, expected text"),
        ({"eu": {"children": "us"}}, 'eu.children: found "us", expected a list of names'),
        ({"eu": {"vars": []}}, "eu.vars: found [], expected keys and values"),
        ({"_meta": {"hostvars": []}}, "_meta.hostvars: found [], expected keys and values"),
        ({"_meta": {"hostvars": {"a": 1}}}, "_meta.hostvars.a: found 1, expected keys and values"),
    ],
)
def test_what_is_no_inventory_of_ansible_is_refused(document: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_ansible(document, "inventory.json", AnsibleInventory())
    assert caught.value.message == f"inventory.json: {message}"


def test_texts_that_are_no_templates_and_groups_as_lists_are_read() -> None:
    inventory = AnsibleInventory()
    variables = {"tier": {"__ansible_unsafe": "gold"}}
    read_ansible({"eu": ["db1"], "_meta": {"hostvars": {"db1": variables}}}, "x", inventory)
    (host,) = inventory.hosts("x")
    assert (host.groups, host.variables) == (("eu",), {"tier": "gold"})


@pytest.mark.parametrize(
    ("document", "kind"),
    [
        ([], "patroni"),
        ({"kind": "List", "apiVersion": "v1"}, "pods"),
        ({"kind": {"hosts": []}}, "ansible"),
        ({"_meta": {}}, "ansible"),
        (3, ""),
    ],
)
def test_a_document_says_of_what_it_is(document: object, kind: str) -> None:
    assert kind_of(document) == kind


PLAIN = st.none() | st.booleans() | st.integers() | st.sampled_from(["", "db1", "Leader", "Pod", "a/b"])
OF_ANSIBLE = ("_meta", "hostvars", "hosts", "children", "vars", "eu", "db1", "all", "ansible_group_priority")
OF_PODS = ("apiVersion", "kind", "items", "metadata", "name", "labels", "namespace")
KEYS = st.sampled_from((*OF_ANSIBLE, *OF_PODS, "Member", "Role", "Cluster"))
ANYTHING = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=25
)


@given(document=ANYTHING)
def test_any_document_is_read_or_refused_with_its_file(document: object) -> None:
    inventory = AnsibleInventory()
    try:
        match kind_of(document):
            case "pods":
                _ = [*read_pods(document, "any.json")]
            case "patroni":
                _ = [*read_members(document, "any.json")]
            case _:
                read_ansible(document, "any.json", inventory)
                _ = [*inventory.hosts("any.json")]
    except InputError as error:
        assert error.message.startswith("any.json: ")  # noqa: PT017 - most documents are read


@pytest.mark.parametrize("text", ["[", '[{"Member": }]', "{", "[]]"])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"^x: not valid JSON"):
        read_documents(text, "x")
