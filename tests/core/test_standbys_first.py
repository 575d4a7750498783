"""What must not be lower on a standby than on its primary waits for the standbys, answered or only seen."""

import dataclasses
from typing import get_args

import pytest

from sick_servers import finding_of, plan_of_case, texts_of
from situations import finding, plan, proposes, situation
from tunewiz.core.answers.answers import Accepted, Posture
from tunewiz.core.facts.replication import Replication, Slot
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.planning.standbys_first import FIRST_THERE
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.replication import standbys
from tunewiz.core.server.standby import bound
from tunewiz.core.values.known import Known
from tunewiz.core.values.units import Bytes

NOBODY = Replication(
    slots=(),
    archive_failures=0,
    archive_failing=False,
    archive_behind=Known(Bytes(0), "a test"),
    cancelled=0,
    standbys=Known(0, "a test"),
)
SLOT = Slot(name="one", kind="physical", active=True, held=Bytes(0), status="reserved", age=0)
READ = dataclasses.replace(NOBODY, slots=(SLOT,))
CONNECTED = dataclasses.replace(NOBODY, standbys=Known(2, "a test"))
AWAY = dataclasses.replace(NOBODY, slots=(dataclasses.replace(SLOT, active=False),))
SUBSCRIBER = dataclasses.replace(NOBODY, slots=(dataclasses.replace(SLOT, kind="logical"),))
SIGNS = {
    "answered": Given(replicas=1),
    "a slot": Given(replication=Known(READ, "a test")),
    "connected": Given(replication=Known(CONNECTED, "a test")),
    "synchronous": Given(settings={"synchronous_standby_names": "ANY 1 (one, two)"}),
}
NO_SIGNS = {
    "nothing read": Given(),
    "nobody": Given(replication=Known(NOBODY, "a test")),
    "an idle slot": Given(replication=Known(AWAY, "a test")),
    "a subscriber": Given(replication=Known(SUBSCRIBER, "a test")),
}
RAISED = "1000"


@pytest.mark.parametrize("posture", get_args(Posture))
@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("name", bound(situation()))
def test_it_is_not_ticked_on_a_primary_that_any_sign_says_has_standbys(
    name: str, sign: str, posture: Posture
) -> None:
    primary = situation(dataclasses.replace(SIGNS[sign], posture=posture))
    raised = finding(plan(proposes(f"pg.{name}", RAISED), now=primary), f"pg.{name}")
    assert raised.state == "advise"
    assert FIRST_THERE in raised.because


@pytest.mark.parametrize("machine", NO_SIGNS.values(), ids=NO_SIGNS)
@pytest.mark.parametrize("name", bound(situation()))
def test_it_is_ticked_where_nothing_shows_a_standby(name: str, machine: Given) -> None:
    alone = situation(machine)
    raised = finding(plan(proposes(f"pg.{name}", RAISED), now=alone), f"pg.{name}")
    assert (raised.state, standbys(alone)) == ("change", 0)
    assert FIRST_THERE not in raised.because


@pytest.mark.parametrize("machine", SIGNS.values(), ids=SIGNS)
def test_other_settings_and_lower_values_are_left_alone(machine: Given) -> None:
    made = plan(proposes("pg.work_mem", "8MB"), proposes("pg.max_connections", "50"), now=situation(machine))
    assert {entry.state for entry in made.findings} == {"change"}


def test_a_standby_with_standbys_of_its_own_is_raised_at_once() -> None:
    cascading = situation(dataclasses.replace(SIGNS["a slot"], role="standby"))
    assert finding(plan(proposes("pg.max_connections", RAISED), now=cascading), "pg.max_connections").changes


@pytest.mark.parametrize("machine", SIGNS.values(), ids=SIGNS)
def test_where_a_person_decides_to_raise_it_the_order_is_told(machine: Given) -> None:
    decided = situation(machine, {"pg.max_connections": Accepted()})
    made = plan(proposes("pg.max_connections", RAISED), now=decided)
    assert made.end.will_be("max_connections") == RAISED
    assert texts_of(made, "order")[0].startswith(f"Raise max_connections to {RAISED} on every standby first")
    assert texts_of(made, "replicas")


def test_a_standby_is_believed_as_often_as_it_is_seen() -> None:
    both = situation(dataclasses.replace(SIGNS["connected"], replicas=5))
    assert standbys(both) == 5
    assert standbys(situation(SIGNS["connected"])) == 2


def test_a_server_whose_slot_is_read_raises_nothing_that_its_standby_must_have_first() -> None:
    made = plan_of_case("primary-slot")
    assert isinstance(made.start.server, PostgresServer)
    assert not set(bound(made.start)) & set(made.end.chosen)
    assert "1 active physical replication slot" in finding_of(made, "pg.max_connections").because
    assert "which must be raised on the standbys first" in finding_of(made, "pg.max_parallel_workers").because
    assert finding_of(made, "pg.wal_keep_size").state == "keep"
    assert texts_of(made, "replicas")[0].startswith("There are standbys (1 active physical replication slot)")


def test_the_sign_is_read_from_the_situation_that_is_planned_for() -> None:
    alone: Situation = situation(NO_SIGNS["nobody"])
    assert standbys(alone) == 0
