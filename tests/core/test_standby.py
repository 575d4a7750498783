"""What must not be lower on a standby is not lowered there, and the order of changes is told."""

import dataclasses

import pytest

from situations import finding, plan, proposes, situation
from tunewiz.core.answers.answers import Accepted, Answers, Replaced, WorkloadKind
from tunewiz.core.planning.constraints import AFTER_PROMOTION
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.planning.warnings import PlanWarning
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.server.standby import WRITERS_ALONE, bound, waits_for_promotion
from tunewiz.knowledge.loading import load_knowledge

KNOWLEDGE = load_knowledge()


def with_replicas(entry: Situation, count: int) -> Situation:
    server = dataclasses.replace(entry.answers.server, replicas=count)
    answers: Answers = dataclasses.replace(entry.answers, server=server)
    return dataclasses.replace(entry, answers=answers)


def texts_of(made: Plan, code: str) -> list[str]:
    warnings: list[PlanWarning] = [warning for warning in made.warnings if warning.code == code]
    return [warning.text for warning in warnings]


STANDBY = situation(Given(role="standby"))
PRIMARY = with_replicas(situation(Given()), 2)


def test_a_standby_is_not_lowered_below_what_its_primary_may_have() -> None:
    result = finding(plan(proposes("pg.max_connections", "50"), now=STANDBY), "pg.max_connections")
    assert result.state == "declined"
    assert "lower it there first; it would be 50" in result.because


@pytest.mark.parametrize("major", ["9.5", "13", "18"])
@pytest.mark.parametrize("kind", ["oltp", "analytics"])
def test_a_standby_is_told_what_works_only_once_it_is_promoted(major: str, kind: WorkloadKind) -> None:
    given = Given(major=major, workload=kind, database_size="2TB", cores=32, posture="bold")
    there, here = (
        {
            entry.recommendation.id: entry
            for entry in plan_of(KNOWLEDGE.catalogue, situation(machine)).findings
        }
        for machine in (given, dataclasses.replace(given, role="standby"))
    )
    waiting = {name for name, entry in here.items() if AFTER_PROMOTION in entry.because}
    assert "pg.autovacuum_vacuum_scale_factor" in waiting
    assert "pg.maintenance_work_mem" in waiting
    assert not waiting & {"pg.shared_buffers", "pg.max_wal_size", "pg.work_mem", "pg.checkpoint_timeout"}
    assert {name for name in waiting if not name.startswith("pg.")} == set()
    for name in waiting:
        assert here[name].because == f"{there[name].because}; {AFTER_PROMOTION}"
        assert (here[name].sets, here[name].state) == (there[name].sets, there[name].state)
    assert not any(AFTER_PROMOTION in entry.because for entry in there.values())


WORK_THERE = """
backend_flush_after bgwriter_lru_maxpages checkpoint_completion_target checkpoint_flush_after
    checkpoint_timeout client_connection_check_interval data_sync_retry effective_cache_size
    effective_io_concurrency fsync hash_mem_multiplier hot_standby_feedback huge_page_size huge_pages
    idle_in_transaction_session_timeout idle_replication_slot_timeout io_method io_workers jit log_checkpoints
    log_line_prefix log_lock_waits log_min_duration_statement log_temp_files maintenance_io_concurrency
    max_connections max_parallel_workers max_parallel_workers_per_gather max_slot_wal_keep_size max_wal_size
    max_worker_processes min_wal_size random_page_cost shared_buffers shared_preload_libraries
    statement_timeout temp_buffers temp_file_limit
    track_io_timing track_wal_io_timing wal_init_zero wal_keep_size
    wal_recycle wal_sync_method work_mem
    io_combine_limit io_max_concurrency log_min_duration_sample logical_decoding_work_mem
    max_locks_per_transaction max_standby_archive_delay max_standby_streaming_delay
    multixact_member_buffers multixact_offset_buffers recovery_prefetch subtransaction_buffers
    transaction_buffers wal_keep_segments wal_receiver_status_interval wal_receiver_timeout
    idle_session_timeout io_max_workers io_min_workers parallel_leader_participation timing_clock_source
    transaction_timeout
"""
"""Settings that have an effect on a standby: replay, restartpoints, reading queries, cascaded standbys."""


def test_every_setting_of_the_catalogue_is_known_to_work_on_a_standby_or_to_wait() -> None:
    targets = {
        recommendation.target.name
        for recommendation in KNOWLEDGE.catalogue
        if isinstance(recommendation.target, PgTarget)
    }
    waits = {name for name in targets if waits_for_promotion(STANDBY, name)}
    works = set(WORK_THERE.split())
    assert waits | works == targets
    assert not waits & works


def test_every_setting_that_waits_is_one_that_some_server_has() -> None:
    known = {name for setting in KNOWLEDGE.settings.values() for name in setting.known}
    assert known >= WRITERS_ALONE


@pytest.mark.parametrize("name", ["pg.work_mem", "pg.max_connections"])
def test_other_changes_on_a_standby_are_left_alone(name: str) -> None:
    value = "8MB" if name == "pg.work_mem" else "300"
    assert finding(plan(proposes(name, value), now=STANDBY), name).state == "change"


def test_on_a_primary_it_may_be_lowered_in_the_right_order() -> None:
    made = plan(proposes("pg.max_connections", "50"), now=PRIMARY)
    assert finding(made, "pg.max_connections").state == "change"
    assert texts_of(made, "order") == [
        (
            "Lower max_connections to 50 on this primary first, wait until every standby has replayed that, "
            "then lower it there."
        )
    ]


def test_raising_begins_with_the_standbys() -> None:
    decided = with_replicas(situation(decisions={"pg.max_connections": Accepted()}), 2)
    made = plan(proposes("pg.max_connections", "300"), proposes("pg.work_mem", "8MB"), now=decided)
    assert texts_of(made, "order") == [
        (
            "Raise max_connections to 300 on every standby first, then here: a standby with less than its "
            "primary stops replaying."
        )
    ]
    made = plan(proposes("pg.max_connections", "300"), now=STANDBY)
    assert texts_of(made, "order")[0].startswith(
        "Raise max_connections to 300 here first, then on the primary"
    )


def test_without_standbys_no_order_is_told() -> None:
    assert texts_of(plan(proposes("pg.max_connections", "300")), "order") == []
    assert texts_of(plan(proposes("pg.work_mem", "8MB"), now=PRIMARY), "order") == []


def test_a_lower_value_by_hand_on_a_standby_is_told() -> None:
    decisions = {"pg.max_connections": Replaced(value="50")}
    result = dataclasses.replace(STANDBY, answers=dataclasses.replace(STANDBY.answers, decisions=decisions))
    made = plan(proposes("pg.max_connections", "300"), now=result)
    (text,) = texts_of(made, "set_by_hand")
    assert "max_connections 50 is lower than now: this standby stops if its primary has more" in text


def test_senders_count_from_version_12_on() -> None:
    assert "max_wal_senders" not in bound(situation(Given(major="11")))
    assert "max_wal_senders" in bound(situation(Given(major="12")))
