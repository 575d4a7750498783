"""The public form of what an upgrade does to a server's settings."""

from __future__ import annotations

import json

from tunewiz.core.facts.facts import Facts
from tunewiz.core.upgrade.items import Upgrade, UpgradeItem
from tunewiz.core.values.known import known_or

SCHEMA = 1


def upgrade_json(upgrade: Upgrade, facts: Facts) -> str:
    """All of it, in ASCII."""
    document = {
        "schema": SCHEMA,
        "host": known_or(facts.host.name, None),
        "from": str(upgrade.old),
        "to": str(upgrade.new),
        "read": upgrade.how,
        "needs_hand": upgrade.needs_hand,
        "items": [_item(item) for item in upgrade.items],
    }
    return json.dumps(document, indent=2) + "\n"


def _item(item: UpgradeItem) -> dict[str, object]:
    return {
        "setting": item.setting,
        "kind": item.kind,
        "value": item.value,
        "where": item.where,
        "place": item.place,
        "stops": item.stops,
        "stops_restore": item.stops_restore,
        "needs_hand": item.needs_hand,
        "instead": dict(item.instead),
        "because": item.because,
        "source": item.source,
    }
