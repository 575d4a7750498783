"""The public form of answers: the content of the TOML file, repeated in a plan."""

from __future__ import annotations

from typing import assert_never

from tunewiz.core.answers.answers import Accepted, Answers, Decision, Refused, Replaced
from tunewiz.core.values.units import KIB, Bytes


def answers_document(answers: Answers) -> dict[str, object]:
    """The answers as plain data without the schema number; what the facts say is left out."""
    workload, server, risk = answers.workload, answers.server, answers.risk
    stated = {
        "postgres": server.postgres,
        "data_directory": server.data_directory,
        "storage": server.storage,
        "replicas": server.replicas,
        "memory_share": server.memory_share,
    }
    document: dict[str, object] = {
        "workload": {
            "kind": workload.kind,
            "connections": workload.connections,
            "database_size": _exact(workload.database_size),
        },
        "server": {name: value for name, value in stated.items() if value is not None},
        "risk": {
            "posture": risk.posture,
            "restart": risk.restart,
            "reboot": risk.reboot,
            "kernel": risk.kernel,
            "recovery_time": risk.recovery_time.pg(),
        },
    }
    if answers.decisions:
        document["decisions"] = {
            name: decision_document(decision) for name, decision in sorted(answers.decisions.items())
        }
    return document


def decision_document(decision: Decision) -> dict[str, str | bool]:
    """One decision: accept, decline or set, with its note."""
    note = {"note": decision.note} if decision.note else {}
    match decision:
        case Accepted():
            return {"accept": True, **note}
        case Refused():
            return {"decline": True, **note}
        case Replaced(value=value):
            return {"set": value, **note}
        case _:
            assert_never(decision)


def _exact(size: Bytes) -> str:
    return f"{size.count}B" if size.count % KIB else size.pg()
