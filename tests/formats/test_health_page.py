"""The page on other checkups names each of their checks once, and only commands that there are."""

import re
from pathlib import Path

import pytest

from tunewiz.commands.options import whole_parser
from tunewiz.knowledge.loading import load_knowledge

PAGE = (Path(__file__).parents[2] / "docs" / "health.md").read_text()
GROUPS = (9, 14, 17, 11, 11, 9, 9, 5, 14, 15, 11, 20, 11, 14, 3)
"""Checks of pg-healthcheck by group."""
OTHERS = {"A": 11, "B": 5, "C": 6, "D": 7, "E": 2, "F": 8, "H": 3, "J": 1, "K": 3, "L": 3, "P": 15}
"""Checks of postgres-checkup, by section (of G, see below), and of pgAssistant (P)."""
MISSING = {"G12-019", "G12-020", "G12-021", "A009"}
"""Numbers that their lists skip."""


def named() -> list[str]:
    """Each check that stands first in a row, ranges written out."""
    result = list[str]()
    for start, stop in re.findall(r"^\| ([A-Z0-9-]+)(?: to ([A-Z0-9-]+))? \|", PAGE, re.MULTILINE):
        stem, digits = re.fullmatch(r"(.*?)(\d+)", start).groups()  # type: ignore[union-attr]
        last = int((stop or start).removeprefix(stem))
        result += [f"{stem}{number:0{len(digits)}}" for number in range(int(digits), last + 1)]
    return result


@pytest.mark.parametrize(("group", "count"), list(enumerate(GROUPS, start=1)))
def test_each_check_of_a_group_is_answered_once(group: int, count: int) -> None:
    checks = [check for check in named() if check.startswith(f"G{group:02}-")]
    assert len(checks) == len(set(checks)) == count


@pytest.mark.parametrize(("section", "count"), list(OTHERS.items()))
def test_each_check_of_a_section_is_answered_once(section: str, count: int) -> None:
    checks = [check for check in named() if re.fullmatch(rf"{section}\d+", check)]
    assert len(checks) == len(set(checks)) == count
    assert not MISSING & set(checks)


def test_the_section_on_performance_is_answered_too() -> None:
    assert [check for check in named() if re.fullmatch(r"G\d{3}", check)] == [f"G00{n}" for n in range(1, 7)]


def test_what_is_said_to_answer_exists() -> None:
    codes = set(re.findall(r"`([^`]+)`", PAGE))
    recommendations = {entry.id for entry in load_knowledge().catalogue}
    typed = {code for code in codes if re.fullmatch(r"(pg|host|kernel|storage)\.[a-z_0-9]+", code)}
    assert typed - {"pg_hba.conf"} <= recommendations
    actions = whole_parser()._subparsers._group_actions[0].choices  # type: ignore[union-attr] # noqa: SLF001 - argparse has no other way
    commands = {
        code.split()[0] for code in codes - typed if re.fullmatch(r"[a-z]+( --?[a-z]+| plans)*", code)
    }
    assert commands <= set(actions or ())
