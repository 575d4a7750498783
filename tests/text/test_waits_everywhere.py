"""What was watched says what sessions waited for, in the same words wherever it is shown."""

import dataclasses
import json

import pytest

from small_health import HEALTHY
from small_plans import small_answers, small_facts
from tunewiz.bundle.review.document import review_of
from tunewiz.bundle.review.markdown import markdown
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.waits import WaitCount, Waits
from tunewiz.core.health.troubles import checkup
from tunewiz.core.values.known import NOT_LOOKED_FOR, Fact, Known, Unknown
from tunewiz.formats.records import facts_from_json, facts_to_json
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.knowledge.minor_fixes import load_minor_fixes
from tunewiz.planning import make_plan
from tunewiz.text.counters import counters
from tunewiz.text.report import plan_in_short, plan_table
from tunewiz.text.watching import seen_in_words
from watched import window

LINE = "70 % of active time waits for locks: no setting in this plan changes that"
SHARES = f"{LINE} (locks 70 %, CPU 30 %)"
QUIET = Waits(seconds=60, samples=240, hidden=0, counts=())


def counted(**counts: int) -> Waits:
    kinds = tuple(WaitCount(kind=kind.strip("_"), event="", count=count) for kind, count in counts.items())
    return dataclasses.replace(QUIET, counts=kinds)


QUEUE = counted(Lock=70, _=30)
READING = counted(IO=70, _=30)


def facts_with(waits: Fact[Waits]) -> Facts:
    watched = window(60, commits=5_000)
    assert isinstance(watched, Known)
    watched_waits = Known(dataclasses.replace(watched.value, waits=waits), "watched")
    return small_facts(window=watched_waits, health=Known(HEALTHY, "a look"))


def texts(waits: Fact[Waits]) -> dict[str, str]:
    facts = facts_with(waits)
    server = facts.postgres[0]
    plan = make_plan(facts, small_answers(), load_knowledge())
    assert isinstance(server.window, Known)
    shown = {
        "watched": seen_in_words(server.window.value),
        "plan": plan_in_short(plan, answered=True),
        "all": plan_table(plan, answered=True),
        "review": markdown(review_of(plan)),
    }
    return {name: " ".join(text.split()) for name, text in shown.items()}


def test_one_line_says_it_everywhere() -> None:
    assert all(SHARES in text for text in texts(Known(QUEUE, "sampled")).values())


def test_other_waits_have_their_own_line_in_a_review_without_troubles() -> None:
    review = texts(Known(READING, "sampled"))["review"]
    assert "## What active sessions wait for" in review
    assert "70 % of active time waits for reads and writes of data files" in review


@pytest.mark.parametrize("waits", [NOT_LOOKED_FOR, Unknown("the connection was lost")])
def test_where_nothing_was_sampled_nothing_is_said(waits: Fact[Waits]) -> None:
    assert not any("active" in text for name, text in texts(waits).items() if name != "review")
    assert "active time" not in texts(waits)["review"]


def test_a_quiet_server_is_said_to_show_too_little() -> None:
    shown = texts(Known(QUIET, "sampled"))
    assert "0 active sessions in 240 samples: too few to say what sessions wait for" in shown["watched"]
    assert "sessions wait for" not in shown["review"]


def test_the_server_page_draws_the_shares() -> None:
    rows = [row.plain for row in counters(facts_with(Known(QUEUE, "sampled")).postgres[0])]
    assert any(row.startswith(" waits: locks") and "70.0 %" in row for row in rows)
    assert any(row.startswith(" at work") and "30.0 %" in row for row in rows)
    assert not any("wait" in row.plain for row in counters(facts_with(NOT_LOOKED_FOR).postgres[0]))


def test_what_was_sampled_on_request_stands_before_what_was_watched() -> None:
    facts = facts_with(Known(QUEUE, "watched"))
    (server,) = facts.postgres
    sampled = dataclasses.replace(server, waits=Known(READING, "sampled"))
    for one, expected in ((server, QUEUE), (sampled, READING)):
        plan = make_plan(dataclasses.replace(facts, postgres=(one,)), small_answers(), load_knowledge())
        assert checkup(plan, load_minor_fixes()).waits == expected


def test_a_window_in_a_file_keeps_its_waits_and_one_without_them_is_read() -> None:
    for waits in (Known(QUEUE, "pg_stat_activity as me"), NOT_LOOKED_FOR):
        facts = facts_with(waits)
        assert facts_from_json(facts_to_json(facts), "facts") == facts
    older = json.loads(facts_to_json(facts_with(NOT_LOOKED_FOR)))
    del older["postgres"][0]["window"]["waits"], older["unknown"]["postgres.0.window.waits"]
    (server,) = facts_from_json(json.dumps(older), "facts").postgres
    assert isinstance(server.window, Known)
    assert isinstance(server.window.value.waits, Unknown)
