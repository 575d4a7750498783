"""Worked examples as people read them: what differs from the usual server."""

import dataclasses
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunewiz.core.recommendation.example_words import NOTHING_DIFFERS, USUAL, described
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.text.explanation import explained

KNOWLEDGE = load_knowledge()


@pytest.mark.parametrize(
    ("one", "text"),
    [
        (Given(), NOTHING_DIFFERS),
        (Given(memory="16GB", cores=2), "16GB of memory, 2 cores"),
        (Given(workload="analytics", settings={"work_mem": "64MB"}), "work_mem = 64MB, analytics"),
        (Given(restart=False, running=False), "the server is down, no restart accepted"),
        (Given(huge_page_size=""), "no huge page size"),
        (Given(extensions=("a", "b")), "extensions a, b"),
        (Given(disks=("not a word",)), "disks not a word"),  # type: ignore[arg-type]
        (Given(layers=None), "by name"),
    ],
)
def test_what_differs_is_told(one: Given, text: str) -> None:
    assert described("by name", one) == text


@given(
    st.integers(1, 64).filter(lambda cores: cores != Given().cores), st.sampled_from(["hdd", "san", "nvme"])
)
def test_no_value_that_differs_is_left_out(cores: int, disk: str) -> None:
    one = dataclasses.replace(Given(), cores=cores, disk=disk)  # type: ignore[arg-type]
    assert described("by name", one) == f"{cores} cores, data on {disk}"


def test_the_usual_server_is_the_one_that_is_told() -> None:
    usual = Given()
    for value in (usual.memory, f"{usual.cores} cores", usual.architecture, f"PostgreSQL {usual.major}"):
        assert value in USUAL
    assert f"{usual.database_size} of data and {usual.connections} connections" in USUAL


@pytest.mark.parametrize("recommendation", KNOWLEDGE.catalogue, ids=lambda entry: entry.id)
def test_no_example_refers_to_another(recommendation: Recommendation) -> None:
    shown = explained(recommendation, KNOWLEDGE).partition("\nExamples\n")[2]
    assert not re.search(r"\bthe same\b|\bhalf the cores\b|\btimes as much\b", shown)
