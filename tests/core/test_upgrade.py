"""What becomes of a server's settings in a newer major."""

import dataclasses
from collections.abc import Mapping
from itertools import pairwise
from types import MappingProxyType

import pytest

from small_plans import small_facts, with_settings
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.server import Override, Setting
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.upgrade.items import Upgrade, UpgradeItem
from tunewiz.core.upgrade.rules import value_by
from tunewiz.core.upgrade.upgrade import upgrade_of
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Known, Unknown
from tunewiz.core.values.versions import SUPPORTED, Major
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.knowledge.upgrades import check_notes, load_release_notes
from tunewiz.planning import default_answers, make_plan

KNOWLEDGE = load_knowledge()


def upgrade(
    old: str,
    new: str,
    settings: Mapping[str, str] = MappingProxyType({}),
    overrides: tuple[Override, ...] = (),
) -> Upgrade:
    """An upgrade of a server on which these are set in its file, and these for roles and databases."""
    given = Given(major=old, settings=settings)
    return upgraded(small_facts(given, overrides=Known(overrides, "test")), new)


def upgraded(facts: Facts, new: str) -> Upgrade:
    """An upgrade of the one server of a machine."""
    plan = make_plan(facts, default_answers(facts, KNOWLEDGE), KNOWLEDGE)
    to = KNOWLEDGE.settings[Major.parse(new)]
    return upgrade_of(plan, to, load_release_notes(), KNOWLEDGE.catalogue)


def item(entry: Upgrade, setting: str) -> UpgradeItem:
    """The first thing that is said of a setting."""
    return next(upgrade_item for upgrade_item in entry.items if upgrade_item.setting == setting)


def names(entry: Upgrade, kind: str) -> list[str]:
    return [upgrade_item.setting for upgrade_item in entry.items if upgrade_item.kind == kind]


def test_a_line_with_a_removed_setting_keeps_the_new_server_from_starting() -> None:
    upgrade_item = item(upgrade("16", "17", {"old_snapshot_threshold": "60min"}), "old_snapshot_threshold")
    assert (upgrade_item.kind, upgrade_item.stops, dict(upgrade_item.instead)) == ("removed", True, {})
    assert upgrade_item.because.startswith("old_snapshot_threshold was last in PostgreSQL 16")


def test_a_removed_setting_that_nobody_set_is_not_told() -> None:
    assert names(upgrade("16", "17"), "removed") == []


def test_a_removed_setting_is_no_matter_on_the_way_to_a_major_that_still_has_it() -> None:
    assert names(upgrade("14", "16", {"old_snapshot_threshold": "60min"}), "removed") == []


def test_a_renamed_setting_is_told_with_its_new_name_and_value() -> None:
    upgrade_item = item(upgrade("12", "13", {"wal_keep_segments": "64"}), "wal_keep_segments")
    assert (upgrade_item.kind, upgrade_item.stops, dict(upgrade_item.instead)) == (
        "renamed",
        True,
        {"wal_keep_size": "1GB"},
    )


def test_an_old_name_that_is_still_taken_is_told_but_stops_nothing() -> None:
    result = upgrade("17", "18", {"ssl_ecdh_curve": "prime256v1"})
    assert dict(item(result, "ssl_ecdh_curve").instead) == {"ssl_groups": "prime256v1"}
    assert not item(result, "ssl_ecdh_curve").needs_hand


def test_one_number_of_workers_becomes_both_limits() -> None:
    upgrade_item = item(upgrade("18", "19", {"io_workers": "6"}), "io_workers")
    assert dict(upgrade_item.instead) == {"io_min_workers": "6", "io_max_workers": "6"}
    assert upgrade_item.stops


@pytest.mark.parametrize(("value", "stops"), [("on", True), ("off", False)])
def test_a_removed_setting_is_taken_with_the_one_value_that_does_nothing(value: str, *, stops: bool) -> None:
    assert item(upgrade("11", "12", {"default_with_oids": value}), "default_with_oids").stops is stops


def test_a_value_out_of_the_new_range_is_refused_and_the_limit_is_told() -> None:
    upgrade_item = item(upgrade("12", "13", {"max_files_per_process": "30"}), "max_files_per_process")
    assert (upgrade_item.kind, upgrade_item.stops) == ("refused", True)
    assert dict(upgrade_item.instead) == {"max_files_per_process": "64"}


def test_a_word_that_the_new_major_lacks_is_refused() -> None:
    settings = {"dynamic_shared_memory_type": "none"}
    assert item(upgrade("11", "12", settings), "dynamic_shared_memory_type").kind == "refused"
    assert names(upgrade("10", "11", settings), "refused") == []


@pytest.mark.parametrize(("new", "stops"), [("10", False), ("13", False), ("14", True), ("18", True)])
def test_a_boolean_word_for_how_passwords_are_hashed_is_taken_up_to_13(new: str, *, stops: bool) -> None:
    result = upgrade("9.6", new, {"password_encryption": "on"})
    assert (
        any(
            upgrade_item.stops
            for upgrade_item in result.items
            if upgrade_item.setting == "password_encryption"
        )
        is stops
    )


def test_a_setting_that_is_always_on_from_19_refuses_off() -> None:
    result = upgrade("18", "19", {"standard_conforming_strings": "off"})
    assert item(result, "standard_conforming_strings").stops
    assert not upgrade("18", "19", {"standard_conforming_strings": "on"}).needs_hand


def test_the_same_number_of_locks_is_half_the_room_in_19() -> None:
    result = upgrade("18", "19", {"max_locks_per_transaction": "64"})
    locks = item(result, "max_locks_per_transaction")
    assert (locks.kind, dict(locks.instead)) == ("changed", {"max_locks_per_transaction": "128"})
    assert not locks.stops
    assert result.needs_hand


def test_locks_left_at_their_default_are_left_alone_in_19() -> None:
    result = upgrade("18", "19")
    assert item(result, "max_locks_per_transaction").kind == "default"
    assert "as much as 64 did" in item(result, "max_locks_per_transaction").because
    assert not result.needs_hand


@pytest.mark.parametrize("value", ["0", "-1", "1min"])
def test_analyzes_stay_logged_as_before_by_a_setting_of_their_own_from_19_on(value: str) -> None:
    logged = item(upgrade("18", "19", {"log_autovacuum_min_duration": value}), "log_autovacuum_min_duration")
    assert dict(logged.instead) == {
        "log_autovacuum_min_duration": value,
        "log_autoanalyze_min_duration": value,
    }
    assert not logged.stops
    assert "log_autoanalyze_min_duration" in logged.because


def test_one_setting_logs_vacuums_and_analyzes_up_to_18() -> None:
    result = upgrade("15", "18", {"log_autovacuum_min_duration": "0"})
    assert "log_autovacuum_min_duration" not in names(result, "changed")
    left_alone = upgrade("18", "19")
    assert "log_autovacuum_min_duration" not in [upgrade_item.setting for upgrade_item in left_alone.items]


def test_a_number_of_reads_is_told_to_count_for_every_scan_from_18_on() -> None:
    reads = item(upgrade("17", "18", {"effective_io_concurrency": "200"}), "effective_io_concurrency")
    assert (reads.kind, reads.stops, dict(reads.instead)) == ("changed", False, {})
    assert "asynchronous" in reads.because
    default = item(upgrade("17", "18"), "effective_io_concurrency")
    assert default.kind == "default"
    assert default.because.startswith("The default becomes 16.")


def test_a_number_of_reads_means_the_same_on_both_sides_of_18() -> None:
    for old, new in (("13", "17"), ("18", "19")):
        result = upgrade(old, new, {"effective_io_concurrency": "200"})
        assert "effective_io_concurrency" not in names(result, "changed")


def test_the_same_number_of_locks_is_the_same_room_before_19() -> None:
    result = upgrade("16", "18", {"max_locks_per_transaction": "64"})
    assert "max_locks_per_transaction" not in names(result, "changed")


def test_requests_in_flight_are_worked_out_as_the_release_notes_of_13_say() -> None:
    assert [value_by("prefetch", name) for name in ("0", "1", "2", "10")] == ["0", "1", "3", "29"]


@pytest.mark.parametrize(("value", "instead"), [("10", "29"), ("900", "1000")])
def test_requests_in_flight_stay_within_the_range(value: str, instead: str) -> None:
    upgrade_item = item(upgrade("12", "13", {"effective_io_concurrency": value}), "effective_io_concurrency")
    assert dict(upgrade_item.instead) == {"effective_io_concurrency": instead}


@pytest.mark.parametrize("value", ["0", "1"])
def test_a_number_of_requests_that_means_the_same_is_not_told(value: str) -> None:
    assert names(upgrade("12", "13", {"effective_io_concurrency": value}), "changed") == []


def test_a_size_without_a_unit_is_written_with_one_from_10_on() -> None:
    upgrade_item = item(upgrade("9.6", "10", {"max_wal_size": "4GB"}), "max_wal_size")
    assert (upgrade_item.hand, dict(upgrade_item.instead)) == (True, {"max_wal_size": "4GB"})
    assert "max_wal_size" not in names(upgrade("10", "18", {"max_wal_size": "4GB"}), "changed")


def test_a_default_that_changes_is_told_with_both_values_and_needs_nobody() -> None:
    result = upgrade("13", "14")
    target = item(result, "checkpoint_completion_target")
    assert (target.kind, target.value) == ("default", "0.5")
    assert "becomes 0.9" in target.because
    assert not result.needs_hand


def test_a_value_that_somebody_set_has_no_default_that_changes() -> None:
    result = upgrade("13", "14", {"checkpoint_completion_target": "0.7"})
    assert "checkpoint_completion_target" not in names(result, "default")


def test_the_same_amount_in_another_unit_is_no_change() -> None:
    result = [name for old, new in neighbours() for name in names(upgrade(old, new), "default")]
    assert not {"max_wal_size", "min_wal_size", "track_activity_query_size", "log_connections"} & set(result)


def test_a_line_and_a_default_that_do_not_go_together_are_put_right_by_the_old_default() -> None:
    upgrade_item = item(upgrade("9.6", "10", {"wal_level": "minimal"}), "wal_level")
    assert (upgrade_item.kind, upgrade_item.stops, dict(upgrade_item.instead)) == (
        "clash",
        True,
        {"max_wal_senders": "0"},
    )


def test_settings_that_clash_today_already_are_not_the_upgrade_s_doing() -> None:
    assert names(upgrade("16", "17", {"wal_level": "minimal"}), "clash") == []


def test_a_role_s_removed_setting_stops_the_restore_and_not_the_server() -> None:
    mine = Override(database="", role="app", name="force_parallel_mode", value="off")
    upgrade_item = item(upgrade("15", "16", overrides=(mine,)), "force_parallel_mode")
    assert (upgrade_item.stops, upgrade_item.stops_restore, upgrade_item.needs_hand) == (False, True, True)
    assert upgrade_item.place == "for the role app"


def test_a_role_s_setting_that_the_new_major_has_is_left_alone() -> None:
    mine = Override(database="", role="app", name="work_mem", value="64MB")
    assert not upgrade("15", "16", overrides=(mine,)).needs_hand


def test_more_workers_than_slots_are_told_from_18_on() -> None:
    assert item(upgrade("17", "18", {"autovacuum_max_workers": "20"}), "autovacuum_max_workers").hand
    result = upgrade("17", "18", {"autovacuum_max_workers": "16"})
    assert "autovacuum_max_workers" not in names(result, "changed")


def test_a_cluster_without_checksums_is_told_what_a_new_one_has() -> None:
    result = upgrade("17", "18")
    assert "data_checksums" not in names(upgrade("16", "17"), "changed")
    assert item(result, "data_checksums").hand


def test_what_is_worth_setting_anew_is_of_the_plan_for_the_new_major() -> None:
    result = upgrade("12", "18")
    anew = [upgrade_item for upgrade_item in result.items if upgrade_item.kind == "new"]
    assert anew
    assert all(
        upgrade_item.instead and upgrade_item.because and not upgrade_item.needs_hand for upgrade_item in anew
    )


def test_a_compression_that_this_build_offers_is_taken_to_be_offered_again() -> None:
    choices = Known(MappingProxyType({"wal_compression": ("pglz", "lz4", "zstd", "on", "off")}), "test")
    facts = small_facts(Given(major="16"), choices=choices)
    (server,) = facts.postgres
    compressed = with_settings(server, wal_compression=Setting(value="zstd", source="configuration file"))
    assert names(upgraded(dataclasses.replace(facts, postgres=(compressed,)), "18"), "refused") == []


def test_settings_that_are_not_known_cannot_be_looked_at() -> None:
    facts = small_facts(Given(major="16"), settings=Unknown("no rights"))
    with pytest.raises(InputError, match="settings are not known"):
        upgraded(facts, "18")


def neighbours() -> list[tuple[str, str]]:
    """Each major and the next."""
    return [(str(old), str(new)) for old, new in pairwise(SUPPORTED)]


@pytest.mark.parametrize(("old", "new"), neighbours())
def test_every_setting_that_goes_has_a_note_on_what_to_do(old: str, new: str) -> None:
    notes = load_release_notes()
    result = {setting.setting for setting in notes.renamed} | {setting.setting for setting in notes.removed}
    before, after = (KNOWLEDGE.settings[Major.parse(text)].known for text in (old, new))
    gone = {name for name in before.keys() - after.keys() if before[name].context != "internal"}
    assert gone <= result | set(notes.kept)


def test_a_note_on_a_setting_that_no_major_has_is_refused() -> None:
    notes = load_release_notes()
    wrong = dataclasses.replace(notes.removed[0], setting="sharde_buffers")
    with pytest.raises(InputError, match="removed: found sharde_buffers"):
        check_notes(dataclasses.replace(notes, removed=(wrong,)), "upgrades.toml")


def test_a_note_on_a_major_that_cannot_be_is_refused() -> None:
    notes = load_release_notes()
    wrong = dataclasses.replace(notes.changed[0], major="ten")
    with pytest.raises(InputError, match="changed: expected a version"):
        check_notes(dataclasses.replace(notes, changed=(wrong,)), "upgrades.toml")


def test_a_value_that_a_rule_takes_beyond_the_limit_is_told_as_the_limit() -> None:
    upgrade_item = item(upgrade("12", "13", {"wal_keep_segments": "2147483647"}), "wal_keep_segments")
    known = KNOWLEDGE.settings[Major.parse("13")]["wal_keep_size"]
    assert known.maximum is not None
    assert dict(upgrade_item.instead) == {"wal_keep_size": known.show(known.maximum)}
    assert known.canonical(upgrade_item.instead["wal_keep_size"]) == known.maximum
