"""Kustomize components and Helm values: the same settings as the merge patch, by Kustomize itself."""

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from fixtures_golden import Golden
from operator_fields import KUBEBLOCKS
from small_plans import small_facts, small_plan
from strict_schema import errors
from tunewiz.bundle.keepers.documents import Document, patch
from tunewiz.bundle.keepers.keeper_bundle import kept_plan
from tunewiz.core.keepers.handover import Handover, handover
from tunewiz.core.keepers.rulebook import HelmChart, KubernetesResource, Rulebook
from tunewiz.core.planning.keeper_targets import kept_by
from tunewiz.core.planning.placed import NOT_KNOWN
from tunewiz.core.planning.target_names import KeptTarget
from tunewiz.core.values.errors import UsageError
from tunewiz.knowledge.keepers import load_rulebook
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.managed.gitops import RepositoryFormat, repository_text, request_text
from tunewiz.planning import default_answers, make_plan

OPERATORS: tuple[KeptTarget, ...] = ("cloudnativepg", "pgo", "percona", "zalando", "stackgres")
WITH_CHARTS: tuple[KeptTarget, ...] = ("cloudnativepg", "percona", "stackgres")
KUBECTL = shutil.which("kubectl") or ""
RULES = Rulebook(
    title="An operator",
    keeper="An operator",
    path=("spec",),
    numbers=False,
    manifest=KubernetesResource(api="example.org/v1", kind="Thing"),
    chart=HelmChart(name="c", repository="a/b", root=("outer", "inner")),
)


def patch_for(target: KeptTarget) -> Document:
    facts = demo_facts("container")
    kept = kept_by(facts, facts.postgres[0], target)
    plan = make_plan(kept, default_answers(kept, load_knowledge()), load_knowledge())
    made = kept_plan(plan, target, load_rulebook(target))
    return patch(made.handed, made.plain)


def read(text: str | bytes) -> dict[str, Any]:
    return yaml.safe_load(text)  # type: ignore[no-any-return]


@pytest.mark.parametrize("target", OPERATORS)
def test_the_component_patches_the_operators_resource_with_the_same(target: KeptTarget) -> None:
    wanted = patch_for(target)
    (entry,) = read(repository_text(load_rulebook(target), wanted, "kustomize"))["patches"]
    assert read(entry["patch"]) == {**wanted, "metadata": {"name": "any"}}
    group, version = str(wanted["apiVersion"]).split("/")
    assert entry["target"] == {"group": group, "version": version, "kind": wanted["kind"]}


def values_of(target: KeptTarget) -> dict[str, Any]:
    return read(repository_text(load_rulebook(target), patch_for(target), "helm"))


def test_the_chart_of_cloudnativepg_gets_the_same_as_values() -> None:
    assert values_of("cloudnativepg") == {"cluster": patch_for("cloudnativepg")["spec"]}


def test_the_chart_of_percona_has_the_names_of_the_resource_at_the_top() -> None:
    values = values_of("percona")
    assert values == patch_for("percona")["spec"]
    assert list(values) == ["patroni"]


def test_the_chart_of_stackgres_gets_the_settings_and_no_major() -> None:
    spec = read(yaml.safe_dump(patch_for("stackgres")["spec"]))
    assert set(spec) == {"postgresVersion", "postgresql.conf"}
    wanted = {"postgresql.conf": spec["postgresql.conf"]}
    assert values_of("stackgres") == {"configurations": {"postgresconfig": wanted}}


@pytest.mark.parametrize("target", ["pgo", "zalando"])
def test_an_operator_without_a_chart_of_clusters_has_no_values(target: KeptTarget) -> None:
    with pytest.raises(
        UsageError, match=r"--format: found helm, expected kustomize: .* has no chart of clusters"
    ):
        repository_text(load_rulebook(target), patch_for(target), "helm")


TEXTS = st.dictionaries(st.text("ab_", min_size=1, max_size=5), st.none() | st.text(max_size=20), max_size=4)


@given(TEXTS)
def test_nothing_in_a_value_ends_the_block_or_the_values(spec: dict[str, str | None]) -> None:
    wanted = {"apiVersion": "example.org/v1", "kind": "Thing", "spec": spec}
    (entry,) = read(repository_text(RULES, wanted, "kustomize"))["patches"]
    assert read(entry["patch"])["spec"] == spec
    assert read(repository_text(RULES, wanted, "helm")) == {"outer": {"inner": spec}}


@pytest.mark.parametrize("target", WITH_CHARTS)
def test_the_chart_was_read_somewhere_on_a_day(target: KeptTarget) -> None:
    chart = load_rulebook(target).chart
    assert all((chart.name, chart.repository, chart.path, chart.commit, chart.date))


@pytest.mark.parametrize("target", WITH_CHARTS)
@pytest.mark.parametrize("form", get_args(RepositoryFormat))
def test_it_is_as_it_was_reviewed(target: KeptTarget, form: RepositoryFormat, golden: Golden) -> None:
    text = repository_text(load_rulebook(target), patch_for(target), form)
    golden(f"services/container/{target}-{form}.yaml", text)


def test_what_only_stackgres_names_is_said_of_it_alone() -> None:
    says = {
        target: "One for another major version refuses it."
        in repository_text(load_rulebook(target), patch_for(target), "kustomize")
        for target in OPERATORS
    }
    assert [target for target, said in says.items() if said] == ["stackgres"]


def handed_to_kubeblocks(work_mem: str = "24MB") -> Handover:
    facts = small_facts()
    kept = kept_by(facts, facts.postgres[0], "kubeblocks")
    return handover(small_plan(kept, {"pg.work_mem": work_mem, "pg.jit": "off"}), load_rulebook("kubeblocks"))


def test_a_request_has_the_same_name_for_the_same_plan_and_another_one_for_another() -> None:
    def name(handed: Handover, *, undo: bool = False) -> object:
        return read(request_text(handed, undo=undo))["metadata"]["name"]

    one = handed_to_kubeblocks()
    assert name(one) == name(handed_to_kubeblocks())
    assert len({name(one), name(one, undo=True), name(handed_to_kubeblocks("32MB"))}) == 3
    assert list(errors(KUBEBLOCKS, read(request_text(one, undo=False)))) == []


def test_an_undo_names_what_the_facts_do_not_tell() -> None:
    says = "# The facts do not tell what was in force of "
    whole = handed_to_kubeblocks()
    assert says not in request_text(whole, undo=True)
    one, other = whole.settings
    part = replace(whole, settings=(one, replace(other, before=NOT_KNOWN)))
    assert f"{says}{other.name}\n" in request_text(part, undo=True)
    assert says not in request_text(part, undo=False)


def test_a_request_for_nothing_is_none() -> None:
    facts = small_facts()
    plan = small_plan(kept_by(facts, facts.postgres[0], "kubeblocks"), {})
    nothing = handover(plan, load_rulebook("kubeblocks"))
    assert request_text(nothing, undo=False) == request_text(nothing, undo=True) == "# Nothing to set.\n"


@pytest.mark.parametrize("undo", [False, True])
def test_the_request_is_as_it_was_reviewed(golden: Golden, *, undo: bool) -> None:
    facts = demo_facts("container")
    kept = kept_by(facts, facts.postgres[0], "kubeblocks")
    plan = make_plan(kept, default_answers(kept, load_knowledge()), load_knowledge())
    text = request_text(kept_plan(plan, "kubeblocks", load_rulebook("kubeblocks")).handed, undo=undo)
    golden(f"services/container/kubeblocks-{'undo' if undo else 'manifest'}.yaml", text)


@pytest.mark.skipif(not KUBECTL, reason="not installed here: kubectl, which has Kustomize in it")
@pytest.mark.parametrize("target", OPERATORS)
def test_kustomize_makes_the_changes_and_without_the_component_none(
    target: KeptTarget, tmp_path: Path
) -> None:
    wanted = patch_for(target)
    base = {"apiVersion": wanted["apiVersion"], "kind": wanted["kind"], "metadata": {"name": "db"}}
    (tmp_path / "base.yaml").write_text(yaml.safe_dump({**base, "spec": {"other": "kept"}}))
    (tmp_path / "tuned").mkdir()
    text = repository_text(load_rulebook(target), wanted, "kustomize")
    (tmp_path / "tuned" / "kustomization.yaml").write_text(text)
    spec = wanted["spec"]
    assert isinstance(spec, dict)
    assert built(tmp_path, ["tuned"]) == {**base, "spec": {"other": "kept", **spec}}
    assert built(tmp_path, []) == {**base, "spec": {"other": "kept"}}


def built(directory: Path, components: list[str]) -> dict[str, Any]:
    """What Kustomize makes of the base."""
    own = {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "resources": ["base.yaml"],
    }
    (directory / "kustomization.yaml").write_text(yaml.safe_dump({**own, "components": components}))
    ended = subprocess.run(
        [KUBECTL, "kustomize", "."], cwd=directory, check=True, capture_output=True, timeout=60
    )
    return read(ended.stdout)
