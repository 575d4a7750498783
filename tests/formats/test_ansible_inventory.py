"""Ansible inventories in INI form mean what `ansible-inventory` says, and bad lines are named."""

import dataclasses
import json
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tools_here import needs
from tunewiz.core.values.errors import InputError
from tunewiz.formats.ansible_ini import MAX_HOSTS, expanded, read_ini
from tunewiz.formats.ansible_inventory import PRIORITY, AnsibleHost, AnsibleInventory, label_text
from tunewiz.formats.inventory_documents import read_ansible

SMALL = """\
# the databases
mail.example.org

[eu]
db[01:03].example.org tier=gold ansible_host=10.0.0.1 # behind the firewall
[us]
db9.example.org:2222 tier="very gold" replicas=2

[postgres:children]
eu
us

[postgres:vars]
tier = silver
region=none

[eu:vars]
region = eu
spare = True
"""


def hosts_of(text: str) -> Mapping[str, AnsibleHost]:
    inventory = AnsibleInventory()
    read_ini(text, "hosts", inventory)
    return {host.name: host for host in inventory.hosts("hosts")}


def test_ranges_groups_of_groups_and_variables_give_each_host_what_is_its_own() -> None:
    hosts = hosts_of(SMALL)
    assert [*hosts] == ["mail.example.org", *(f"db0{n}.example.org" for n in (1, 2, 3)), "db9.example.org"]
    assert hosts["mail.example.org"].groups == ("ungrouped",)
    assert hosts["mail.example.org"].variables == {}
    second, ninth = hosts["db02.example.org"], hosts["db9.example.org"]
    assert (second.groups, ninth.groups) == (("eu", "postgres"), ("postgres", "us"))
    assert second.variables == {
        "tier": "gold",
        "region": "eu",
        "spare": True,
        "ansible_host": "10.0.0.1",
    }
    assert ninth.variables == {"tier": "very gold", "region": "none", "replicas": 2}


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("db1", ["db1"]),
        ("db1:22", ["db1"]),
        ("[db1]:22", ["db1"]),
        ("db[1:3]", ["db1", "db2", "db3"]),
        ("db[08:10]", ["db08", "db09", "db10"]),
        ("db[0:8:4].eu", ["db0.eu", "db4.eu", "db8.eu"]),
        ("db[:2]", ["db0", "db1", "db2"]),
        ("db-[a:c]", ["db-a", "db-b", "db-c"]),
        ("[y:B]", ["y", "z", "A", "B"]),
        ("r[1:2]-[a:b]:5432", ["r1-a", "r1-b", "r2-a", "r2-b"]),
    ],
)
def test_a_pattern_is_these_hosts(pattern: str, names: list[str]) -> None:
    assert [*expanded(pattern, "hosts")] == names


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[a b]", 'line 1: found "[a b]", expected the name of a group, without blanks'),
        ("\n[a:kids]", 'line 2: found "[a:kids]", expected [NAME], [NAME:children] or [NAME:vars]'),
        ("db1 password", "line 1: word 2 has no =, expected NAME=VALUE after the host"),
        ("db1 a='b", "line 1: expected a host and NAME=VALUE pairs: No closing quotation"),
        ("db1:", 'line 1: found "db1:", expected the name of a host'),
        ("---", 'line 1: found "---", expected the name of a host'),
        ("[a:vars]\nb", "line 2: found no =, expected NAME=VALUE in [a:vars]"),
        ("[a:vars]\nb=1", "line 2: found the group a, expected one that is declared: add [a]"),
        ("[a:children]\nb", "line 2: found the group b, expected one that is declared: add [b]"),
        ("[a:children]\nb c", 'line 2: found "b c", expected the name of a group'),
        ("[a:children]\nb\n[b:children]\na", "found the group a below itself"),
        ("[a:children]\nall", "found the group all below itself"),
        ("db[3:1]", "line 1: found the range [3:1], expected one such as [01:20], [a:f] or [0:8:2]"),
        ("db[1:2:0]", "found the range [1:2:0], expected one such as"),
        ("db[1:b]", "found the range [1:b], expected one such as"),
        ("db[1:]", "found the range [1:], expected one such as"),
        ("db[01:100]", "found the range [01:100], expected both ends with as many digits"),
        ("db[1:999999999]", "found a range of 999,999,999 hosts, expected at most 100,000"),
        ("db[1:999][1:999]", "which is 998,001 hosts, expected 100,000"),
        ("[a]\ndb1\n[a:vars]\nansible_group_priority=high", "ansible_group_priority of a: expected a whole"),
    ],
)
def test_a_line_that_is_none_of_an_inventory_is_named(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        hosts_of(text)
    assert str(caught.value).startswith("hosts: ")
    assert message in str(caught.value)


def test_no_message_shows_a_value_that_may_be_a_password() -> None:
    for text in ("db1 ansible_password=open sesame", "db1 ansible_password='open sesame", "[a:vars]\nopen"):
        with pytest.raises(InputError) as caught:
            hosts_of(text)
        assert "open" not in str(caught.value)
        assert "sesame" not in str(caught.value)


def test_the_most_hosts_of_a_line_are_read() -> None:
    assert len(expanded(f"db[1:{MAX_HOSTS}]", "hosts")) == MAX_HOSTS


@pytest.mark.parametrize("value", [None, [1], {"a": 1}, b"x", 1 << 80, (1, 2)])
def test_what_is_no_plain_value_is_no_label(value: object) -> None:
    assert label_text(value) is None


NAMES = ("a", "b", "c", "d", "e")
VARIABLES: tuple[str, ...] = ("tier", "region")
VALUES = st.sampled_from(
    ["gold", "'gold'", '"a b"', "3", "03", "True", "false", "None", "1e3", "[1, 2]", "x=y", "a:b", "$HOME"]
)
PATTERNS = st.sampled_from(
    ["db1", "db[1:3]", "db[01:12:5].example.org", "[a:c]x", "db2:22", "r[1:2]-[a:b]", "db1.example.org"]
)


@st.composite
def inventories(draw: st.DrawFn) -> str:
    """Any groups, of which each may only contain later ones."""
    lines = list[str]()
    for place, name in enumerate(NAMES):
        lines.append(f"[{name}]")
        for pattern in draw(st.lists(PATTERNS, max_size=2)):
            pairs = draw(st.dictionaries(st.sampled_from(VARIABLES), VALUES, max_size=2))
            quoted = (
                f'{key}="{value}"' if " " in value else f"{key}={value}" for key, value in pairs.items()
            )
            lines.append(" ".join((pattern, *quoted)).replace('""', '"'))
        children = draw(st.lists(st.sampled_from(NAMES[place + 1 :] or ("e",)), max_size=2, unique=True))
        if children and name != "e":
            lines += [f"[{name}:children]", *children]
        variables = draw(st.dictionaries(st.sampled_from(VARIABLES), VALUES, max_size=2))
        if draw(st.integers(0, 5)) == 0:
            variables[PRIORITY] = draw(st.sampled_from(["0", "2", "10"]))
        if variables:
            lines += [f"[{name}:vars]", *(f"{key} = {value}" for key, value in variables.items())]
    ungrouped = draw(st.lists(PATTERNS, max_size=1))
    return "\n".join((*ungrouped, *lines)) + "\n"


def as_ansible_says(file: Path, *more: str) -> Mapping[str, AnsibleHost]:
    """What the real program makes of it."""
    done = subprocess.run(
        ["ansible-inventory", "-i", file, "--list", *more], capture_output=True, text=True, check=True
    )
    inventory = AnsibleInventory()
    read_ansible(json.loads(done.stdout), "listed", inventory)
    return {host.name: without_port(host) for host in inventory.hosts("listed")}


def without_port(host: AnsibleHost) -> AnsibleHost:
    """What stands behind a colon is not kept: how to reach a host is no label."""
    variables = {name: value for name, value in host.variables.items() if name != "ansible_port"}
    return dataclasses.replace(host, variables=variables)


@given(text=st.text(st.sampled_from("[]:=ab01 \n'\"#;,{}\\é\0"), max_size=60) | inventories())
def test_any_text_is_read_or_refused_with_its_file(text: str) -> None:
    try:
        assert all(host.name and host.groups for host in hosts_of(text).values())
    except InputError as error:
        assert error.message.startswith("hosts: ")  # noqa: PT017 - many texts are read


@needs("ansible-inventory")
@pytest.mark.slow
@given(text=inventories())
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_an_inventory_means_what_ansible_says(text: str) -> None:
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory) / "hosts"
        file.write_text(text)
        assert as_ansible_says(file) == hosts_of(text)
        if PRIORITY not in text:  # which an export leaves out
            assert as_ansible_says(file, "--export") == hosts_of(text)


@needs("ansible-inventory")
@pytest.mark.parametrize("more", [(), ("--export",)])
def test_the_small_inventory_means_what_ansible_says(more: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "hosts").write_text(SMALL)
    assert as_ansible_says(tmp_path / "hosts", *more) == hosts_of(SMALL)
