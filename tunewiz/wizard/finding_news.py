"""Troubles and warnings of this host's servers, as they follow from an earlier reading and from today's."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from tunewiz.core.facts.facts import Facts
from tunewiz.core.health.findings_since import FindingNews, findings_since
from tunewiz.core.health.known_both import known_both
from tunewiz.core.planning.plan import Plan
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Known, known_or
from tunewiz.knowledge.loading import Knowledge
from tunewiz.knowledge.minor_fixes import load_minor_fixes
from tunewiz.planning import default_answers, make_plan


def finding_news(then: Facts, facts: Facts, knowledge: Knowledge) -> tuple[FindingNews, ...]:
    """What is new, worse or gone, server by server; none of a server that was read only once."""
    return tuple(_news(then, facts, knowledge))


def _news(then: Facts, facts: Facts, knowledge: Knowledge) -> Iterator[FindingNews]:
    earlier = {known_or(server.data_directory, ""): server for server in then.postgres}
    for server in facts.postgres:
        if before := earlier.get(known_or(server.data_directory, "")):
            name = f"port {known_or(server.port, '?')}" if len(facts.postgres) > 1 else ""
            compared = (known_both(then, before, facts, server), known_both(facts, server, then, before))
            plans = [plan for entry in compared for plan in _planned(entry, knowledge)]
            if len(plans) == len(compared):
                yield from findings_since(plans[0], plans[1], load_minor_fixes(), name)


def _planned(facts: Facts, knowledge: Knowledge) -> tuple[Plan, ...]:
    """For the first server, with nobody's answers: those of two runs may differ. None if there is no plan."""
    directory = facts.postgres[0].data_directory
    if not isinstance(directory, Known):
        return ()
    answers = default_answers(facts, knowledge)
    server = dataclasses.replace(answers.server, data_directory=directory.value, postgres=None)
    try:
        return (make_plan(facts, dataclasses.replace(answers, server=server), knowledge),)
    except InputError:
        return ()
