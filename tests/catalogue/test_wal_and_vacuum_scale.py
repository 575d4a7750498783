"""WAL, checkpoints and vacuum follow the machine, its data and the accepted recovery: none has one size."""

import dataclasses

from situations import finding, situation
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.verdicts import Proposal
from tunewiz.core.values.units import Bytes
from tunewiz.knowledge.loading import load_knowledge


def planned(one: Given) -> Plan:
    return plan_of(load_knowledge().catalogue, situation(one))


def wal(one: Given) -> Bytes:
    return planned(one).end.will_be_size("max_wal_size")


def test_a_small_machine_keeps_less_wal_than_a_large_one() -> None:
    assert (
        wal(Given(cores=2, disk="nvme")) < wal(Given(cores=4, disk="nvme")) < wal(Given(cores=8, disk="nvme"))
    )


def test_little_data_keep_little_wal() -> None:
    assert planned(Given(database_size="100MB")).end.will_be("max_wal_size") == "1GB"


def test_a_longer_recovery_is_taken() -> None:
    short, usual, long = (
        planned(Given(cores=16, disk="ssd", recovery_time=time)).end for time in ("1min", "5min", "1h")
    )
    sizes = [entry.will_be_size("max_wal_size") for entry in (short, usual, long)]
    assert sizes == sorted(set(sizes))
    assert usual.will_be("checkpoint_timeout") == "15min"
    assert long.will_be("checkpoint_timeout") == "1h"


def test_no_more_wal_is_kept_than_two_checkpoints_write_however_long_recovery_may_take() -> None:
    large = Given(
        memory="256GB",
        available="250GB",
        cores=32,
        disk="nvme",
        recovery_time="2h",
        database_size="1200GB",
        free_space="10TB",
    )
    made = planned(large).end
    assert made.will_be_size("max_wal_size") == made.will_be_size("shared_buffers") * 2
    usual = dataclasses.replace(large, cores=8, recovery_time="5min")
    assert wal(usual) == Bytes.parse("32GB")


def test_a_cautious_plan_counts_on_half_of_the_recovery_time() -> None:
    verdicts = [
        finding(planned(Given(cores=16, disk="ssd", posture=posture)), "pg.max_wal_size").verdict
        for posture in ("balanced", "cautious")
    ]
    values = [Bytes.parse(verdict.value) for verdict in verdicts if isinstance(verdict, Proposal)]
    assert values == [Bytes.parse("28GB"), Bytes.parse("14GB")]


def test_the_cores_and_the_distance_of_checkpoints_are_told() -> None:
    verdict = finding(
        planned(Given(memory="256GB", available="250GB", cores=8, disk="nvme", recovery_time="10min")),
        "pg.max_wal_size",
    ).verdict
    assert isinstance(verdict, Proposal)
    assert "16 GiB x 4 = 64 GiB for 8 cores and 30min between checkpoints" in verdict.computed


def test_workers_and_their_allowance_grow_together() -> None:
    large = planned(Given(database_size="10TB", cores=64, disk="nvme", posture="bold")).end
    small = planned(Given(database_size="100GB", cores=64, disk="nvme", posture="bold")).end
    assert int(large.will_be("autovacuum_max_workers")) > int(small.will_be("autovacuum_max_workers")) == 3
    assert int(large.will_be("autovacuum_vacuum_cost_limit")) > 1000


def test_more_workers_are_not_ticked_without_a_larger_allowance() -> None:
    never_rests = {"autovacuum_vacuum_cost_delay": "0"}
    made = planned(Given(database_size="10TB", cores=64, disk="nvme", settings=never_rests))
    assert finding(made, "pg.autovacuum_vacuum_cost_limit").state == "keep"
    assert finding(made, "pg.autovacuum_max_workers").state == "advise"
    assert finding(made, "pg.autovacuum_max_workers").sets == ""


def test_disks_that_rotate_are_spared() -> None:
    made = planned(Given(database_size="10TB", cores=64, disk="hdd", posture="bold"))
    assert finding(made, "pg.autovacuum_vacuum_cost_limit").state == "declined"


def test_a_server_that_hardly_writes_keeps_its_three_workers() -> None:
    made = planned(Given(database_size="10TB", cores=64, workload="read_mostly", posture="bold"))
    assert made.end.will_be("autovacuum_max_workers") == "3"


def test_a_vacuum_without_rests_has_no_pace_to_set() -> None:
    made = planned(Given(database_size="10TB", settings={"autovacuum_vacuum_cost_delay": "0"}))
    assert finding(made, "pg.autovacuum_vacuum_cost_limit").state == "keep"
