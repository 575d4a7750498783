"""Bundles that the program itself writes for a real server, of a few of its own recommendations."""

import dataclasses
from pathlib import Path
from types import MappingProxyType

from real_subject import Subject
from small_plans import small_answers
from tunewiz.bundle import write_bundle
from tunewiz.core.answers.answers import Accepted, Answers, Decision, Refused, Replaced
from tunewiz.core.facts.facts import Facts
from tunewiz.formats.records import answers_to_toml, facts_to_json
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import make_plan


def answers_for(subject: Subject, wanted: dict[str, str]) -> Answers:
    """Answers that change these alone; an empty value is the plan's own."""
    plan = make_plan(subject.facts(), small_answers(), load_knowledge())
    decisions: dict[str, Decision] = {change.recommendation.id: Refused() for change in plan.changes}
    decisions |= {name: Replaced(value=value) if value else Accepted() for name, value in wanted.items()}
    return dataclasses.replace(small_answers(), decisions=MappingProxyType(decisions))


def bundle_for(subject: Subject, wanted: dict[str, str], facts: Facts | None = None) -> Path:
    """The bundle that the program itself writes from these answers."""
    facts, answers = facts or subject.facts(), answers_for(subject, wanted)
    plan = make_plan(facts, answers, load_knowledge())
    directory = subject.bundles / f"planned-{len(list(subject.bundles.iterdir()))}"
    assert {change.recommendation.id for change in plan.changes} == set(wanted)
    write_bundle(plan, directory, facts_to_json(facts), answers_to_toml(answers))
    return directory
