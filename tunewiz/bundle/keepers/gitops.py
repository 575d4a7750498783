"""The same patch for manifests in a repository: a Kustomize component, and values for a Helm chart.

Taking the component out of the kustomization, or the file out of Helm's, undoes them: what stood there before
stands in the repository.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tunewiz.bundle.keepers.documents import Document
from tunewiz.core.keepers.rulebook import HelmChart, KubernetesResource
from tunewiz.formats import yaml

ANY_NAME = "any"
"""Kustomize wants a name in a patch, and goes by that of the target (5.5.0, tried)."""


def gitops_files(manifest: KubernetesResource, chart: HelmChart, patch: Document) -> Mapping[str, bytes]:
    """Content by path inside the bundle.

    Args:
        manifest: The resource that the operator reads.
        chart: The chart that makes it, if the operator's project has one.
        patch: The merge patch of the resource.
    """
    return dict(_files(manifest, chart, patch))


def _files(manifest: KubernetesResource, chart: HelmChart, patch: Document) -> Iterator[tuple[str, bytes]]:
    named = {"apiVersion": patch["apiVersion"], "kind": patch["kind"], "metadata": {"name": ANY_NAME}}
    yield "kustomize/patch.yaml", yaml.dumps({**named, "spec": patch["spec"]}).encode()
    head = (
        "# Name this folder under components in your kustomization.yaml. It patches every resource of this",
        "# kind there: where there are several, add its name to the target. To undo: take the line away.",
    )
    yield "kustomize/kustomization.yaml", _with_head(head, _component(manifest))
    if chart.root:
        head = (
            f"# Values for the chart {chart.name} of {chart.repository}: add -f values.yaml to your command.",
            "# A list replaces the list that your own values have. To undo: leave this file away.",
        )
        yield "helm/values.yaml", _with_head(head, _below(chart.root, patch["spec"]))


def _component(manifest: KubernetesResource) -> Document:
    group, _, version = manifest.api.partition("/")
    target = {"group": group, "version": version, "kind": manifest.kind}
    return {
        "apiVersion": "kustomize.config.k8s.io/v1alpha1",
        "kind": "Component",
        "patches": [{"path": "patch.yaml", "target": target}],
    }


def _below(root: tuple[str, ...], spec: object) -> Document:
    for key in reversed(root[1:]):
        spec = {key: spec}
    return {root[0]: spec}


def _with_head(lines: tuple[str, ...], document: Document) -> bytes:
    return "".join(f"{line}\n" for line in (*lines, yaml.dumps(document).rstrip("\n"))).encode()
