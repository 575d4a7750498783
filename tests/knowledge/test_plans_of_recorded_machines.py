"""From every recorded machine the whole way: facts, their file, a plan, its table."""

import dataclasses
import json
from pathlib import Path

import pytest

from recorded_machines import foreign_captures, our_captures, recorded
from tunewiz.collect.everything import read_facts
from tunewiz.core.answers.answers import ServerAnswers
from tunewiz.formats.plan import plan_json
from tunewiz.formats.records import facts_from_json, facts_to_json
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import default_answers, make_plan
from tunewiz.text.report import plan_table

CAPTURES = [*our_captures(), *foreign_captures()]


@pytest.mark.parametrize("capture", CAPTURES, ids=[capture.stem for capture in CAPTURES])
def test_facts_come_back_from_their_file_and_can_be_planned_for(capture: Path) -> None:
    facts = read_facts(recorded(capture))
    assert facts_from_json(facts_to_json(facts), capture.name) == facts
    usual = default_answers(facts, load_knowledge())
    for major in ("9.6", "18"):
        said = usual if facts.postgres else dataclasses.replace(usual, server=ServerAnswers(postgres=major))
        plan = make_plan(facts, said, load_knowledge())
        assert json.loads(plan_json(plan))["recommendations"]
        assert plan_table(plan, answered=True).count("\n") > len(plan.findings)
