"""What is said of single tables, and of which nothing is said."""

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pytest

from small_health import DUPLICATE, INVALID, SEQUENCE
from small_plans import small_facts, small_plan
from small_tables import DAYS_90, database, foreign_key, table, unused_index
from tunewiz.core.facts.tables import DatabaseTables, Table
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.tables.items import TableAdvice
from tunewiz.core.tables.scripts import table_scripts
from tunewiz.core.tables.tables import advice_on_tables
from tunewiz.core.values.known import Known, Unknown
from tunewiz.core.values.units import GIB, MIB

NOTHING: Mapping[str, str] = MappingProxyType({})
LARGE = table(live_rows=120_000_000, inserted=120_000_000, updated=60_000_000, hot_updated=60_000_000)


def advice(
    *databases: DatabaseTables,
    major: str = "15",
    settings: Mapping[str, str] = NOTHING,
    wanted: Mapping[str, str] = NOTHING,
) -> TableAdvice:
    """What is said where a server told of these, and the plan sets what is wanted."""
    facts = small_facts(Given(major=major, settings=settings), tables=Known(databases, "pg_class"))
    return advice_on_tables(small_plan(facts, wanted))


def changes(entry: Table, major: str = "15", settings: Mapping[str, str] = NOTHING) -> dict[str, str]:
    """Values by parameter."""
    said = advice(database(tables=(entry,)), major=major, settings=settings)
    return {change.parameter: change.value for change in said.changes}


def kinds(said: TableAdvice) -> list[str]:
    return [*(decision.kind for decision in said.decisions), *(sight.kind for sight in said.sights)]


def test_a_small_table_is_left_alone() -> None:
    busy = table(updated=50_000_000, hot_updated=50_000_000)
    assert not advice(database(tables=(busy,))).something


def test_a_large_table_that_is_only_read_is_left_alone() -> None:
    assert not advice(database(tables=(dataclasses.replace(LARGE, inserted=0, updated=0),))).something


def test_a_large_table_that_is_updated_is_vacuumed_and_sampled_sooner() -> None:
    assert changes(LARGE) == {
        "autovacuum_vacuum_scale_factor": "0.002",
        "autovacuum_analyze_scale_factor": "0.002",
    }


def test_the_computation_is_told_in_words() -> None:
    (change, _) = advice(database(tables=(LARGE,))).changes
    assert change.because == (
        "50 + 0.2 x 120.0 million rows: autovacuum waits for 24.0 million dead rows; "
        "0.002 x 120.0 million = 240,000"
    )


def test_a_table_that_is_only_inserted_into_is_frozen_sooner_where_the_server_can() -> None:
    log = dataclasses.replace(LARGE, updated=0, hot_updated=0)
    assert "autovacuum_vacuum_insert_scale_factor" in changes(log)
    assert "autovacuum_vacuum_insert_scale_factor" not in changes(log, "12")
    assert "autovacuum_vacuum_scale_factor" not in changes(log)


def test_inserts_that_do_not_call_autovacuum_by_intent_are_left_alone() -> None:
    log = dataclasses.replace(LARGE, updated=0, hot_updated=0)
    off = {"autovacuum_vacuum_insert_threshold": "-1"}
    assert "autovacuum_vacuum_insert_scale_factor" not in changes(log, "15", off)


def test_what_the_table_has_already_is_left_alone() -> None:
    own = {"autovacuum_vacuum_scale_factor": "0.001", "autovacuum_analyze_scale_factor": "0.002"}
    assert changes(dataclasses.replace(LARGE, options=own)) == {}


def test_a_coarse_value_of_the_table_counts_before_the_servers() -> None:
    own = {"autovacuum_vacuum_scale_factor": "0.4"}
    said = advice(
        database(tables=(dataclasses.replace(LARGE, options=own),)),
        settings={"autovacuum_vacuum_scale_factor": "0.001"},
    )
    assert [(change.before, change.value) for change in said.changes] == [("0.4", "0.002"), ("", "0.002")]


def test_what_the_plan_sets_for_all_tables_counts_as_in_force() -> None:
    wanted = {"pg.autovacuum_vacuum_scale_factor": "0.005", "pg.autovacuum_analyze_scale_factor": "0.005"}
    assert advice(database(tables=(LARGE,)), wanted=wanted).changes == ()


def test_a_bound_of_the_whole_server_makes_the_factor_needless() -> None:
    settings = {"autovacuum_vacuum_max_threshold": "500000"}
    assert "autovacuum_vacuum_scale_factor" not in changes(LARGE, "18", settings)
    unbounded = {"autovacuum_vacuum_max_threshold": "-1"}
    assert "autovacuum_vacuum_scale_factor" in changes(LARGE, "18", unbounded)


@pytest.mark.parametrize("value", ["on and off", "1/0", "", "nan", "1e999999999"])
def test_a_value_that_is_not_a_number_stops_nothing(value: str) -> None:
    own = {"autovacuum_vacuum_scale_factor": value, "fillfactor": value, "autovacuum_enabled": value}
    advice(database(tables=(dataclasses.replace(LARGE, options=own, main_bytes=100 * GIB),)))


def test_no_step_of_rows_moves_what_a_visit_finds_by_much() -> None:
    """Factors are rounded down, to a fifth of the wanted rows at worst."""
    for rows in range(6_000_000, 500_000_000, 7_654_321):
        value = float(changes(dataclasses.replace(LARGE, live_rows=rows))["autovacuum_vacuum_scale_factor"])
        assert 100_000 <= value * rows <= 500_000


UPDATED = table(updated=2_000_000, hot_updated=100_000)


def test_a_table_updated_mostly_without_hot_may_get_room_on_its_pages() -> None:
    (decision,) = advice(database(tables=(UPDATED,))).decisions
    assert decision.do == ('ALTER TABLE "public"."orders" SET (fillfactor = 90);',)
    assert decision.undo == ('ALTER TABLE IF EXISTS "public"."orders" RESET (fillfactor);',)
    assert (
        "2.0 million updates, 5 % of them HOT; 10 % of a page of 8,192 bytes keeps 819 free"
        in decision.because
    )


def test_wide_rows_need_more_room() -> None:
    (decision,) = advice(database(tables=(dataclasses.replace(UPDATED, row_width=700),))).decisions
    assert "fillfactor = 80" in decision.do[0]


def test_a_server_that_counts_updates_without_room_decides_by_them() -> None:
    assert changes(dataclasses.replace(UPDATED, new_page_updated=1_500_000), "16") == {"fillfactor": "90"}
    assert changes(dataclasses.replace(UPDATED, new_page_updated=10_000), "16") == {}


@pytest.mark.parametrize(
    "other",
    [
        {"hot_updated": 1_900_000},
        {"updated": 90_000},
        {"inserted": 9_000_000},
        {"options": {"fillfactor": "80"}},
    ],
)
def test_other_tables_keep_their_fillfactor(other: Mapping[str, object]) -> None:
    result = table(**{"updated": 2_000_000, "hot_updated": 100_000, **other})
    assert "fillfactor" not in kinds(advice(database(tables=(result,))))


def test_an_unused_index_is_told_with_since_when_and_what_makes_it_again() -> None:
    (decision,) = advice(database(unused=(unused_index(tablespace="fast"),))).decisions
    assert decision.do == ('DROP INDEX CONCURRENTLY "public"."orders_note";',)
    assert decision.undo == (
        'SET default_tablespace = "fast";',
        "CREATE INDEX CONCURRENTLY orders_note ON public.orders USING btree (note);",
        "RESET default_tablespace;",
    )
    assert "no scan since 2026-08-25, for 90 days" in decision.because
    assert "Standbys count for themselves" in decision.because


def test_no_index_is_called_unused_before_a_month_was_counted() -> None:
    said = advice(database(unused=(unused_index(),), seconds=DAYS_90 // 3 - 1))
    assert kinds(said) == ["not judged"]
    assert "29 days" in said.sights[0].because


def test_an_index_whose_definition_is_of_several_lines_is_left_out() -> None:
    strange = unused_index(definition="CREATE INDEX x ON t (a) WHERE (b = '\n')")
    assert advice(database(unused=(strange,))).decisions == ()


def test_an_index_that_failed_is_built_again_and_nothing_undoes_that() -> None:
    damaged = dataclasses.replace(database(), invalid_indexes=Known((INVALID,), ""))
    said = advice(damaged)
    (decision,) = said.decisions
    assert decision.do == ('REINDEX INDEX CONCURRENTLY "public"."orders_note";',)
    scripts = table_scripts(said, small_plan(small_facts(tables=Known((damaged,), "")), {}).start)
    assert f"-- {decision.do[0]}" in scripts["tables.sql"]
    assert "orders_note" not in scripts["tables-undo.sql"]


def test_a_duplicate_index_is_dropped_and_made_again_where_it_was() -> None:
    duplicate = dataclasses.replace(DUPLICATE, tablespace="fast")
    said = advice(dataclasses.replace(database(), duplicate_indexes=Known((duplicate,), "")))
    (decision,) = said.decisions
    assert decision.do == ('DROP INDEX CONCURRENTLY "public"."again";',)
    assert decision.undo == (
        'SET default_tablespace = "fast";',
        "CREATE INDEX CONCURRENTLY again ON public.orders USING btree (total);",
        "RESET default_tablespace;",
    )


def test_a_sequence_near_its_end_is_something_to_look_at() -> None:
    said = advice(dataclasses.replace(database(), ending_sequences=Known((SEQUENCE,), "")))
    assert kinds(said) == ["sequence runs out"]
    assert "2,147,483,548 of 2,147,483,647 are given out for orders.id (100 %)" in said.sights[0].because


def test_a_foreign_key_gets_an_index_as_a_decision() -> None:
    (decision,) = advice(database(keys=(foreign_key(),))).decisions
    assert decision.do == (
        'CREATE INDEX CONCURRENTLY "orders_customer_fk_idx" ON "public"."orders" ("customer");',
    )
    assert decision.undo == ('DROP INDEX CONCURRENTLY IF EXISTS "public"."orders_customer_fk_idx";',)


def test_a_foreign_key_into_a_table_whose_rows_stay_gets_none() -> None:
    assert advice(database(keys=(foreign_key(referenced_deleted=0),))).decisions == ()


def test_autovacuum_that_is_off_for_a_table_is_a_decision() -> None:
    off = dataclasses.replace(LARGE, options={"autovacuum_enabled": "false"})
    said = advice(database(tables=(off,)))
    assert (kinds(said), said.changes) == (["autovacuum is off"], ())
    assert said.decisions[0].undo[0].endswith("SET (autovacuum_enabled = false);")


def test_a_table_older_than_what_calls_autovacuum_is_told() -> None:
    old = table(transaction_age=450_000_000)
    assert kinds(advice(database(tables=(old,)))) == ["wraparound"]
    higher = {"autovacuum_freeze_max_age": "1000000000"}
    assert kinds(advice(database(tables=(old,)), settings=higher)) == []


def test_multixacts_have_an_age_of_their_own() -> None:
    (sight,) = advice(database(tables=(table(multixact_age=1_200_000_000),))).sights
    assert "1.2 billion multixacts" in sight.because
    assert "stop at two billion" in sight.because


def test_empty_space_is_told_as_an_estimate() -> None:
    (sight,) = advice(database(tables=(table(main_bytes=GIB, bytes=GIB),))).sights
    assert sight.kind == "bloat (estimate)"
    assert "an estimate from the planner's statistics" in sight.because
    assert "about 87 % of 1.0 GiB is empty or dead, between 81 and 89 %" in sight.because


@pytest.mark.parametrize("live_rows", [3_000_000, 4_000_000])
def test_empty_space_is_told_only_where_even_the_least_of_its_range_is_much(live_rows: int) -> None:
    result = advice(database(tables=(table(main_bytes=GIB, bytes=GIB, live_rows=live_rows),)))
    # 4 million rows need half by the estimate, and up to three quarters with its error.
    assert ("bloat (estimate)" in kinds(result)) == (live_rows == 3_000_000)


def test_empty_space_is_returned_by_repack_where_the_server_has_it_and_takes_the_table() -> None:
    result = advice(database(tables=(table(main_bytes=GIB, bytes=GIB, repackable=True),)))
    (decision,) = result.decisions
    assert decision.do == ('REPACK (CONCURRENTLY, ANALYZE) "public"."orders";',)
    assert "an estimate from the planner's statistics" in decision.because
    assert (decision.undo, result.sights) == ((), ())


def test_a_table_without_an_identity_is_not_repacked() -> None:
    result = advice(database(tables=(table(main_bytes=GIB, bytes=GIB, repackable=False),)))
    assert (result.decisions, [sight.kind for sight in result.sights]) == ((), ["bloat (estimate)"])


def test_a_full_table_is_not_repacked() -> None:
    full = table(main_bytes=GIB, bytes=GIB, live_rows=8_000_000, repackable=True)
    assert kinds(advice(database(tables=(full,)))) == []


@pytest.mark.parametrize("other", [{"row_width": None}, {"main_bytes": 200 * MIB}, {"live_rows": 8_000_000}])
def test_a_table_that_may_well_be_full_is_not_told_as_bloated(other: Mapping[str, object]) -> None:
    result = table(**{"main_bytes": GIB, "bytes": GIB, **other})
    assert "bloat (estimate)" not in kinds(advice(database(tables=(result,))))


def test_scans_of_a_whole_large_table_are_told_if_they_are_frequent() -> None:
    scanned = table(bytes=GIB, sequential_scans=10_000, rows_by_sequential_scans=9_000_000_000)
    assert kinds(advice(database(tables=(scanned,)))) == ["sequential scans"]
    for fewer in (
        dataclasses.replace(scanned, sequential_scans=100),
        dataclasses.replace(scanned, rows_by_sequential_scans=100_000),
        dataclasses.replace(scanned, bytes=MIB),
    ):
        assert kinds(advice(database(tables=(fewer,)))) == []
    assert kinds(advice(database(tables=(scanned,), seconds=3_600))) == []


def test_a_standby_and_a_server_that_told_nothing_say_why() -> None:
    standby = small_facts(role=Known("standby", "test"), tables=Known((database(tables=(LARGE,)),), "test"))
    said = advice_on_tables(small_plan(standby, {}))
    assert (said.something, said.why_none[:9]) == (False, "a standby")
    silent = advice_on_tables(small_plan(small_facts(tables=Unknown("it refused")), {}))
    assert silent.why_none == "the tables were not read: it refused"


def test_a_database_that_refused_takes_nothing_from_the_others() -> None:
    refused = dataclasses.replace(database(name="shut"), tables=Unknown("too many connections"))
    assert len(advice(refused, database(tables=(LARGE,))).changes) == 2


def test_nothing_to_say_makes_no_files() -> None:
    plan = small_plan(small_facts(tables=Known((database(tables=(table(),)),), "test")), {})
    assert table_scripts(advice_on_tables(plan), plan.start) == {}


def test_the_undo_puts_back_the_tables_own_value() -> None:
    own = dataclasses.replace(LARGE, options={"autovacuum_vacuum_scale_factor": "0.4"})
    plan = small_plan(small_facts(tables=Known((database(tables=(own,)),), "test")), {})
    files = table_scripts(advice_on_tables(plan), plan.start)
    assert (
        'ALTER TABLE "public"."orders" SET (autovacuum_vacuum_scale_factor = 0.002);' in files["tables.sql"]
    )
    undo = files["tables-undo.sql"]
    assert 'ALTER TABLE IF EXISTS "public"."orders" SET (autovacuum_vacuum_scale_factor = \'0.4\');' in undo
    assert 'ALTER TABLE IF EXISTS "public"."orders" RESET (autovacuum_analyze_scale_factor);' in undo


INDEXED = table(updated=60_000_000, hot_updated=60_000_000, large_indexes=5, large_index_bytes=40 * GIB)
HELPERS = {"autovacuum_max_parallel_workers": "2"}


@pytest.mark.parametrize("own", ["0", "1"])
def test_a_table_of_many_large_indexes_gets_its_helpers_back(own: str) -> None:
    lowered = dataclasses.replace(INDEXED, options={"autovacuum_parallel_workers": own})
    (decision,) = advice(database(tables=(lowered,)), major="19", settings=HELPERS).decisions
    assert decision.kind == "parallel vacuum"
    assert decision.do == ('ALTER TABLE "public"."orders" RESET (autovacuum_parallel_workers);',)
    assert decision.undo == (
        f'ALTER TABLE IF EXISTS "public"."orders" SET (autovacuum_parallel_workers = {own});',
    )
    assert "5 large indexes hold 40.0 GiB" in decision.because


def test_no_table_has_helpers_where_the_server_allows_none() -> None:
    said = advice(database(tables=(INDEXED,)), major="19")
    assert kinds(said) == ["parallel vacuum"]
    assert "autovacuum_max_parallel_workers is 0" in said.sights[0].because


@pytest.mark.parametrize(
    "other",
    [
        {},
        {"options": {"autovacuum_parallel_workers": "-1"}},
        {"options": {"autovacuum_parallel_workers": "2"}},
        {"options": {"autovacuum_parallel_workers": "0"}, "large_indexes": 2},
        {"options": {"autovacuum_parallel_workers": "0"}, "large_index_bytes": GIB},
        {"options": {"autovacuum_parallel_workers": "0"}, "updated": 400_000, "hot_updated": 400_000},
        {"options": {"autovacuum_parallel_workers": "0"}, "large_indexes": None, "large_index_bytes": None},
    ],
)
def test_a_table_that_takes_what_the_server_allows_or_has_little_to_clean_is_left_alone(
    other: Mapping[str, Any],
) -> None:
    entry = dataclasses.replace(INDEXED, **other)
    assert "parallel vacuum" not in kinds(advice(database(tables=(entry,)), major="19", settings=HELPERS))


def test_before_19_no_helpers_are_spoken_of() -> None:
    assert "parallel vacuum" not in kinds(advice(database(tables=(INDEXED,)), major="18"))
