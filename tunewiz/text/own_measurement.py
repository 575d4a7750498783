"""How to measure a change on one's own server, where nobody published a measurement of late."""

from __future__ import annotations

from tunewiz.core.planning.ticking import only_observes
from tunewiz.core.recommendation.evidence import Library
from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.core.recommendation.targets import AdviceTarget, PgTarget
from tunewiz.knowledge.loading import Knowledge

OF_LATE = 2022
"""Measured in this year or later: with kernels and servers that are still maintained."""

NOT_CITED = f"No measurement of {OF_LATE} or later is cited."
BENCH = "tunewiz prove bench BUNDLE"


def how_to_measure(recommendation: Recommendation, knowledge: Knowledge) -> tuple[str, ...]:
    """A sentence, and the command on a line of its own; none where there is nothing to measure."""
    if not _is_measurable(recommendation) or _was_measured(recommendation, knowledge.library):
        return ()
    if _takes_a_reload(recommendation, knowledge):
        return f"{NOT_CITED} To measure it here:", f"tunewiz prove switchback {recommendation.id}"
    return f"{NOT_CITED} To measure it here, write a bundle with this change alone, then:", BENCH


def _is_measurable(recommendation: Recommendation) -> bool:
    """Whether it moves a value: no advice, nothing that only observes or keeps data safe."""
    moves = not isinstance(recommendation.target, AdviceTarget) and not only_observes(recommendation)
    return moves and recommendation.group != "durability"


def _was_measured(recommendation: Recommendation, library: Library) -> bool:
    claims = [library.claims[cite.claim] for cite in recommendation.cites if not cite.near]
    measured = [claim for claim in claims if claim.measured_on and not claim.undecided]
    dates = [library.sources[claim.source].date for claim in measured]
    return any(date[:4].isdecimal() and int(date[:4]) >= OF_LATE for date in dates)


def _takes_a_reload(recommendation: Recommendation, knowledge: Knowledge) -> bool:
    """Whether the newest server that has the setting changes it without a restart."""
    name = recommendation.target.name
    having = [major for major, settings in knowledge.settings.items() if settings.has(name)]
    is_setting = isinstance(recommendation.target, PgTarget) and having
    return bool(is_setting) and not knowledge.settings[max(having)][name].needs_restart
