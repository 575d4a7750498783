"""What a posture ticks: by the risk of a change and by what speaks for it, never by evidence alone."""

import dataclasses
from types import MappingProxyType

import pytest

from situations import NO_DECISIONS, finding, plan, recommendation, situation
from tunewiz.core.answers.answers import Posture
from tunewiz.core.facts.server import Activity, PostgresServer
from tunewiz.core.planning.plan import plan_of
from tunewiz.core.planning.ticking import only_observes, ticked
from tunewiz.core.recommendation.evidence import Fitted
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Basis
from tunewiz.core.recommendation.situation import NoServer, Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Proposal, RiskLevel
from tunewiz.core.values.known import Known, Unknown
from tunewiz.core.values.units import GIB, Bytes
from tunewiz.knowledge.loading import load_knowledge

KNOWLEDGE = load_knowledge()
CATALOGUE, LIBRARY = KNOWLEDGE.catalogue, KNOWLEDGE.library
PROPOSED = Proposal(value="8MB", because="b", computed="c")
OBSERVING = [entry.id for entry in CATALOGUE if only_observes(entry) and isinstance(entry.target, PgTarget)]
LOGGED = {"pg.log_line_prefix", "pg.log_min_duration_statement"}
NOT_COUNTED = Unknown("not counted")
POSTURES: tuple[Posture, ...] = ("cautious", "balanced", "bold")


def state(posture: Posture, risk: RiskLevel, basis: Basis) -> str:
    """What becomes of a proposal of that risk and basis, which nobody measured."""
    proposal = Proposal(value="8MB", because="b", computed="c", risk=risk)
    made = plan(
        recommendation("pg.work_mem", lambda _: proposal, basis=basis),
        now=situation(Given(posture=posture, connections=100)),
    )
    return finding(made, "pg.work_mem").state


@pytest.mark.parametrize(
    ("posture", "risk", "is_ticked"),
    [
        ("cautious", RiskLevel.LOW, True),
        ("cautious", RiskLevel.MEDIUM, False),
        ("balanced", RiskLevel.MEDIUM, True),
        ("balanced", RiskLevel.HIGH, False),
        ("bold", RiskLevel.HIGH, True),
    ],
)
def test_what_is_documented_is_ticked_up_to_the_risk_of_the_posture(
    posture: Posture, risk: RiskLevel, *, is_ticked: bool
) -> None:
    assert (state(posture, risk, "well understood") == "change") is is_ticked


@pytest.mark.parametrize("posture", POSTURES)
def test_what_is_only_reasoned_is_ticked_by_nobody(posture: Posture) -> None:
    assert state(posture, RiskLevel.LOW, "reasoned") == "advise"


@pytest.mark.parametrize("posture", POSTURES)
def test_what_keeps_data_safe_is_ticked_whatever_its_risk_and_grounds(posture: Posture) -> None:
    proposal = Proposal(value="on", because="b", computed="c", risk=RiskLevel.HIGH)
    safe = recommendation("pg.fsync", lambda _: proposal, basis="reasoned", group="durability")
    made = plan(safe, now=situation(Given(posture=posture, settings={"fsync": "off"})))
    assert finding(made, "pg.fsync").state == "change"


@pytest.mark.parametrize(
    ("near", "undecided", "is_ticked"), [(False, False, True), (True, False, False), (False, True, False)]
)
def test_what_was_measured_elsewhere_ticks_only_where_it_was_decided_and_of_the_very_thing(
    *, near: bool, undecided: bool, is_ticked: bool
) -> None:
    reasoned = recommendation("pg.work_mem", lambda _: PROPOSED, basis="reasoned")
    claim = dataclasses.replace(next(iter(LIBRARY.claims.values())), undecided=undecided)
    measured = Fitted(
        claim=claim,
        source=LIBRARY.sources[claim.source],
        systems=(),
        figure="",
        fit="like",
        because="",
        near=near,
    )
    result = ticked(reasoned, PROPOSED, (measured,), (), situation(Given(posture="balanced")))
    assert isinstance(result, Proposal)
    assert result.ticked is is_ticked


@pytest.mark.parametrize("posture", POSTURES)
def test_what_only_makes_things_visible_is_always_ticked(posture: Posture) -> None:
    shown = plan_of(CATALOGUE, situation(Given(posture=posture, major="14")))
    states = {name: finding(shown, name).state for name in OBSERVING}
    assert {"pg.log_checkpoints", "pg.log_lock_waits", "pg.track_io_timing"} <= states.keys()
    assert {*states.values()} <= {"keep", "change", "not_applicable"}
    came_later = {"pg.log_autoanalyze_min_duration", "pg.track_cost_delay_timing"}
    assert {name for name, state in states.items() if state == "not_applicable"} <= came_later


@pytest.mark.parametrize("posture", POSTURES)
def test_slow_statements_are_logged_with_user_and_database(posture: Posture) -> None:
    shown = plan_of(CATALOGUE, situation(Given(posture=posture)))
    assert {finding(shown, name).state for name in LOGGED} == {"change"}


@pytest.mark.parametrize("posture", POSTURES)
def test_a_log_that_somebody_arranged_is_left_alone(posture: Posture) -> None:
    arranged = {"log_line_prefix": "%t ", "log_min_duration_statement": "250ms"}
    shown = plan_of(CATALOGUE, situation(Given(posture=posture, settings=arranged)))
    assert {finding(shown, name).state for name in LOGGED} == {"keep"}


def test_a_slow_clock_is_still_not_read_for_each_page() -> None:
    slow = plan_of(CATALOGUE, situation(Given(clocksource="hpet")))
    assert finding(slow, "pg.track_io_timing").state == "declined"


def test_a_cautious_plan_takes_low_risks_only_and_shared_buffers_among_them() -> None:
    made = plan_of(CATALOGUE, situation(Given(posture="cautious", major="13")))
    assert {change.risk for change in made.changes} == {RiskLevel.LOW}
    assert finding(made, "pg.shared_buffers").changes
    assert not finding(made, "pg.max_wal_size").changes


def counted(entry: Situation, *, dead: int, live: int) -> Situation:
    """The same server, which has counted so many rows."""
    assert not isinstance(entry.server, NoServer)
    activity = Activity(
        since=NOT_COUNTED,
        commits=NOT_COUNTED,
        rollbacks=NOT_COUNTED,
        rows_read=NOT_COUNTED,
        rows_written=NOT_COUNTED,
        blocks_hit=NOT_COUNTED,
        blocks_read=NOT_COUNTED,
        temp_bytes=NOT_COUNTED,
        checkpoints_timed=NOT_COUNTED,
        checkpoints_requested=NOT_COUNTED,
        connections=NOT_COUNTED,
        databases_size=Known(Bytes(10 * GIB), "counted"),
        live_rows=Known(live, "counted"),
        dead_rows=Known(dead, "counted"),
    )
    server: PostgresServer = dataclasses.replace(entry.server, activity=Known(activity, "counted"))
    facts = dataclasses.replace(entry.facts, postgres=(server,))
    return dataclasses.replace(entry, facts=facts, server=server, chosen=MappingProxyType({}))


def test_vacuum_is_made_faster_where_this_server_shows_that_it_falls_behind() -> None:
    result = situation(Given(database_size="10GB"), NO_DECISIONS)
    behind = plan_of(CATALOGUE, counted(result, dead=300_000, live=700_000))
    assert finding(behind, "pg.autovacuum_vacuum_cost_limit").changes
    assert behind.end.will_be("autovacuum_vacuum_cost_limit") == "400"


def test_vacuum_that_keeps_up_is_left_alone() -> None:
    result = situation(Given(database_size="10GB"), NO_DECISIONS)
    fine = plan_of(CATALOGUE, counted(result, dead=1_000, live=999_000))
    assert finding(fine, "pg.autovacuum_vacuum_cost_limit").state == "keep"


@pytest.mark.parametrize("posture", POSTURES)
def test_larger_buffers_never_leave_a_server_that_insists_on_huge_pages_without_them(
    posture: Posture,
) -> None:
    made = plan_of(CATALOGUE, situation(Given(posture=posture, settings={"huge_pages": "on"})))
    assert finding(made, "pg.shared_buffers").changes
    assert made.end.will_be("huge_pages") == "try"


@pytest.mark.parametrize(
    ("before", "reserved", "value"),
    [(before, 0, "try") for before in ("try", "on", "off")]
    + [("try", 9000, "try"), ("on", 9000, "on"), ("off", 9000, "on")],
)
def test_huge_pages_are_insisted_on_only_once_they_are_there(before: str, reserved: int, value: str) -> None:
    given = Given(
        posture="bold",
        settings={"shared_buffers": "16GB", "huge_pages": before},
        kernel={"vm.nr_hugepages": reserved},
    )
    made = plan_of(CATALOGUE, situation(given))
    assert finding(made, "kernel.nr_hugepages").changes == (reserved == 0)
    assert made.end.will_be("huge_pages") == value


@pytest.mark.parametrize("restart", [True, False])
def test_huge_pages_wait_for_a_restart_and_are_left_where_that_is_ruled_out(*, restart: bool) -> None:
    given = Given(posture="bold", settings={"shared_buffers": "16GB"}, restart=restart)
    pages = finding(plan_of(CATALOGUE, situation(given)), "kernel.nr_hugepages")
    assert (pages.changes, pages.state) == ((True, "change") if restart else (False, "declined"))
