"""`--policy` of `tunewiz plan` and `bundle`: the rules of the shop for one host, obeyed or named."""

import json
from pathlib import Path

import pytest

from command_line import Ended, tunewiz

DEMO = ("--demo", "nvme-server")


def rule(setting: str, demand: str, more: str = "") -> str:
    by = 'reason = "reports were killed in March"\nowner = "dba@example.org"'
    return f'[[rules]]\nsetting = "{setting}"\n{demand}\n{by}\n{more}\n'


def policy(directory: Path, *rules: str) -> str:
    file = directory / "policy.toml"
    file.write_text("schema = 1\n" + "".join(rules))
    return str(file)


def plan(directory: Path, *rules: str) -> Ended:
    return tunewiz("plan", *DEMO, "--policy", policy(directory, *rules))


def test_a_value_is_planned_with_its_reason(tmp_path: Path) -> None:
    ended = plan(tmp_path, rule("random_page_cost", 'value = "1.5"'))
    assert (ended.status, ended.err) == (0, "")
    assert "value set by hand: policy: reports were killed in March (dba@example.org)" in ended.out


def test_a_bound_that_the_plan_keeps_changes_nothing(tmp_path: Path) -> None:
    ended = plan(tmp_path, rule("max_wal_size", 'at_most = "64GB"'))
    assert (ended.status, ended.out) == (0, tunewiz("plan", *DEMO).out)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ((rule("jit", 'value = "on"', "until = 2026-01-31"),), "the rule on jit on expired on 2026-01-31"),
        ((rule("host.connection_pool", "require = true"),), "does not hold here: it is left to a person"),
    ],
)
def test_a_rule_that_is_not_kept_is_named_and_the_status_is_1(
    rules: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    ended = plan(tmp_path, *rules)
    assert ended.status == 1
    assert message in ended.one_message
    assert "ask dba@example.org (reports were killed in March)" in ended.one_message
    assert "To change" in ended.out


def test_rules_for_groups_are_left_out_and_said_so(tmp_path: Path) -> None:
    ended = plan(tmp_path, rule("work_mem", 'value = "8MB"', 'groups = ["reports"]'))
    assert (ended.status, ended.out) == (0, tunewiz("plan", *DEMO).out)
    assert "1 rule for groups left out: only a fleet has groups" in ended.one_message


def test_rules_for_a_role_that_is_not_known_are_left_out_and_said_so(tmp_path: Path) -> None:
    here, stopped = tmp_path / "here.json", tmp_path / "stopped.json"
    tunewiz("facts", *DEMO, "-o", str(here))
    facts = json.loads(here.read_text())
    facts["postgres"][0]["role"] = None
    facts["unknown"]["postgres.0.role"] = "the server is not running"
    stopped.write_text(json.dumps(facts))
    rules = policy(tmp_path, rule("work_mem", 'value = "8MB"', 'role = "primary"'))
    ended = tunewiz("plan", "--facts", str(stopped), "--policy", rules)
    assert ended.status == 0
    assert (
        "1 rule for a role left out: whether this is a primary or a standby is not known" in ended.one_message
    )
    known = tunewiz("plan", "--facts", str(here), "--policy", rules)
    assert (known.err, "policy: reports were killed in March" in known.out) == ("", True)


OF_STAGING = rule("work_mem", 'value = "8MB"', 'environments = ["staging"]')


def test_rules_for_environments_are_left_out_until_the_environment_is_given(tmp_path: Path) -> None:
    ended = plan(tmp_path, OF_STAGING)
    assert (ended.status, ended.out) == (0, tunewiz("plan", *DEMO).out)
    assert "1 rule for environments left out: --environment names the one of this host" in ended.one_message


@pytest.mark.parametrize(("name", "is_ruled"), [("staging", True), ("production", False)])
def test_rules_for_an_environment_are_for_its_hosts(name: str, is_ruled: bool, tmp_path: Path) -> None:  # noqa: FBT001
    rules = policy(tmp_path, OF_STAGING)
    ended = tunewiz("plan", *DEMO, "--policy", rules, "--environment", name)
    assert (ended.status, ended.err) == (0, "")
    assert ("policy: reports were killed in March" in ended.out) is is_ruled


def test_an_environment_without_rules_is_wrong_usage() -> None:
    ended = tunewiz("plan", *DEMO, "--environment", "staging")
    assert (ended.status, ended.out) == (2, "")
    assert "--environment: expected --policy with it" in ended.one_message


def test_rules_for_another_host_are_not_for_this_one(tmp_path: Path) -> None:
    ended = plan(tmp_path, rule("work_mem", 'value = "8MB"', 'hosts = ["eu-*"]'))
    assert (ended.status, ended.err, ended.out) == (0, "", tunewiz("plan", *DEMO).out)


def test_a_bundle_repeats_what_rules_decided_without_them(tmp_path: Path) -> None:
    rules = policy(tmp_path, rule("random_page_cost", 'value = "1.5"'), rule("work_mem", "leave = true"))
    bundle = tmp_path / "bundle"
    assert tunewiz("bundle", *DEMO, "--policy", rules, "-o", str(bundle)).status == 0
    with_rules = tunewiz("plan", *DEMO, "--policy", rules, "--json").out
    repeated = tunewiz("plan", *DEMO, "--answers", str(bundle / "answers.toml"), "--json").out
    assert json.loads(repeated) == json.loads(with_rules)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (rule("wrk_mem", 'value = "8MB"'), "expected a setting that is planned"),
        (rule("work_mem", 'value = "8 apples"'), "rule on work_mem"),
        (rule("work_mem", ""), "found 0 demands"),
        (rule("shared_buffers", 'value = "900GB"'), "policy.toml"),
    ],
)
def test_what_nobody_could_obey_is_refused_with_the_file(text: str, message: str, tmp_path: Path) -> None:
    ended = plan(tmp_path, text)
    assert (ended.status, ended.out) == (2, "")
    assert "policy.toml" in ended.one_message
    assert message in ended.one_message


def test_members_are_planned_by_rules_as_a_fleet_only(tmp_path: Path) -> None:
    rules = policy(tmp_path, rule("work_mem", 'value = "8MB"'))
    member = ("--target", "patroni", "--member", "other.json", "-o", str(tmp_path / "new"))
    ended = tunewiz("bundle", *DEMO, *member, "--policy", rules)
    assert ended.status == 2
    assert "tunewiz fleet write" in ended.one_message
