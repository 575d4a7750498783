"""A plan as the files of a bundle for a keeper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import assert_never

from tunewiz.bundle.keepers import documents
from tunewiz.bundle.keepers.manifest import kept_manifest
from tunewiz.bundle.keepers.nodes import node_files, page_files
from tunewiz.bundle.keepers.operations import (
    RECONFIGURE,
    RESTART,
    needs_operation,
    new_name,
    not_undone,
    reconfiguring,
    reconfiguring_back,
    restart_operation,
)
from tunewiz.bundle.keepers.patroni import patroni_files, patroni_steps
from tunewiz.bundle.keepers.review import KeptPlan, kept_reviews
from tunewiz.bundle.manifest import MANIFEST, SUMS, checksums
from tunewiz.bundle.placing import placed
from tunewiz.bundle.render import rendered
from tunewiz.bundle.review.proof import proof_files
from tunewiz.bundle.write import write_files
from tunewiz.core.keepers.handover import Handover, handover
from tunewiz.core.keepers.members import shared
from tunewiz.core.keepers.resources import (
    HugePagesOfNode,
    NoResources,
    Resources,
    check_sizes,
    resources_of,
    with_huge_pages,
)
from tunewiz.core.keepers.rulebook import Rulebook
from tunewiz.core.planning.plan import Plan
from tunewiz.core.planning.target_names import KeptTarget
from tunewiz.core.values.errors import InputError
from tunewiz.formats import yaml
from tunewiz.formats.plan import plan_json

HOST = "host"
"""In a bundle for Patroni or autobase: the ordinary bundle for the host itself."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Texts:
    """The input of a bundle, as text."""

    facts_json: str
    answers_toml: str


def write_kept_bundle(plan: Plan, kept: KeptPlan, directory: Path, texts: Texts) -> None:
    """Makes the directory with everything in it; raises BundleError as write_bundle does."""
    write_files(kept_files(plan, kept, texts), directory)


def kept_plan(plan: Plan, target: KeptTarget, rules: Rulebook) -> KeptPlan:
    """The bundle's content for the keeper.

    Raises:
        InputError: It would drop or refuse a value.
        BundleError: No bundle can carry a change of the host's.
    """
    handed = handover(plan, rules)
    plain = resources_of(plan) if rules.manifest.kind else NoResources("")
    if rules.manifest.kind:
        check_sizes(plan, handed, plain)
    return KeptPlan(
        target=target,
        handed=handed,
        placement=placed(plan),
        plain=plain,
        paged=_paged(plan, plain, rules),
    )


def _paged(
    plan: Plan, plain: Resources | NoResources, rules: Rulebook
) -> tuple[Resources, HugePagesOfNode] | NoResources:
    """Nothing where they are in a resource that the bundle has no patch for."""
    if not rules.manifest.kind or rules.manifest.sizes:
        return NoResources("")
    return with_huge_pages(plan, plain)


def with_members(kept: KeptPlan, host: str, others: Mapping[str, Plan]) -> KeptPlan:
    """The same for a cluster of several members, each planned by its own facts; raises InputError.

    Args:
        kept: For the member that the scripts run on.
        host: Its name.
        others: The plans of the others, by host.
    """
    handed = {name: _handed_of(name, plan, kept.handed.rules) for name, plan in others.items()}
    parted = shared({host: kept.handed, **handed})
    return replace(kept, handed=parted.handed, local=parted.local, members=1 + len(others))


def _handed_of(host: str, plan: Plan, rules: Rulebook) -> Handover:
    try:
        return handover(plan, rules)
    except InputError as error:
        raise InputError(f"{host}: {error.message}", error.hint) from error


def kept_files(plan: Plan, kept: KeptPlan, texts: Texts) -> Mapping[str, bytes]:
    """Content by path inside the bundle; the same plan gives the same bytes."""
    bundle = {
        **dict(_own_files(plan, kept, texts)),
        **kept_reviews(plan, kept),
        **proof_files(plan),
        "plan.json": plan_json(plan).encode(),
        "facts.json": texts.facts_json.encode(),
        "answers.toml": texts.answers_toml.encode(),
        MANIFEST: kept_manifest(plan, kept.target, kept.handed),
    }
    if kept.target == "patroni":
        bundle["steps.txt"] = patroni_steps(plan, kept.handed, len(bundle) + 1)
    return {**bundle, SUMS: checksums(bundle)}


def _own_files(plan: Plan, kept: KeptPlan, texts: Texts) -> Iterator[tuple[str, bytes]]:
    match kept.target:
        case "patroni":
            yield from patroni_files(kept.handed).items()
            yield from _local(kept)
            yield from _for_host(plan, kept, texts)
        case "cloudnativepg" | "pgo" | "percona" | "zalando" | "stackgres":
            yield from _for_operator(plan, kept)
        case "kubeblocks":
            yield from _for_kubeblocks(kept)
        case "autobase":
            sysctls = kept.placement.sysctls
            yield "vars.yml", _yaml(documents.variables(kept.handed, sysctls))
            yield "undo-vars.yml", _yaml(documents.variables_before(kept.handed, sysctls))
            yield from _local(kept)
            yield from _for_host(plan, kept, texts)
        case _:
            assert_never(kept.target)


def _local(kept: KeptPlan) -> Iterator[tuple[str, bytes]]:
    for local_settings in kept.local:
        document = documents.local_part(local_settings, autobase=kept.target == "autobase")
        yield f"local/{local_settings.host}.yml", _yaml(document)


def _for_host(plan: Plan, kept: KeptPlan, texts: Texts) -> Iterator[tuple[str, bytes]]:
    """The changes to the machine itself, as an ordinary bundle: the plan has left the settings out."""
    if kept.placement.count:
        for name, content in rendered(plan, texts.facts_json, texts.answers_toml).items():
            yield f"{HOST}/{name}", content


def _for_operator(plan: Plan, kept: KeptPlan) -> Iterator[tuple[str, bytes]]:
    handed = kept.handed
    has_sizes = bool(handed.rules.manifest.resources) and not isinstance(kept.plain, NoResources)
    if has_sizes or not handed.empty:
        yield "patch.yaml", _yaml(documents.patch(handed, kept.plain))
        yield "undo.yaml", _yaml(documents.undo(handed))
    if needs_operation(kept.target) and handed.restart:
        yield RESTART, _yaml(restart_operation())
    yield from node_files(kept.placement).items()
    if isinstance(kept.paged, NoResources):
        return
    resources, pages = kept.paged
    yield from page_files(plan, pages).items()
    yield "huge-pages/patch.yaml", _yaml(documents.resources_alone(handed, resources))
    yield "huge-pages/undo.yaml", _yaml(documents.resources_back(handed, resources, kept.plain))


def _for_kubeblocks(kept: KeptPlan) -> Iterator[tuple[str, bytes]]:
    """A request without parameters would fail."""
    handed = kept.handed
    if not handed.empty:
        yield RECONFIGURE, _yaml(reconfiguring(handed, new_name()))
    if len(not_undone(handed)) < len(handed.settings):
        yield "undo.yaml", _yaml(reconfiguring_back(handed, new_name()))
    yield from node_files(kept.placement).items()


def _yaml(document: documents.Document) -> bytes:
    return yaml.dumps(document).encode()
