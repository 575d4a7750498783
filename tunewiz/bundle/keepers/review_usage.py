"""How a bundle for a keeper is applied, checked and undone, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from tunewiz.bundle.placement import Placement
from tunewiz.bundle.review.blocks import Block, Bullets, Numbered, Paragraph, heading, marked
from tunewiz.core.keepers.handover import Handover
from tunewiz.core.planning.target_names import KeptTarget

_PATRONI = (
    "Run it as root on the member that was planned on; `apply.sh` refuses any other host (exit status 4).",
    "It needs `patronictl`, and one file of Patroni's in /etc/patroni, or /etc/patroni.yml.",
    "It asks each database as the superuser that this file names, by its password there or by ~/.pgpass.",
    "`apply.sh` refuses (4) where a member is down, waits for a restart, or shows a value not planned on.",
    "It refuses too where a member has the setting in its own file or by ALTER SYSTEM: there, that wins.",
    "The patch is written only on the configuration that was compared: one changed meanwhile is kept (5).",
    "Then `patronictl restart --pending`, member by member: the standbys first where a limit is raised.",
    "Where one is lowered, the primary goes first: a standby never has less than its primary.",
    "At the end pg_settings of every member is compared; where one differs, everything is undone (5).",
    "Never restart by `systemctl`: that stops Patroni, and another member takes over.",
    "With `--no-restart` what needs one waits for `patronictl restart --pending`, in the same order.",
    "`rollback.sh` puts back what was there, key by key; what others changed since stays and is listed (4).",
)
_AUTOBASE = (
    "Put the entries of `vars.yml` into your variables: a list there replaces autobase's own list.",
    "Keep `sysctl_conf`: autobase's own values (overcommit 2, swappiness 1) would replace the plan's.",
    "Run autobase's playbook `config_pgcluster.yml`; `pending_restart` has it restart the members.",
    "To undo: the same with `undo-vars.yml`; the value `null` takes a setting away.",
)
_PAGES = (
    "First the node's owner: `huge-pages/node/` has a file for tmpfiles.d, and an object for OpenShift.",
    "Pages of the node that the pod did not ask for end initdb by a signal (SIGBUS): request and limit.",
)


def usage_of(target: KeptTarget, handed: Handover, placement: Placement, *, paged: bool) -> Iterator[Block]:
    """The section for the target."""
    yield heading(2, "How to apply, check and undo")
    match target:
        case "patroni":
            yield from _patroni(placement)
        case "cloudnativepg" | "pgo" | "zalando":
            yield from _operator(handed, placement, paged=paged)
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
            marked("What concerns the machine is an ordinary bundle, in `host`: its `REVIEW.md` tells it."),
            marked("It is for the host that was planned on; plan for each of the others with its own facts."),
        )
    )


def _operator(handed: Handover, placement: Placement, *, paged: bool) -> Iterator[Block]:
    manifest = handed.rules.manifest
    patch = f"kubectl patch {manifest.kubectl} NAME --type merge --patch-file"
    yield Numbered(tuple(map(marked, _steps(handed, patch))))
    if not manifest.resources:
        entry = "Requests and limits belong in each entry of `spec.instances`, a list that no patch adds to."
        yield Paragraph((marked(entry),))
    if placement.sysctls or placement.choices:
        owner = "`node/` has kernel settings. They hold for all that runs on a node: its owner decides."
        yield Paragraph((marked(owner),))
    if paged:
        yield heading(3, "Huge pages, as a second step")
        then = f"Then `{patch} huge-pages/patch.yaml`: the pod is placed on a node that has the pages."
        back = f"To undo: `{patch} huge-pages/undo.yaml`."
        yield Bullets(tuple(map(marked, (*_PAGES, then, back))))


def _steps(handed: Handover, patch: str) -> Iterator[str]:
    manifest = handed.rules.manifest
    yield f"`kubectl get {manifest.kubectl} NAME -o yaml > before.yaml` keeps what undo goes back to."
    if manifest.kind == "Cluster" and handed.restart:
        yield (
            "To choose when the primary is restarted, set `spec.primaryUpdateStrategy: supervised` before: "
            "the operator then waits for `kubectl cnpg promote` or `kubectl cnpg restart`."
        )
    yield f"`{patch} patch.yaml`"
    yield manifest.order if handed.restart else "Nothing is restarted."
    yield "What is in force: `SELECT name, setting, pending_restart FROM pg_settings`, on every instance."
    yield (
        f"To undo: `{patch} undo.yaml`. It puts back what the facts say was set and takes the rest away; "
        "before.yaml has what the facts do not tell."
    )


def _autobase(placement: Placement) -> Iterator[Block]:
    yield Numbered(tuple(map(marked, _AUTOBASE)))
    yield from _host(placement)
