"""Facts corrected by hand: taken where they can be, marked, and refused where they cannot."""

import dataclasses
import re

import pytest

from tunewiz.core.answers.corrections import (
    BY_HAND,
    CORRECTABLE,
    NONE,
    Correctable,
    correctable,
    corrected,
    title_of,
)
from tunewiz.core.answers.limits import impossible_facts
from tunewiz.core.facts.server import NO_SETTINGS
from tunewiz.core.recommendation.example_facts import facts_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Absent, Known, Unknown
from tunewiz.core.values.units import Bytes

FACTS = facts_of(Given(memory="64GB", cores=8), NO_SETTINGS)
VALUES = {
    "cpu.cores": "4",
    "memory.total": "32GB",
    "memory.swap_total": "2GB",
    "memory.huge_page_size": "1MB",
    "virtualization.hypervisor": "kvm",
    "virtualization.container": "docker",
    "limits.memory": "8GB",
    "limits.memory_high": "6GB",
    "limits.cpus": "2.5",
}
WITHOUT = (
    "memory.swap_total",
    "memory.huge_page_size",
    "virtualization.container",
    "limits.memory",
    "limits.memory_high",
    "limits.cpus",
)


def test_every_correctable_fact_is_tried_here() -> None:
    assert sorted(VALUES) == sorted(entry.key for entry in CORRECTABLE)


@pytest.mark.parametrize("key", VALUES)
def test_a_corrected_fact_says_so_and_is_listed_for_the_review(key: str) -> None:
    facts = correctable(key).correct(FACTS, VALUES[key])
    assert corrected(facts) == ((key, VALUES[key]),)
    assert list(impossible_facts(facts)) == []


@pytest.mark.parametrize("key", WITHOUT)
def test_none_says_that_there_is_no_such_thing(key: str) -> None:
    fact = correctable(key).read(correctable(key).correct(FACTS, NONE))
    assert fact in (Absent(BY_HAND), Known(Bytes(0), BY_HAND))


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("cpu.cores", "0"),
        ("cpu.cores", "many"),
        ("cpu.cores", "9"),  # more than are online
        ("memory.total", "0B"),
        ("memory.total", "64"),
        ("memory.total", "10000000TB"),
        ("memory.huge_page_size", "3MB"),
        ("virtualization.hypervisor", "two words"),
        ("virtualization.container", ""),
        ("limits.memory", "lots"),
        ("limits.cpus", "-1"),
        ("limits.cpus", "nan"),
    ],
)
def test_what_cannot_be_is_refused_by_its_title(key: str, text: str) -> None:
    with pytest.raises(InputError, match=rf"^{title_of(key)}: expected .*found"):
        correctable(key).correct(FACTS, text)


def test_less_memory_than_was_available_corrects_that_too() -> None:
    facts = correctable("memory.total").correct(FACTS, "32GB")
    assert facts.memory.available == Known(Bytes.parse("32GB"), BY_HAND)


def test_more_memory_leaves_what_was_available_alone() -> None:
    facts = correctable("memory.total").correct(FACTS, "128GB")
    assert facts.memory.available == FACTS.memory.available


def test_facts_that_nobody_corrected_are_not_listed() -> None:
    assert corrected(FACTS) == ()


def test_an_unknown_fact_is_offered_empty() -> None:
    memory = dataclasses.replace(FACTS.memory, total=Unknown("not read"))
    assert correctable("memory.total").shown(dataclasses.replace(FACTS, memory=memory)) == ""


def test_a_known_fact_is_offered_as_it_would_be_typed() -> None:
    assert correctable("memory.total").shown(FACTS) == "64GB"
    assert correctable("limits.memory").shown(FACTS) == NONE


@pytest.mark.parametrize(
    ("key", "text", "doubted"),
    [
        ("memory.total", "64GB", False),
        ("memory.total", "630GB", False),
        ("memory.total", "640GB", True),
        ("memory.total", "6GB", True),
        ("memory.total", "900TB", True),
        ("limits.memory", "1GB", False),
    ],
)
def test_a_value_far_from_what_was_read_is_taken_only_when_it_is_entered_again(
    key: str,
    text: str,
    *,
    doubted: bool,
) -> None:
    fact = correctable(key)
    assert bool(fact.doubt(FACTS, text)) == doubted
    check = fact.check_asking_again(FACTS)
    if doubted:
        with pytest.raises(InputError, match=r"times (more|less) than what was read"):
            check(text)
    check(text)


def test_another_doubtful_value_is_asked_for_again_too() -> None:
    check = correctable("memory.total").check_asking_again(FACTS)
    for text in ("900TB", "901TB"):
        with pytest.raises(InputError):
            check(text)
    check("900TB")


@pytest.mark.parametrize("text", ["0", "many", "-1", "1.5", "9" * 30, "a b", "!"])
@pytest.mark.parametrize("fact", CORRECTABLE, ids=lambda fact: fact.key)
def test_a_refused_correction_names_the_fact_as_the_page_does_never_by_its_key(
    fact: Correctable, text: str
) -> None:
    try:
        fact.correct(FACTS, text)
        said = ""
    except InputError as error:
        said = str(error)
    assert not re.search(r"\b(cpu|memory|virtualization|limits|storage)[.][a-z]", said)


def test_a_refused_memory_is_called_memory() -> None:
    with pytest.raises(InputError, match=r"^Memory: expected"):
        correctable("memory.total").correct(FACTS, "0")


def test_a_fact_without_a_title_is_named_in_words() -> None:
    assert title_of("memory.huge_pages_total") == "Memory huge pages total"
