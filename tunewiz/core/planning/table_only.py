"""Majors that were never run here: the plan knows them by their table of settings and the live server."""

from __future__ import annotations

from tunewiz.core.recommendation.situation import NoServer, Situation
from tunewiz.core.values.versions import NEWEST_RUN


def table_in_words(situation: Situation) -> str:
    """What a plan for such a major rests on; empty for the majors that were run."""
    if situation.major <= NEWEST_RUN:
        return ""
    rests = f"PostgreSQL {situation.major} is planned for by the table of its settings and its release notes"
    if isinstance(situation.server, NoServer):
        return f"{rests}: no bundle was run against a server of it. Try this one on a test server first."
    return (
        f"{rests}, and what this server tells counts first: no bundle was run against a server of it. "
        "Try this one on a test server first."
    )
