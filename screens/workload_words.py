"""What the server's own statistics speak for, in words."""

from __future__ import annotations

from rich.text import Text

from tunewiz.core.facts import PostgresServer
from tunewiz.core.suggestion import NoSuggestion, Suggestion, suggested
from tunewiz.screens.journey import Journey


def suggestion(journey: Journey) -> Text:
    """One sentence, with its reason."""
    server = journey.plan.start.server
    if not isinstance(server, PostgresServer):
        return Text("There are no statistics of a server that would speak for one of these.")
    match suggested(server):
        case Suggestion(kind=kind, because=because):
            title = journey.knowledge.workloads[kind].title
            return Text.assemble("Its own statistics say ", (title.lower(), "bold"), f": {because}")
        case NoSuggestion(why=why):
            return Text(f"Its own statistics do not say: {why}")
