"""What changed in a fleet since the last collection, as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict

from tunewiz.core.fleet.fleet import Fleet
from tunewiz.core.fleet.history import CollectionHead, SinceLast
from tunewiz.formats.fleet import violations_document

SCHEMA = 1


def drift_json(fleet: Fleet, since: SinceLast) -> str:
    """The same drift gives the same bytes, in ASCII."""
    hosts = sorted((host for group in fleet.groups for host in group.hosts), key=lambda host: host.host)
    document = {
        "schema": SCHEMA,
        "last": _head(since.last[0]) if since.last else None,
        "changed": [asdict(change) for change in since.changed],
        "replanned": [asdict(change) for change in since.replanned],
        "unread": [{"host": unread.host, "names": list(unread.names)} for unread in since.unread],
        "policy_today": [
            {"host": host.host, "rule": demand, "value": value}
            for host in hosts
            for demand, value in host.against
        ],
        "policy_newly_broken": [asdict(change) for change in since.newly_broken],
        "policy_mended": [asdict(change) for change in since.mended],
        "violations": violations_document(fleet),
        "new": list(since.new),
        "gone": list(since.gone),
        "not_planned_any_more": list(since.lost),
        "collections": [_head(head) for head in since.trend],
    }
    return json.dumps(document, indent=1) + "\n"


def _head(head: CollectionHead) -> dict[str, object]:
    return {"number": head.number, "recorded": head.at, **asdict(head.counts)}
