"""What the server's own statistics speak for, in words."""

from __future__ import annotations

from rich.text import Text

from tunewiz.core.answers.answers import WorkloadKind
from tunewiz.core.answers.suggested_workload import NoSuggestion, Suggestion, suggested
from tunewiz.core.facts.server import PostgresServer
from tunewiz.wizard.journey import Journey

USUAL: WorkloadKind = "oltp"
"""What the sources measured, and what is taken where nothing speaks for another."""


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


def remark(journey: Journey, kind: WorkloadKind) -> str:
    """Beside the answer that is the common one here; empty beside the others."""
    server = journey.plan.start.server
    said = suggested(server) if isinstance(server, PostgresServer) else NoSuggestion(why="no server")
    match said:
        case Suggestion(kind=speaks_for):
            return "its statistics speak for it" if kind == speaks_for else ""
        case NoSuggestion():
            return "the common answer" if kind == USUAL else ""
