"""Operations that an operator carries out once: resources that are created, not patched."""

from __future__ import annotations

from tunewiz.bundle.keepers.documents import Document
from tunewiz.core.planning.target_names import KeptTarget

CLUSTER = "CLUSTER"
"""In whose place the person puts the cluster's name, which facts do not tell for certain."""
NAMED = f"Write the cluster's name in place of `{CLUSTER}` in the file first, or in a copy of it."
IN_PLACE_OF = f"with the cluster's name in place of {CLUSTER}"
"""The same in a list of commands."""
RESTART = "restart.yaml"
_PREFIX = "tunewiz-"
"""Kubernetes makes a name of it: each time the file is created, the operation is another one."""


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
        "metadata": {"generateName": _PREFIX},
        "spec": {
            "sgCluster": CLUSTER,
            "op": "restart",
            "restart": {"method": "InPlace", "onlyPendingRestart": True},
        },
    }
