"""Nothing that people read has a value as a machine counts it: `24684084kB`, `57600 min`, 0.0275."""

import re
from collections.abc import Iterator

import pytest

from every_page import journey_of, machine_names, machines, pages_of
from tunewiz.core.recommendation.target_words import exact_value, value_in_words
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.text.finding_detail import computed

RAW = re.compile(r"\b\d{5,} ?(?:[kMGT]?B|[kMGT]iB|bytes|ms|s|min)\b|\b0\.0(?![0-4]5\b)\d{2,}\b")
"""Parts of a table below 5 percent are rounded to half percents, larger ones to whole percents."""
EXACT = re.compile(r"\(\d+ bytes[,)]|hugepages-\d+kB|shared_memory_size\w*|= 0\.\d+")
"""An exact number beside its words, names of files, and what a computation gives before it is rounded."""


UNGROUPED = re.compile(r"(?<![\w.,=/-])\d{5,} [a-zµ]\w*")
"""A count of something, hard to read without a comma."""


def raw_values(text: str) -> Iterator[str]:
    """What no person would write."""
    for match in RAW.finditer(EXACT.sub("", text)):
        yield text_around(match)


def text_around(match: re.Match[str]) -> str:
    """The value with what stands before it."""
    return match.string[max(0, match.start() - 40) : match.end()].replace("\n", " ")


@machines(*machine_names(), captures_are_slow=False)
def test_no_page_has_a_value_as_a_machine_counts_it(machine: str) -> None:
    for page, text in pages_of(journey_of(machine)).items():
        assert list(raw_values(text)) == [], page


@machines(*machine_names(), captures_are_slow=False)
def test_no_reason_has_a_large_count_without_a_comma(machine: str) -> None:
    plan = journey_of(machine).plan
    texts = [text for finding in plan.findings for text in (finding.because, computed(finding))]
    texts += [warning.text for warning in plan.warnings]
    assert [text for text in texts if UNGROUPED.search(text)] == []


def test_such_a_count_is_found() -> None:
    assert UNGROUPED.search("8 GiB / 2 MiB = 33942 pages")
    assert not UNGROUPED.search("33,942 pages; autovacuum_freeze_max_age = 2000000000: too late; 512 pages")


@pytest.mark.parametrize(
    "text", ["24684084kB", "344973012B", "57600 min", "planned 61708kB", "0.055", "0.0275 of a table"]
)
def test_such_a_value_is_found(text: str) -> None:
    assert list(raw_values(text))


@pytest.mark.parametrize(
    "text",
    ["16GB", "512MB (536870912 bytes)", "40d", "0.06", "0.045 of a table", "= 0.0577, rounded to 0.06"],
)
def test_a_value_as_a_person_writes_it_is_not(text: str) -> None:
    assert not list(raw_values(text))


@pytest.mark.parametrize(
    ("value", "shown", "exact"),
    [
        ("24684084kB", "~23.5GB", "24684084kB"),
        ("344973012B", "~329MB", "344973012B"),
        ("61708kB", "~60MB", "61708kB"),
        ("16GB", "16GB", ""),
        ("3584MB", "3584MB", ""),
        ("on", "on", ""),
    ],
)
def test_an_odd_size_of_a_setting_is_rounded_and_told_exactly_beside_it(
    value: str, shown: str, exact: str
) -> None:
    target = PgTarget(name="effective_cache_size")
    assert (value_in_words(target, value), exact_value(target, value)) == (shown, exact)
