"""What to do with a bundle for a keeper, which manages a server's configuration."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import assert_never

from tunewiz.bundle.keepers.operations import (
    IN_PLACE_OF,
    RECONFIGURE,
    RESTART,
    created,
    needs_operation,
    not_undone,
)
from tunewiz.bundle.keepers.review import KeptPlan
from tunewiz.core.values.plural import how_many


def kept_steps(kept: KeptPlan, directory: str) -> Iterator[tuple[str, str]]:
    """Commands for the next steps, each with its label."""
    at, handed = shlex.quote(directory), kept.handed
    size = how_many(len(handed.settings) + len(handed.libraries), "setting")
    yield "bundle", f"{at}  ({size} for {handed.rules.title})"
    yield "review", f"less {at}/REVIEW.md"
    yield from _use(kept, at)
    if kept.target in ("patroni", "autobase") and kept.placement.count:
        yield "host", f"less {at}/host/REVIEW.md  (an ordinary bundle for the machine itself)"
    for setting in handed.left_out:
        yield "left out", f"{setting.name} = {setting.text}: {setting.why}"


def _use(kept: KeptPlan, at: str) -> Iterator[tuple[str, str]]:
    match kept.target:
        case _ if kept.handed.empty:
            yield "note", "it changes no setting: REVIEW.md says what you can do"
        case "patroni":
            yield "try", f"sudo sh {at}/apply.sh --dry-run"
            yield "apply", f"sudo sh {at}/apply.sh"
            yield "verify", f"sudo sh {at}/verify.sh"
            yield "undo", f"sudo sh {at}/rollback.sh"
        case "cloudnativepg" | "pgo" | "percona" | "zalando" | "stackgres":
            patch = f"kubectl patch {kept.handed.rules.manifest.kubectl} NAME --type merge --patch-file"
            yield "apply", f"{patch} {at}/patch.yaml"
            if needs_operation(kept.target) and kept.handed.restart:
                yield "restart", f"{created(f'{at}/{RESTART}')}  ({IN_PLACE_OF})"
            yield "undo", f"{patch} {at}/undo.yaml"
        case "kubeblocks":
            yield "apply", f"{created(f'{at}/{RECONFIGURE}')}  ({IN_PLACE_OF})"
            if len(not_undone(kept.handed)) < len(kept.handed.settings):
                yield "undo", f"{created(f'{at}/undo.yaml')}  ({IN_PLACE_OF})"
        case "autobase":
            yield "apply", f"put {at}/vars.yml into the variables and run config_pgcluster.yml"
            yield "undo", f"the same with {at}/undo-vars.yml"
        case _:
            assert_never(kept.target)
