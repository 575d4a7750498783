"""Kustomize components and Helm values: the same settings as the merge patch, by Kustomize itself."""

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from small_plans import small_answers
from tunewiz.bundle.keepers.gitops import gitops_files
from tunewiz.bundle.keepers.keeper_bundle import Texts, kept_files, kept_plan
from tunewiz.core.keepers.rulebook import NO_CHART, HelmChart, KubernetesResource
from tunewiz.core.planning.keeper_targets import kept_by
from tunewiz.core.planning.target_names import KeptTarget
from tunewiz.formats.records import answers_to_toml, facts_to_json
from tunewiz.knowledge.keepers import load_rulebook
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.planning import default_answers, make_plan

OPERATORS: tuple[KeptTarget, ...] = ("cloudnativepg", "pgo", "zalando")
KUBECTL = shutil.which("kubectl") or ""
CHART = HelmChart(name="c", repository="a/b", root=("outer", "inner"))
RESOURCE = KubernetesResource(api="example.org/v1", kind="Thing")
PATCH = {"apiVersion": "example.org/v1", "kind": "Thing", "spec": {"jit": "off", "gone": None}}


def bundle(target: KeptTarget) -> Mapping[str, bytes]:
    facts = demo_facts("container")
    kept = kept_by(facts, facts.postgres[0], target)
    plan = make_plan(kept, default_answers(kept, load_knowledge()), load_knowledge())
    texts = Texts(facts_json=facts_to_json(kept), answers_toml=answers_to_toml(small_answers()))
    return kept_files(plan, kept_plan(plan, target, load_rulebook(target)), texts)


def read(content: bytes) -> dict[str, Any]:
    return yaml.safe_load(content)  # type: ignore[no-any-return]


@pytest.mark.parametrize("target", OPERATORS)
def test_the_component_patches_the_operators_resource_with_the_same(target: KeptTarget) -> None:
    files = bundle(target)
    patch, same = read(files["patch.yaml"]), read(files["kustomize/patch.yaml"])
    assert same.pop("metadata") == {"name": "any"}
    assert same == patch
    (entry,) = read(files["kustomize/kustomization.yaml"])["patches"]
    group, version = patch["apiVersion"].split("/")
    assert entry == {
        "path": "patch.yaml",
        "target": {"group": group, "version": version, "kind": patch["kind"]},
    }


def test_the_chart_of_cloudnativepg_gets_the_same_as_values() -> None:
    files = bundle("cloudnativepg")
    assert read(files["helm/values.yaml"]) == {"cluster": read(files["patch.yaml"])["spec"]}


@pytest.mark.parametrize("target", ["pgo", "zalando"])
def test_an_operator_without_a_chart_for_clusters_gets_no_values(target: KeptTarget) -> None:
    assert "helm/values.yaml" not in bundle(target)


@pytest.mark.parametrize("target", ["patroni", "autobase"])
def test_what_is_no_resource_of_kubernetes_gets_neither(target: KeptTarget) -> None:
    facts = demo_facts("nvme-server")
    kept = kept_by(facts, facts.postgres[0], target)
    plan = make_plan(kept, default_answers(kept, load_knowledge()), load_knowledge())
    texts = Texts(facts_json=facts_to_json(kept), answers_toml=answers_to_toml(small_answers()))
    files = kept_files(plan, kept_plan(plan, target, load_rulebook(target)), texts)
    assert not [name for name in files if name.startswith(("kustomize/", "helm/"))]


def test_values_are_below_the_root_of_the_chart() -> None:
    files = gitops_files(RESOURCE, CHART, PATCH)
    assert read(files["helm/values.yaml"]) == {"outer": {"inner": PATCH["spec"]}}
    assert "helm/values.yaml" not in gitops_files(RESOURCE, NO_CHART, PATCH)


def test_the_chart_was_read_somewhere_on_a_day() -> None:
    chart = load_rulebook("cloudnativepg").chart
    assert all((chart.name, chart.repository, chart.path, chart.commit, chart.date))


@pytest.mark.skipif(not KUBECTL, reason="not installed here: kubectl, which has Kustomize in it")
@pytest.mark.parametrize("target", OPERATORS)
def test_kustomize_makes_the_changes_and_without_the_component_none(
    target: KeptTarget, tmp_path: Path
) -> None:
    files = bundle(target)
    patch = read(files["patch.yaml"])
    base = {"apiVersion": patch["apiVersion"], "kind": patch["kind"], "metadata": {"name": "db"}}
    (tmp_path / "base.yaml").write_text(yaml.safe_dump({**base, "spec": {"other": "kept"}}))
    (tmp_path / "kustomize").mkdir()
    for name in ("kustomize/patch.yaml", "kustomize/kustomization.yaml"):
        (tmp_path / name).write_bytes(files[name])
    assert built(tmp_path, ["kustomize"]) == {**base, "spec": {"other": "kept", **patch["spec"]}}
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
