"""The public form of a checkup."""

from __future__ import annotations

import json
from dataclasses import asdict

from tunewiz.core.facts.deep_look import CheckedCount, DeepLook
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.waits import Waits
from tunewiz.core.health.ahead import Ahead
from tunewiz.core.health.trouble import Trouble
from tunewiz.core.health.troubles import Checkup
from tunewiz.core.health.waits import shares_of, verdict_on
from tunewiz.core.values.known import Fact, Unknown, known_or

SCHEMA = 1


def health_json(result: Checkup, facts: Facts) -> str:
    """All of it, in ASCII."""
    document = {
        "schema": SCHEMA,
        "host": known_or(facts.host.name, None),
        "troubles": [_trouble(trouble) for trouble in result.troubles],
        "notes": list(result.notes),
        "unseen": list(result.unseen),
        "ahead": [ahead_document(entry) for entry in result.ahead],
        "deep": None if result.deep is None else _deep(result.deep),
        "waits": None if result.waits is None else _waits(result.waits),
    }
    return json.dumps(document, indent=2) + "\n"


def _waits(waits: Waits) -> dict[str, object]:
    return {
        "seconds": waits.seconds,
        "samples": waits.samples,
        "verdict": verdict_on(waits),
        "shares": [
            {
                "kind": share.kind,
                "percent": share.percent,
                "events": {entry.event or "none": entry.count for entry in share.events},
            }
            for share in shares_of(waits)
        ],
        "blocked": [asdict(session) for session in waits.blocked],
    }


def _deep(look: DeepLook) -> dict[str, object]:
    return {
        "seconds": look.seconds,
        "ended": look.ended,
        "databases": [
            {
                "database": database.database,
                "indexes": _checked(database.indexes),
                "tables": _checked(database.tables),
                "damaged": [asdict(damaged) for damaged in database.damaged],
                "cut_off": None if database.cut_off is None else asdict(database.cut_off),
                "orphans": None if isinstance(database.orphans, Unknown) else asdict(database.orphans.value),
            }
            for database in look.databases
        ],
    }


def _checked(count: Fact[CheckedCount]) -> dict[str, object] | None:
    return None if isinstance(count, Unknown) else asdict(count.value)


def ahead_document(ahead: Ahead) -> dict[str, object]:
    """What will run out, with its range of days."""
    return {
        "kind": ahead.kind,
        "what": ahead.what,
        "earliest": ahead.days.earliest,
        "latest": ahead.days.latest,
        "because": ahead.because,
    }


def _trouble(trouble: Trouble) -> dict[str, object]:
    return {
        "kind": trouble.kind,
        "who": trouble.who,
        "what": trouble.what,
        "because": trouble.because,
        "database": trouble.database,
        "do": list(trouble.do),
        "undo": list(trouble.undo),
        "after": list(trouble.after),
    }
