"""Nearly full disks, and WAL without room for it, are warned of; longer checkpoints wait for room."""

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sick_servers import finding_of, plan_of_case, texts_of
from situations import situation
from tunewiz.core.facts.machine import DiskRole
from tunewiz.core.planning.disk_room import disk_room
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.wal_room import USABLE, beyond_wal_room, wal_room
from tunewiz.core.values.known import Known, Unknown
from tunewiz.core.values.units import GIB, MIB, Bytes
from tunewiz.knowledge.loading import load_knowledge

FULL, BEYOND = "disk_nearly_full", "wal_beyond_disk"


def with_disk(
    total: Bytes, free: Bytes, roles: tuple[DiskRole, ...] = ("data", "wal"), machine: Given | None = None
) -> Situation:
    usual = situation(machine or Given(connections=100))
    (disk,) = usual.facts.storage
    made = dataclasses.replace(disk, total=Known(total, "test"), free=Known(free, "test"), roles=roles)
    data = () if "data" in roles else (dataclasses.replace(disk, roles=("data",), mount="/data"),)
    return dataclasses.replace(usual, facts=dataclasses.replace(usual.facts, storage=(*data, made)))


def codes(situation: Situation) -> set[str]:
    return {code for code, _ in disk_room(situation)}


def planned(situation: Situation) -> Plan:
    return plan_of(load_knowledge().catalogue, situation)


@pytest.mark.parametrize("roles", [("data", "wal"), ("wal",), ("tablespace",)])
@pytest.mark.parametrize("free", [Bytes(0), Bytes(7 * MIB), Bytes(20 * GIB)])
def test_a_nearly_full_disk_is_told_whatever_it_holds(free: Bytes, roles: tuple[DiskRole, ...]) -> None:
    made = planned(with_disk(Bytes(1000 * GIB), free, roles))
    (text,) = texts_of(made, FULL)
    assert f"{free.short()} of {Bytes(1000 * GIB).short()} free" in text
    assert ("the server stops" in text) is ("wal" in roles)


@pytest.mark.parametrize(("total", "free"), [(1, 1), (100, 30), (10_000, 300), (100_000, 1_000)])
def test_a_disk_with_room_is_left_alone(total: int, free: int) -> None:
    assert FULL not in codes(with_disk(Bytes(total * GIB), Bytes(free * GIB)))


def with_inodes(total: int, free: int) -> Situation:
    usual = situation()
    (disk,) = usual.facts.storage
    made = dataclasses.replace(disk, inodes=Known(total, "test"), inodes_free=Known(free, "test"))
    return dataclasses.replace(usual, facts=dataclasses.replace(usual.facts, storage=(made,)))


@pytest.mark.parametrize(("total", "free"), [(65_536, 0), (65_536, 3_000), (10**9, 9_999)])
def test_a_file_system_that_can_hold_few_more_files_is_told(total: int, free: int) -> None:
    (text,) = texts_of(planned(with_inodes(total, free)), FULL)
    assert f"can hold {free:,} more files, of {total:,}" in text


@pytest.mark.parametrize(("total", "free"), [(65_536, 60_000), (2_000, 200), (10**9, 10**6)])
def test_a_file_system_with_room_for_files_is_left_alone(total: int, free: int) -> None:
    assert FULL not in codes(with_inodes(total, free))


def test_a_disk_of_unknown_size_is_left_alone() -> None:
    usual = situation()
    (disk,) = usual.facts.storage
    unknown = dataclasses.replace(disk, total=Unknown("a test"), free=Unknown("a test"))
    unread = dataclasses.replace(usual, facts=dataclasses.replace(usual.facts, storage=(unknown,)))
    assert codes(unread) == set()
    assert wal_room(unread) is None


@settings(max_examples=60)
@given(st.integers(1, 4096), st.integers(32, 4 * 1024 * 1024))
def test_no_plan_ticks_longer_checkpoints_or_leaves_more_wal_than_has_room_unsaid(
    room: int, max_wal: int
) -> None:
    machine = Given(connections=100, settings={"max_wal_size": f"{max_wal}MB"})
    made = planned(with_disk(Bytes(room * GIB), Bytes(room * GIB), ("wal",), machine))
    too_much = made.end.will_be_size("max_wal_size") > Bytes(room * GIB) * USABLE
    assert bool(texts_of(made, BEYOND)) is too_much
    longer = finding_of(made, "pg.checkpoint_timeout")
    assert not (too_much and longer.changes)


def test_min_wal_size_counts_too() -> None:
    machine = Given(connections=100, settings={"min_wal_size": "20GB", "max_wal_size": "20GB"})
    assert BEYOND in codes(with_disk(Bytes(10 * GIB), Bytes(10 * GIB), ("wal",), machine))
    assert BEYOND not in codes(with_disk(Bytes(40 * GIB), Bytes(40 * GIB), ("wal",), machine))


def test_room_beside_data_is_what_is_free_and_all_of_a_file_system_of_its_own() -> None:
    assert wal_room(with_disk(Bytes(9 * GIB), Bytes(2 * GIB))) == Bytes(2 * GIB)
    assert wal_room(with_disk(Bytes(9 * GIB), Bytes(2 * GIB), ("wal",))) == Bytes(9 * GIB)
    assert beyond_wal_room(with_disk(Bytes(9 * GIB), Bytes(2 * GIB)), Bytes(GIB)) == ""


def test_wal_on_a_volume_of_a_gibibyte_gets_no_longer_checkpoints() -> None:
    made = plan_of_case("wal-1g")
    longer = finding_of(made, "pg.checkpoint_timeout")
    assert (longer.state, made.end.will_be("checkpoint_timeout")) == ("advise", "5min")
    assert "but 1 GiB of WAL may accumulate in 1 GiB of room" in longer.because
    assert "right for" not in finding_of(made, "pg.max_wal_size").because
    assert texts_of(made, BEYOND)


@pytest.mark.parametrize(("least", "named"), [("100GB", True), ("1GB", False)])
def test_files_that_are_kept_for_reuse_are_named_where_they_are_too_many(least: str, *, named: bool) -> None:
    machine = Given(connections=100, settings={"min_wal_size": least, "max_wal_size": "120GB"})
    (text,) = texts_of(planned(with_disk(Bytes(1000 * GIB), Bytes(50 * GIB), machine=machine)), BEYOND)
    assert ("Lower max_wal_size and min_wal_size" in text) is named
