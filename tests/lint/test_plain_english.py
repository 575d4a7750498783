"""Phrases that read as if translated do not come back: each has the English wording beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
TRANSLATED = {
    r"counts? at once": "takes effect immediately",
    r"\bhangs? on (?!it to)": "depends on",
    r"[Tt]his is no [A-Z]": "not valid ...",
    r"(?<!there )\bis no (JSON|TOML|UTF-8|number|directory|terminal|size)\b": "is not (a, valid) ...",
    r"\bit is no (JSON|TOML)\b": "it is not valid ...",
    r"\bfor who\b": "for users who, for code that",
    r"that there is not\b": "that does not exist",
    r"\bhow dear\b": "what ... costs",
    r"\breckons? with\b": "assumes, accounts for",
    r"\bwhat the data lies? on\b": "the storage of the data",
    r"\bwhat hangs\b": "what depends",
    r"\btells the way\b": "shows how",
    r"\bbut for what others\b": "except for what others",
    r"\bgoes on where\b": "continues where",
    r"\ba part of a name\b": "part of a name",
    r"\bgets? short\b": "runs short",
    r"\b(timer|service|unit)s? of systemd's\b": "a systemd ...",
}
READ = {".py", ".sh", ".md", ".toml", ".txt", ".1", ".tcss", ""}
FOLDERS = (".ci", "benchmarks", "docs", "profiles", "screens", "tests", "tunewiz")
EXEMPT = ("CHANGELOG.md", "tests/lint/test_plain_english.py", "LICENSE", "requirements", "profiles/hosts")


def written_by_hand() -> list[Path]:
    """All text of the project; two folders of the package are links to directories beside it."""
    names = ["*", *(f"{folder}/**/*" for folder in FOLDERS)]
    result = (path for name in names for path in CHECKOUT.glob(name))
    return [
        path
        for path in result
        if path.is_file()
        and path.suffix in READ
        and "__pycache__" not in path.parts
        and not str(path.relative_to(CHECKOUT)).startswith(EXEMPT)
    ]


@cache
def texts() -> Mapping[Path, str]:
    """Each is read once for all phrases."""
    return {path: path.read_text("utf-8", errors="replace") for path in written_by_hand()}


def lines_with(pattern: re.Pattern[str], text: str) -> list[str]:
    """Those in which it is found, with their numbers; most texts are done with in one search."""
    if not pattern.search(text):
        return []
    return [
        f"{number}: {line.strip()}"
        for number, line in enumerate(text.splitlines(), 1)
        if pattern.search(line)
    ]


@pytest.mark.parametrize("phrase", TRANSLATED)
def test_no_text_reads_as_if_translated(phrase: str) -> None:
    pattern = re.compile(phrase)
    translated = [
        f"{path.relative_to(CHECKOUT)}:{line}"
        for path, text in texts().items()
        for line in lines_with(pattern, text)
    ]
    assert not translated, f"say {TRANSLATED[phrase]!r} instead:\n" + "\n".join(translated)


def test_a_phrase_is_told_by_the_line_it_stands_on() -> None:
    text = "This is no JSON.\nIt is not valid.\n"
    assert lines_with(re.compile(r"\bis no (JSON|TOML)\b"), text) == ["1: This is no JSON."]
    assert lines_with(re.compile(r"\bis no TOML\b"), text) == []


@pytest.mark.parametrize(
    ("text", "is_translated"),
    [
        ("settings.toml: this is no TOML", True),
        ("settings.toml: not valid TOML", False),
        ("the value hangs on the build", True),
        ("the value depends on the build", False),
        ("what the plan reckons with", True),
        ("what the plan assumes", False),
    ],
)
def test_the_patterns_tell_one_from_the_other(text: str, *, is_translated: bool) -> None:
    assert any(re.search(pattern, text) for pattern in TRANSLATED) == is_translated
