"""REVIEW.md: golden copies that people read, and hostile text that stays text."""

import dataclasses

import pytest
from markdown_it import MarkdownIt

from fixtures_golden import Golden
from pretend_root import DATA
from small_plans import WANTED, advice, small_answers, small_facts, small_plan, with_settings
from tunewiz.bundle.parts import SCRIPTS, parts
from tunewiz.bundle.render import rendered
from tunewiz.core.answers.answers import Accepted, Refused
from tunewiz.core.facts.server import Setting
from tunewiz.core.planning.plan import Plan
from tunewiz.core.values.known import Known
from tunewiz.formats.records import answers_to_toml, facts_to_json

HOSTILE = "<script></td> **x** | `y` [z](javascript:1) \x1b[31m \u202e \n# heading\n"


def whole_plan() -> Plan:
    facts = small_facts(include_directory=Known(f"{DATA}/conf.d", "test"))
    beyond = Setting(value="on", source="command line")
    servers = tuple(with_settings(server, track_io_timing=beyond) for server in facts.postgres)
    return small_plan(
        dataclasses.replace(facts, postgres=servers),
        {**WANTED, "pg.track_io_timing": "off", "pg.jit": "off"},
        decisions={
            "pg.work_mem": Accepted(note="agreed with the application team"),
            "pg.jit": Refused(note="platform standard"),
        },
        more=(advice(),),
    )


def review_of(plan: Plan) -> str:
    files = rendered(plan, facts_to_json(plan.start.facts), answers_to_toml(small_answers()))
    return files["REVIEW.md"].decode()


@pytest.mark.parametrize(
    "name",
    [
        "REVIEW.md",
        "REVIEW.html",
        "steps.txt",
        "manifest.toml",
        "files/etc/sysctl.d/90-tunewiz.conf",
        "files/etc/tmpfiles.d/tunewiz.conf",
        f"files{DATA}/conf.d/zz-tunewiz.conf",
    ],
)
def test_a_bundle_reads_as_it_was_reviewed(name: str, golden: Golden) -> None:
    plan = whole_plan()
    files = rendered(plan, facts_to_json(plan.start.facts), answers_to_toml(small_answers()))
    golden(f"bundle/{name}", files[name])


def test_the_golden_copies_leave_out_only_what_is_tested_elsewhere() -> None:
    plan = whole_plan()
    files = rendered(plan, facts_to_json(plan.start.facts), answers_to_toml(small_answers()))
    elsewhere = {*SCRIPTS, *(f"lib/{part}" for part in parts()), "plan.json", "facts.json", "answers.toml"}
    assert len(set(files) - elsewhere - {"SHA256SUMS"}) == 7


def test_case_72_hostile_text_is_shown_and_never_obeyed() -> None:
    facts = small_facts(name=HOSTILE, data_directory=Known(f"/srv/{HOSTILE}", "test"))
    plan = small_plan(facts, decisions={"pg.work_mem": Refused(note=HOSTILE)})
    text = review_of(plan)
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "\n# heading" not in text
    page = MarkdownIt("commonmark").enable("table").render(text)
    assert page.count("<h1>") == 1
    assert "<strong>x" not in page
    assert "<a href" not in page
    assert "<script" not in page
    assert page.count("<td>") == page.count("</td>")


def test_every_change_says_what_is_now_what_then_why_and_what_speaks_against_it() -> None:
    plan = whole_plan()
    text = review_of(plan)
    for finding in plan.changes:
        assert (
            f". {finding.recommendation.title}" in text or finding.recommendation.id == "pg.track_io_timing"
        )
        for con in finding.recommendation.cons:
            assert con in text


def test_a_plan_without_changes_says_so() -> None:
    text = review_of(small_plan(small_facts(), {}))
    assert "0 changes, no restart, no reboot." in text
    assert "Nothing is changed." in text


def test_notes_of_reviewers_stand_with_their_items() -> None:
    text = review_of(whole_plan())
    assert "accepted: agreed with the application team" in text
    assert "- `jit`: declined by the administrator: platform standard" in text
