"""Fields of the resources of operators, as their documentation names them, for `strict_schema`.

These are no extracts: some of their definitions are under a licence that does not go with ours.
"""

from collections.abc import Mapping
from typing import Any

TEXT: Mapping[str, Any] = {"type": "string"}
TEXTS: Mapping[str, Any] = {"type": "object", "additionalProperties": TEXT}
SWITCH: Mapping[str, Any] = {"type": "boolean"}


def fields(**by_name: object) -> Mapping[str, Any]:
    return {"type": "object", "properties": by_name}


def resource(api: str, kind: str, spec: Mapping[str, Any]) -> Mapping[str, Any]:
    return fields(
        apiVersion={"type": "string", "enum": [api]},
        kind={"type": "string", "enum": [kind]},
        metadata={"type": "object"},
        spec=spec,
    )


PERCONA = resource(
    "pgv2.percona.com/v2",
    "PerconaPGCluster",
    fields(
        patroni=fields(dynamicConfiguration={"type": "object", "x-kubernetes-preserve-unknown-fields": True})
    ),
)
STACKGRES = resource(
    "stackgres.io/v1",
    "SGPostgresConfig",
    fields(**{"postgresVersion": TEXT, "postgresql.conf": TEXTS}),
)
STACKGRES_RESTART = resource(
    "stackgres.io/v1",
    "SGDbOps",
    fields(sgCluster=TEXT, op=TEXT, restart=fields(method=TEXT, onlyPendingRestart=SWITCH)),
)
PAIR = fields(key=TEXT, value=TEXT)
KUBEBLOCKS = resource(
    "operations.kubeblocks.io/v1alpha1",
    "OpsRequest",
    fields(
        type={"type": "string", "enum": ["Reconfiguring"]},
        clusterName=TEXT,
        reconfigures={
            "type": "array",
            "items": fields(componentName=TEXT, parameters={"type": "array", "items": PAIR}),
        },
    ),
)
