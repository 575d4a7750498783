"""Whatever moves a value rests on a measurement of late, or says how to measure it on one's own server."""

import re

import pytest

from tunewiz.catalogue import recommendations
from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.core.recommendation.targets import AdviceTarget
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.text.explanation import explained
from tunewiz.text.own_measurement import how_to_measure

KNOWLEDGE = load_knowledge()
BY_ID = {recommendation.id: recommendation for recommendation in recommendations()}
COMMAND = re.compile(r"tunewiz prove (switchback pg\.\w+|bench BUNDLE)")


def hint(name: str) -> str:
    return " ".join(how_to_measure(BY_ID[name], KNOWLEDGE))


@pytest.mark.parametrize("recommendation", BY_ID.values(), ids=BY_ID)
def test_a_hint_ends_with_a_command_that_measures_this_very_change(recommendation: Recommendation) -> None:
    lines = how_to_measure(recommendation, KNOWLEDGE)
    assert len(lines) in (0, 2)
    for command in lines[1:]:
        assert COMMAND.fullmatch(command)
        assert recommendation.id in command or "this change alone" in lines[0]


def test_a_setting_that_a_reload_changes_is_switched_back_and_forth() -> None:
    assert hint("pg.random_page_cost").endswith("tunewiz prove switchback pg.random_page_cost")


@pytest.mark.parametrize("name", ["pg.autovacuum_freeze_max_age", "kernel.swappiness"])
def test_what_needs_a_restart_or_is_of_the_kernel_is_measured_by_a_bundle(name: str) -> None:
    assert hint(name).endswith("tunewiz prove bench BUNDLE")


@pytest.mark.parametrize("name", ["pg.max_wal_size", "pg.checkpoint_timeout", "pg.wal_compression"])
def test_where_a_measurement_of_late_is_cited_no_hint_is_given(name: str) -> None:
    assert hint(name) == ""


@pytest.mark.parametrize("name", ["pg.log_checkpoints", "pg.full_page_writes", "host.method"])
def test_what_only_observes_keeps_data_safe_or_is_advice_gives_no_hint(name: str) -> None:
    assert hint(name) == ""


def test_no_advice_gives_a_hint() -> None:
    advice = [
        name for name, recommendation in BY_ID.items() if isinstance(recommendation.target, AdviceTarget)
    ]
    assert advice
    assert [name for name in advice if hint(name)] == []


def test_the_explanation_ends_its_evidence_with_the_hint() -> None:
    text = " ".join(explained(BY_ID["pg.random_page_cost"], KNOWLEDGE).split())
    assert hint("pg.random_page_cost") in text
    assert "To measure it here" not in explained(BY_ID["pg.max_wal_size"], KNOWLEDGE)
