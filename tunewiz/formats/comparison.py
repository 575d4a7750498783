"""The public form of a comparison, of two plans or with another generator."""

from __future__ import annotations

import json

from tunewiz.core.comparison.differences import Comparison, Difference
from tunewiz.core.comparison.input_words import input_in_words
from tunewiz.core.comparison.peer_differences import PeerComparison
from tunewiz.core.comparison.planned import PlannedItem

SCHEMA = 1


def comparison_json(comparison: Comparison) -> str:
    """Two plans side by side, in ASCII."""
    document = {
        "schema": SCHEMA,
        "a": comparison.one.name,
        "b": comparison.other.name,
        "inputs": [
            {
                "key": difference.key,
                "name": input_in_words(difference.key),
                "a": difference.one,
                "b": difference.other,
            }
            for difference in comparison.inputs
        ],
        "differences": [_difference(difference) for difference in comparison.differences],
        "same": comparison.same,
        "only_a": [item.id for item in comparison.only_one],
        "only_b": [item.id for item in comparison.only_other],
    }
    return json.dumps(document, indent=2) + "\n"


def _difference(difference: Difference) -> dict[str, object]:
    name = difference.one.in_words.name
    return {
        "id": difference.one.id,
        "name": name,
        "a": _side(difference.one),
        "b": _side(difference.other),
        "why": difference.why,
    }


def _side(item: PlannedItem) -> dict[str, object]:
    return {
        "state": item.state,
        "outcome": item.outcome,
        "now": item.in_words.now,
        "because": item.because,
        "computed": item.computed,
    }


def peer_comparison_json(comparison: PeerComparison) -> str:
    """Another generator beside the plan, in ASCII."""
    peer, machine = comparison.peer, comparison.asked
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
            "memory": machine.memory.count,
            "processors": machine.processors,
            "connections": machine.connections,
            "workload": peer.workloads.get(machine.workload),
            "storage": peer.storage.get(machine.storage),
            "storage_assumed": machine.storage_assumed,
            "database_size": machine.database_size.count,
            "postgres": str(machine.major),
        },
        "differences": [
            {
                "setting": difference.setting,
                "peer": difference.peer,
                "plan": difference.plan,
                "why": difference.why,
            }
            for difference in comparison.differences
        ],
        "same": list(comparison.same),
        "unset": list(comparison.unset),
    }
    return json.dumps(document, indent=2) + "\n"
