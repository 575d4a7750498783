"""Answers and rules by label: what inventories say of hosts, with facts and files that may say otherwise."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from small_fleets import ANSWERS, fleet_of, write_host
from tunewiz.core.fleet.fleet import Fleet
from tunewiz.core.fleet.hosts import HostPlan
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Fact, Known, Unknown
from tunewiz.fleet.answers import FleetAnswers, read_fleet_answers
from tunewiz.fleet.basis import bases_of
from tunewiz.fleet.one_host import plan_host, planned_again
from tunewiz.fleet.write import write_fleet

HOSTS = """\
[eu]
db1 tier=gold
db2.example.org tier=silver
[us]
db3 tier=gold
[eu:vars]
tunewiz_environment=production
[us:vars]
tunewiz_environment=staging
tunewiz_cluster=orders
"""


def answered(connections: int, more: str = "") -> str:
    return f"schema = 1\n{more}[workload]\nconnections = {connections}\n"


PRIMARY = Known("primary", "test")
GOLD, SILVER = 'labels = {tier = "gold"}\n', 'labels = {tier = "silver"}\n'
STANDBYS = 'labels = {role = "standby"}\n'


def shop(tmp_path: Path, files: Mapping[str, str], inventory: str = HOSTS) -> FleetAnswers:
    """Answers and, beside them, an inventory."""
    for name, text in {"default.toml": ANSWERS, "inventory/hosts": inventory, **files}.items():
        (tmp_path / "answers" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "answers" / name).write_text(text)
    return read_fleet_answers(tmp_path / "answers")


def facts(tmp_path: Path, *names: str) -> Path:
    (tmp_path / "facts").mkdir(exist_ok=True)
    for name in names:
        write_host(tmp_path / "facts", name)
    return tmp_path / "facts"


def connections(tmp_path: Path, answers: FleetAnswers, name: str, role: Fact[str] = PRIMARY) -> int:
    """What the plan of one host was made for."""
    host = plan_host(str(write_host(tmp_path, name, role=role)), answers)
    assert isinstance(host, HostPlan), host.why
    return planned_again(host, answers).answers.workload.connections


def why_not(tmp_path: Path, answers: FleetAnswers, name: str = "db1", role: Fact[str] = PRIMARY) -> str:
    host = plan_host(str(write_host(tmp_path, name, role=role)), answers)
    assert not isinstance(host, HostPlan)
    return host.why.replace(str(tmp_path), "")


def test_answers_by_label_are_for_hosts_that_have_it(tmp_path: Path) -> None:
    answers = shop(tmp_path, {"labels/gold.toml": answered(310, GOLD)})
    assert [connections(tmp_path, answers, name) for name in ("db1", "db2", "db3")] == [310, 200, 310]


def test_all_names_must_fit_and_one_value_of_each(tmp_path: Path) -> None:
    selector = 'labels = {tier = ["gold", "s*"], group = "eu"}\n'
    answers = shop(tmp_path, {"labels/some.toml": answered(310, selector)})
    assert [connections(tmp_path, answers, name) for name in ("db1", "db2", "db3")] == [310, 310, 200]


@pytest.mark.parametrize(
    ("above", "expected"),
    [
        ({}, 310),
        ({"environments/production.toml": answered(320)}, 310),
        ({"groups/eu.toml": answered(330)}, 330),
        ({"hosts/db1.toml": answered(340)}, 340),
        ({"groups/eu.toml": answered(330), "hosts/db1.toml": answered(340)}, 340),
    ],
)
def test_a_label_goes_before_the_environment_and_after_the_group(
    above: Mapping[str, str], expected: int, tmp_path: Path
) -> None:
    answers = shop(tmp_path, {"labels/gold.toml": answered(310, GOLD), **above})
    assert connections(tmp_path, answers, "db1") == expected


@pytest.mark.parametrize(("name", "expected"), [("db1", 320), ("db3", 330), ("db9", 200)])
def test_files_that_name_no_hosts_are_for_what_the_inventory_calls_so(
    name: str, expected: int, tmp_path: Path
) -> None:
    files = {"environments/production.toml": answered(320), "groups/us.toml": answered(330)}
    assert connections(tmp_path, shop(tmp_path, files), name) == expected


def test_two_labels_that_answer_differently_refuse_the_host_alone(tmp_path: Path) -> None:
    files = {
        "labels/eu.toml": answered(300, 'labels = {group = "eu"}\n'),
        "labels/gold.toml": answered(310, GOLD),
    }
    answers = shop(tmp_path, files)
    assert why_not(tmp_path, answers) == (
        "/answers/labels/eu.toml and /answers/labels/gold.toml: both answer workload.connections for the "
        "host db1, found 300 and 310, expected one answer. "
        "Answer it for the host's group, or in a file of its own, which goes before labels."
    )
    assert [connections(tmp_path, answers, name) for name in ("db2", "db3")] == [300, 310]


@pytest.mark.parametrize(
    "files",
    [
        {"labels/eu.toml": answered(310, 'labels = {group = "eu"}\n')},
        {"labels/eu.toml": 'schema = 1\nlabels = {group = "eu"}\n[risk]\nposture = "bold"\n'},
        {"labels/eu.toml": answered(300, 'labels = {group = "eu"}\n'), "hosts/db1.toml": answered(310)},
        {"labels/eu.toml": answered(300, 'labels = {group = "us"}\n')},
    ],
)
def test_two_labels_that_agree_or_are_overridden_are_both_used(
    files: Mapping[str, str], tmp_path: Path
) -> None:
    answers = shop(tmp_path, {**files, "labels/gold.toml": answered(310, GOLD)})
    assert connections(tmp_path, answers, "db1") == 310


def test_decisions_of_two_labels_are_compared_one_by_one(tmp_path: Path) -> None:
    decided = 'schema = 1\n{}[decisions]\n"pg.{}" = {{ set = "{}" }}\n'
    files = {
        "labels/a.toml": decided.format(GOLD, "work_mem", "8MB"),
        "labels/b.toml": decided.format(GOLD, "jit", "on"),
    }
    (tmp_path / "one").mkdir()
    answers = shop(tmp_path / "one", files)
    assert [[*part.document] for part in answers.parts("db1")[-2:]] == [["decisions"], ["decisions"]]
    files["labels/c.toml"] = decided.format(GOLD, "jit", "off")
    (tmp_path / "two").mkdir()
    message = 'both answer decisions.pg.jit for the host db1, found set = "on" and set = "off"'
    assert message in why_not(tmp_path / "two", shop(tmp_path / "two", files))


def test_answers_by_role_follow_the_facts(tmp_path: Path) -> None:
    answers = shop(tmp_path, {"labels/standbys.toml": answered(350, STANDBYS)})
    assert connections(tmp_path, answers, "db1", role=Known("standby", "test")) == 350
    assert connections(tmp_path, answers, "db1", role=Known("primary", "test")) == 200


NO_ROLE = Unknown("the server does not run")


@pytest.mark.parametrize(("role", "expected"), [("standby", 350), ("primary", 200)])
def test_an_inventory_says_the_role_where_facts_do_not(role: str, expected: int, tmp_path: Path) -> None:
    answers = shop(tmp_path, {"labels/standbys.toml": answered(350, STANDBYS)}, f"db1 tunewiz_role={role}\n")
    assert connections(tmp_path, answers, "db1", role=NO_ROLE) == expected
    host = plan_host(str(write_host(tmp_path, "db1", role=NO_ROLE)), answers)
    assert isinstance(host, HostPlan)
    assert host.role == role


def test_without_a_role_no_answers_by_role_are_used(tmp_path: Path) -> None:
    answers = shop(tmp_path, {"labels/standbys.toml": answered(350, STANDBYS)})
    assert connections(tmp_path, answers, "db1", role=NO_ROLE) == 200


def patroni(role: str) -> str:
    return json.dumps([{"Cluster": "orders", "Member": "db1", "Role": role, "State": "running"}])


def test_a_role_that_facts_contradict_refuses_the_host(tmp_path: Path) -> None:
    answers = shop(tmp_path, {"inventory/patroni.json": patroni("Replica")})
    why = why_not(tmp_path, answers, role=Known("primary", "test"))
    assert why.startswith(
        "/answers/inventory/patroni.json: db1 is a standby, its facts say primary; expected the same. Collect"
    )


@pytest.mark.parametrize("role", ["Leader", "Replica"])
def test_a_role_that_facts_confirm_changes_nothing(role: str, tmp_path: Path) -> None:
    answers = shop(tmp_path, {"inventory/patroni.json": patroni(role)})
    of_facts = Known("primary" if role == "Leader" else "standby", "test")
    assert connections(tmp_path, answers, "db1", role=of_facts) == 200


def test_two_inventories_that_contradict_each_other_refuse_the_host(tmp_path: Path) -> None:
    files = {
        "inventory/patroni.json": patroni("Replica"),
        "labels/orders.toml": answered(350, 'labels = {cluster = "orders"}\n'),
    }
    why = why_not(tmp_path, shop(tmp_path, files, "db1 tunewiz_cluster=bills\n"))
    found = "cluster of db1: found bills (/answers/inventory) and orders (/answers/inventory/patroni.json)"
    assert why.startswith(f"{found}, expected the same in every inventory. Correct")


def test_a_contradiction_that_nothing_looks_at_refuses_nobody(tmp_path: Path) -> None:
    files = {"inventory/patroni.json": patroni("Replica")}
    answers = shop(tmp_path, files, "db1 tunewiz_cluster=bills\n")
    assert connections(tmp_path, answers, "db1", role=Known("standby", "test")) == 200


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (
            {"environments/staging.toml": answered(320, 'hosts = ["db1"]\n')},
            "environments/staging.toml: names the host db1, which is in production by /answers/inventory",
        ),
        (
            {"environments/production.toml": answered(320, 'hosts = ["db2*"]\n')},
            "environments/production.toml: does not name the host db1, which is in production by /answers/",
        ),
        (
            {"groups/eu.toml": answered(320, 'hosts = ["db2*"]\n')},
            "groups/eu.toml: does not name the host db1, which is in eu by /answers/inventory",
        ),
    ],
)
def test_a_file_that_contradicts_the_inventory_refuses_the_host(
    files: Mapping[str, str], message: str, tmp_path: Path
) -> None:
    assert message in why_not(tmp_path, shop(tmp_path, files))


@pytest.mark.parametrize(
    "files",
    [
        {"environments/production.toml": answered(200, 'hosts = ["db*"]\nlabels = {group = "eu"}\n')},
        {"groups/eu.toml": answered(200, 'hosts = ["db[12]*"]\n')},
        {"groups/other.toml": answered(200, 'hosts = ["db[12]*"]\n')},
    ],
)
def test_a_file_that_agrees_with_the_inventory_refuses_nobody(
    files: Mapping[str, str], tmp_path: Path
) -> None:
    assert connections(tmp_path, shop(tmp_path, files), "db1") == 200


def rule(value: str, more: str) -> str:
    by = 'reason = "reports"\nowner = "dba"\n'
    return f'schema = 1\n[[rules]]\nsetting = "work_mem"\nvalue = "{value}"\n{by}{more}\n'


def ruled(tmp_path: Path, more: str) -> Mapping[str, str]:
    """The work_mem that a rule gives each host."""
    fleet = fleet_of(facts(tmp_path, "db1", "db2", "db3"), shop(tmp_path, {"policy.toml": rule("3MB", more)}))
    assert fleet.failed == ()
    return work_mem_of(fleet)


def work_mem_of(fleet: Fleet) -> Mapping[str, str]:
    hosts = (host for group in fleet.groups for host in group.hosts)
    return {host.host: host.off_plan.get("work_mem", "") for host in hosts}


@pytest.mark.parametrize(
    ("more", "hosts"),
    [
        (GOLD, {"db1", "db3"}),
        ('labels = {tier = "gold", environment = "staging"}', {"db3"}),
        ('groups = ["eu"]', {"db1", "db2"}),
        ('environments = ["production"]', {"db1", "db2"}),
        ('labels = {cluster = "orders"}', {"db3"}),
        ('labels = {group = "eu"}\nrole = "primary"', {"db1", "db2"}),
        ('labels = {tier = "bronze"}', set[str]()),
    ],
)
def test_a_rule_by_label_is_for_hosts_that_have_it(more: str, hosts: set[str], tmp_path: Path) -> None:
    assert {host for host, value in ruled(tmp_path, more).items() if value == "3MB"} == hosts


def test_a_written_project_plans_the_same_without_the_inventory(tmp_path: Path) -> None:
    files = {
        "policy.toml": rule("3MB", 'labels = {environment = "production"}'),
        "labels/gold.toml": answered(310, GOLD),
        "labels/standbys.toml": 'schema = 1\nlabels = {role = "standby"}\n[risk]\nposture = "bold"\n',
    }
    place = facts(tmp_path, "db1", "db2")
    write_host(place, "db3", role=Known("standby", "test"))
    answers = shop(tmp_path, files)
    fleet = fleet_of(place, answers)
    assert fleet.failed == ()
    write_fleet(fleet, answers, tmp_path / "out", lambda _: None)
    written = tmp_path / "out" / "answers"
    again = fleet_of(place, read_fleet_answers(written))
    assert again.groups == fleet.groups
    assert not (written / "inventory").exists()


def test_what_is_for_no_host_is_named(tmp_path: Path) -> None:
    files = {"labels/bronze.toml": answered(300, 'labels = {tier = ["bronze", "tin"]}\n')}
    fleet = fleet_of(facts(tmp_path, "db1", "db7", "db8"), shop(tmp_path, files))
    assert [text.replace(str(tmp_path), "") for text in fleet.unused] == [
        "/answers/labels/bronze.toml: no host matches (tier = bronze or tin)",
        "/answers/inventory: no host is named db7, db8: answers and rules by label leave such hosts out",
    ]


def test_a_name_with_and_without_a_domain_is_one_host(tmp_path: Path) -> None:
    answers = shop(tmp_path, {"labels/silver.toml": answered(310, SILVER)})
    assert connections(tmp_path, answers, "db2") == 310
    assert connections(tmp_path, answers, "DB2.example.org") == 310
    assert connections(tmp_path, answers, "db2.example.com") == 200


def test_a_name_that_two_hosts_could_have_refuses_the_host(tmp_path: Path) -> None:
    answers = shop(tmp_path, {}, "db1.a\ndb1.b\n")
    assert why_not(tmp_path, answers) == (
        "/answers/inventory: found db1.a, db1.b for the host db1, expected one. "
        "Give the variable tunewiz_host: db1 to the right one."
    )


def test_a_variable_gives_the_name_in_the_facts(tmp_path: Path) -> None:
    inventory = "db1.a tunewiz_host=db1 tier=gold\ndb1.b tier=silver\n"
    answers = shop(tmp_path, {"labels/gold.toml": answered(310, GOLD)}, inventory)
    assert connections(tmp_path, answers, "db1") == 310


def test_a_template_is_refused_where_it_is_looked_at(tmp_path: Path) -> None:
    answers = shop(tmp_path, {"labels/gold.toml": answered(310, GOLD)}, "db1 tier='{{ x }}'\n")
    assert "tier of db1: found a template, expected a plain value" in why_not(tmp_path, answers)
    (tmp_path / "other").mkdir()
    assert connections(tmp_path, shop(tmp_path / "other", {}, "db1 tier='{{ x }}'\n"), "db1") == 200


def test_saved_decisions_stand_on_the_labels_that_are_looked_at(tmp_path: Path) -> None:
    host = plan_host(str(write_host(tmp_path, "db1")), FleetAnswers(hosts={}))

    def basis(inventory: str) -> str:
        answers = shop(tmp_path, {"labels/gold.toml": answered(310, GOLD)}, inventory)
        return bases_of([host], answers)["db1"].answers

    first = basis("db1 tier=gold\n")
    assert basis("db1 tier=gold spare=1\n") == first
    assert basis("db1 tier=tin\n") != first


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"labels/a.toml": ANSWERS}, 'a.toml: labels: found null, expected labels such as {tier = "gold"'),
        ({"labels/a.toml": answered(1, "labels = {}\n")}, "a.toml: labels: found {}, expected labels"),
        ({"labels/a.toml": answered(1, 'labels = ["a"]\n')}, "a.toml: labels: found […], expected labels"),
        ({"labels/a.toml": answered(1, "labels = {a = 1}\n")}, "labels.a: found 1, expected labels"),
        ({"labels/a.toml": answered(1, "labels = {a = []}\n")}, "labels.a: found [], expected labels"),
        ({"labels/a.toml": answered(1, 'labels = {a = ["", "b"]}\n')}, "labels.a: found […], expected"),
        ({"policy.toml": rule("3MB", "labels = {}")}, "rules.0.labels: found {}, expected labels such as"),
        ({"policy.toml": rule("3MB", "labels = {a = 1}")}, "rules.0.labels.a: found 1, expected labels"),
    ],
)
def test_labels_that_name_no_host_are_refused(files: Mapping[str, str], message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        shop(tmp_path, files)
    assert message in str(caught.value)
