"""The last visit: the newest run of the wizard that read this host, with what it planned."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from tunewiz.commands.planned_values import planned_by
from tunewiz.core.facts.facts import Facts
from tunewiz.core.health.since import NOTHING_PLANNED, LastPlan
from tunewiz.core.values.errors import BundleError, InputError
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import make_plan
from tunewiz.session.record import Session
from tunewiz.session.store import age_in_words
from tunewiz.session.visits import last_visit
from tunewiz.wizard.last_visit import LastVisit


def visit_in(directory: Path, facts: Facts) -> LastVisit | None:
    """The newest among the sessions of a directory; None if there is none."""
    if (visit := last_visit(directory, facts)) is None:
        return None
    stored, session = visit
    return LastVisit(
        facts=session.as_read,
        name=f"the wizard's run of {stored.when.astimezone():%Y-%m-%d %H:%M}",
        plan=_planned(session),
        age=age_in_words((datetime.now(UTC) - stored.when).total_seconds()),
    )


def _planned(session: Session) -> LastPlan:
    """What its plan changes; nothing for one that no bundle can carry."""
    try:
        return planned_by(make_plan(session.facts, session.answers, load_knowledge()))
    except (BundleError, InputError):
        return NOTHING_PLANNED
