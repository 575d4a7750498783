"""An example machine with an identity, so that a measurement can be of it."""

import dataclasses
from functools import cache

from tunewiz.core.facts.facts import Facts
from tunewiz.core.values.known import Known
from tunewiz.knowledge.loading import Knowledge, demo_facts, load_knowledge
from tunewiz.planning import default_answers
from tunewiz.wizard.journey import Journey, begin

DEMO = "nvme-server"


def recognizable() -> Facts:
    """An example machine has no identity; this one has."""
    facts = demo_facts(DEMO)
    return dataclasses.replace(facts, host=dataclasses.replace(facts.host, identity=Known("a" * 64, "test")))


@cache
def _knowledge() -> Knowledge:
    return load_knowledge()


def unmeasured() -> Journey:
    """A journey on it, with the usual answers and without a measurement."""
    facts = recognizable()
    return begin(facts, default_answers(facts, _knowledge()), _knowledge())
