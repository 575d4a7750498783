"""The public form of what is said of single tables."""

from __future__ import annotations

import json

from tunewiz.core.facts.facts import Facts
from tunewiz.core.tables.items import Relation, Sight, StorageChange, TableAdvice, TableDecision
from tunewiz.core.tables.scripts import statement, undo_statement
from tunewiz.core.values.known import known_or

SCHEMA = 1


def tables_json(advice: TableAdvice, facts: Facts) -> str:
    """All of it, in ASCII."""
    document = {
        "schema": SCHEMA,
        "host": known_or(facts.host.name, None),
        "why_none": advice.why_none,
        "changes": [_change(change) for change in advice.changes],
        "decisions": [_decision(decision) for decision in advice.decisions],
        "sights": [_sight(sight) for sight in advice.sights],
    }
    return json.dumps(document, indent=2) + "\n"


def _table(table: Relation) -> dict[str, object]:
    return {"database": table.database, "schema": table.schema, "table": table.name}


def _change(change: StorageChange) -> dict[str, object]:
    return {
        **_table(change.table),
        "parameter": change.parameter,
        "before": change.before,
        "value": change.value,
        "because": change.because,
        "do": [statement(change)],
        "undo": [undo_statement(change)],
    }


def _decision(decision: TableDecision) -> dict[str, object]:
    return {
        **_table(decision.table),
        "kind": decision.kind,
        "what": decision.what,
        "because": decision.because,
        "do": list(decision.do),
        "undo": list(decision.undo),
    }


def _sight(sight: Sight) -> dict[str, object]:
    return {**_table(sight.table), "kind": sight.kind, "because": sight.because}
