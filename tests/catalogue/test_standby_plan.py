"""A standby gets a standby's plan: both sides where there is a choice, its own counts, nothing of others."""

import dataclasses
import re
from collections.abc import Mapping
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from drawn_machines import taken_by
from situations import situation
from tunewiz.core.facts.server import ServerRole
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import plan_of
from tunewiz.core.recommendation.example_replication import cancelling, read_slot, with_slots
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.verdicts import Advice, Declined
from tunewiz.core.server.standby import ON_THE_PRIMARY
from tunewiz.core.values.versions import SUPPORTED, Major
from tunewiz.knowledge.loading import load_knowledge

OF_STANDBYS = (
    "pg.hot_standby_feedback",
    "pg.max_standby_archive_delay",
    "pg.max_standby_streaming_delay",
    "pg.wal_receiver_status_interval",
    "pg.wal_receiver_timeout",
)
CHOSEN: tuple[Mapping[str, str], ...] = (
    {},
    {"hot_standby": "on"},
    {"max_standby_streaming_delay": "-1", "max_standby_archive_delay": "-1"},
    {"wal_receiver_timeout": "0", "wal_receiver_status_interval": "0", "hot_standby_feedback": "on"},
)
FEEDBACK, DELAY = "pg.hot_standby_feedback", "pg.max_standby_streaming_delay"


def findings(machine: Given) -> dict[str, Finding]:
    result = plan_of(load_knowledge().catalogue, situation(machine)).findings
    return {finding.recommendation.id: finding for finding in result}


def standby(*, snapshot: int = 0, lock: int = 0, **settings: str) -> Given:
    replication = cancelling(snapshot=snapshot, lock=lock)
    return Given(role="standby", connections=100, replication=replication, settings=settings)


@pytest.mark.parametrize(
    ("machine", "advised"),
    [
        (standby(), set[str]()),
        (standby(snapshot=3), {FEEDBACK}),
        (standby(lock=3), {DELAY}),
        (standby(snapshot=3, lock=3), {FEEDBACK, DELAY}),
        (standby(snapshot=3, hot_standby_feedback="on"), set[str]()),
        (standby(max_standby_streaming_delay="-1"), {DELAY}),
    ],
)
def test_what_was_cancelled_decides_which_side_is_spoken_of(machine: Given, advised: set[str]) -> None:
    result = findings(machine)
    assert {name for name in (FEEDBACK, DELAY) if result[name].state == "advise"} == advised
    for name in advised:
        verdict = result[name].verdict
        assert isinstance(verdict, Advice)
        assert any("lag" in step for step in verdict.steps), "the other side"


def test_feedback_is_told_not_to_help_against_locks() -> None:
    result = findings(standby(lock=3))
    feedback, delay = result[FEEDBACK].verdict, result[DELAY].verdict
    assert isinstance(feedback, Declined)
    assert "none of them for rows that vacuum removed" in feedback.because
    assert isinstance(delay, Advice)
    assert "hot_standby_feedback does not prevent" in delay.because


def test_reports_that_are_off_take_feedback_with_them() -> None:
    machine = standby(wal_receiver_status_interval="0", hot_standby_feedback="on")
    finding = findings(machine)["pg.wal_receiver_status_interval"]
    assert finding.because == "hot_standby_feedback is on, and without reports it is never sent"


@pytest.mark.parametrize("major", SUPPORTED, ids=str)
def test_every_major_has_a_standby_s_plan_and_a_primary_none_of_it(major: Major) -> None:
    @hypothesis_settings(max_examples=6, derandomize=True, database=None, deadline=None)
    @given(st.sampled_from(CHOSEN), st.integers(0, 5), st.integers(0, 5))
    def holds(chosen: Mapping[str, str], snapshot: int, lock: int) -> None:
        there = Given(
            major=str(major),
            role="standby",
            settings=taken_by(major, chosen),
            replication=cancelling(snapshot=snapshot, lock=lock),
        )
        here = findings(dataclasses.replace(there, role="primary"))
        assert {here[name].state for name in OF_STANDBYS} == {"not_applicable"}
        hot = major >= Major.parse("10") or "hot_standby" in chosen
        for name, finding in findings(there).items():
            if name in OF_STANDBYS:
                is_open = hot or not name.startswith(("pg.max_standby", "pg.hot_standby"))
                assert (finding.state != "not_applicable") is is_open, (name, finding.because)

    holds()


@pytest.mark.parametrize(
    ("slots", "replicas", "advised"),
    [(0, 0, False), (0, 1, True), (1, 1, False), (1, 2, True), (2, 2, False), (3, 2, False)],
)
@pytest.mark.parametrize(("major", "name"), [("12", "pg.wal_keep_segments"), ("15", "pg.wal_keep_size")])
def test_wal_is_kept_by_size_only_for_standbys_without_a_slot(
    slots: int,
    replicas: int,
    advised: bool,  # noqa: FBT001 - a parameter
    major: str,
    name: str,
) -> None:
    read = with_slots(*(read_slot(f"standby_{number}") for number in range(slots)))
    finding = findings(Given(major=major, replicas=replicas, replication=read))[name]
    assert (finding.state == "advise") is advised, finding.because


SQL_THAT_WRITES = re.compile(r"CREATE EXTENSION|DROP EXTENSION|ALTER (ROLE|DATABASE|TABLE)")


@pytest.mark.parametrize("major", SUPPORTED, ids=str)
def test_no_step_asks_a_standby_for_what_only_its_primary_can_do(major: Major) -> None:
    written = 0
    for role in get_args(ServerRole):
        machine = Given(major=str(major), role=role, replicas=1, connections=100)
        for finding in findings(machine).values():
            if not isinstance(finding.verdict, Advice):
                continue
            for step in (*finding.verdict.steps, *finding.verdict.undo):
                if SQL_THAT_WRITES.search(step):
                    written += 1
                    assert step.startswith(ON_THE_PRIMARY) is (role == "standby"), step
                else:
                    assert not step.startswith(ON_THE_PRIMARY), step
    assert written >= len(get_args(ServerRole))
