"""REVIEW.md and REVIEW.html say the same; any text from a machine stays text in both."""

import re
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_pages import example_plan, read_html, reviews_of, say_the_same, words_of_markdown
from small_plans import small_facts, small_plan
from tunewiz.bundle.review.blocks import (
    Block,
    Bullets,
    CodeText,
    EffectBar,
    EffectPicture,
    Heading,
    Numbered,
    PageEnd,
    Paragraph,
    PlainText,
    Span,
    Strong,
    TableBlock,
)
from tunewiz.bundle.review.change import bar_of, effects
from tunewiz.bundle.review.html import html
from tunewiz.bundle.review.markdown import markdown, visible
from tunewiz.core.answers.answers import Posture, Refused
from tunewiz.core.values.known import Known
from tunewiz.knowledge.profiles import demo_names

TAGS = {
    *("html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "p", "br", "ul", "ol", "li", "hr"),
    *("table", "thead", "tbody", "tr", "th", "td", "pre", "code", "strong", "svg", "rect", "text"),
}
ATTRIBUTES = {
    *("lang", "charset", "name", "content", "class", "role", "aria-label", "viewbox", "width", "height"),
    *("font-family", "font-size", "x", "y", "fill", "stroke"),
}
HOSTILE = (
    "<script>alert(1)</script> <img src=x onerror=y> & &lt; \" ' --> </td> ]]> \x1b[31m \u202e **x** `y`"
)
SPANS = st.one_of(
    st.builds(PlainText, st.text()), st.builds(CodeText, st.text()), st.builds(Strong, st.text())
)


@pytest.mark.parametrize(
    "missing", [["", "risk", "low", "low"], ["risk", "low", "high"], ["risk"], ["risk", "low", "low", "new"]]
)
def test_a_word_that_is_missing_is_noticed(missing: list[str]) -> None:
    assert say_the_same(["risk", "low", "low"], ["risk:", "low;", "low"])
    assert not say_the_same(["risk", "low", "low"], missing)


@pytest.mark.parametrize(
    ("machine", "posture"), [(name, posture) for name in demo_names() for posture in get_args(Posture)]
)
def test_both_files_say_the_same(machine: str, posture: Posture) -> None:
    text, page = reviews_of(example_plan(machine, posture))
    assert say_the_same(read_html(page).words, words_of_markdown(text))
    assert not re.search(r"\b(Known|Unknown|Absent|None|True|False)\b[(.,;]", text)


@pytest.mark.parametrize("machine", demo_names())
def test_the_page_fetches_nothing_and_runs_nothing(machine: str) -> None:
    _, text = reviews_of(example_plan(machine, "bold"))
    page = read_html(text)
    assert page.tags <= TAGS
    assert page.attributes <= ATTRIBUTES
    assert not re.search(r"url\(|@import|https?://(?!www\.w3\.org)", text.partition("</style>")[0])
    assert text.startswith("<!DOCTYPE html>\n")


def test_the_pictures_show_what_the_tables_beside_them_say() -> None:
    text, page = reviews_of(example_plan("nvme-server", "balanced"))
    assert page.count("<svg ") == page.count("</svg>") == 2
    for words in re.findall(r"<text [^>]*>([a-z_.]+)</text>", page):
        assert words in text


def bars_of(demo: str) -> dict[str, list[tuple[float, bool]]]:
    changes = example_plan(demo, "balanced").changes
    return {
        change.recommendation.id: [(bar.percent, bar.like) for bar in bar_of(change)] for change in changes
    }


def test_a_bar_is_as_long_as_the_gain_of_the_closest_system() -> None:
    virtual, bare_metal = bars_of("ice-lake"), bars_of("nvme-server")
    assert virtual["pg.max_wal_size"] == virtual["pg.checkpoint_timeout"] == [(1.5, False)]
    assert bars_of("z13-lpar")["pg.shared_buffers"] == [(12.0, True)]
    assert bare_metal["pg.max_wal_size"] == [(1.5, False)]
    assert bare_metal["pg.shared_buffers"] == [(12.0, False)]
    assert bare_metal["pg.jit"] == bare_metal["kernel.transparent_hugepage"] == []


def test_an_effect_of_two_settings_is_drawn_once_with_both_names() -> None:
    changes = example_plan("nvme-server", "balanced").changes
    names = [bar.name for bar in effects(changes)]
    assert names.count("effective_cache_size + shared_buffers") == 1
    assert not {"shared_buffers", "effective_cache_size"} & {*names}


def test_one_of_the_two_alone_keeps_its_bar() -> None:
    changes = example_plan("nvme-server", "balanced").changes
    (alone,) = (change for change in changes if change.recommendation.id == "pg.effective_cache_size")
    assert [bar.name for bar in effects((alone,))] == ["effective_cache_size + shared_buffers"]


def test_a_machine_of_unknown_memory_has_no_picture_of_it() -> None:
    _, page = reviews_of(example_plan("power10", "cautious"))
    assert "<svg" not in page


def test_hostile_names_paths_and_notes_stay_text() -> None:
    facts = small_facts(name=HOSTILE, data_directory=Known(f"/srv/{HOSTILE}", "test"))
    plan = small_plan(facts, decisions={"pg.work_mem": Refused(note=HOSTILE)})
    text, page = reviews_of(plan)
    read = read_html(page)
    assert read.tags <= TAGS
    assert read.attributes <= ATTRIBUTES
    assert say_the_same(read.words, words_of_markdown(text))
    shown = "".join(read.texts)
    assert shown.count("<script>alert(1)</script>") >= 3
    assert "\x1b" not in page
    assert "\u202e" not in page


def blocks_with(text: str, span: Span) -> tuple[Block, ...]:
    line = (span,)
    return (
        Heading(level=1, words=line),
        Paragraph((line, line)),
        Bullets((line,)),
        Numbered((line,)),
        TableBlock((text, "b"), ((line, line),)),
        EffectPicture((EffectBar(name=text, percent=1.5, like=True),)),
        PageEnd(),
    )


@given(st.text(), SPANS)
def test_any_text_is_inert_in_html(text: str, span: Span) -> None:
    made = html(text, blocks_with(text, span))
    page = read_html(made)
    assert page.tags <= TAGS
    assert page.attributes <= ATTRIBUTES
    assert page.every_text.count(visible(text)) >= 1 or not visible(text)
    assert "".join(page.texts).count(visible(span.text)) >= 5
    made.encode()


@given(st.lists(st.text(alphabet=st.characters(exclude_categories=("Cs", "Zs", "Cc"))), max_size=4))
def test_any_words_read_the_same_in_both(texts: list[str]) -> None:
    cells = tuple(
        (PlainText("x "), PlainText(text), PlainText(" "), Strong(f"y{text}z"), PlainText(" x"))
        for text in texts
    )
    blocks = (Paragraph((((PlainText("x")),), *cells)), Bullets(((PlainText("x"),), *cells)))
    assert read_html(html("", blocks)).words == words_of_markdown(markdown(blocks))
