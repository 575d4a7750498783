"""Operations that an operator carries out once: resources that are created, not patched."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tunewiz.bundle.keepers.documents import Document
from tunewiz.core.keepers.handover import Handover
from tunewiz.core.planning.placed import NOT_KNOWN
from tunewiz.core.planning.target_names import KeptTarget

CLUSTER = "CLUSTER"
"""In whose place the person puts the cluster's name, which facts do not tell for certain."""
NAMED = f"Write the cluster's name in place of `{CLUSTER}` in the file first, or in a copy of it."
IN_PLACE_OF = f"with the cluster's name in place of {CLUSTER}"
"""The same in a list of commands."""
RESTART = "restart.yaml"
RECONFIGURE = "reconfigure.yaml"
COMPONENT = "postgresql"
"""As the add-on's examples call it."""
_PREFIX = "tunewiz-"
"""Kubernetes makes a name of it: each time the file is created, the operation is another one."""
_WITH_UNIT = re.compile(r"-?[0-9]+(?:kB|MB|GB|TB|ms|s|min|h|d)")
"""What KubeBlocks reads with a unit (pkg/parameters/validate/cuelang_expansion.go): no parts, no bytes."""
_NUMBER = re.compile(r"-?[0-9.]+(?:e[+-]?[0-9]+)?")
_BARE = re.compile(r"[A-Za-z0-9_.+-]+")
"""What postgresql.conf takes without quotes."""


def created(file: str) -> str:
    """The command that creates the resource in a file, a copy of it with the cluster's name."""
    return f"kubectl create -f {file}"


def needs_operation(target: KeptTarget) -> bool:
    """Whether the operator restarts servers only if it is asked to."""
    return target == "stackgres"


def restart_operation() -> Document:
    """StackGres's restart of the pods that wait for one, one after another."""
    return {
        "apiVersion": "stackgres.io/v1",
        "kind": "SGDbOps",
        "metadata": new_name(),
        "spec": {
            "sgCluster": CLUSTER,
            "op": "restart",
            "restart": {"method": "InPlace", "onlyPendingRestart": True},
        },
    }


def new_name() -> Mapping[str, object]:
    """The metadata of a resource that gets another name each time."""
    return {"generateName": _PREFIX}


def reconfiguring(handed: Handover, metadata: Mapping[str, object]) -> Document:
    """KubeBlocks's request for the settings."""
    return _request(
        handed, metadata, {setting.name: _as_read(setting.text, setting.value) for setting in handed.settings}
    )


def reconfiguring_back(handed: Handover, metadata: Mapping[str, object]) -> Document:
    """The request for what was in force before, as far as facts tell: KubeBlocks takes no setting away."""
    known = (setting for setting in handed.settings if setting.before != NOT_KNOWN)
    return _request(
        handed,
        metadata,
        {setting.name: _as_read(setting.was or setting.before, setting.before) for setting in known},
    )


def not_undone(handed: Handover) -> tuple[str, ...]:
    """Settings whose values before the facts do not tell."""
    return tuple(setting.name for setting in handed.settings if setting.before == NOT_KNOWN)


def _request(handed: Handover, metadata: Mapping[str, object], values: Mapping[str, str]) -> Document:
    parameters = [{"key": name, "value": value} for name, value in values.items()]
    return {
        "apiVersion": handed.rules.manifest.api,
        "kind": handed.rules.manifest.kind,
        "metadata": dict(metadata),
        "spec": {
            "type": "Reconfiguring",
            "clusterName": CLUSTER,
            "reconfigures": [{"componentName": COMPONENT, "parameters": parameters}],
        },
    }


def _as_read(text: str, value: str) -> str:
    """As a person writes it, where KubeBlocks reads that; else the number in the setting's own unit."""
    is_number = _NUMBER.fullmatch(value) is not None
    read = value if is_number and not _WITH_UNIT.fullmatch(text) else text
    return read if _BARE.fullmatch(read) else f"'{read}'"
