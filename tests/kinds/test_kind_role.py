"""A setting of one role in a bundle's data: what the scripts are given, and what is left to a person."""

import dataclasses
from pathlib import Path

import pytest

from pretend_root import DATA, PretendRoot, make_root
from small_host import host_bundle
from small_plans import small_facts
from tunewiz.bundle.recorded_steps import keys_of_step, read_steps
from tunewiz.core.values.known import Known
from tunewiz.kinds.role import RoleSetting

REPORTS = RoleSetting(role="reports", database="", name="work_mem", value="256MB", before="64MB")
IN_SHOP = dataclasses.replace(REPORTS, database="shop", before="")
NOT_HERE = "Wanted, but out of this bundle's reach"


@pytest.fixture
def machine(tmp_path: Path) -> PretendRoot:
    return make_root(tmp_path)


def test_its_step_comes_with_the_server_and_no_setting_of_it(tmp_path: Path) -> None:
    lines = (host_bundle(tmp_path / "bundle", REPORTS, IN_SHOP) / "steps.txt").read_text().splitlines()
    assert [line for line in lines if line.startswith("rolesetting|")] == [
        "rolesetting|reports||work_mem|64MB|256MB",
        "rolesetting|reports|shop|work_mem||256MB",
    ]
    assert [line.split("|")[:3] for line in lines if line.startswith("cluster|")] == [["cluster", "15", DATA]]
    assert not [line for line in lines if line.startswith(("setting|", "file|", "auto|", "include|"))]


def test_the_review_says_what_it_does_and_for_whom(tmp_path: Path) -> None:
    review = (host_bundle(tmp_path / "bundle", IN_SHOP) / "REVIEW.md").read_text()
    assert "Sets work_mem = 256MB for the role reports in the database shop (ALTER ROLE)." in review
    assert "work_mem of the role `reports` is for new sessions; connected ones keep theirs." in review
    assert "--watcher" in review


@pytest.mark.parametrize(
    "hostile",
    [
        {"role": ""},
        {"role": "a\nb"},
        {"role": "\x1b[31m"},
        {"role": "\udcff"},
        {"role": "pg_monitor"},
        {"role": "ö" * 32},
        {"database": "a\tb"},
        {"value": "256MB; DROP ROLE app"},
        {"value": "256"},
        {"value": "0MB"},
        {"value": "-1"},
        {"name": "jit", "value": "1"},
        {"name": "statement_timeout", "value": "5"},
    ],
    ids=str,
)
def test_what_is_no_plain_name_or_value_is_left_to_a_person(hostile: dict[str, str], tmp_path: Path) -> None:
    made = host_bundle(tmp_path / "bundle", dataclasses.replace(REPORTS, **hostile))  # type: ignore[arg-type]
    assert "rolesetting|" not in (made / "steps.txt").read_text()
    assert NOT_HERE in (made / "REVIEW.md").read_text()


@pytest.mark.parametrize(
    "plain",
    [
        {"role": 'it\'s "$(id)" | größe'},
        {"role": "ö" * 31},
        {"database": "my shop"},
        {"name": "jit", "value": "off"},
        {"name": "statement_timeout", "value": "15min"},
        {"name": "statement_timeout", "value": "0"},
    ],
    ids=str,
)
def test_any_other_name_and_value_is_made(plain: dict[str, str], tmp_path: Path) -> None:
    made = host_bundle(tmp_path / "bundle", dataclasses.replace(REPORTS, **plain))  # type: ignore[arg-type]
    assert "rolesetting|" in (made / "steps.txt").read_text()
    assert NOT_HERE not in (made / "REVIEW.md").read_text()


def test_where_another_keeps_the_server_it_is_left_to_a_person(tmp_path: Path) -> None:
    facts = small_facts(owner="patroni", include_directory=Known(f"{DATA}/conf.d", "test"))
    made = host_bundle(tmp_path / "bundle", REPORTS, facts=facts)
    assert "rolesetting|" not in (made / "steps.txt").read_text()
    assert NOT_HERE in (made / "REVIEW.md").read_text()


def test_a_server_that_is_down_is_refused_and_nothing_changed(machine: PretendRoot, tmp_path: Path) -> None:
    made, before = host_bundle(tmp_path / "bundle", REPORTS), machine.tree()
    for options in ((), ("--dry-run",)):
        ran = machine.run(made / "apply.sh", *options)
        assert (ran.status, "reports: work_mem: the server is down" in ran.err) == (4, True), ran.said
    verified = machine.run(made / "verify.sh")
    assert verified.status == 1
    assert "DIFFERS     reports: work_mem: planned 256MB, running not known" in verified.out
    assert machine.run(made / "rollback.sh").status == 3
    assert machine.tree() == before


@pytest.mark.parametrize("value", ["256MB\\0073 DROP", "1e9MB", "\\0044\\0050id\\0051"])
def test_a_value_of_another_shape_is_not_given_to_the_server(
    value: str, machine: PretendRoot, tmp_path: Path
) -> None:
    part = (host_bundle(tmp_path / "bundle", REPORTS) / "lib" / "role.sh").read_text()
    words = f"NAME=x F3=work_mem; F5=$(printf '%b' '{value}'); is_role_value && echo taken || echo refused\n"
    script = tmp_path / "asks.sh"
    numbers = "is_number() { case $1 in '' | *[!0-9]* | 0?* | ????????????????*) return 1 ;; *) ;; esac; }\n"
    script.write_text(f"US=,\n{part}\n{numbers}{words}")
    assert machine.run(script).out == "refused\n"


def test_a_record_of_it_is_read_in_words(tmp_path: Path) -> None:
    odd = dataclasses.replace(IN_SHOP, role="my reports")
    text = (host_bundle(tmp_path / "bundle", REPORTS, odd) / "steps.txt").read_text()
    first, second = read_steps(text, "steps.txt", frozenset()).changes
    assert (first.name, first.before, first.value) == ("reports: work_mem", "64MB", "256MB")
    assert (second.name, second.before, second.keys) == (
        "my reports in shop: work_mem",
        "not set",
        ("rolesetting:my\\0040reports:shop:work_mem",),
    )
    assert keys_of_step(("rolesetting", "a", "", "jit", "", "off")) == ("rolesetting:a::jit",)
