"""How a bundle for a keeper is applied, checked and undone, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from tunewiz.bundle.keepers.operations import (
    COMPONENT,
    NAMED,
    RECONFIGURE,
    RESTART,
    created,
    needs_operation,
    not_undone,
)
from tunewiz.bundle.placement import Placement
from tunewiz.bundle.review.blocks import Block, Bullets, Numbered, Paragraph, heading, marked
from tunewiz.core.keepers.handover import Handover
from tunewiz.core.keepers.rulebook import KubernetesResource
from tunewiz.core.planning.target_names import KeptTarget

_PATRONI = (
    "Run the scripts as root on the member whose facts were used; `apply.sh` refuses other hosts (status 4).",
    "They need `patronictl` and a single Patroni configuration, in /etc/patroni or at /etc/patroni.yml.",
    "They query the servers as the superuser named in that file, with its password there or in ~/.pgpass.",
    "`apply.sh` refuses (4) if a member is down, waits for a restart, or has values other than planned on.",
    "It also refuses if a member sets one in its own file or by ALTER SYSTEM, which override the patch.",
    "The patch replaces only the configuration that was compared: a concurrent change is kept (status 5).",
    "Then `patronictl restart --pending`, one member at a time: standbys first if a limit is raised.",
    "If a limit is lowered, the primary is first: a standby never has less than its primary.",
    "At the end pg_settings is compared on every member; if one differs, everything is undone (5).",
    "Never restart with `systemctl`: that stops Patroni and causes a failover.",
    "With `--no-restart`, run `patronictl restart --pending` yourself later, in the same order.",
    "`rollback.sh` restores every key; keys that others have changed since are kept and listed (4).",
)
_AUTOBASE = (
    "Put the entries of `vars.yml` into your variables: a list there replaces autobase's own list.",
    "Keep `sysctl_conf`: otherwise autobase's own values (overcommit 2, swappiness 1) replace the plan's.",
    "Run autobase's playbook `config_pgcluster.yml`; `pending_restart` has it restart the members.",
    "To undo: the same with `undo-vars.yml`; the value `null` removes a setting.",
)
_PAGES = (
    "First, the node's owner reserves them: `huge-pages/node/` has files for tmpfiles.d and OpenShift.",
    "Request and limit must both be set: pages that a pod did not request kill initdb (SIGBUS).",
)


def usage_of(target: KeptTarget, handed: Handover, placement: Placement, *, paged: bool) -> Iterator[Block]:
    """The section for the target."""
    yield heading(2, "How to apply, check and undo")
    match target:
        case "patroni":
            yield from _patroni(placement)
        case "cloudnativepg" | "pgo" | "percona" | "zalando" | "stackgres":
            yield from _operator(target, handed, placement, paged=paged)
        case "kubeblocks":
            yield from _kubeblocks(handed, placement)
        case "autobase":
            yield from _autobase(placement)
        case _:
            assert_never(target)


def _patroni(placement: Placement) -> Iterator[Block]:
    yield Bullets(tuple(map(marked, _PATRONI)))
    yield from _host(placement)


def _host(placement: Placement) -> Iterator[Block]:
    if not placement.count:
        return
    yield Paragraph(
        (
            marked("Changes to the machine are an ordinary bundle in `host`: see its `REVIEW.md`."),
            marked("It is for this host alone; plan the others with their own facts."),
        )
    )


def _operator(target: KeptTarget, handed: Handover, placement: Placement, *, paged: bool) -> Iterator[Block]:
    manifest = handed.rules.manifest
    patch = f"kubectl patch {manifest.kubectl} NAME --type merge --patch-file"
    if manifest.name:
        yield Paragraph((marked(manifest.name),))
    yield Numbered(tuple(map(marked, _steps(target, handed, patch))))
    if not manifest.resources:
        yield Paragraph((marked(_elsewhere(manifest)),))
    yield from _node(placement)
    if paged:
        yield heading(3, "Huge pages, as a second step")
        then = f"Then `{patch} huge-pages/patch.yaml`: the pod is placed on a node that has the pages."
        back = f"To undo: `{patch} huge-pages/undo.yaml`."
        yield Bullets(tuple(map(marked, (*_PAGES, then, back))))


def _node(placement: Placement) -> Iterator[Block]:
    if placement.sysctls or placement.choices:
        owner = "`node/` has kernel settings. They apply to everything on a node, so its owner decides."
        yield Paragraph((marked(owner),))


def _kubeblocks(handed: Handover, placement: Placement) -> Iterator[Block]:
    manifest = handed.rules.manifest
    yield Paragraph((marked(manifest.name),))
    if not handed.empty:
        yield Numbered(tuple(map(marked, _requests(handed))))
    yield Paragraph((marked(_elsewhere(manifest)),))
    yield from _node(placement)


def _requests(handed: Handover) -> Iterator[str]:
    manifest = handed.rules.manifest
    saved = f"kubectl get configmap NAME-{COMPONENT}-postgresql-configuration -o yaml > before.yaml"
    yield f"`{saved}` saves the present configuration of the Cluster NAME."
    yield f"`{created(RECONFIGURE)}` asks for the changes. {NAMED}"
    yield manifest.order if handed.restart else "Nothing is restarted."
    yield f"`kubectl get {manifest.kubectl}` says Succeed, or Failed with the reason in its status."
    yield "To check: `SELECT name, setting, pending_restart FROM pg_settings`, on every instance."
    lacking = not_undone(handed)
    if len(lacking) < len(handed.settings):
        yield (
            f"To undo: `{created('undo.yaml')}`. It sets what was in force: KubeBlocks takes no setting away."
        )
    if lacking:
        yield f"Facts lack the values before of {', '.join(lacking)}: before.yaml has them."


def _elsewhere(manifest: KubernetesResource) -> str:
    if manifest.sizes:
        return f"Requests, limits and huge pages are in {manifest.sizes}: no file here sets them."
    return "Put requests and limits into each entry of `spec.instances`: a patch cannot add to that list."


def _steps(target: KeptTarget, handed: Handover, patch: str) -> Iterator[str]:
    manifest = handed.rules.manifest
    yield f"`kubectl get {manifest.kubectl} NAME -o yaml > before.yaml` saves the present state."
    if manifest.kind == "Cluster" and handed.restart:
        yield (
            "To choose when the primary is restarted, set `spec.primaryUpdateStrategy: supervised` first: "
            "the operator then waits for `kubectl cnpg promote` or `kubectl cnpg restart`."
        )
    yield f"`{patch} patch.yaml`"
    yield manifest.order if handed.restart else "Nothing is restarted."
    again = ""
    if needs_operation(target) and handed.restart:
        yield f"`{created(RESTART)}` restarts the pods that wait for it, one after another. {NAMED}"
        again = " Then restart again."
    yield "To check: `SELECT name, setting, pending_restart FROM pg_settings`, on every instance."
    yield (
        f"To undo: `{patch} undo.yaml`. It restores what the facts say was set and removes the rest; "
        f"before.yaml has what the facts lack.{again}"
    )


def _autobase(placement: Placement) -> Iterator[Block]:
    yield Numbered(tuple(map(marked, _AUTOBASE)))
    yield from _host(placement)
