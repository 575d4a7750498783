"""What became of a host since it was read before, and its public form."""

from __future__ import annotations

import json
from dataclasses import asdict

from tunewiz.core.health.ahead import Ahead
from tunewiz.core.health.findings_since import FindingNews
from tunewiz.core.health.news import News
from tunewiz.core.values.record import dataclass
from tunewiz.formats.health import ahead_document

SCHEMA = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class HostNews:
    """Two readings of one host, compared."""

    host: str
    earlier: str
    """What was compared with: a session, a bundle, a file."""
    then: str
    """When that was read; empty if it is not known."""
    read_at: str
    news: tuple[News, ...]
    ahead: tuple[Ahead, ...]
    findings: tuple[FindingNews, ...] = ()
    """Troubles and warnings that are new, worse or gone."""


def since_json(result: HostNews) -> str:
    """All of it, in ASCII."""
    document = {
        "schema": SCHEMA,
        "host": result.host or None,
        "earlier": result.earlier,
        "then": result.then or None,
        "read_at": result.read_at or None,
        "findings": [asdict(finding) for finding in result.findings],
        "news": [asdict(news) for news in result.news],
        "ahead": [ahead_document(entry) for entry in result.ahead],
    }
    return json.dumps(document, indent=2) + "\n"
