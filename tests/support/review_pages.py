"""A review's two files, read back: tags and words of the HTML, words of the Markdown."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Sequence
from html.parser import HTMLParser

from markdown_it import MarkdownIt

from tunewiz.bundle.render import rendered
from tunewiz.bundle.review.markdown import BELOW
from tunewiz.core.answers.answers import Posture
from tunewiz.core.planning.plan import Plan
from tunewiz.formats.records import answers_to_toml, facts_to_json
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.planning import default_answers, make_plan

INLINE = frozenset({"code", "strong", "em"})
VOID = frozenset({"br", "circle", "hr", "img", "meta", "rect"})
UNREAD = frozenset({"style", "title", "svg"})
"""Elements whose text is no part of the page's own."""


def squeezed(markdown: str) -> str:
    """With a single blank where the columns of tables are padded."""
    lines = (re.sub(" +", " ", row) if row.startswith("|") else row for row in markdown.splitlines())
    return "\n".join(lines)


class Page(HTMLParser):
    """What an HTML file holds; its elements are closed in the order in which they were opened."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags = set[str]()
        self.attributes = set[str]()
        self.texts = list[str]()
        self.every_text = list[str]()
        self._open = list[str]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notes it."""
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)
        self._space(tag)
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """It must be the last one opened."""
        if tag not in VOID:
            assert self._open.pop() == tag
            self._space(tag)

    def handle_data(self, data: str) -> None:
        """Collects it."""
        self.every_text.append(data)
        if not UNREAD & {*self._open}:
            self.texts.append(data)

    def _space(self, tag: str) -> None:
        if tag not in INLINE:
            self.texts.append(" ")

    def close(self) -> None:
        """Nothing is left open."""
        super().close()
        assert self._open == []

    @property
    def words(self) -> list[str]:
        """Of the page's own text."""
        return "".join(self.texts).split()


def read_html(text: str) -> Page:
    """The page; fails where elements are not balanced."""
    page = Page()
    page.feed(text)
    page.close()
    return page


def words_of_markdown(text: str) -> list[str]:
    """As a Markdown reader shows them, but for what stands where a cell had no room."""
    words = read_html(MarkdownIt("commonmark").enable("table").render(text)).words
    return [word for word in words if word != BELOW]


def say_the_same(page: Sequence[str], text: Sequence[str]) -> bool:
    """Whether no word of either is missing in the other.

    What has no column in 80 cells follows its table in the Markdown, with the names of columns and rows
    again, so there the order differs, and some words come more often.
    """
    words, others = (
        [bare for word in words if (bare := word.rstrip(":;.")) or not word] for words in (page, text)
    )
    return not Counter(words) - Counter(others) and set(words) == set(others)


def example_plan(machine: str, posture: Posture) -> Plan:
    """An example machine's plan with the usual answers and this posture."""
    facts, knowledge = demo_facts(machine), load_knowledge()
    usual = default_answers(facts, knowledge)
    answers = dataclasses.replace(usual, risk=dataclasses.replace(usual.risk, posture=posture))
    return make_plan(facts, answers, knowledge)


def reviews_of(plan: Plan) -> tuple[str, str]:
    """REVIEW.md and REVIEW.html."""
    files = rendered(plan, facts_to_json(plan.start.facts), answers_to_toml(plan.start.answers))
    return files["REVIEW.md"].decode(), files["REVIEW.html"].decode()
