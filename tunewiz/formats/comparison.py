"""The public form of a comparison, of two plans or with another generator."""

from __future__ import annotations

import json

from tunewiz.core.comparison.differences import Comparison, Difference
from tunewiz.core.comparison.input_words import input_in_words
from tunewiz.core.comparison.peer_differences import PeerComparison
from tunewiz.core.comparison.planned import PlannedItem

SCHEMA = 1


def comparison_json(found: Comparison) -> str:
    """Two plans side by side, in ASCII."""
    document = {
        "schema": SCHEMA,
        "a": found.one.name,
        "b": found.other.name,
        "inputs": [
            {"key": each.key, "name": input_in_words(each.key), "a": each.one, "b": each.other}
            for each in found.inputs
        ],
        "differences": [_difference(each) for each in found.differences],
        "same": found.same,
        "only_a": [each.id for each in found.only_one],
        "only_b": [each.id for each in found.only_other],
    }
    return json.dumps(document, indent=2) + "\n"


def _difference(each: Difference) -> dict[str, object]:
    name = each.one.in_words.name
    return {"id": each.one.id, "name": name, "a": _side(each.one), "b": _side(each.other), "why": each.why}


def _side(item: PlannedItem) -> dict[str, object]:
    return {
        "state": item.state,
        "outcome": item.outcome,
        "now": item.in_words.now,
        "because": item.because,
        "computed": item.computed,
    }


def peer_comparison_json(found: PeerComparison) -> str:
    """Another generator beside the plan, in ASCII."""
    peer, asked = found.peer, found.asked
    document = {
        "schema": SCHEMA,
        "peer": {
            "name": peer.name,
            "version": peer.version,
            "date": peer.date,
            "url": peer.url,
            "licence": peer.licence,
        },
        "asked": {
            "memory": asked.memory.count,
            "processors": asked.processors,
            "connections": asked.connections,
            "workload": peer.workloads.get(asked.workload),
            "storage": peer.storage.get(asked.storage),
            "storage_assumed": asked.storage_assumed,
            "database_size": asked.database_size.count,
            "postgres": str(asked.major),
        },
        "differences": [
            {"setting": each.setting, "peer": each.peer, "plan": each.plan, "why": each.why}
            for each in found.differences
        ],
        "same": list(found.same),
        "unset": list(found.unset),
    }
    return json.dumps(document, indent=2) + "\n"
