"""A standby that falls behind, or whose replay is paused: what is said of it, and what is left alone."""

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType

import pytest

from small_health import HEALTHY
from small_plans import small_answers, small_facts
from tunewiz.core.facts.health import Replay
from tunewiz.core.health.trouble import Trouble
from tunewiz.core.health.troubles import checkup
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.verdicts import Proposal
from tunewiz.core.values.known import Known
from tunewiz.core.values.units import GIB
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.knowledge.minor_fixes import load_minor_fixes
from tunewiz.planning import make_plan

BEHIND = Replay(pause="not paused", behind=3 * GIB, caught_up_seconds=1_200, commit_seconds=5)
NOTHING: Mapping[str, str] = MappingProxyType({})


def planned(replay: Replay | None, major: str = "19", settings: Mapping[str, str] = NOTHING) -> Plan:
    given = Given(major=major, role="standby" if replay else "primary", settings=settings)
    health = dataclasses.replace(HEALTHY, replay=replay)
    return make_plan(small_facts(given, health=Known(health, "a look")), small_answers(), load_knowledge())


def troubles(
    replay: Replay | None, major: str = "19", settings: Mapping[str, str] = NOTHING
) -> list[Trouble]:
    result = checkup(planned(replay, major, settings), load_minor_fixes()).troubles
    return [trouble for trouble in result if trouble.kind.startswith("replay")]


def test_a_standby_that_has_not_caught_up_for_long_is_a_trouble() -> None:
    (trouble,) = troubles(BEHIND)
    assert trouble.kind == "replay falls behind"
    assert (
        "3.0 GiB of WAL are received and not replayed; replay last had caught up 20 min ago"
        in trouble.because
    )
    assert trouble.do == (
        "SELECT wait_event_type, wait_event FROM pg_stat_activity WHERE backend_type = 'startup';",
    )


def test_before_19_the_newest_commit_that_was_replayed_tells_it() -> None:
    older = dataclasses.replace(BEHIND, caught_up_seconds=None, commit_seconds=1_200)
    (trouble,) = troubles(older, "15")
    assert "the newest commit that was replayed is 20 min old" in trouble.because
    assert troubles(dataclasses.replace(older, commit_seconds=5), "15") == []
    assert troubles(older, "9.6")[0].do == ()


@pytest.mark.parametrize(
    "changes",
    [
        {"behind": GIB - 1},
        {"behind": None},
        {"caught_up_seconds": 599},
        # What 19 says itself counts more than an old commit: its primary was idle.
        {"caught_up_seconds": 1, "commit_seconds": 90_000},
        {"caught_up_seconds": None, "commit_seconds": None},
    ],
)
def test_a_standby_that_is_not_far_behind_is_left_alone(changes: dict[str, int | None]) -> None:
    assert troubles(dataclasses.replace(BEHIND, **changes)) == []  # type: ignore[arg-type]


def test_a_standby_that_replays_later_by_intent_is_left_alone() -> None:
    assert troubles(BEHIND, settings={"recovery_min_apply_delay": "3600000"}) == []


def test_a_primary_has_no_replay() -> None:
    assert troubles(None) == []


@pytest.mark.parametrize(
    ("major", "statement"), [("19", "pg_wal_replay_resume"), ("9.6", "pg_xlog_replay_resume")]
)
def test_a_paused_replay_is_a_trouble_and_names_what_resumes_it(major: str, statement: str) -> None:
    paused = dataclasses.replace(BEHIND, pause="paused")
    (trouble,) = troubles(paused, major)
    assert (trouble.kind, trouble.do) == ("replay is paused", (f"SELECT {statement}();",))
    assert "3.0 GiB of WAL by now" in trouble.because
    (empty,) = troubles(dataclasses.replace(paused, behind=0), major)
    assert "GiB" not in empty.because


@pytest.mark.parametrize(
    ("replay", "ticked"), [(BEHIND, True), (dataclasses.replace(BEHIND, behind=0), False)]
)
def test_prefetching_that_was_switched_off_is_put_back_where_replay_falls_behind(
    replay: Replay, *, ticked: bool
) -> None:
    plan = planned(replay, settings={"recovery_prefetch": "off"})
    finding = next(entry for entry in plan.findings if entry.recommendation.id == "pg.recovery_prefetch")
    assert isinstance(finding.verdict, Proposal)
    assert finding.verdict.ticked is ticked
    assert ("not replayed" in finding.because) is ticked
