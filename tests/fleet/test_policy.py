"""The shop's rules: no plan of a fleet breaks one silently; each shows where it is obeyed, and has an end."""

from collections.abc import Mapping
from datetime import date
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from small_fleets import ANSWERS, fleet_of, write_answers, write_host
from tunewiz.core.fleet.fleet import Fleet
from tunewiz.core.fleet.hosts import HostPlan
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.errors import InputError
from tunewiz.fleet.answers import FleetAnswers, read_fleet_answers
from tunewiz.fleet.one_host import planned_again
from tunewiz.fleet.own_answers import policy_file
from tunewiz.fleet.policy import read_policy
from tunewiz.fleet.write import write_fleet

BY = 'reason = "reports were killed in March"\nowner = "dba@example.org"\n'
ASKED = "ask dba@example.org (reports were killed in March)"


def rule(setting: str, demand: str, more: str = "") -> str:
    return f'[[rules]]\nsetting = "{setting}"\n{demand}\n{BY}{more}'


def with_policy(tmp_path: Path, *rules: str, files: Mapping[str, str] | None = None) -> FleetAnswers:
    text = "schema = 1\n" + "\n".join(rules)
    return write_answers(
        tmp_path / "answers", {"default.toml": ANSWERS, "policy.toml": text, **(files or {})}
    )


def fleet_with(tmp_path: Path, *rules: str, hosts: tuple[str, ...] = ("db1",)) -> Fleet:
    (tmp_path / "facts").mkdir(parents=True, exist_ok=True)
    for name in hosts:
        write_host(tmp_path / "facts", name)
    return fleet_of(tmp_path / "facts", with_policy(tmp_path, *rules))


def host_named(fleet: Fleet, name: str = "db1") -> HostPlan:
    assert fleet.failed == ()
    return next(host for group in fleet.groups for host in group.hosts if host.host == name)


def planned(fleet: Fleet, setting: str, name: str = "db1") -> tuple[str, str]:
    """What the host gets, and what the administrator decided, as the plan shows both."""
    host = host_named(fleet, name)
    for decision, value in zip(host.decisions, host.values, strict=True):
        if decision.name == setting:
            return value, decision.decided
    return "", ""


@pytest.mark.parametrize(
    ("demand", "value"),
    [
        ('value = "96MB"', "96MB"),
        ('at_most = "3MB"', "3MB"),
        ('at_least = "150MB"', "150MB"),
    ],
)
def test_a_rule_decides_the_value_and_the_plan_says_why(tmp_path: Path, demand: str, value: str) -> None:
    assert planned(fleet_with(tmp_path, rule("work_mem", demand)), "work_mem") == (
        value,
        "value set by hand: policy: reports were killed in March (dba@example.org)",
    )


@pytest.mark.parametrize("demand", ['at_most = "100GB"', 'at_least = "64kB"'])
def test_bounds_that_hold_leave_the_plan_alone(tmp_path: Path, demand: str) -> None:
    before = fleet_with(tmp_path)
    assert fleet_with(tmp_path, rule("work_mem", demand)) == before


ENVIRONMENT = 'schema = 1\nhosts = ["db1"]\n'


@pytest.mark.parametrize(("names", "value"), [('"production"', "3MB"), ('"staging", "test"', "8MB")])
def test_a_rule_for_environments_is_for_their_hosts_alone(names: str, value: str, tmp_path: Path) -> None:
    text = rule("work_mem", 'value = "3MB"', f"environments = [{names}]")
    answers = with_policy(tmp_path, text, files={"environments/production.toml": ENVIRONMENT})
    (tmp_path / "facts").mkdir()
    write_host(tmp_path / "facts", "db1")
    fleet = fleet_of(tmp_path / "facts", answers)
    without = planned(fleet_with(tmp_path / "without"), "work_mem")[0]
    assert planned(fleet, "work_mem")[0] == (value if value == "3MB" else without)
    assert [message.partition(": ")[2] for message in fleet.unused] == (
        [] if value == "3MB" else ["no host matches the rule on work_mem 3MB"]
    )


def test_a_project_that_is_written_keeps_the_rules_of_environments(tmp_path: Path) -> None:
    text = rule("work_mem", 'value = "3MB"', 'environments = ["production"]')
    answers = with_policy(tmp_path, text, files={"environments/production.toml": ENVIRONMENT})
    (tmp_path / "facts").mkdir()
    for name in ("db1", "db2"):
        write_host(tmp_path / "facts", name)
    assert answers.policy is not None
    written = tmp_path / "written.toml"
    written.write_text(policy_file(answers.policy, answers, {"db1": "", "db2": ""}))
    (again,) = read_policy(written).rules
    assert (again.hosts, again.environments, again.value) == (("db1",), None, "3MB")


def test_a_bound_that_the_server_keeps_today_leaves_it_as_it_is(tmp_path: Path) -> None:
    fleet = fleet_with(tmp_path, rule("work_mem", 'at_most = "4MB"'))
    assert planned(fleet, "work_mem") == ("", "")
    assert fleet.unused == ()


def test_what_is_to_be_left_is_not_changed(tmp_path: Path) -> None:
    assert planned(fleet_with(tmp_path), "jit")[0] == "off"
    assert planned(fleet_with(tmp_path, rule("jit", "leave = true")), "jit") == ("", "")


def test_what_is_required_is_changed(tmp_path: Path) -> None:
    before = host_named(fleet_with(tmp_path))
    (open_one, *_) = [one for one in before.decisions if one.state == "advise" and one.takes == "reload"]
    after = host_named(fleet_with(tmp_path, rule(open_one.id, "require = true")))
    (decided,) = [decision for decision in after.decisions if decision.id == open_one.id]
    assert decided.decided.startswith("accepted: policy: ")


def test_what_is_required_and_only_a_person_can_do_is_named(tmp_path: Path) -> None:
    (message,) = fleet_with(tmp_path, rule("host.auto_explain", "require = true")).unused
    assert "host.auto_explain as proposed does not hold on 1 host: on db1 it is left to a person: " in message


def test_a_value_with_which_the_server_would_not_fit_refuses_the_host(tmp_path: Path) -> None:
    (failed,) = fleet_with(tmp_path, rule("work_mem", 'at_least = "900MB"')).failed
    assert "policy.toml: " in failed.why
    assert "values set by hand for work_mem claim" in failed.why


def test_no_limit_is_above_every_bound(tmp_path: Path) -> None:
    assert (
        planned(fleet_with(tmp_path, rule("temp_file_limit", 'at_most = "5GB"')), "temp_file_limit")[0]
        == "5GB"
    )
    more = fleet_with(tmp_path, rule("log_min_duration_statement", 'at_least = "10ms"'))
    assert more.unused == ()


def test_a_kernel_setting_has_bounds_too(tmp_path: Path) -> None:
    value, decided = planned(fleet_with(tmp_path, rule("vm.swappiness", 'at_most = "1"')), "vm.swappiness")
    assert (value, decided.startswith("value set by hand: policy")) == ("1", True)


def test_a_rule_is_for_the_hosts_that_it_names(tmp_path: Path) -> None:
    fleet = fleet_with(
        tmp_path, rule("work_mem", 'value = "96MB"', 'hosts = ["eu-*"]\n'), hosts=("eu-1", "us-1")
    )
    assert planned(fleet, "work_mem", "eu-1")[0] == "96MB"
    assert planned(fleet, "work_mem", "us-1")[0] != "96MB"


def test_a_rule_is_for_groups_and_roles(tmp_path: Path) -> None:
    group = 'schema = 1\nhosts = ["db1"]\n'
    answers = with_policy(
        tmp_path,
        rule("work_mem", 'value = "96MB"', 'groups = ["reports"]\n'),
        rule("jit", "leave = true", 'role = "standby"\n'),
        files={"groups/reports.toml": group},
    )
    assert [asked_for.setting for asked_for in answers.rules("db1", "primary")] == ["work_mem"]
    assert [asked_for.setting for asked_for in answers.rules("db1", "standby")] == ["work_mem", "jit"]
    assert [asked_for.setting for asked_for in answers.rules("db2", "standby")] == ["jit"]
    assert answers.rules("db2", "") == ()


def test_a_rule_goes_before_a_decision_of_the_answers(tmp_path: Path) -> None:
    write_host(tmp_path, "db1")
    decisions = '[decisions]\n"pg.work_mem" = { set = "128MB" }\n'
    answers = with_policy(
        tmp_path, rule("work_mem", 'at_most = "64MB"'), files={"default.toml": ANSWERS + decisions}
    )
    assert planned(fleet_of(tmp_path, answers), "work_mem")[0] == "64MB"


@pytest.mark.parametrize(("until", "is_obeyed"), [("2026-11-29", True), ("2026-11-28", False)])
def test_a_rule_is_obeyed_on_its_last_day_and_named_afterwards(
    tmp_path: Path,
    until: str,
    is_obeyed: bool,  # noqa: FBT001 - a parameter
) -> None:
    file = tmp_path / "policy.toml"
    file.write_text("schema = 1\n" + rule("work_mem", 'value = "96MB"', f"until = {until}\n"))
    policy = read_policy(file, date(2026, 11, 29))
    assert (len(policy.in_force) == 1) is is_obeyed
    assert [*policy.expired()] == (
        []
        if is_obeyed
        else [f"{file}: the rule on work_mem 96MB expired on {until} and is not obeyed: {ASKED}"]
    )


def test_what_is_over_or_for_nobody_makes_the_fleet_not_whole(tmp_path: Path) -> None:
    fleet = fleet_with(
        tmp_path,
        rule("work_mem", 'value = "96MB"', "until = 2020-01-31\n"),
        rule("jit", "leave = true", 'hosts = ["nobody"]\n'),
    )
    assert [message.partition("policy.toml: ")[2] for message in fleet.unused] == [
        f"the rule on work_mem 96MB expired on 2020-01-31 and is not obeyed: {ASKED}",
        "no host matches the rule on jit left as it is",
    ]
    assert not fleet.is_whole


def test_what_cannot_hold_is_named_with_a_host(tmp_path: Path) -> None:
    fleet = fleet_with(
        tmp_path,
        rule("work_mem", 'at_least = "64MB"'),
        rule("work_mem", 'at_most = "32MB"'),
        hosts=("a", "b"),
    )
    (message,) = fleet.unused
    assert message.startswith(f"{tmp_path}/answers/policy.toml: work_mem at ")
    assert "does not hold on 2 hosts: on a the plan has " in message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "schema"),
        ("schema = 2\n", "schema: found 2, expected 1"),
        ("schema = 1\n" + rule("work_mem", ""), "rule 1: found 0 demands, expected one of value"),
        ("schema = 1\n" + rule("work_mem", 'value = "1MB"\nleave = true'), "rule 1: found 2 demands"),
        ("schema = 1\n" + rule("workmem", "leave = true"), "setting: found 'workmem', expected a setting"),
        ("schema = 1\n" + rule("work_mem", "leave = true", 'until = "soon"\n'), "expected a date such as"),
        (
            "schema = 1\n" + rule("work_mem", "leave = true", "until = 2026-01-01T00:00:00Z\n"),
            "a date such as",
        ),
        ("schema = 1\n" + rule("work_mem", "leave = true", 'role = "king"\n'), "role"),
        ("schema = 1\n" + rule("work_mem", "leave = true", "unknown = 1\n"), "unknown"),
        (
            "schema = 1\n[[rules]]\nsetting = 'jit'\nleave = true\nreason = ' '\nowner = 'a'\n",
            "reason: found",
        ),
        ("schema = 1\n[[rules]]\nsetting = 'jit'\nleave = true\n", "reason"),
        (
            "schema = 1\n" + rule("work_mem", "leave = true", "hosts = []\n"),
            "hosts: found [], expected names",
        ),
        (
            "schema = 1\n" + rule("work_mem", "leave = true", "groups = []\n"),
            "groups: found [], expected names",
        ),
        ("schema =", "not valid TOML"),
    ],
)
def test_a_file_that_nobody_could_obey_is_refused_with_its_place(
    tmp_path: Path, text: str, message: str
) -> None:
    file = tmp_path / "policy.toml"
    file.write_text(text)
    with pytest.raises(InputError) as caught:
        read_policy(file)
    assert message in caught.value.message
    assert str(file) in caught.value.message


@pytest.mark.parametrize(
    ("setting", "demand", "message"),
    [
        ("work_mem", 'value = "green"', "rule on work_mem: "),
        ("jit", 'at_most = "on"', "rule on jit: found a bound, expected `value`"),
        ("fsync", 'value = "off"', "rule on fsync: off is never set by a bundle"),
    ],
)
def test_a_value_that_no_server_takes_refuses_the_host(
    tmp_path: Path, setting: str, demand: str, message: str
) -> None:
    (failed,) = fleet_with(tmp_path, rule(setting, demand)).failed
    assert failed.host == "db1"
    assert f"policy.toml: {message}" in failed.why


def test_a_written_project_has_the_rules_and_plans_the_same_again(tmp_path: Path) -> None:
    fleet = fleet_with(tmp_path, rule("work_mem", 'value = "96MB"'))
    write_fleet(fleet, read_fleet_answers(tmp_path / "answers"), tmp_path / "out", lambda _: None)
    answers = (tmp_path / "out/bundles/db1/answers.toml").read_text()
    assert 'set = "96MB"\nnote = "policy: reports were killed in March' in answers
    assert "policy: reports were killed in March" in (tmp_path / "out/REVIEW-pg15-1.md").read_text()
    again = fleet_of(tmp_path / "facts", read_fleet_answers(tmp_path / "out/answers"))
    assert again.groups == fleet.groups


def test_a_written_project_keeps_the_rules_of_groups(tmp_path: Path) -> None:
    (tmp_path / "facts").mkdir()
    for name in ("db1", "db2"):
        write_host(tmp_path / "facts", name)
    answers = with_policy(
        tmp_path,
        rule("work_mem", 'value = "96MB"', 'groups = ["reports"]\nuntil = 2999-01-31\n'),
        rule("jit", "leave = true", 'groups = ["nobody"]\n'),
        files={"groups/reports.toml": 'schema = 1\nhosts = ["db1"]\n'},
    )
    fleet = fleet_of(tmp_path / "facts", answers)
    assert planned(fleet, "work_mem", "db1")[0] == "96MB"
    assert planned(fleet, "work_mem", "db2")[0] != "96MB"
    write_fleet(fleet, answers, tmp_path / "out", lambda _: None)
    again = fleet_of(tmp_path / "facts", read_fleet_answers(tmp_path / "out/answers"))
    assert again.groups == fleet.groups


@pytest.mark.parametrize(
    ("setting", "demand", "value"),
    [
        ("statement_timeout", 'at_most = "10min"', "10min"),
        ("autovacuum_vacuum_cost_limit", 'at_least = "5000"', "5000"),
        ("wal_buffers", 'at_most = "8MB"', "8MB"),
    ],
)
def test_what_is_no_number_of_its_own_is_bounded_all_the_same(
    tmp_path: Path, setting: str, demand: str, value: str
) -> None:
    assert planned(fleet_with(tmp_path, rule(setting, demand)), setting)[0] == value


NUMBERS = {
    "work_mem": ("64kB", "1MB", "64MB", "2GB"),
    "max_wal_size": ("64MB", "1GB", "512GB"),
    "autovacuum_vacuum_cost_limit": ("1", "200", "9000"),
    "random_page_cost": ("1", "1.1", "4"),
    "max_connections": ("10", "100", "5000"),
    "vm.swappiness": ("0", "1", "60"),
    "shared_buffers": ("16MB", "1GB", "16GB"),
}
DEMANDS = ("value", "at_least", "at_most")
DRAWN = [
    (setting, demand, value)
    for setting, values in NUMBERS.items()
    for demand, value in product(DEMANDS, values)
]


@settings(max_examples=60)
@given(rules=st.lists(st.sampled_from(DRAWN), min_size=1, max_size=4), cores=st.sampled_from((2, 16)))
def test_no_plan_breaks_a_rule_silently(
    tmp_path_factory: pytest.TempPathFactory, rules: list[tuple[str, str, str]], cores: int
) -> None:
    place = tmp_path_factory.mktemp("policy")
    write_host(place, "db1", Given(cores=cores))
    answers = with_policy(
        place, *(rule(setting, f'{demand} = "{value}"') for setting, demand, value in rules)
    )
    fleet = fleet_of(place, answers)
    if fleet.failed:
        assert "policy.toml" in fleet.failed[0].why
        return
    plan = planned_again(host_named(fleet), answers).plan
    for setting, demand, value in rules:
        if setting.startswith("vm."):
            chosen = plan.end.chosen.get(setting)
            got: float = int(chosen) if chosen else plan.start.kernel_number(setting)
            bound: float = int(value)
        else:
            info = plan.start.settings[setting]
            got, bound = (float(info.canonical(text)) for text in (plan.end.will_be(setting), value))
        holds = {"value": got == bound, "at_least": got >= bound, "at_most": got <= bound}[demand]
        named = any(f"policy.toml: {setting} " in message for message in fleet.unused)
        assert holds or named
