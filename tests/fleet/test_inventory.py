"""The inventory is data: Ansible reads the names of hosts as they are, and no template."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from small_fleets import decision, host
from tools_here import needs
from tunewiz.core.fleet.clusters import order_of
from tunewiz.core.fleet.fleet import Fleet
from tunewiz.core.fleet.groups import grouped
from tunewiz.core.fleet.hosts import why_no_name
from tunewiz.core.fleet.waves import waves_of
from tunewiz.fleet.ansible import HostVariables, collecting, project

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
HOSTILE = st.sampled_from(
    [
        *("../x", "..", "a/b", "/etc/passwd", "-oProxyCommand=id", "a b", "a\nb", "a:22", "a[1:3]", "db,all"),
        *(
            "{{ 7*7 }}",
            "{% raw %}",
            "!unsafe",
            "a#b",
            "&a",
            "*a",
            "null",
            "\x1b[2J",
            "ä",
            "a'b",
            'a"b',
            "$(id)",
        ),
        *("all", "ALL", "localhost", "ungrouped", "tunewiz_fleet", "a..b", ".a", "a.", "a-", "x" * 300, ""),
    ]
)


@given(name=st.one_of(HOSTILE, TEXTS))
def test_a_name_that_is_taken_is_plain(name: str) -> None:
    if not why_no_name(name):
        assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]*", name)
        assert ".." not in name
        assert Path(name).name == name


@pytest.mark.parametrize("name", ["db1", "db-1.eu.example.org", "DB_1", "1", "null", "10.0.0.1", "a"])
def test_usual_names_are_taken(name: str) -> None:
    assert why_no_name(name) == ""


@pytest.mark.parametrize(
    "name", ["", "..", "../a", "a/b", "-a", "a b", "all", "LocalHost", "tunewiz_x", "a\n"]
)
def test_names_that_could_be_something_else_are_refused(name: str) -> None:
    assert why_no_name(name)


def small_fleet() -> tuple[Fleet, dict[str, HostVariables]]:
    jit = decision("jit", "off")
    hosts = [host(name, (jit,)) for name in ("null", "1", "db-2.example.org", "true")]
    hosts += [
        host("p", (jit,), cluster="7", role="primary", bound=((1, 2),)),
        host("s", (jit,), cluster="7", role="standby", bound=((1, 2),)),
    ]
    order, groups = order_of(hosts), grouped(hosts)
    waves = waves_of([host_group.hosts for host_group in groups], order)
    fleet = Fleet(groups=groups, failed=(), waves=waves, order=order, unused=())
    return fleet, {
        host_plan.host: HostVariables(bundle=f"{number:032x}") for number, host_plan in enumerate(hosts)
    }


def write_project(tmp_path: Path) -> Fleet:
    fleet, variables = small_fleet()
    for name, text in project(fleet, variables).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return fleet


@needs("ansible-inventory")
def test_ansible_reads_the_hosts_in_the_order_of_the_waves(tmp_path: Path) -> None:
    fleet = write_project(tmp_path)
    listed = subprocess.run(
        ["ansible-inventory", "--list"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    document = json.loads(listed.stdout)
    assert document["tunewiz_fleet"]["hosts"] == [text for wave in fleet.waves for text in wave]
    variables = document["_meta"]["hostvars"]
    assert variables["p"]["tunewiz_after"] == [{"__ansible_unsafe": "s"}]
    assert variables["s"]["tunewiz_before"] == [{"__ansible_unsafe": "p"}]
    assert document["tunewiz_pg15_1"]["hosts"]


@needs("ansible-playbook")
@pytest.mark.parametrize("name", ["collect", "check", "apply", "verify", "drift", "rollback"])
def test_ansible_takes_every_playbook(tmp_path: Path, name: str) -> None:
    write_project(tmp_path)
    subprocess.run(
        ["ansible-playbook", "--syntax-check", f"{name}.yml"], cwd=tmp_path, capture_output=True, check=True
    )


def test_waves_are_taken_back_in_the_opposite_order(tmp_path: Path) -> None:
    fleet = write_project(tmp_path)
    sizes = [len(wave) for wave in fleet.waves]
    assert f"  serial: [{', '.join(map(str, sizes))}]\n" in (tmp_path / "apply.yml").read_text()
    assert f"  serial: [{', '.join(map(str, sizes[::-1]))}]\n" in (tmp_path / "rollback.yml").read_text()


def test_every_script_and_list_of_tasks_that_a_playbook_names_is_there(tmp_path: Path) -> None:
    write_project(tmp_path)
    named = {
        name
        for file in [*tmp_path.glob("*.yml"), *tmp_path.glob("tasks/*.yml")]
        for name in re.findall(r"(?:scripts|tasks)/[a-z]+\.(?:sh|yml)", file.read_text())
    }
    assert named
    assert not [name for name in named if not (tmp_path / name).is_file()]
    assert {"collect.yml", "scripts/collect.sh", "scripts/keep.sh"} <= collecting().keys()
