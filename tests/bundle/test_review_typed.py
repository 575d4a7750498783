"""What people copy from a review is code, and code is escaped as nothing."""

import re

import pytest

from tunewiz.bundle.review.blocks import CodeText
from tunewiz.bundle.review.document import review_of
from tunewiz.bundle.review.markdown import markdown
from tunewiz.bundle.review.typed import typed
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.knowledge.profiles import demo_names
from tunewiz.planning import default_answers, make_plan

CODE = re.compile(r"`[^`]*`")


@pytest.mark.parametrize("machine", demo_names())
def test_nothing_in_the_review_of_an_example_is_escaped(machine: str) -> None:
    facts, knowledge = demo_facts(machine), load_knowledge()
    plan = make_plan(facts, default_answers(facts, knowledge), knowledge)
    escaped = [line for line in markdown(review_of(plan)).splitlines() if "\\" in CODE.sub("", line)]
    assert escaped == []


@pytest.mark.parametrize(
    ("sentence", "code"),
    [
        (
            "ALTER SYSTEM SET a = '%m [%p]'; then SELECT f();",
            ["ALTER SYSTEM SET a = '%m [%p]';", "SELECT f();"],
        ),
        ("systemctl edit UNIT, and in [Service]: A=1", ["systemctl edit UNIT", "[Service]"]),
        (
            "As postgres: tunewiz watch --keep 7d --pgdata /x/9.5/y",
            ["tunewiz watch --keep 7d --pgdata /x/9.5/y"],
        ),
        ("Stop it; `tunewiz watch` names the file", ["tunewiz watch"]),
        ("mv DATA/pg_xlog /wal/main/pg_xlog", ["mv DATA/pg_xlog /wal/main/pg_xlog"]),
        ("Nothing was changed.", []),
        ("Stop the server, remove the link, move the directory back, start the server.", []),
        ("Look at the SQL as well: an index usually gains more than any setting.", []),
    ],
)
def test_a_step_is_code_where_it_is_typed(sentence: str, code: list[str]) -> None:
    spans = typed(sentence)
    assert [span.text for span in spans if isinstance(span, CodeText)] == code
    assert "".join(span.text for span in spans) == sentence.replace("`", "")
