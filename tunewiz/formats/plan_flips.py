"""The public form of which plans become others."""

from __future__ import annotations

import json

from tunewiz.core.facts.facts import Facts
from tunewiz.core.proof.plan_flips import PlanFlips, PlannedStatement, SkippedStatement
from tunewiz.core.proof.plan_shapes import PlanShape
from tunewiz.core.proof.statement_text import shown
from tunewiz.core.values.known import known_or

SCHEMA = 1


def plan_flips_json(plan_flips: PlanFlips, facts: Facts) -> str:
    """All of it, in ASCII."""
    document = {
        "schema": SCHEMA,
        "host": known_or(facts.host.name, None),
        "how": plan_flips.how,
        "settings": [
            {"name": setting.name, "before": setting.before, "after": setting.after}
            for setting in plan_flips.settings
        ],
        "stands_for": round(plan_flips.stands_for, 4),
        "flips": len(plan_flips.flips),
        "statements": [_planned(statement) for statement in plan_flips.planned],
        "skipped": [_skipped(statement) for statement in plan_flips.skipped],
    }
    return json.dumps(document, indent=2) + "\n"


def _planned(statement: PlannedStatement) -> dict[str, object]:
    return {
        "queryid": statement.queryid,
        "database": statement.database,
        "calls": statement.calls,
        "milliseconds": round(statement.milliseconds, 3),
        "text": shown(statement.text),
        "flips": bool(statement.changes),
        "changes": list(statement.changes),
        "before": _shape(statement.before),
        "after": _shape(statement.after),
    }


def _shape(shape: PlanShape) -> dict[str, object]:
    return {
        "cost": shape.cost,
        "nodes": [{"depth": depth, **dict(node)} for depth, node in shape.nodes],
    }


def _skipped(statement: SkippedStatement) -> dict[str, object]:
    return {
        "queryid": statement.queryid,
        "database": statement.database,
        "milliseconds": round(statement.milliseconds, 3),
        "text": shown(statement.text),
        "why": statement.why,
    }
