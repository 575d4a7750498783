"""What of a plan goes to a keeper, what is left out, and what stops the bundle."""

import dataclasses
from collections.abc import Mapping

import pytest

from small_plans import small_facts, small_plan
from tunewiz.core.answers.answers import Replaced
from tunewiz.core.keepers.handover import Handover, handover
from tunewiz.core.planning.keeper_targets import kept_by, target_for, targets_for
from tunewiz.core.planning.plan import Plan
from tunewiz.core.planning.target_names import KeptTarget
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Known
from tunewiz.knowledge.keepers import load_rulebook

WANTED = {"pg.max_connections": "200", "pg.shared_buffers": "256MB", "pg.jit": "off"}


def plan_for(target: KeptTarget, wanted: Mapping[str, str] = WANTED, major: str = "15") -> Plan:
    facts = small_facts(Given(major=major, settings={"jit": "on", "work_mem": "8MB"}))
    return small_plan(kept_by(facts, facts.postgres[0], target), wanted)


def given_to(target: KeptTarget, wanted: Mapping[str, str] = WANTED, major: str = "15") -> Handover:
    return handover(plan_for(target, wanted, major), load_rulebook(target))


def test_every_setting_of_the_plan_is_handed_over() -> None:
    handed = given_to("patroni")
    assert {setting.name: setting.text for setting in handed.settings} == {
        "jit": "off",
        "max_connections": "200",
        "shared_buffers": "256MB",
    }
    assert handed.restart
    assert not handed.left_out


def test_a_setting_knows_what_the_plan_saw_and_what_somebody_had_set() -> None:
    by_name = {
        setting.name: setting for setting in given_to("patroni", {**WANTED, "pg.work_mem": "24MB"}).settings
    }
    assert (by_name["work_mem"].before, by_name["work_mem"].was) == ("8192", "8MB")
    assert (by_name["max_connections"].before, by_name["max_connections"].was) == ("100", "")


def test_the_reason_does_not_repeat_who_keeps_it() -> None:
    assert not any("manages" in setting.because for setting in given_to("patroni").settings)


def test_what_members_share_is_told_from_what_each_may_have_apart() -> None:
    assert {setting.name: setting.everywhere for setting in given_to("patroni").settings} == {
        "jit": False,
        "max_connections": True,
        "shared_buffers": False,
    }


def test_what_percona_writes_over_is_left_out_beside_what_patroni_itself_refuses() -> None:
    handed = given_to("percona", {**WANTED, "pg.archive_mode": "on", "pg.cluster_name": "other"})
    assert [setting.name for setting in handed.left_out] == ["archive_mode", "cluster_name"]
    assert [setting.name for setting in handed.settings] == ["jit", "max_connections", "shared_buffers"]
    with pytest.raises(InputError, match="max_connections: expected at least 25, found 20"):
        given_to("percona", {"pg.max_connections": "20"})


def test_what_percona_writes_over_can_be_set_with_patroni_alone() -> None:
    assert given_to("patroni", {"pg.archive_mode": "on"}).left_out == ()


def test_pods_of_percona_and_of_crunchy_look_alike_and_either_may_be_named() -> None:
    facts = small_facts()
    pod = kept_by(facts, facts.postgres[0], "pgo")
    assert targets_for("Crunchy Postgres for Kubernetes") == ("pgo", "percona", "host")
    assert targets_for("Percona Operator for PostgreSQL") == ("percona", "host")
    named = kept_by(pod, pod.postgres[0], "percona")
    assert named.owners.operator == Known("Percona Operator for PostgreSQL", "by --target")
    assert kept_by(named, named.postgres[0], "percona") == named
    assert kept_by(pod, pod.postgres[0], "pgo") == pod
    with pytest.raises(InputError, match="found pgo, but Percona Operator for PostgreSQL manages"):
        kept_by(named, named.postgres[0], "pgo")


def test_libraries_are_left_to_percona_and_not_to_crunchy() -> None:
    wanted = {**WANTED, "pg.shared_preload_libraries": "pg_stat_statements"}
    (left,) = given_to("percona", wanted).left_out
    assert (left.name, "change it by hand" in left.why) == ("shared_preload_libraries", True)
    assert given_to("pgo", wanted).left_out == ()


def test_a_value_that_would_be_dropped_stops_the_bundle() -> None:
    with pytest.raises(InputError, match="max_connections: expected at least 25, found 20") as refused:
        given_to("patroni", {"pg.max_connections": "20"})
    assert "decisions" in refused.value.hint


def test_the_same_value_is_no_matter_to_another_keeper() -> None:
    assert not given_to("cloudnativepg", {"pg.max_connections": "20"}).empty


def test_a_setting_that_cannot_be_set_is_left_out_with_the_reason() -> None:
    handed = given_to("cloudnativepg", {**WANTED, "pg.data_sync_retry": "on"})
    assert [(setting.name, setting.why) for setting in handed.left_out] == [
        ("data_sync_retry", "the operator refuses it")
    ]


def test_a_person_who_asked_for_it_is_refused_instead() -> None:
    result = small_facts()
    facts = kept_by(result, result.postgres[0], "cloudnativepg")
    decided = {"pg.data_sync_retry": Replaced(value="on")}
    plan = small_plan(facts, {"pg.data_sync_retry": "on"}, decisions=decided)
    with pytest.raises(InputError, match="data_sync_retry = on: the operator refuses it"):
        handover(plan, load_rulebook("cloudnativepg"))


def test_a_library_alone_is_something_to_hand_over_and_waits_for_a_restart() -> None:
    handed = given_to("cloudnativepg", {"pg.shared_preload_libraries": "pg_prewarm"})
    assert (handed.libraries, handed.settings) == (("pg_prewarm",), ())
    assert handed.restart
    assert not handed.empty
    nothing = given_to("cloudnativepg", {})
    assert nothing.empty
    assert not nothing.restart


def test_libraries_go_to_a_list_of_their_own_or_come_with_a_parameter() -> None:
    wanted = {"pg.shared_preload_libraries": "pg_stat_statements, pg_prewarm"}
    handed = given_to("cloudnativepg", wanted)
    assert handed.libraries == ("pg_prewarm",)
    assert [(setting.name, setting.text) for setting in handed.settings] == [
        ("pg_stat_statements.track", "top")
    ]
    assert handed.restart


def test_elsewhere_they_are_a_setting_like_any_other() -> None:
    handed = given_to("zalando", {"pg.shared_preload_libraries": "pg_stat_statements"})
    assert [setting.name for setting in handed.settings] == ["shared_preload_libraries"]
    assert handed.libraries == ()


@pytest.mark.parametrize(("major", "added"), [("18", []), ("19", ["128"])])
def test_locks_are_raised_where_patroni_would_halve_them(major: str, added: list[str]) -> None:
    facts = small_facts(Given(major=major, settings={"max_locks_per_transaction": "64"}))
    plan = small_plan(kept_by(facts, facts.postgres[0], "patroni"), {"pg.work_mem": "24MB"})
    settings = handover(plan, load_rulebook("patroni")).settings
    assert [setting.text for setting in settings if setting.name == "max_locks_per_transaction"] == added


def test_a_major_that_the_operator_does_not_run_is_refused() -> None:
    with pytest.raises(InputError, match="CloudNativePG runs PostgreSQL 13 and newer, this server is 12"):
        given_to("cloudnativepg", major="12")


@pytest.mark.parametrize(
    ("operator", "owner", "target", "use"),
    [
        ("CloudNativePG", "container", "patroni", "cloudnativepg"),
        ("Zalando Postgres Operator", "patroni", "autobase", "zalando"),
        ("", "patroni", "pgo", "patroni"),
    ],
)
def test_another_keeper_than_the_facts_name_is_refused(
    operator: str, owner: str, target: KeptTarget, use: str
) -> None:
    facts = small_facts(owner=owner)
    if operator:
        facts = dataclasses.replace(
            facts, owners=dataclasses.replace(facts.owners, operator=Known(operator, "test"))
        )
    with pytest.raises(InputError) as refused:
        kept_by(facts, facts.postgres[0], target)
    assert refused.value.hint == f"Use --target {use}."


def test_each_keeper_of_facts_has_its_target() -> None:
    by_title = {
        "Patroni": "patroni",
        "CloudNativePG": "cloudnativepg",
        "Crunchy Postgres for Kubernetes": "pgo",
        "Zalando Postgres Operator": "zalando",
        "StackGres": "stackgres",
        "KubeBlocks": "kubeblocks",
        "": "host",
    }
    assert {title: target_for(title) for title in by_title} == by_title
