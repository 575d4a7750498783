"""A server that is too old is told of in its own terms, and no bundle changes it."""

import dataclasses

import pytest

from situations import situation
from tunewiz.bundle.placing import placed
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.server.older_versions import in_its_own_terms
from tunewiz.core.values.known import Known
from tunewiz.core.values.versions import SUPPORTED, Major
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import default_answers, make_plan

KNOWLEDGE = load_knowledge()
OLD = ("8.0", "8.2", "8.3", "8.4", "9.0", "9.1", "9.2", "9.3", "9.4")


@pytest.mark.parametrize("version", OLD)
def test_a_plan_beside_an_old_server_says_so_and_sets_nothing_in_it(version: str) -> None:
    result = situation()
    assert isinstance(result.server, PostgresServer)
    old = dataclasses.replace(
        result.server, major=Known(version, "test"), version=Known(f"{version}.1", "test")
    )
    facts = dataclasses.replace(result.facts, postgres=(old,))
    plan = make_plan(facts, default_answers(facts, KNOWLEDGE), KNOWLEDGE)
    results = {warning.code: warning.text for warning in plan.warnings}
    assert "checkpoint_segments" in results["server_too_old"]
    assert f"Set none of these values in PostgreSQL {version}" in results["server_too_old"]
    assert placed(plan).settings == ()


@pytest.mark.parametrize("major", SUPPORTED, ids=str)
def test_a_server_that_can_be_planned_for_needs_no_such_words(major: Major) -> None:
    assert not in_its_own_terms(major)


@pytest.mark.parametrize(
    ("version", "lacks"), [("9.3", "huge_pages"), ("9.0", "64kB"), ("8.2", "does not run by itself")]
)
def test_what_came_later_is_told_of_the_versions_before_it_alone(version: str, lacks: str) -> None:
    assert lacks in in_its_own_terms(Major.parse(version))
    assert lacks not in in_its_own_terms(Major.parse("9.4"))
