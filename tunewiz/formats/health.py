"""The public form of a checkup."""

from __future__ import annotations

import json

from tunewiz.core.facts.facts import Facts
from tunewiz.core.health.trouble import Trouble
from tunewiz.core.health.troubles import Checkup
from tunewiz.core.values.known import known_or

SCHEMA = 1


def health_json(result: Checkup, facts: Facts) -> str:
    """All of it, in ASCII."""
    document = {
        "schema": SCHEMA,
        "host": known_or(facts.host.name, None),
        "troubles": [_trouble(trouble) for trouble in result.troubles],
        "unseen": list(result.unseen),
    }
    return json.dumps(document, indent=2) + "\n"


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
