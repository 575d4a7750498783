"""Files and directories of inventories: which are read, and one message for those that are not."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from small_fleets import ANSWERS, write_host
from tunewiz.cli import main
from tunewiz.core.values.errors import InputError
from tunewiz.fleet.answers import named_answers
from tunewiz.fleet.inventory import Inventories, read_inventories

MEMBERS = '[{"Cluster": "orders", "Member": "db1", "Role": "Leader"}]'
PODS = '{"apiVersion": "v1", "kind": "List", "items": [{"metadata": {"name": "db1", "labels": {"a": "b"}}}]}'
LISTED = '{"_meta": {"hostvars": {"db1": {"tier": "gold"}}}, "eu": {"hosts": ["db1"]}}'


def write(directory: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text)
    return directory


def labels(known: Inventories, host: str = "db1") -> Mapping[str, tuple[str, ...]]:
    return {name: values for entry in known.entries(host) for name, values in entry.labels.items()}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[eu]\ndb1 tier=gold\n", {"tier": ("gold",), "group": ("eu",)}),
        (LISTED, {"tier": ("gold",), "group": ("eu",)}),
        (MEMBERS, {"role": ("primary",), "cluster": ("orders",)}),
        (PODS, {"a": ("b",), "namespace": ("default",)}),
        ("\ufeffdb1 tunewiz_environment=test\n", {"environment": ("test",), "group": ("ungrouped",)}),
    ],
)
def test_a_file_says_by_its_content_what_it_is(
    text: str, expected: Mapping[str, tuple[str, ...]], tmp_path: Path
) -> None:
    write(tmp_path, {"any": text})
    assert labels(read_inventories([tmp_path / "any"])) == expected


def test_a_directory_is_one_inventory_and_what_patroni_says(tmp_path: Path) -> None:
    files = {
        "01-groups": "[eu]\n[eu:vars]\ntier=silver\nregion=eu\n",
        "02-hosts": "[eu]\ndb1\n",
        "03-more": "[eu:vars]\ntier=gold\n",
        "patroni.json": MEMBERS,
        "notes.md": "not an inventory",
        ".hidden": "[",
        "hosts.bak": "[",
    }
    assert labels(read_inventories([write(tmp_path, files)])) == {
        "tier": ("gold",),
        "region": ("eu",),
        "group": ("eu",),
        "role": ("primary",),
        "cluster": ("orders",),
    }


def test_several_inventories_are_asked_together(tmp_path: Path) -> None:
    write(tmp_path, {"hosts": "[eu]\ndb1.example.org\n", "patroni.json": MEMBERS})
    known = read_inventories([tmp_path / "hosts", tmp_path / "patroni.json"])
    assert labels(known, "db1.example.org") == {
        "group": ("eu",),
        "role": ("primary",),
        "cluster": ("orders",),
    }
    assert [*known.without(["db1.example.org"])] == []


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("hosts.yml", "all:\n  hosts:\n    db1:\n", "YAML"),
        ("hosts.yaml", "", "YAML"),
        ("hosts", "# ours\n---\nall:\n", "YAML"),
        ("hosts", "all:\n  hosts:\n    db1:\n", "YAML"),
        ("hosts.toml", "[eu.hosts.db1]\n", "TOML"),
        ("hosts.py", "#!/usr/bin/python3\n", "a script"),
    ],
)
def test_what_only_ansible_reads_says_what_to_run(name: str, text: str, found: str, tmp_path: Path) -> None:
    file = write(tmp_path, {name: text}) / name
    with pytest.raises(InputError) as caught:
        read_inventories([file])
    assert str(caught.value) == (
        f"{file}: found {found}, expected INI or JSON\n"
        f"Run `ansible-inventory -i {file} --list > inventory.json`, and name inventory.json instead: "
        "it has everything that Ansible knows."
    )


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"hosts": ""}, "hosts: found no host, expected an inventory"),
        ({"hosts": "{}"}, "hosts: found no host, expected an inventory"),
        ({"hosts": "[]"}, "hosts: found no host, expected an inventory"),
        ({"hosts": '{"a": '}, "hosts: not valid JSON"),
        (
            {"hosts": "db1 tunewiz_role=boss"},
            'tunewiz_role of db1: found "boss", expected primary or standby',
        ),
    ],
)
def test_a_file_that_is_no_inventory_is_refused(
    files: Mapping[str, str], message: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError) as caught:
        read_inventories([write(tmp_path, files) / "hosts"])
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"notes.md": ""}, "found no inventory, expected at least one file"),
        ({"eu/hosts": "db1"}, "eu: found a directory, expected the files of one inventory"),
        ({"hosts": "db1", "more.yml": "all:"}, "more.yml: found YAML, expected INI or JSON"),
    ],
)
def test_a_directory_that_is_no_inventory_is_refused(
    files: Mapping[str, str], message: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError) as caught:
        read_inventories([write(tmp_path, files)])
    assert message in str(caught.value)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_inventories([tmp_path / "hosts"])


VARIABLES = {"hosts": "[eu]\ndb1\n", "group_vars/eu.yml": "tier: gold\nhost: tunewiz_minutes\n"}


@pytest.mark.parametrize("names", [{"tier"}, {"tier", "region"}])
@pytest.mark.parametrize("place", ["", "hosts"])
def test_a_label_that_may_be_in_unread_variables_is_refused(
    names: set[str], place: str, tmp_path: Path
) -> None:
    path = write(tmp_path, VARIABLES) / place
    with pytest.raises(InputError) as caught:
        read_inventories([path]).check_read(names)
    assert str(caught.value).startswith(
        f"{tmp_path}/group_vars/eu.yml: found tier, which only Ansible can read there\n"
        f"Run `ansible-inventory -i {path} --list"
    )


@pytest.mark.parametrize(
    ("files", "names"),
    [
        (VARIABLES, {"region"}),
        (VARIABLES, {"ier"}),
        (VARIABLES, {"gold"}),
        (VARIABLES, {"host_"}),
        ({**VARIABLES, "group_vars/eu.yml": "role: gold\n# tier\n"}, {"role", "tier"}),
        (VARIABLES, set[str]()),
        ({**VARIABLES, "hosts": LISTED}, {"tier"}),
    ],
)
def test_unread_variables_that_nothing_looks_at_are_left_alone(
    files: Mapping[str, str], names: set[str], tmp_path: Path
) -> None:
    read_inventories([write(tmp_path, files) / "hosts"]).check_read(names)


def test_an_environment_in_unread_variables_is_refused_whoever_looks(tmp_path: Path) -> None:
    write(tmp_path, {"hosts": "db1", "host_vars/db1/main.yml": "tunewiz_environment: test\n"})
    with pytest.raises(InputError, match=r"main\.yml: found tunewiz_environment, which only Ansible"):
        read_inventories([tmp_path / "hosts"]).check_read(())


def test_an_inventory_beside_the_answers_may_be_a_link_and_one_to_nothing_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {"ours/hosts": "db1 tier=gold\n", "answers/default.toml": ANSWERS})
    (tmp_path / "answers" / "inventory").symlink_to(tmp_path / "ours" / "hosts")
    assert labels(named_answers(f"{tmp_path}/answers").inventories)["tier"] == ("gold",)
    (tmp_path / "ours" / "hosts").unlink()
    with pytest.raises(InputError, match="answers/inventory: cannot be read: No such file"):
        named_answers(f"{tmp_path}/answers")


@pytest.fixture
def fleet(tmp_path: Path) -> Path:
    (tmp_path / "facts").mkdir()
    write_host(tmp_path / "facts", "db1")
    gold = 'schema = 1\nlabels = {tier = "gold"}\n[decisions]\n"pg.jit" = { decline = true, note = "gold" }\n'
    write(tmp_path, {"answers/default.toml": ANSWERS, "answers/labels/gold.toml": gold})
    return write(tmp_path, {"hosts": "db1 tier=gold\n", "patroni.json": MEMBERS})


def test_the_command_takes_inventories_beside_the_answers(
    fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    named = ("--inventory", f"{fleet}/hosts", "--inventory", f"{fleet}/patroni.json")
    assert main(["fleet", "plan", f"{fleet}/facts", "--answers", f"{fleet}/answers", *named]) == 0
    written = capsys.readouterr()
    assert ("  jit  " in written.out, written.err) == (False, "")


def test_without_the_inventory_the_command_names_what_is_for_nobody(
    fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["fleet", "plan", f"{fleet}/facts", "--answers", f"{fleet}/answers"]) == 1
    written = capsys.readouterr()
    assert "  jit  " in written.out
    assert "labels/gold.toml: no host matches (tier = gold)" in written.err


@pytest.mark.parametrize("action", ["collect", "dashboard"])
def test_an_inventory_belongs_to_plans(action: str, fleet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fleet", action, "-o", f"{fleet}/out", "--inventory", f"{fleet}/hosts"]) == 2
    assert "tunewiz: fleet" in capsys.readouterr().err
