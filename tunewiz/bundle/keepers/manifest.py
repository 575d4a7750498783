"""manifest.toml of a bundle for a keeper: the keys of any bundle, and the target."""

from __future__ import annotations

import tunewiz
from tunewiz.bundle.manifest import SCHEMA
from tunewiz.core.keepers.handover import Handover
from tunewiz.core.planning.plan import Plan
from tunewiz.core.planning.target_names import KeptTarget
from tunewiz.core.recommendation.situation import NoServer
from tunewiz.core.values.known import known_or
from tunewiz.formats import toml


def kept_manifest(plan: Plan, target: KeptTarget, handed: Handover) -> bytes:
    """The host, server and keeper, and every change with old and new value."""
    host = plan.start.facts.host
    document: dict[str, object] = {
        "schema": SCHEMA,
        "tunewiz": tunewiz.__version__,
        "target": target,
        "host": {"name": known_or(host.name, ""), "identity": known_or(host.identity, "")},
        "restart": handed.restart,
        "files": [],
        "changes": [_change(setting.name, setting.before, setting.value) for setting in handed.settings],
    }
    server = plan.start.server
    directory = "" if isinstance(server, NoServer) else known_or(server.data_directory, "")
    if directory and not isinstance(server, NoServer):
        document["server"] = {
            "major": str(plan.start.major),
            "data_directory": directory,
            "config_file": known_or(server.config_file, ""),
        }
    return toml.dumps(document).encode()


def _change(name: str, before: str, value: str) -> dict[str, str]:
    return {"kind": "setting", "name": name, "fact": name, "before": before, "value": value}
