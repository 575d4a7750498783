"""What people call the inputs of a plan."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

INPUTS: Mapping[str, str] = MappingProxyType(
    {
        "host.name": "machine",
        "host.architecture": "architecture",
        "host.kernel": "kernel",
        "host.distribution": "distribution",
        "host.identity": "identity of the machine",
        "host.postgres.major": "PostgreSQL's major version",
        "host.postgres.version": "PostgreSQL's version",
        "host.postgres.data_directory": "data directory",
        "host.postgres.running": "server runs",
        "host.postgres.why": "no server",
        "memory_budget.total": "memory for the server",
        "answers.workload.kind": "workload",
        "answers.workload.connections": "connections",
        "answers.workload.database_size": "size of the databases",
        "answers.server.postgres": "major version to plan for",
        "answers.server.data_directory": "server to plan for",
        "answers.server.storage": "storage",
        "answers.server.replicas": "replicas",
        "answers.server.memory_share": "percent of the machine's memory",
        "answers.risk.posture": "posture",
        "answers.risk.restart": "a restart is acceptable",
        "answers.risk.reboot": "a reboot is acceptable",
        "answers.risk.kernel": "changes of the kernel are acceptable",
        "answers.risk.recovery_time": "longest recovery",
    }
)
"""By the dotted key in a plan's JSON."""

DECISIONS = "answers.decisions."


def input_in_words(key: str) -> str:
    """The words for an input; its last part for one of another version of the program."""
    if key.startswith(DECISIONS):
        return f"decision on {key.removeprefix(DECISIONS)}"
    return INPUTS.get(key, key.rpartition(".")[2].replace("_", " "))
