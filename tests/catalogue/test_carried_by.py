"""Each claim of a document names what carries it there: its figures, or the arithmetic that leads to them."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest

from tunewiz.core.recommendation.evidence import Claim
from tunewiz.knowledge.loading import load_knowledge

DOCUMENTS = os.environ.get("TUNEWIZ_DOCUMENTS", "")
"""The folder with the texts of the five documents; they are not part of the project."""

SIGNS = {
    "z-deck": "customer webcast",
    "z-guide": "this guide shows how you can optimize",
    "power": "advantages of running edb postgresql on ibm power",
    "kernel-talk": "dmitry dolgov",
    "vxfs": "author: kgorman",
}
"""Words by which the text of each document is told from the others."""

MAX_LENGTH = 50
"""Characters: what is found in the document, not its sentences."""

NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")

OPERATIONS: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: float.__add__,
    ast.Sub: float.__sub__,
    ast.Mult: float.__mul__,
    ast.Div: float.__truediv__,
}

CLAIMS = {claim.id: claim for claim in load_knowledge().library.claims.values() if claim.source in SIGNS}

of_each_claim = pytest.mark.parametrize("claim", CLAIMS.values(), ids=CLAIMS)


def calculated(expression: str) -> float:
    """The result of an expression of numbers and the four operations."""
    return _value(ast.parse(expression, mode="eval").body)


def _value(node: ast.expr) -> float:
    match node:
        case ast.Constant(value=int() | float() as value):
            return float(value)
        case ast.BinOp(left=left, op=op, right=right):
            return OPERATIONS[type(op)](_value(left), _value(right))
        case _:
            raise ValueError(ast.dump(node))


def is_arithmetic(words: str) -> bool:
    """Whether this follows from figures instead of standing in the document."""
    return " = " in words and not words.startswith("#")


def holds(equation: str) -> bool:
    """Whether its left side, rounded as its right side is, gives the right side."""
    left, _, right = equation.partition(" = ")
    return round(calculated(left), len(right.partition(".")[2])) == float(right)


def numbers(text: str) -> list[float]:
    """The numbers in a text, without thousands separators."""
    return [float(number.replace(",", "")) for number in NUMBER.findall(text.replace("one percent", "1 %"))]


def plain(text: str) -> str:
    """Without emphasis, spacing and thousands separators."""
    bare = re.sub(r"[*`\\]|(?<=\d),(?=\d)", "", text.lower())
    return " ".join(bare.split())


@cache
def document(source: str) -> str:
    """The text of a document."""
    texts = [plain(path.read_text(encoding="utf-8")) for path in sorted(Path(DOCUMENTS).glob("*.txt"))]
    (text,) = (text for text in texts if SIGNS[source] in text[:3000])
    return text


@of_each_claim
def test_a_claim_names_what_carries_it_and_quotes_no_sentence(claim: Claim) -> None:
    assert claim.carried_by
    assert [words for words in claim.carried_by if not is_arithmetic(words) and len(words) > MAX_LENGTH] == []


@of_each_claim
def test_what_follows_from_figures_is_calculated_rightly(claim: Claim) -> None:
    assert [words for words in claim.carried_by if is_arithmetic(words) and not holds(words)] == []


@of_each_claim
def test_each_number_of_a_figure_is_carried(claim: Claim) -> None:
    carried = [number for words in claim.carried_by for number in numbers(words)]
    figures = [claim.figure, *claim.figures.values()]
    measured = [number for figure in figures for number in numbers(NAMES.sub("", figure)) if number]
    assert [number for number in measured if not any(_rounds_to(exact, number) for exact in carried)] == []


NAMES = re.compile(r"SMT\d|Power10")
"""Names with a digit in them."""


def _rounds_to(exact: float, figure: float) -> bool:
    """Whether a figure is the exact one, or that one rounded."""
    return abs(exact - figure) < ROUNDED * max(1.0, figure)


ROUNDED = 0.005
"""A figure is told to half a percent of what the document has."""


@pytest.mark.skipif(not DOCUMENTS, reason="TUNEWIZ_DOCUMENTS names no folder with the documents")
@of_each_claim
def test_what_carries_a_claim_stands_in_its_document(claim: Claim) -> None:
    text = document(claim.source)
    missing = [words for words in claim.carried_by if not is_arithmetic(words) and plain(words) not in text]
    assert missing == []


def test_a_wrong_equation_is_found() -> None:
    assert holds("64 * 7 = 448")
    assert not holds("64 * 7 = 449")
    assert not holds("100 * 60642.3 / 56470.1 - 100 = 7.3")


def test_a_number_that_nothing_carries_is_found() -> None:
    assert _rounds_to(61963.9, 61964)
    assert not _rounds_to(61963.9, 57460)
