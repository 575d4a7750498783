"""The computation that is shown ends in the value that is shown, and its arithmetic is right."""

import dataclasses
import re
from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings

from drawn_machines import machines
from tunewiz.core.planning.plan import plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.verdicts import Proposal
from tunewiz.core.values.rounding import rounded_in_words
from tunewiz.core.values.units import Bytes
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import example_situation

KNOWLEDGE = load_knowledge()
SIZE = re.compile(r"\d+(?:\.\d+)? ?(?:[kMGT]iB|[kMGT]B|B)\b")
PRODUCT = re.compile(
    rf"(?P<size>{SIZE.pattern})(?: left| free)?(?P<shares>(?: x \d+(?:/\d+)?(?: for this server)?)*)"
    rf"(?: / (?P<parts>\d+(?:\.\d+)?) \w[a-z ]*)? = (?P<result>{SIZE.pattern})"
)
ONE_DIGIT = Fraction(6, 100)
"""What one digit behind the point can hide, of 1.0 twice."""
COMPUTED_IN_SIZES = frozenset(
    {
        "pg.autovacuum_work_mem",
        "pg.effective_cache_size",
        "pg.maintenance_work_mem",
        "pg.max_wal_size",
        "pg.min_wal_size",
        "pg.shared_buffers",
        "pg.work_mem",
    }
)


def size(text: str) -> int:
    """Bytes, of a computation's spelling too: 11.8 GiB."""
    number, unit = re.fullmatch(r"([\d.]+) ?([kMGT]?)i?B", text).groups()  # type: ignore[union-attr] # as SIZE found it
    return int(Fraction(number) * 1024 ** " kMGT".index(unit or " "))


def is_shown_as(exact: Fraction, shown: str) -> bool:
    """Whether a size can be written so; small ones are written without a point."""
    fraction = Fraction(size(shown))
    last_digit = Fraction(1 if "." in shown else size(re.sub(r"[\d.]+", "1", shown, count=1)))
    larger = max(fraction, exact)
    return abs(exact - fraction) <= ONE_DIGIT * larger + last_digit / 2


def wrong(computed: str, value: str) -> Iterator[str]:
    """What is wrong with a computation of that value."""
    shown = SIZE.findall(computed.partition(", recovery about")[0])
    if not is_shown_as(Fraction(Bytes.parse(value).count), shown[-1]):
        yield f"ends in {shown[-1]}, proposed is {value}: {computed}"
    for match in PRODUCT.finditer(computed):
        result = Fraction(size(match["size"]))
        for share in re.findall(r"x (\d+(?:/\d+)?)", match["shares"]):
            result *= Fraction(share)
        result /= Fraction(match["parts"] or 1)
        if not is_shown_as(result, match["result"]):
            yield f"{match[0]}: it is {Bytes(int(result)).short()}"


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(machines())
def test_computations_of_sizes_end_in_the_value_and_are_right(machine: Given) -> None:
    plan = plan_of(KNOWLEDGE.catalogue, example_situation(machine, KNOWLEDGE))
    test_computations = [
        f"{finding.recommendation.id}: {text}"
        for finding in plan.findings
        if finding.recommendation.id in COMPUTED_IN_SIZES and isinstance(finding.verdict, Proposal)
        for text in wrong(finding.verdict.computed, finding.verdict.value)
    ]
    assert test_computations == []


@pytest.mark.parametrize(
    ("computed", "value", "is_right"),
    [
        ("11.8 GiB x 1/4 = 2.9 GiB, rounded down to 2816MB", "2816MB", True),
        ("23.5 GiB x 1/2 for this server x 1/4 = 2.9 GiB, rounded down to 2816MB", "2816MB", True),
        ("11.8 GiB x 1/4 = 2.9 GiB", "2048MB", False),
        ("23.5 GiB x 1/4 = 2.9 GiB, rounded down to 2816MB", "2816MB", False),
        ("166.6 GiB left x 1/4 / 1016 sorts and hashes at once = 32 MiB", "32MB", False),
        ("166.6 GiB left x 1/4 / 1016 sorts and hashes at once = 42 MiB, rounded down to 32MB", "32MB", True),
    ],
)
def test_the_check_tells_right_from_wrong(computed: str, value: str, *, is_right: bool) -> None:
    assert (list(wrong(computed, value)) == []) is is_right


def test_what_was_not_rounded_is_not_called_so() -> None:
    assert rounded_in_words(Bytes.parse("2GB"), Bytes.parse("2GB")) == ""
    assert rounded_in_words(Bytes.parse("2GB"), Bytes.parse("3GB")) == ", raised to 3GB"


def test_a_share_of_the_machine_is_part_of_the_computation() -> None:
    situation = example_situation(Given(memory="47GB"), KNOWLEDGE)
    server = dataclasses.replace(situation.answers.server, memory_share=50)
    shared = dataclasses.replace(situation, answers=dataclasses.replace(situation.answers, server=server))
    (buffers,) = (
        recommendation for recommendation in KNOWLEDGE.catalogue if recommendation.id == "pg.shared_buffers"
    )
    verdict = buffers.decide(shared)
    assert isinstance(verdict, Proposal)
    assert verdict.computed == "47 GiB x 1/2 for this server x 1/4 = 5.9 GiB, rounded down to 5632MB"
    assert list(wrong(verdict.computed, verdict.value)) == []
