"""What the server's own statistics suggest, in words."""

from __future__ import annotations

from rich.text import Text

from tunewiz.core.answers.answers import WorkloadKind
from tunewiz.core.answers.suggested_workload import NoSuggestion, Suggestion, suggested
from tunewiz.core.facts.server import PostgresServer
from tunewiz.wizard.journey import Journey

USUAL: WorkloadKind = "oltp"
"""What the sources measured, and the default if nothing suggests another."""


def suggestion(journey: Journey) -> Text:
    """One sentence, with its reason."""
    server = journey.plan.start.server
    if not isinstance(server, PostgresServer):
        return Text("There are no server statistics that suggest one of these.")
    match suggested(server):
        case Suggestion(kind=kind, because=because):
            title = journey.knowledge.workloads[kind].title
            return Text.assemble("Its own statistics suggest ", (title.lower(), "bold"), f": {because}")
        case NoSuggestion(why=why):
            return Text(f"Its own statistics suggest nothing: {why}")


def remark(journey: Journey, kind: WorkloadKind) -> str:
    """A remark beside the suggested or usual answer; empty beside the others."""
    server = journey.plan.start.server
    decision = suggested(server) if isinstance(server, PostgresServer) else NoSuggestion(why="no server")
    match decision:
        case Suggestion(kind=speaks_for):
            return "suggested by its statistics" if kind == speaks_for else ""
        case NoSuggestion():
            return "the usual answer" if kind == USUAL else ""
