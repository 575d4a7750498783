"""WAL that is kept for readers who do not come, and an archive that fails, are warned of; nothing else is."""

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from situations import situation
from tunewiz.core.facts.replication import Replication, Slot
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.planning.kept_wal import OLD, kept_wal
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.verdicts import Advice, Declined, Proposal, Verdict
from tunewiz.core.values.known import Known, Unknown
from tunewiz.core.values.units import GIB, MIB, Bytes
from tunewiz.knowledge.loading import load_knowledge

KNOWLEDGE = load_knowledge()
ARCHIVING = Given(settings={"archive_mode": "on", "max_wal_size": "1GB"}, connections=100)
QUIET = Replication(
    slots=(),
    archive_failures=0,
    archive_failing=False,
    archive_behind=Known(Bytes(16 * MIB), "a test"),
    cancelled=0,
)
READ = Slot(name="standby_1", kind="physical", active=True, held=Bytes(16 * MIB), status="reserved", age=0)
LIMIT = "pg.max_slot_wal_keep_size"


def with_replication(replication: Replication, machine: Given = ARCHIVING) -> Situation:
    result = situation(machine)
    assert isinstance(result.server, PostgresServer)
    server = dataclasses.replace(result.server, replication=Known(replication, "a test"))
    return dataclasses.replace(
        result, server=server, facts=dataclasses.replace(result.facts, postgres=(server,))
    )


def with_slot(machine: Given = ARCHIVING, **slot: object) -> Situation:
    made = dataclasses.replace(READ, **slot)  # type: ignore[arg-type]
    return with_replication(dataclasses.replace(QUIET, slots=(made,)), machine)


def warned(entry: Situation) -> dict[str, str]:
    return dict(kept_wal(entry))


def planned(entry: Situation) -> Plan:
    return plan_of(KNOWLEDGE.catalogue, entry)


def verdict(entry: Situation, name: str) -> Verdict:
    return next(finding.verdict for finding in planned(entry).findings if finding.recommendation.id == name)


def test_a_slot_without_a_reader_is_told_with_what_it_holds_what_is_free_and_how_to_drop_it() -> None:
    made = planned(with_slot(active=False, held=Bytes(40 * GIB)))
    (text,) = (warning.text for warning in made.warnings if warning.code == "slot_idle")
    assert "standby_1: it holds back 40 GiB of WAL (500 GiB free beside it)" in text
    assert text.endswith("SELECT pg_drop_replication_slot('standby_1');")


def test_a_slot_without_a_reader_is_told_where_nothing_is_known_of_the_disk() -> None:
    result = with_slot(active=False, held=Bytes(40 * GIB))
    nowhere = dataclasses.replace(result, facts=dataclasses.replace(result.facts, storage=()))
    assert "it holds back 40 GiB of WAL. When the disk is full" in warned(nowhere)["slot_idle"]


def test_a_slot_that_keeps_dead_rows_says_so_with_a_reader_and_without() -> None:
    old = OLD + 1
    assert f"from vacuum the dead rows of {old:,}" in warned(with_slot(active=False, age=old))["slot_idle"]
    assert f"from vacuum the dead rows of {old:,}" in warned(with_slot(age=old))["slot_holds_vacuum"]


def test_a_lost_slot_is_told_to_be_dropped_and_its_reader_built_anew() -> None:
    assert list(warned(with_slot(active=False, status="lost"))) == ["slot_lost"]


def test_a_hostile_name_stays_within_its_quotes() -> None:
    text = warned(with_slot(active=False, name="a'); DROP TABLE t; --"))["slot_idle"]
    assert "pg_drop_replication_slot('a''); DROP TABLE t; --');" in text


def test_an_archive_that_fails_is_told_with_the_wal_that_waits() -> None:
    failing = dataclasses.replace(
        QUIET, archive_failing=True, archive_failures=7, archive_behind=Known(Bytes(9 * GIB), "a test")
    )
    text = warned(with_replication(failing))["archiving_fails"]
    assert "(7 failures counted): WAL stays, 9 GiB so far (500 GiB free beside it)" in text
    never = dataclasses.replace(failing, archive_behind=Unknown("no segment was archived last"))
    assert "WAL stays (500 GiB free" in warned(with_replication(never))["archiving_fails"]


def test_an_archive_that_is_slower_than_writing_is_told() -> None:
    slow = dataclasses.replace(QUIET, archive_failures=3, archive_behind=Known(Bytes(2 * GIB), "a test"))
    assert list(warned(with_replication(slow))) == ["archiving_slow"]


@pytest.mark.parametrize(
    "replication",
    [
        QUIET,
        dataclasses.replace(QUIET, archive_failures=3),
        dataclasses.replace(QUIET, slots=(READ,)),
        dataclasses.replace(QUIET, slots=(dataclasses.replace(READ, status="extended", age=OLD - 1),)),
    ],
)
def test_slots_that_are_read_and_an_archive_that_keeps_up_are_left_alone(replication: Replication) -> None:
    assert warned(with_replication(replication)) == {}


def test_an_archive_that_is_switched_off_is_not_spoken_of() -> None:
    old_failures = dataclasses.replace(QUIET, archive_failing=True, archive_failures=7)
    assert warned(with_replication(old_failures, Given(connections=100))) == {}


def test_a_limit_that_would_cut_a_reader_off_at_once_is_not_proposed() -> None:
    held = verdict(with_slot(held=Bytes(400 * GIB)), LIMIT)
    assert isinstance(held, Declined)
    assert "the slot standby_1 holds back 400 GiB now" in held.because
    assert isinstance(verdict(with_slot(held=Bytes(4 * GIB)), LIMIT), Proposal)
    assert isinstance(verdict(with_slot(held=Bytes(400 * GIB), status="lost"), LIMIT), Proposal)


@settings(max_examples=60, database=None, derandomize=True, deadline=None)
@given(st.integers(0, 2000), st.booleans())
def test_no_limit_is_below_what_a_slot_holds_now(gigabytes: int, active: bool) -> None:  # noqa: FBT001 - drawn
    result = with_slot(held=Bytes(gigabytes * GIB), active=active)
    proposed = verdict(result, LIMIT)
    if isinstance(proposed, Proposal):
        assert result.settings["max_slot_wal_keep_size"].size(proposed.value) > Bytes(gigabytes * GIB)


def test_a_standby_that_cancelled_no_query_needs_no_feedback_and_one_that_did_is_told_how_many() -> None:
    standby = Given(role="standby", connections=100)
    quiet = verdict(with_replication(QUIET, standby), "pg.hot_standby_feedback")
    assert isinstance(quiet, Declined)
    assert quiet.because.startswith("no query was cancelled here")
    busy = verdict(
        with_replication(dataclasses.replace(QUIET, cancelled=12), standby), "pg.hot_standby_feedback"
    )
    assert isinstance(busy, Advice)
    assert busy.because.startswith("12 queries cancelled so far: ")


@pytest.mark.parametrize(
    ("major", "kept", "warns"),
    [
        ("12", {"wal_keep_segments": "10"}, False),
        ("12", {"wal_keep_segments": "40000"}, True),
        ("15", {"wal_keep_size": "100GB"}, False),
        ("15", {"wal_keep_size": "500GB"}, True),
        ("15", {"max_slot_wal_keep_size": "400GB"}, False),
        ("15", {"max_slot_wal_keep_size": "501GB"}, True),
    ],
)
def test_a_limit_beyond_the_disk_is_told(major: str, kept: dict[str, str], *, warns: bool) -> None:
    made = planned(situation(Given(major=major, connections=100, settings={"max_wal_size": "1GB", **kept})))
    codes = {warning.code for warning in made.warnings}
    assert bool(codes & {"wal_kept_beyond_disk", "slot_limit_beyond_disk"}) is warns


def test_what_a_slot_holds_already_takes_no_more_of_what_is_free() -> None:
    machine = Given(connections=100, settings={"max_wal_size": "1GB", "max_slot_wal_keep_size": "501GB"})
    assert "slot_limit_beyond_disk" not in warned(with_slot(machine, held=Bytes(4 * GIB)))


def test_a_limit_on_a_disk_of_unknown_size_is_not_judged() -> None:
    machine = Given(connections=100, free_space="", settings={"wal_keep_size": "900TB"})
    assert warned(situation(machine)) == {}


FULL = dataclasses.replace(ARCHIVING, free_space="20GB")
MUCH = Bytes(250 * GIB)
GROWING = {
    "a slot": dataclasses.replace(QUIET, slots=(dataclasses.replace(READ, active=False, held=MUCH),)),
    "an archive": dataclasses.replace(
        QUIET, archive_failing=True, archive_failures=9_000, archive_behind=Known(MUCH, "a test")
    ),
}
NOT_GROWING = {
    "nothing": QUIET,
    "a slot that is read": dataclasses.replace(QUIET, slots=(dataclasses.replace(READ, held=MUCH),)),
    "a little": dataclasses.replace(QUIET, slots=(dataclasses.replace(READ, active=False, held=Bytes(GIB)),)),
    "an archive that is only slow": dataclasses.replace(QUIET, archive_behind=Known(MUCH, "a test")),
}
MORE_WAL = ("pg.max_wal_size", "pg.checkpoint_timeout")


def states(seen: Replication) -> set[str]:
    made = plan_of(KNOWLEDGE.catalogue, with_replication(seen, FULL))
    return {finding.state for finding in made.findings if finding.recommendation.id in MORE_WAL}


@pytest.mark.parametrize("seen", GROWING.values(), ids=GROWING)
def test_no_more_wal_is_ticked_while_more_is_held_back_than_is_free(seen: Replication) -> None:
    assert states(seen) == {"advise"}


@pytest.mark.parametrize("seen", NOT_GROWING.values(), ids=NOT_GROWING)
def test_wal_that_is_not_held_back_leaves_room_for_more(seen: Replication) -> None:
    assert states(seen) == {"change"}
