"""Every setting of every major is accounted for: a recommendation, a warning, or a reason for no advice."""

import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest

from fixtures_golden import difference
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.versions import SUPPORTED, Major
from tunewiz.knowledge.accounted import (
    NoAdvice,
    Reason,
    accounts,
    check_reasons,
    load_no_advice,
    majors_with,
    unaccounted,
)
from tunewiz.knowledge.loading import load_knowledge

KNOWLEDGE = load_knowledge()
CHECKOUT = Path(__file__).resolve().parents[2]
PAGE = CHECKOUT / "docs" / "settings.md"
MAX_WORDS = 30
"""A reason is a line."""


@pytest.mark.parametrize("major", SUPPORTED, ids=str)
def test_every_setting_of_a_major_is_accounted_for(major: Major) -> None:
    assert unaccounted(KNOWLEDGE, KNOWLEDGE.settings[major].known) == ()


def test_a_new_setting_is_missed_until_someone_decides() -> None:
    assert unaccounted(KNOWLEDGE, ["work_mem", "a_new_setting", "wal_level"]) == ("a_new_setting",)


def test_what_is_advised_on_or_warned_of_has_no_reason_for_no_advice() -> None:
    without = NoAdvice(rows=())
    advised = accounts(KNOWLEDGE, without).keys()
    reasons = {name for row in load_no_advice().rows for name in row.settings}
    assert sorted(reasons & advised) == []


def test_each_reason_is_one_line() -> None:
    for row in load_no_advice().rows:
        assert "\n" not in row.why
        assert 0 < len(row.why.split()) <= MAX_WORDS, row.why
        assert row.settings, row.why


def test_a_reason_for_what_no_major_has_or_with_another_beside_it_is_refused() -> None:
    row = Reason(why="because", settings=("wal_level",))
    check_reasons(NoAdvice(rows=(row,)), "here")
    with pytest.raises(InputError, match="here: found wal_level twice"):
        check_reasons(NoAdvice(rows=(row, row)), "here")
    unknown = dataclasses.replace(row, settings=("wal_levle",))
    with pytest.raises(InputError, match="here: found wal_levle, expected a setting"):
        check_reasons(NoAdvice(rows=(unknown,)), "here")


def test_a_recommendation_says_more_than_a_danger_and_a_danger_more_than_a_reason() -> None:
    decided = accounts(KNOWLEDGE, NoAdvice(rows=(Reason(why="because", settings=("fsync", "lock_timeout")),)))
    assert decided["fsync"].kind == "recommendation"
    assert decided["lock_timeout"].kind == "danger"


def test_majors_with_a_setting_are_told() -> None:
    assert [str(major) for major in majors_with(KNOWLEDGE, "io_workers")] == ["18"]
    assert majors_with(KNOWLEDGE, "no_such_setting") == ()


def test_the_page_is_the_one_that_the_program_makes() -> None:
    made = subprocess.run(
        [sys.executable, CHECKOUT / ".ci" / "settings_page.py"], capture_output=True, check=True
    ).stdout
    if made != PAGE.read_bytes():
        how = difference(PAGE.read_bytes(), made)
        pytest.fail(f"docs/settings.md is another (make docs makes it anew):\n{how}")
