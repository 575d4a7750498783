"""What operators and autobase are given: by the operators' own schemas, to the byte, and back."""

import dataclasses
import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from fixtures_golden import Golden
from operator_fields import KUBEBLOCKS, PERCONA, STACKGRES, STACKGRES_RESTART
from small_plans import small_answers, small_facts, small_plan
from strict_schema import errors, schema_of
from tunewiz.bundle.check import check_bundle
from tunewiz.bundle.keepers.keeper_bundle import Texts, kept_files, kept_plan, write_kept_bundle
from tunewiz.bundle.keepers.operations import reconfiguring
from tunewiz.bundle.keepers.review import KeptPlan
from tunewiz.core.answers.answers import Answers, Refused, Replaced
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.server import Setting
from tunewiz.core.planning.keeper_targets import kept_by
from tunewiz.core.planning.plan import Plan
from tunewiz.core.planning.target_names import KeptTarget
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Absent, Known, Unknown
from tunewiz.core.values.units import GIB, Bytes
from tunewiz.formats.records import answers_to_toml, facts_to_json
from tunewiz.formats.yaml import dumps
from tunewiz.knowledge.keepers import load_rulebook
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.planning import default_answers, make_plan

OPERATORS: tuple[KeptTarget, ...] = ("cloudnativepg", "pgo", "percona", "zalando", "stackgres")
IN_PODS: tuple[KeptTarget, ...] = (*OPERATORS, "kubeblocks")
ALL: tuple[KeptTarget, ...] = (*IN_PODS, "autobase", "patroni")


def machine(target: KeptTarget) -> Facts:
    """A pod for an operator, a host for what runs on hosts."""
    facts = demo_facts("container" if target in IN_PODS else "nvme-server")
    return kept_by(facts, facts.postgres[0], target)


def plan_of(facts: Facts, **decided: str) -> Plan:
    answers = default_answers(facts, load_knowledge())
    decisions = {f"pg.{name}": Replaced(value=value) for name, value in decided.items()}
    return make_plan(facts, dataclasses.replace(answers, decisions=decisions), load_knowledge())


def made(target: KeptTarget, facts: Facts | None = None, **decided: str) -> tuple[Plan, KeptPlan]:
    plan = plan_of(facts or machine(target), **decided)
    return plan, kept_plan(plan, target, load_rulebook(target))


def texts(plan: Plan, answers: Answers | None = None) -> Texts:
    return Texts(
        facts_json=facts_to_json(plan.start.facts), answers_toml=answers_to_toml(answers or small_answers())
    )


def files(target: KeptTarget, facts: Facts | None = None, **decided: str) -> Mapping[str, bytes]:
    plan, kept = made(target, facts, **decided)
    return kept_files(plan, kept, texts(plan))


def document(target: KeptTarget, name: str = "patch.yaml") -> dict[str, Any]:
    return yaml.safe_load(files(target)[name])  # type: ignore[no-any-return]


@pytest.mark.parametrize("operator", ["cloudnativepg", "pgo"])
@pytest.mark.parametrize("name", ["patch.yaml", "undo.yaml"])
def test_the_operators_own_schema_takes_the_patch_and_its_undo(operator: KeptTarget, name: str) -> None:
    assert list(errors(schema_of(operator), document(operator, name))) == []


def test_the_schema_takes_the_huge_pages_too() -> None:
    for name in ("patch.yaml", "undo.yaml"):
        assert not list(errors(schema_of("cloudnativepg"), document("cloudnativepg", f"huge-pages/{name}")))
    entry = document("pgo", "huge-pages/patch.yaml")
    assert list(errors(schema_of("pgo"), {"spec": {"instances": [entry]}})) == []


@pytest.mark.parametrize("name", ["patch.yaml", "undo.yaml"])
def test_the_fields_of_percona_and_stackgres_take_the_patch_and_its_undo(name: str) -> None:
    assert list(errors(PERCONA, document("percona", name))) == []
    assert list(errors(STACKGRES, document("stackgres", name))) == []


def test_stackgres_restarts_only_if_asked_to_and_only_where_a_setting_waits_for_it() -> None:
    restart = document("stackgres", "restart.yaml")
    assert list(errors(STACKGRES_RESTART, restart)) == []
    assert restart["spec"] == {
        "sgCluster": "CLUSTER",
        "op": "restart",
        "restart": {"method": "InPlace", "onlyPendingRestart": True},
    }
    assert {target for target in OPERATORS if "restart.yaml" in files(target)} == {"stackgres"}
    facts = small_facts()
    plan = small_plan(kept_by(facts, facts.postgres[0], "stackgres"), {"pg.jit": "off"})
    at_once = kept_files(plan, kept_plan(plan, "stackgres", load_rulebook("stackgres")), texts(plan))
    assert "patch.yaml" in at_once
    assert "restart.yaml" not in at_once


def parameters_of(name: str) -> dict[str, str]:
    request = document("kubeblocks", name)
    assert list(errors(KUBEBLOCKS, request)) == []
    (component,) = request["spec"]["reconfigures"]
    assert component["componentName"] == "postgresql"
    return {pair["key"]: pair["value"] for pair in component["parameters"]}


def test_kubeblocks_is_sent_the_settings_and_back_what_the_facts_tell() -> None:
    sent, back = parameters_of("reconfigure.yaml"), parameters_of("undo.yaml")
    assert (sent["shared_buffers"], sent["jit"]) == ("2GB", "off")
    assert "log_line_prefix" not in sent
    assert back == {"max_wal_size": "1GB", "shared_buffers": "128MB"}
    review = files("kubeblocks")["REVIEW.md"].decode()
    assert "`kubectl create -f reconfigure.yaml` asks for the changes." in review
    assert "Facts lack the values before of checkpoint_timeout, effective_cache_size" in review


def test_kubeblocks_is_sent_nothing_where_there_is_nothing() -> None:
    facts = small_facts()
    plan = small_plan(kept_by(facts, facts.postgres[0], "kubeblocks"), {})
    result = kept_files(plan, kept_plan(plan, "kubeblocks", load_rulebook("kubeblocks")), texts(plan))
    assert not {"reconfigure.yaml", "undo.yaml", "patch.yaml"} & set(result)


def test_what_the_facts_tell_whole_is_undone_whole() -> None:
    facts = small_facts()
    plan = small_plan(kept_by(facts, facts.postgres[0], "kubeblocks"), {"pg.jit": "off"})
    result = kept_files(plan, kept_plan(plan, "kubeblocks", load_rulebook("kubeblocks")), texts(plan))
    (component,) = yaml.safe_load(result["undo.yaml"])["spec"]["reconfigures"]
    assert component["parameters"] == [{"key": "jit", "value": "on"}]
    assert "Facts lack" not in result["REVIEW.md"].decode()


@pytest.mark.parametrize(
    ("name", "value", "sent"),
    [
        ("work_mem", "24MB", "24MB"),
        ("work_mem", "1.5GB", "1572864"),
        ("track_activity_query_size", "2049B", "2049"),
        ("random_page_cost", "1.1", "1.1"),
        ("checkpoint_timeout", "15min", "15min"),
        ("search_path", '"$user", public', """'"$user", public'"""),
        ("application_name", "my app", "'my app'"),
        ("shared_preload_libraries", "pg_stat_statements", "pg_stat_statements"),
        ("shared_preload_libraries", "pg_cron,pgaudit", "'pg_cron,pgaudit'"),
    ],
)
def test_kubeblocks_is_sent_values_as_it_reads_them(name: str, value: str, sent: str) -> None:
    facts = small_facts(settings=Unknown("not asked"))
    plan = small_plan(kept_by(facts, facts.postgres[0], "kubeblocks"), {f"pg.{name}": value})
    request = reconfiguring(kept_plan(plan, "kubeblocks", load_rulebook("kubeblocks")).handed, {})
    assert yaml.safe_load(dumps(request))["spec"]["reconfigures"][0]["parameters"] == [
        {"key": name, "value": sent}
    ]


def test_stackgres_takes_a_patch_for_its_own_major_alone() -> None:
    for name in ("patch.yaml", "undo.yaml"):
        assert document("stackgres", name)["spec"]["postgresVersion"] == "17"


def test_stackgres_has_memory_and_huge_pages_in_another_resource_and_review_says_so() -> None:
    result = files("stackgres")
    assert not any(name.startswith("huge-pages/") for name in result)
    review = result["REVIEW.md"].decode()
    assert "in the SGInstanceProfile of the cluster: `memory: 8Gi`, `cpu: 4`." in review
    assert "Requests, limits and huge pages are in the SGInstanceProfile of the cluster" in review
    assert "spec.instances" not in review


def test_the_review_of_stackgres_says_whose_name_is_meant_and_that_undo_restarts_again() -> None:
    review = files("stackgres")["REVIEW.md"].decode()
    assert "kubectl get sgcluster CLUSTER -o jsonpath='{.spec.configurations.sgPostgresConfig}'" in review
    assert "`kubectl create -f restart.yaml` restarts the pods" in review
    assert "Then restart again." in review
    assert "Then restart again." not in files("percona")["REVIEW.md"].decode()


@pytest.mark.parametrize(
    ("patch", "wrong"),
    [
        ({"spec": {"postgresql": {"parameter": {}}}}, ".spec.postgresql.parameter: there is no such field"),
        ({"spec": {"postgresql": {"parameters": {"jit": False}}}}, "False is not of string"),
        ({"spec": {"resources": {"requests": {"memory": "8 GB"}}}}, "'8 GB' does not match"),
        ({"spec": {"primaryUpdateStrategy": "watched"}}, "'watched' is none of"),
    ],
)
def test_the_schema_is_held_strictly(patch: Mapping[str, Any], wrong: str) -> None:
    (actual,) = errors(schema_of("cloudnativepg"), patch)
    assert wrong in actual


@pytest.mark.parametrize("target", OPERATORS)
def test_every_value_is_a_string(target: KeptTarget) -> None:
    result = document(target)
    for key in load_rulebook(target).path:
        result = result[key]
    assert result
    assert all(isinstance(value, str) for value in result.values())


@pytest.mark.parametrize("target", OPERATORS)
def test_undo_speaks_of_the_same_settings(target: KeptTarget) -> None:
    patch, undo = document(target), document(target, "undo.yaml")
    for key in load_rulebook(target).path:
        patch, undo = patch[key], undo[key]
    assert patch.keys() == undo.keys()
    assert undo["shared_buffers"] == "128MB"
    assert undo["jit"] is None


@pytest.mark.parametrize("target", ALL)
def test_the_same_plan_gives_the_same_bytes(target: KeptTarget, golden: Golden) -> None:
    result = files(target)
    assert result == files(target)
    results = (
        *("patch.yaml", "reconfigure.yaml", "undo.yaml", "restart.yaml", "vars.yml", "undo-vars.yml"),
        *("huge-pages/patch.yaml", "REVIEW.md"),
    )
    for name in results:
        if name in result:
            golden(f"kept/{target}/{name}", result[name])


@pytest.mark.parametrize("target", ALL)
def test_a_bundle_is_intact_and_knows_its_host(target: KeptTarget, tmp_path: Path) -> None:
    facts = small_facts()
    plan = small_plan(kept_by(facts, facts.postgres[0], target))
    kept = kept_plan(plan, target, load_rulebook(target))
    write_kept_bundle(plan, kept, tmp_path / "b", texts(plan))
    assert check_bundle(tmp_path / "b", plan.start.facts) == ()
    sums = subprocess.run(
        ["sha256sum", "-c", "SHA256SUMS"], cwd=tmp_path / "b", check=False, capture_output=True
    )
    assert sums.returncode == 0
    (tmp_path / "b" / "REVIEW.md").write_text("another")
    assert check_bundle(tmp_path / "b", plan.start.facts) == (
        "REVIEW.md: was changed since the bundle was written",
    )


def test_requests_and_limits_are_equal_and_huge_pages_are_taken_from_the_same_memory() -> None:
    plain = document("cloudnativepg")["spec"]["resources"]
    assert plain == {"requests": {"memory": "8Gi", "cpu": "4"}, "limits": {"memory": "8Gi", "cpu": "4"}}
    paged = document("cloudnativepg", "huge-pages/patch.yaml")["spec"]["resources"]
    assert paged["requests"] == paged["limits"]
    pages, rest = (int(paged["limits"][name].removesuffix("Mi")) for name in ("hugepages-2Mi", "memory"))
    assert pages + rest == 8 * 1024


def test_what_undoes_huge_pages_is_what_was_there_before_them() -> None:
    undone = document("cloudnativepg", "huge-pages/undo.yaml")["spec"]["resources"]
    plain = document("cloudnativepg")["spec"]["resources"]
    assert undone == {side: {"hugepages-2Mi": None, **plain[side]} for side in plain}


def test_without_a_limit_the_resources_are_left_alone() -> None:
    facts = machine("cloudnativepg")
    limits = dataclasses.replace(facts.limits, memory=Absent("no limit"))
    result = files("cloudnativepg", dataclasses.replace(facts, limits=limits))
    assert "resources" not in yaml.safe_load(result["patch.yaml"])["spec"]
    assert not any(name.startswith("huge-pages/") for name in result)


def test_without_a_limit_of_processors_the_pod_shares_those_of_the_node() -> None:
    facts = machine("cloudnativepg")
    limits = dataclasses.replace(facts.limits, cpus=Absent("no limit"))
    result = files("cloudnativepg", dataclasses.replace(facts, limits=limits))
    plain = yaml.safe_load(result["patch.yaml"])["spec"]["resources"]
    assert plain == {"requests": {"memory": "8Gi"}, "limits": {"memory": "8Gi"}}


def test_small_buffers_need_no_huge_pages() -> None:
    assert "huge-pages/patch.yaml" not in files("cloudnativepg", shared_buffers="1GB")
    assert "huge-pages/patch.yaml" in files("cloudnativepg", shared_buffers="2GB")


def test_the_node_gets_the_pages_by_either_way() -> None:
    result = files("cloudnativepg")
    tuned = yaml.safe_load(result["huge-pages/node/openshift-tuned.yaml"])
    boot = tuned["spec"]["profile"][0]["data"]
    count = boot.rsplit("=", 1)[1].strip()
    assert "hugepagesz=2M" in boot
    assert (
        result["huge-pages/node/tmpfiles.d/tunewiz-hugepages.conf"].decode().endswith(f" - - - - {count}\n")
    )


@pytest.mark.parametrize(
    ("decided", "wrong"),
    [
        (
            {"min_wal_size": "16GB", "max_wal_size": "8GB"},
            "min_wal_size = 16GB is not less than max_wal_size",
        ),
        ({"max_wal_size": "1TB"}, "does not fit on the volume"),
    ],
)
def test_what_the_webhook_would_refuse_is_refused_here(decided: Mapping[str, str], wrong: str) -> None:
    with pytest.raises(InputError, match=wrong):
        made("cloudnativepg", None, **decided)


def test_what_it_would_take_is_taken() -> None:
    made("cloudnativepg", min_wal_size="2GB", max_wal_size="8GB")


def test_buffers_beyond_the_request_are_refused() -> None:
    facts = machine("zalando")
    server = facts.postgres[0]
    assert isinstance(server.settings, Known)
    held = {
        **server.settings.value,
        "shared_buffers": Setting(value=str(2**20), unit="8kB", source="default"),
    }
    limits = dataclasses.replace(facts.limits, memory=Known(Bytes(4 * GIB), "test"))
    small = dataclasses.replace(
        facts, limits=limits, postgres=(dataclasses.replace(server, settings=Known(held, "test")),)
    )
    answers = default_answers(small, load_knowledge())
    declined = dataclasses.replace(answers, decisions={"pg.shared_buffers": Refused()})
    plan = make_plan(small, declined, load_knowledge())
    with pytest.raises(InputError, match="shared_buffers = 8GB does not fit in the pod's request of 4"):
        kept_plan(plan, "zalando", load_rulebook("zalando"))


def test_autobase_is_told_its_kernel_settings_or_it_would_use_its_own() -> None:
    result = document("autobase", "vars.yml")
    assert {"option", "value"} == set(result["postgresql_parameters"][0])
    before = document("autobase", "undo-vars.yml")
    assert [value["option"] for value in result["postgresql_parameters"]] == [
        value["option"] for value in before["postgresql_parameters"]
    ]
    assert "null" in [value["value"] for value in before["postgresql_parameters"]]


def test_an_ordinary_bundle_for_the_host_lies_in_it_where_there_is_something_to_do() -> None:
    result = files("patroni")
    names = {name for name in result if name.startswith("host/")}
    assert {"host/apply.sh", "host/SHA256SUMS", "host/REVIEW.md"} <= names
    assert b"setting|" not in result["host/steps.txt"]
    assert json.loads(result["plan.json"])["host"]
