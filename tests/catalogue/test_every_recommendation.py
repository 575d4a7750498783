"""Rules that hold for every recommendation that is found, whoever wrote it."""

import dataclasses
import pkgutil
from collections.abc import Mapping

import pytest

from catalogue_rules import faults
from small_plans import small_answers
from tunewiz import catalogue
from tunewiz.catalogue import recommendations
from tunewiz.core.answers.answers import Refused
from tunewiz.core.planning.decide import in_order
from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.values.versions import SUPPORTED
from tunewiz.formats.records import answers_from_toml, answers_to_toml
from tunewiz.knowledge.loading import load_knowledge

ALL = recommendations()
BY_ID = {recommendation.id: recommendation for recommendation in ALL}

every_recommendation = pytest.mark.parametrize(
    "recommendation", ALL, ids=[recommendation.id for recommendation in ALL]
)


def test_every_module_of_the_catalogue_is_found_once() -> None:
    modules = {module.name for module in pkgutil.iter_modules(catalogue.__path__)}
    assert {recommendation.id.replace(".", "_") for recommendation in ALL} == modules
    assert len(ALL) == len(modules)


PROMISED: Mapping[str, str] = {
    "host": """
        archive_compression auto_explain clocksource connection_pool containers cpu_governor data_checksums
        dscr hypervisor idle_states interrupts method network numa_interleave numad open_files oom_protection
        query_statistics remove_ipc resizing sched_ext smt tuned_profile vacuum_schedule watching
    """,
    "kernel": """
        dirty_background_bytes dirty_bytes file_max huge_pages_at_boot nr_hugepages numa_balancing
        overcommit_memory
        sched_autogroup_enabled sched_migration_cost_ns sched_wakeup_granularity_ns somaxconn swap swappiness
        tcp_keepalive_time
        transparent_hugepage transparent_hugepage_defrag zone_reclaim_mode
    """,
    "pg": """
        autovacuum autovacuum_analyze_scale_factor autovacuum_freeze_max_age autovacuum_max_workers
        autovacuum_vacuum_cost_delay autovacuum_vacuum_cost_limit autovacuum_vacuum_scale_factor
        autovacuum_vacuum_insert_scale_factor client_connection_check_interval idle_replication_slot_timeout
        autovacuum_multixact_freeze_max_age autovacuum_naptime autovacuum_vacuum_max_threshold
        io_combine_limit io_max_concurrency log_min_duration_sample logical_decoding_work_mem
        max_locks_per_transaction max_standby_archive_delay max_standby_streaming_delay
        multixact_member_buffers multixact_offset_buffers recovery_prefetch subtransaction_buffers
        transaction_buffers vacuum_failsafe_age vacuum_freeze_table_age vacuum_multixact_failsafe_age
        wal_keep_segments wal_keep_size wal_receiver_status_interval wal_receiver_timeout
        autovacuum_work_mem backend_flush_after bgwriter_lru_maxpages checkpoint_completion_target
        checkpoint_flush_after checkpoint_timeout data_sync_retry default_statistics_target
        default_toast_compression hot_standby_feedback log_line_prefix log_min_duration_statement
        log_temp_files max_slot_wal_keep_size shared_preload_libraries temp_buffers temp_file_limit
        track_wal_io_timing
        effective_cache_size effective_io_concurrency fsync full_page_writes hash_mem_multiplier
        huge_page_size huge_pages idle_in_transaction_session_timeout io_method io_workers jit
        log_autovacuum_min_duration log_checkpoints log_lock_waits maintenance_io_concurrency
        maintenance_work_mem max_connections max_parallel_maintenance_workers max_parallel_workers
        max_parallel_workers_per_gather max_wal_size max_worker_processes min_wal_size random_page_cost
        shared_buffers statement_timeout synchronous_commit track_io_timing vacuum_buffer_usage_limit
        wal_buffers wal_compression wal_init_zero wal_recycle wal_sync_method work_mem
        autovacuum_max_parallel_workers autovacuum_worker_slots idle_session_timeout io_max_workers
        io_min_workers log_autoanalyze_min_duration parallel_leader_participation timing_clock_source
        track_cost_delay_timing transaction_timeout vacuum_max_eager_freeze_failure_rate
    """,
    "role": "jit own_work_mem work_mem",
    "storage": """
        dasd_aliases dasd_block_size hpf mount_options multipath nr_requests nvme_hints read_ahead scheduler
        striping vscsi_queue vxfs_direct wal_disk write_back_throttling
    """,
}


def test_the_catalogue_holds_what_it_promises() -> None:
    promised = {f"{kind}.{name}" for kind, names in PROMISED.items() for name in names.split()}
    assert promised == BY_ID.keys()


def test_every_recommendation_can_be_decided_on_in_the_answers() -> None:
    decisions = {recommendation.id: Refused() for recommendation in ALL}
    answers = dataclasses.replace(small_answers(), decisions=decisions)
    assert answers_from_toml(answers_to_toml(answers), "answers.toml") == answers


def test_recommendations_come_by_id() -> None:
    assert [recommendation.id for recommendation in ALL] == sorted(
        recommendation.id for recommendation in ALL
    )


def test_every_recommendation_comes_after_those_that_it_looks_at() -> None:
    order = [entry.id for entry in in_order(ALL)]
    for recommendation in ALL:
        for name in (*recommendation.after, *recommendation.together):
            assert order.index(name) < order.index(recommendation.id)


@every_recommendation
def test_no_rule_is_broken(recommendation: Recommendation) -> None:
    assert faults(recommendation, load_knowledge().library.claims) == []


@every_recommendation
def test_a_postgresql_setting_exists_in_some_major(recommendation: Recommendation) -> None:
    if isinstance(recommendation.target, PgTarget):
        settings = load_knowledge().settings
        assert any(settings[major].has(recommendation.target.name) for major in SUPPORTED)


def test_who_cites_the_quarter_of_memory_shows_the_other_school_too() -> None:
    cites = {cite.claim: cite.opposes for cite in BY_ID["pg.shared_buffers"].cites}
    assert not cites["z-deck.shared_buffers_quarter"]
    assert cites["vxfs.shared_buffers_20gb"]


def test_what_keeps_data_safe_is_never_against_its_own_advice() -> None:
    for name in ("pg.fsync", "pg.full_page_writes", "pg.synchronous_commit"):
        assert BY_ID[name].group == "durability"
