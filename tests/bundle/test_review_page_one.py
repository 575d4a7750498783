"""Page one of a review suffices to decide, for every example machine and posture."""

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import get_args

import pytest

from review_pages import example_plan, reviews_of, squeezed
from small_plans import small_facts, small_plan
from tunewiz.bundle.placing import placed
from tunewiz.bundle.review.change import expected
from tunewiz.bundle.review.interruption import reached
from tunewiz.bundle.review.page_one import REST_OUT_OF_REACH
from tunewiz.core.answers.answers import Posture
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.impact import by_impact
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.known import Known, Unknown
from tunewiz.core.words.finding import words_of
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.knowledge.profiles import demo_names
from tunewiz.planning import default_answers, make_plan

EVERYWHERE = pytest.mark.parametrize(
    ("machine", "posture"), [(name, posture) for name in demo_names() for posture in get_args(Posture)]
)
ROWS = 12
"""As many out of the bundle's reach have a row."""
LINES = 45
"""What a board reads before it decides, besides a row for each change."""
REASON = re.compile(r"(?:[0-9]+\.|-) `[^`]+`: ")
"""An item below a table with what has no column in it."""
LONG = 120
"""A line with more letters says something of its own; shorter ones refer to what was said."""


def page_one(plan: Plan) -> str:
    text = squeezed(reviews_of(plan)[0])
    appendix = "\n## Evidence\n" if placed(plan).count else "\n## Memory\n"
    first, actual, _ = text.partition(appendix)
    assert actual
    return first.partition(f"\n## {REST_OUT_OF_REACH}\n")[0]


def in_the_appendix(finding: Finding, plan: Plan, row: str) -> bool:
    """Whether what has no row on page one, being out of reach with many others, has it in the appendix."""
    rows = [unreachable.finding for unreachable in placed(plan).out_of_reach]
    text = squeezed(reviews_of(plan)[0])
    return finding in rows and len(rows) > ROWS and row in text


@EVERYWHERE
def test_page_one_is_short_and_holds_every_change_with_its_values(machine: str, posture: Posture) -> None:
    plan = example_plan(machine, posture)
    page = page_one(plan)
    reasons = [line for line in page.splitlines() if REASON.match(line)]
    assert page.count("\n") - len(reasons) - len(placed(plan).findings) <= LINES
    assert len(reasons) <= len(plan.changes) + ROWS
    for finding in plan.changes:
        words = words_of(finding, plan.start)
        row = f"| `{words.name.short}` | `{words.now.short}` |"
        assert row in page or in_the_appendix(finding, plan, row)
        for name, cell in (("then", squeezed(f"`{words.then.short}`")), ("takes", words.takes)):
            beside = rf"{re.escape(row)}(.* \|)? {re.escape(cell)} \|"
            below = rf"`{re.escape(words.name.short)}`: (.*; )?{name}: {re.escape(cell)}(;|$)"
            found = re.search(f"{beside}|{below}", page, re.MULTILINE)
            assert found or finding not in placed(plan).findings, name


@EVERYWHERE
def test_page_one_says_how_to_apply_and_how_to_come_back(machine: str, posture: Posture) -> None:
    plan = example_plan(machine, posture)
    page = page_one(plan)
    there = ("sudo sh apply.sh --confirm-within ", "sudo sh verify.sh", "sudo sh rollback.sh", "Approved")
    assert [text in page for text in there] == [placed(plan).count > 0] * len(there)


@EVERYWHERE
def test_the_largest_expected_effect_is_the_first_row(machine: str, posture: Posture) -> None:
    plan = example_plan(machine, posture)
    names = [
        f"| `{words_of(finding, plan.start).name.short}` |" for finding in by_impact(placed(plan).findings)
    ]
    rows = [line for line in page_one(plan).splitlines() if line.startswith("| 1 |")]
    assert len(rows) == bool(placed(plan).count) + bool(placed(plan).out_of_reach)
    assert all(names[0] in row for row in rows[: bool(names)])


def test_a_restart_tells_downtime_cold_cache_and_who_notices() -> None:
    page = page_one(example_plan("nvme-server", "balanced"))
    assert "- **Downtime**: 3 to 11 s, estimated" in page
    assert "- **Recovery after a crash**: at most 4 min, now 32 s (estimated" in page
    assert "- **Cold cache**: shared_buffers (64GB) is empty" in page
    assert "MemAvailable in /proc/meminfo is at least 66.2 GiB" in page
    assert "HugePages_Total in /proc/meminfo is 33,894 or more" in page


@pytest.mark.parametrize(
    ("extensions", "warm"),
    [
        (("pg_stat_statements",), "pg_prewarm is not installed: before clients come back, read the busiest"),
        ((), "pg_prewarm is not loaded: before clients come back, CREATE EXTENSION pg_prewarm"),
    ],
)
def test_where_nothing_reads_the_cache_back_a_warm_up_is_told(extensions: tuple[str, ...], warm: str) -> None:
    facts = small_facts(Given(extensions=extensions, settings={"shared_buffers": "128MB"}))
    page = page_one(small_plan(facts, {"pg.shared_buffers": "16GB"}))
    assert warm in page.replace("`", "")


def test_without_a_restart_none_of_it_is_told() -> None:
    page = page_one(small_plan(small_facts(), {"pg.work_mem": "24MB"}))
    assert "- **Downtime**: none is expected, nothing is restarted." in page
    assert "Cold cache" not in page
    assert "Who will notice" not in page
    assert "HugePages_Total" not in page


def test_what_is_out_of_reach_changes_no_estimate() -> None:
    plan = example_plan("dl185", "bold")
    page = page_one(plan)
    assert "0 changes, no restart" in page
    assert "HugePages_Total" not in page
    assert reached(plan, placed(plan)).will_be("shared_buffers") == "128MB"
    assert plan.end.will_be("shared_buffers") == "8GB"


@pytest.mark.parametrize(
    ("preloaded", "told"),
    [
        (Known("pg_stat_statements,pg_prewarm", "test"), "`pg_prewarm` is loaded"),
        (Known("", "test"), "`pg_prewarm` is not loaded"),
        (Unknown("Permission denied"), "`pg_prewarm` may not be loaded"),
    ],
)
def test_it_says_whether_the_cache_is_warmed(preloaded: Known[str] | Unknown, told: str) -> None:
    given = {"shared_preload_libraries": preloaded.value} if isinstance(preloaded, Known) else {}
    facts = small_facts(Given(settings=given))
    if isinstance(preloaded, Unknown):
        facts = small_facts(settings=preloaded)
    assert told in page_one(small_plan(facts, {"pg.shared_buffers": "256MB"}))


def test_a_figure_keeps_its_own_system_and_says_how_sure_it_is_here() -> None:
    (buffers,) = (
        change
        for change in example_plan("nvme-server", "balanced").changes
        if change.recommendation.id == "pg.shared_buffers"
    )
    assert expected(buffers) == (
        "almost +12 %, together with effective_cache_size, on one system (IBM z13 logical partition)"
    )


def test_of_several_systems_the_range_is_told_and_the_nearest() -> None:
    (wal,) = (
        change
        for change in example_plan("ice-lake", "balanced").changes
        if change.recommendation.id == "pg.max_wal_size"
    )
    assert expected(wal) == (
        "direction agreed by 2 of 3 systems, +1.5 to +12 %; nearest: Xeon Platinum 8380 virtual machine, "
        "+1.5 % and +2.5 %; with checkpoint_timeout"
    )


def test_what_nobody_measured_promises_nothing() -> None:
    (jit,) = (
        change
        for change in example_plan("nvme-server", "balanced").changes
        if change.recommendation.id == "pg.jit"
    )
    assert expected(jit) == "not measured: documented"


def test_the_review_is_no_longer_than_two_fifths_of_what_it_was() -> None:
    """Before: 992 lines for 15 changes."""
    text, _ = reviews_of(example_plan("nvme-server", "balanced"))
    assert text.count("\n") <= Fraction(2, 5) * 992


def test_the_user_of_the_server_and_what_was_agreed_to_are_told_as_permissions() -> None:
    page = page_one(example_plan("nvme-server", "balanced"))
    assert (
        "Permissions needed: root (sudo) for the scripts, which use SQL as postgres; "
        "agreed to in the answers: restart, kernel settings, recovery after a crash within 5min." in page
    )


def test_rolling_back_a_restart_is_told_to_take_another() -> None:
    assert "`sudo sh rollback.sh` (one more restart), if " in page_one(
        example_plan("nvme-server", "balanced")
    )
    calm = page_one(small_plan(small_facts(), {"pg.work_mem": "24MB"}))
    assert "`sudo sh rollback.sh`, if " in calm


def test_in_a_container_the_revert_needs_no_systemd() -> None:
    apply = "`sudo sh apply.sh --confirm-within 30{} --guard`, which watches"
    assert apply.format(" --watcher") in page_one(example_plan("container", "balanced"))
    assert apply.format("") in page_one(example_plan("nvme-server", "balanced"))


def test_the_guard_is_named_where_a_server_is_changed_and_first_where_it_restarts() -> None:
    restart, reload, host = (
        page_one(small_plan(small_facts(), wanted))
        for wanted in (
            {"pg.shared_buffers": "256MB"},
            {"pg.work_mem": "24MB"},
            {"kernel.dirty_bytes": "536870912"},
        )
    )
    assert "**Apply**: `sudo sh apply.sh --confirm-within 30 --guard`, which watches" in restart
    assert "if the server is unhealthy, or if not confirmed within 30 minutes" in restart
    assert "**Apply**: `sudo sh apply.sh --confirm-within 10`, then" in reload
    assert "`--confirm-within 30 --guard` also watches" in reload
    assert "--guard" not in host
    assert "by itself if not confirmed within 10 minutes" in host


def test_a_measurement_is_cited_in_full_once() -> None:
    text, _ = reviews_of(example_plan("nvme-server", "balanced"))
    evidence = text.partition("\n## Evidence\n")[2].partition("\n## ")[0]
    cited = [line for line in evidence.splitlines() if "; source " in line]
    assert len(cited) == len(set(cited)) > 5
    assert "- **almost +12 %, together with effective_cache_size** (as under 1)" in evidence


@EVERYWHERE
def test_no_size_stands_as_a_bare_number_of_bytes(machine: str, posture: Posture) -> None:
    """But in lines for a file, such as a profile of tuned."""
    text, _ = reviews_of(example_plan(machine, posture))
    sizes = [match for match in re.finditer(r"(?<!\w=)\b\d{7,}\b", text) if int(match[0]) % 1024 == 0]
    assert all(text[: size.start()].endswith("(") for size in sizes)
    assert all(text[size.end() :].startswith(" bytes)") for size in sizes)


FORMER = {
    "aarch64-64k": 814,
    "container": 628,
    "graviton": 963,
    "hdd-server": 981,
    "nvme-server": 992,
    "small-vm": 799,
    "zvm-guest": 850,
}
"""Lines of the reviews that these replaced, for the usual answers: read to the end by nobody."""
SHARE = Fraction(40, 100)
FIXED, EACH = 170, 12
"""Lines of a review without changes, and for each change that is in reach or wanted."""


@pytest.mark.parametrize("machine", FORMER)
def test_a_review_has_at_most_two_fifths_of_its_former_length(machine: str) -> None:
    text, _ = reviews_of(example_plan(machine, "balanced"))
    reasons = [line for line in text.splitlines() if REASON.match(line)]
    assert text.count("\n") - len(reasons) <= SHARE * FORMER[machine]


@EVERYWHERE
def test_a_review_grows_with_its_changes_only(machine: str, posture: Posture) -> None:
    plan = example_plan(machine, posture)
    text, _ = reviews_of(plan)
    reasons = [line for line in text.splitlines() if REASON.match(line)]
    assert text.count("\n") - len(reasons) <= FIXED + EACH * len(plan.changes)


@EVERYWHERE
def test_no_paragraph_or_item_of_a_review_stands_there_twice(machine: str, posture: Posture) -> None:
    text, _ = reviews_of(example_plan(machine, posture))
    lines = [line for line in text.splitlines() if len(line) > LONG and not line.startswith("|")]
    assert sorted(lines) == sorted(set(lines))


def with_settings(settings: Mapping[str, str]) -> Plan:
    facts, knowledge = small_facts(Given(settings=settings)), load_knowledge()
    return make_plan(facts, default_answers(facts, knowledge), knowledge)


def test_lost_durability_is_the_first_sentence_and_is_said_once() -> None:
    page = page_one(with_settings({"fsync": "off"}))
    said = "**First**: Data is at risk today: fsync = off"
    assert page.index(said) < page.index("Nothing has been changed yet")
    assert page.count("Data is at risk today") == 1


def test_a_sound_server_begins_with_the_size_of_the_change() -> None:
    assert "**First**" not in page_one(with_settings({}))
