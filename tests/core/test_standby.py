"""What must not be lower on a standby is not lowered there, and the order of changes is told."""

import dataclasses

import pytest

from situations import finding, plan, proposes, situation
from tunewiz.core.answers.answers import Answers, Replaced
from tunewiz.core.planning.plan import Plan
from tunewiz.core.planning.warnings import PlanWarning
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.standby import bound


def with_replicas(now: Situation, count: int) -> Situation:
    server = dataclasses.replace(now.answers.server, replicas=count)
    answers: Answers = dataclasses.replace(now.answers, server=server)
    return dataclasses.replace(now, answers=answers)


def told(made: Plan, code: str) -> list[str]:
    found: list[PlanWarning] = [warning for warning in made.warnings if warning.code == code]
    return [each.text for each in found]


STANDBY = situation(Given(role="standby"))
PRIMARY = with_replicas(situation(Given()), 2)


def test_a_standby_is_not_lowered_below_what_its_primary_may_have() -> None:
    found = finding(plan(proposes("pg.max_connections", "50"), now=STANDBY), "pg.max_connections")
    assert found.state == "declined"
    assert "lower it there first; it would be 50" in found.because


@pytest.mark.parametrize("name", ["pg.work_mem", "pg.max_connections"])
def test_other_changes_on_a_standby_are_left_alone(name: str) -> None:
    value = "8MB" if name == "pg.work_mem" else "300"
    assert finding(plan(proposes(name, value), now=STANDBY), name).state == "change"


def test_on_a_primary_it_may_be_lowered_in_the_right_order() -> None:
    made = plan(proposes("pg.max_connections", "50"), now=PRIMARY)
    assert finding(made, "pg.max_connections").state == "change"
    assert told(made, "order") == [
        (
            "Lower max_connections to 50 on this primary first, wait until every standby has replayed that, "
            "then lower it there."
        )
    ]


def test_raising_begins_with_the_standbys() -> None:
    made = plan(proposes("pg.max_connections", "300"), proposes("pg.work_mem", "8MB"), now=PRIMARY)
    assert told(made, "order") == [
        (
            "Raise max_connections to 300 on every standby first, then here: a standby with less than its "
            "primary stops replaying."
        )
    ]
    made = plan(proposes("pg.max_connections", "300"), now=STANDBY)
    assert told(made, "order")[0].startswith("Raise max_connections to 300 here first, then on the primary")


def test_without_standbys_no_order_is_told() -> None:
    assert told(plan(proposes("pg.max_connections", "300")), "order") == []
    assert told(plan(proposes("pg.work_mem", "8MB"), now=PRIMARY), "order") == []


def test_a_lower_value_by_hand_on_a_standby_is_told() -> None:
    decisions = {"pg.max_connections": Replaced(value="50")}
    now = dataclasses.replace(STANDBY, answers=dataclasses.replace(STANDBY.answers, decisions=decisions))
    made = plan(proposes("pg.max_connections", "300"), now=now)
    (text,) = told(made, "set_by_hand")
    assert "max_connections 50 is lower than now: this standby stops if its primary has more" in text


def test_senders_count_from_version_12_on() -> None:
    assert "max_wal_senders" not in bound(situation(Given(major="11")))
    assert "max_wal_senders" in bound(situation(Given(major="12")))
