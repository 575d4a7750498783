"""Lost durability, unsafe file systems and a hopeless memory budget are told first and repaired."""

import dataclasses
from typing import get_args

import pytest

from sick_servers import finding_of, plan_of_case, texts_of
from situations import situation
from tunewiz.core.answers.answers import Posture
from tunewiz.core.planning.budget import MemoryBudget
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.planning.unsafe_file_systems import LOSING, unsafe_file_systems
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.verdicts import Advice
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.text.report import plan_table

BAD = {"shared_buffers": "58GB", "work_mem": "1GB", "maintenance_work_mem": "16GB"}
FIRST, REPAIRED, UNSAFE = "durability_lost", "memory_repaired", "unsafe_file_system"


def planned(machine: Given) -> Plan:
    return plan_of(load_knowledge().catalogue, situation(machine))


@pytest.mark.parametrize("posture", get_args(Posture))
def test_a_hopeless_budget_is_repaired_by_every_posture_and_told_in_a_paragraph(posture: Posture) -> None:
    made = planned(Given(connections=300, cores=16, settings=BAD, posture=posture))
    assert {f"pg.{name}" for name in BAD} <= {change.recommendation.id for change in made.changes}
    assert isinstance(made.after, MemoryBudget)
    assert made.after.fits
    (text,) = texts_of(made, REPAIRED)
    assert "shared_buffers 58GB to" in text


def test_a_budget_that_fits_is_left_alone() -> None:
    made = planned(Given(connections=100, settings={"shared_buffers": "30GB"}))
    assert texts_of(made, REPAIRED) == []
    assert not finding_of(made, "pg.shared_buffers").changes


@pytest.mark.parametrize("name", ["fsync", "full_page_writes"])
def test_lost_durability_that_the_plan_mends_is_the_first_warning(name: str) -> None:
    made = planned(Given(connections=100, settings={name: "off"}))
    assert made.warnings[0].code == FIRST
    assert f"{name} = off" in made.warnings[0].text


def test_what_a_keeper_holds_is_not_said_to_be_mended_by_the_plan() -> None:
    made = planned(Given(connections=100, settings={"fsync": "off"}, owner="patroni"))
    (text,) = texts_of(made, FIRST)
    assert "through Patroni" in text
    assert "The plan mends" not in text


@pytest.mark.parametrize(
    ("timeout", "changes"), [("1ms", False), ("99ms", False), ("100ms", True), ("1s", True)]
)
def test_waits_are_not_logged_beside_a_timeout_of_milliseconds(timeout: str, *, changes: bool) -> None:
    made = planned(Given(connections=100, settings={"deadlock_timeout": timeout}))
    assert finding_of(made, "pg.log_lock_waits").changes is changes


def test_all_that_the_repair_lowers_is_told() -> None:
    lowered = {"hash_mem_multiplier": "100", "autovacuum_work_mem": "40GB", **BAD}
    (text,) = texts_of(planned(Given(connections=300, cores=16, settings=lowered, major="17")), REPAIRED)
    assert all(f"{name} {value} to " in text for name, value in lowered.items())


@pytest.mark.parametrize(
    ("timeout", "right"), [("1d", False), ("3h", False), ("15min", True), ("30min", True)]
)
def test_a_time_between_checkpoints_that_nobody_advises_is_not_called_right(
    timeout: str, *, right: bool
) -> None:
    of = Given(connections=100, settings={"checkpoint_timeout": timeout, "max_wal_size": "1GB"})
    assert ("is right" in finding_of(planned(of), "pg.checkpoint_timeout").because) is right


def test_a_durable_server_is_told_nothing_of_it() -> None:
    made = planned(Given(connections=100))
    assert texts_of(made, FIRST) == texts_of(made, UNSAFE) == []


@pytest.mark.parametrize(
    ("limit", "roles"), [("1ms", False), ("999ms", False), ("1s", True), ("15min", True)]
)
def test_no_limit_of_milliseconds_is_handed_on_to_a_role(limit: str, *, roles: bool) -> None:
    verdict = finding_of(
        planned(Given(settings={"statement_timeout": limit})), "pg.statement_timeout"
    ).verdict
    assert isinstance(verdict, Advice)
    assert any("ALTER ROLE" in step for step in verdict.steps) is roles


@pytest.mark.parametrize("kind", [*LOSING, "fuse", "fuse.sshfs", "fuseblk"])
def test_a_file_system_that_loses_data_is_told(kind: str) -> None:
    (text,) = (text for _, text in unsafe_file_systems(situation(Given(filesystem=kind))))
    assert f" on {kind}: " in text


@pytest.mark.parametrize(
    ("kind", "options", "warned"),
    [
        *(("nfs", "rw,soft", True), ("nfs4", "rw,softerr,timeo=600", True)),
        *(("nfs4", "rw,hard", False), ("nfs4", "rw,relatime", False), ("ext4", "rw,soft", False)),
        *(("xfs", "rw", False), ("zfs", "rw", False), ("btrfs", "rw", False)),
        *(("ext4", "ro,relatime", True), ("xfs", "ro", True), ("ext4", "rw,errors=remount-ro", False)),
        *(("ext4", "rw,nobarrier", True), ("ext4", "rw,barrier=0", True), ("ext4", "rw,barrier=1", False)),
        *(("ext4", "rw,data=writeback", False), ("xfs", "rw,norecovery", False), ("ceph", "rw", False)),
    ],
)
def test_options_that_lose_or_stop_writes_are_told_and_local_file_systems_are_left_alone(
    kind: str, options: str, *, warned: bool
) -> None:
    mounted = situation(Given(filesystem=kind, mount_options=options))
    assert bool(tuple(unsafe_file_systems(mounted))) is warned


def test_a_server_with_everything_set_badly_is_told_of_lost_data_first_and_repaired() -> None:
    made = plan_of_case("20-bad")
    assert made.warnings[0].code == FIRST
    lowered = {name: made.end.will_be_size(name) for name in BAD}
    assert all(lowered[name] < made.start.will_be_size(name) for name in BAD)
    assert texts_of(made, REPAIRED)
    verdict = finding_of(made, "pg.statement_timeout").verdict
    assert isinstance(verdict, Advice)
    assert not any("ALTER ROLE" in step for step in verdict.steps)


def test_a_soft_mount_of_nfs_is_the_first_warning() -> None:
    first = plan_of_case("13-nfs").warnings[0]
    assert (first.code, "requires the mount option hard" in first.text) == (UNSAFE, True)


def test_the_repair_is_not_told_where_memory_only_became_larger() -> None:
    roomy = Given(connections=300, cores=16, settings=BAD, memory="4096GB", available="4000GB")
    assert texts_of(planned(dataclasses.replace(roomy)), REPAIRED) == []


def test_a_server_near_wraparound_is_told_that_before_all_else() -> None:
    first = plan_of_case("wrap").warnings[0]
    assert first.code == "wraparound"
    assert "the server refuses to write" in first.text


def test_what_comes_first_stands_before_the_plan_and_not_once_more_below() -> None:
    text = plan_table(plan_of_case("20-bad"), answered=True)
    lines = text.splitlines()
    assert lines[1].startswith("  First: Data is at risk today: ")
    assert text.count("Data is at risk today") == 1
    assert text.index("zero_damaged_pages = on") < text.index("To change")
    assert "First: " not in text[text.index("Careful") :]


def test_a_sound_server_has_nothing_first() -> None:
    assert "First: " not in plan_table(planned(Given(connections=100)), answered=True)


def test_a_well_tuned_server_is_left_alone() -> None:
    assert plan_of_case("19-good").changes == ()


@pytest.mark.parametrize(("size", "raised"), [("24GB", False), ("16GB", True), ("1GB", True)])
def test_a_value_near_the_one_that_would_be_proposed_is_left_alone(size: str, *, raised: bool) -> None:
    made = planned(Given(connections=100, cores=16, settings={"max_wal_size": size}))
    assert ("pg.max_wal_size" in {change.recommendation.id for change in made.changes}) is raised
