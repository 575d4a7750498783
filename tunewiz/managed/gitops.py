"""An operator's settings for manifests in a repository: a Kustomize component, or values for a Helm chart.

Taking the component out of the kustomization, or the file out of Helm's, undoes them: what stood there before
stands in the repository.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias, TypeGuard, assert_never

from tunewiz.bundle.keepers.documents import Document
from tunewiz.bundle.keepers.operations import CLUSTER, not_undone, reconfiguring, reconfiguring_back
from tunewiz.core.keepers.handover import Handover
from tunewiz.core.keepers.rulebook import HelmChart, Rulebook
from tunewiz.core.values.errors import UsageError
from tunewiz.formats import yaml
from tunewiz.managed.quoting import comment
from tunewiz.managed.words import wrapped

RepositoryFormat: TypeAlias = Literal["kustomize", "helm"]
_NAME_DIGITS = 10
ANY_NAME = "any"
"""Kustomize wants a name in a patch, and goes by that of the target (5.5.0, tried)."""


def repository_text(rules: Rulebook, patch: Document, form: RepositoryFormat) -> str:
    """The whole file, in ASCII; raises UsageError where there is no chart.

    Args:
        rules: The operator's.
        patch: The merge patch of its resource.
        form: For whom.
    """
    match form:
        case "kustomize":
            lines = _component(rules, patch)
        case "helm":
            lines = _values(rules, patch)
        case _:
            assert_never(form)
    return "".join(f"{line}\n" for line in lines)


def request_text(handed: Handover, *, undo: bool) -> str:
    """KubeBlocks's request for a repository: the same plan has the same name, so it is carried out once.

    Args:
        handed: The settings.
        undo: For what was in force before instead.
    """
    make = reconfiguring_back if undo else reconfiguring
    lacking = list(not_undone(handed))
    if len(lacking) == len(handed.settings) if undo else handed.empty:
        return "# Nothing to set.\n"
    nameless = yaml.dumps(make(handed, {}))
    name = f"tunewiz-{hashlib.sha256(nameless.encode()).hexdigest()[:_NAME_DIGITS]}"
    lines = [
        "# An OpsRequest: KubeBlocks carries it out once, and taking it out of a repository undoes nothing.",
        f"# Write the name of your Cluster in place of {CLUSTER}, and that of its component, if another.",
        *(map(comment, wrapped("The facts do not tell what was in force of ", lacking)) if undo else ()),
        *_lines(make(handed, {"name": name})),
    ]
    return "".join(f"{line}\n" for line in lines)


def _component(rules: Rulebook, patch: Document) -> Iterator[str]:
    group, _, version = rules.manifest.api.partition("/")
    yield "# A Kustomize component: the kustomization.yaml of a folder, which is named under components in"
    yield "# yours. It patches every resource of this kind: where there are several, add the name to the"
    yield "# target. To undo: take the folder out of components."
    if rules.manifest.major:
        yield "# One for another major version refuses it."
    yield from _lines({"apiVersion": "kustomize.config.k8s.io/v1alpha1", "kind": "Component"})
    yield "patches:"
    yield "  - target:"
    yield from _indented("      ", {"group": group, "version": version, "kind": rules.manifest.kind})
    yield "    patch: |-"
    head = {"apiVersion": patch["apiVersion"], "kind": patch["kind"], "metadata": {"name": ANY_NAME}}
    yield from _indented("      ", {**head, "spec": patch["spec"]})


def _values(rules: Rulebook, patch: Document) -> Iterator[str]:
    chart = rules.chart
    if not chart.name:
        raise UsageError(f"--format: found helm, expected kustomize: {rules.title} has no chart of clusters")
    yield f"# Values for the chart {chart.name} of {chart.repository}, as of {chart.date} ({chart.commit})."
    yield "# Add the file with -f. A list replaces that of your own values. To undo: leave the file away."
    yield from _lines(_below(chart, _of_chart(rules, patch)))


def _of_chart(rules: Rulebook, patch: Document) -> Mapping[str, object]:
    """What is under spec, without the major: a chart takes that from elsewhere."""
    spec = patch["spec"]
    if not _is_mapping(spec):
        raise TypeError("spec is not a mapping")
    _, *major = rules.manifest.major or ("spec",)
    return {key: value for key, value in spec.items() if key not in major}


def _is_mapping(value: object) -> TypeGuard[Mapping[str, object]]:
    return isinstance(value, Mapping)


def _below(chart: HelmChart, spec: Mapping[str, object]) -> Mapping[str, object]:
    for key in reversed(chart.root):
        spec = {key: spec}
    return spec


def _lines(document: Mapping[str, object]) -> list[str]:
    return yaml.dumps(document).splitlines()


def _indented(indent: str, document: Mapping[str, object]) -> Iterator[str]:
    """A text in a block: every line of ours is printable ASCII, so nothing in it ends the block."""
    yield from (f"{indent}{line}" for line in _lines(document))
