"""Real servers tell what they keep for others: slots, an archive, queries that a standby cancels."""

import dataclasses
import subprocess

import pytest

from fixtures_postgres import MakeCluster
from inherited_state import wait_until
from live_servers import the_server_alone, value, why
from real_postgres import Cluster
from streaming import LETS_ALL_IN, standby_of
from tunewiz.core.facts.replication import Replication, Slot
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.verdicts import Advice, Declined, Verdict
from tunewiz.core.values.units import MIB, Bytes
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import example_situation, situation_of

pytestmark = pytest.mark.slow

KNOWLEDGE = load_knowledge()
SETTINGS = {
    "fsync": "off",
    "wal_level": "logical",
    "max_wal_senders": "5",
    "max_replication_slots": "5",
    "archive_mode": "on",
    "archive_command": "false",
}
AT_ONCE = {"hot_standby": "on", "max_standby_streaming_delay": "0", "archive_mode": "off"}
"""A standby that cancels what stands in the way of replay."""


@pytest.fixture
def primary(make_cluster: MakeCluster) -> Cluster:
    cluster = make_cluster(settings=SETTINGS)
    (cluster.data_directory / "pg_hba.conf").write_text(LETS_ALL_IN)
    cluster.start()
    cluster.query("create table t as select n from generate_series(1, 1000) as n")
    return cluster


def replication_of(cluster: Cluster) -> Replication:
    return value(the_server_alone(cluster).replication)


def slot(cluster: Cluster, name: str) -> Slot:
    return next(entry for entry in replication_of(cluster).slots if entry.name == name)


def is_followed(cluster: Cluster) -> bool:
    """Whether a standby is connected and reads its slot."""
    replication = replication_of(cluster)
    return value(replication.standbys) == 1 and replication.slots[0].active


def plan(cluster: Cluster) -> Plan:
    situation = example_situation(Given(major=cluster.programs.major, connections=20), KNOWLEDGE)
    facts = dataclasses.replace(situation.facts, postgres=(the_server_alone(cluster),))
    return plan_of(KNOWLEDGE.catalogue, situation_of(facts, situation.answers, KNOWLEDGE))


def warned(cluster: Cluster) -> dict[str, str]:
    return {warning.code: warning.text for warning in plan(cluster).warnings}


def verdict(cluster: Cluster, name: str) -> Verdict:
    return next(finding.verdict for finding in plan(cluster).findings if finding.recommendation.id == name)


def feedback(cluster: Cluster) -> Verdict:
    return verdict(cluster, "pg.hot_standby_feedback")


def write(cluster: Cluster) -> None:
    """Some WAL, and the end of its segment."""
    cluster.query("update t set n = n + 1")
    cluster.query("select pg_switch_wal()")


def test_a_slot_that_nobody_reads_is_seen_with_what_it_holds_and_dropped_by_what_is_told(
    primary: Cluster,
) -> None:
    assert (replication_of(primary).slots, value(replication_of(primary).standbys)) == ((), 0)
    assert "slot_idle" not in warned(primary)
    primary.query("select pg_create_physical_replication_slot('away', true)")
    primary.query("select pg_create_logical_replication_slot('changes', 'pgoutput')")
    for _ in range(3):
        write(primary)
    away, changes = slot(primary, "away"), slot(primary, "changes")
    assert (away.kind, away.active, changes.kind, changes.active) == ("physical", False, "logical", False)
    assert min(away.held, changes.held) >= Bytes(32 * MIB)
    assert changes.age > 0 == away.age
    text = warned(primary)["slot_idle"]
    for name in ("away", "changes"):
        primary.query(f"select pg_drop_replication_slot('{name}')")
    assert "SELECT pg_drop_replication_slot('" in text
    assert replication_of(primary).slots == ()


def test_an_archive_that_fails_is_seen_until_it_works_again(primary: Cluster) -> None:
    write(primary)
    wait_until(lambda: replication_of(primary).archive_failing)
    assert why(replication_of(primary).archive_behind) == "no segment was archived last"
    assert "archiving_fails" in warned(primary)
    primary.query("alter system set archive_command = 'true'")
    primary.query("select pg_reload_conf()")
    write(primary)
    wait_until(lambda: not replication_of(primary).archive_failing)
    wait_until(lambda: value(replication_of(primary).archive_behind) <= Bytes(16 * MIB))
    assert replication_of(primary).archive_failures > 0
    assert not {"archiving_fails", "archiving_slow"} & warned(primary).keys()


def test_a_standby_reads_its_slot_and_counts_the_queries_that_it_cancels(
    primary: Cluster, make_cluster: MakeCluster
) -> None:
    primary.query("select pg_create_physical_replication_slot('standby_1', true)")
    with standby_of(primary, make_cluster().port, AT_ONCE, slot="standby_1") as standby:
        wait_until(lambda: is_followed(primary))
        assert "slot_idle" not in warned(primary)
        assert value(the_server_alone(standby).role) == "standby"
        assert isinstance(feedback(standby), Declined)
        _cancel_a_query(primary, standby)
        wait_until(lambda: replication_of(standby).cancelled == 1)
        result = feedback(standby)
        assert isinstance(result, Advice)
        assert result.because.startswith("1 query cancelled so far")
        kinds = value(replication_of(standby).conflicts)
        assert (kinds.snapshot, kinds.others) == (1, 0)
        assert isinstance(verdict(standby, "pg.max_standby_streaming_delay"), Declined)


def test_what_decoding_wrote_to_disk_is_counted_for_each_slot(primary: Cluster) -> None:
    primary.query("alter system set logical_decoding_work_mem = '64kB'")
    primary.query("select pg_reload_conf()")
    primary.query("select pg_create_logical_replication_slot('changes', 'pgoutput')")
    primary.query("create publication everything for all tables")
    assert value(slot(primary, "changes").spills) == 0
    primary.query("insert into t select n from generate_series(1, 50000) as n")
    primary.query(
        """select count(*) from pg_logical_slot_get_binary_changes(
               'changes', null, null, 'proto_version', '1', 'publication_names', 'everything')"""
    )
    wait_until(lambda: value(slot(primary, "changes").spills) == 1)
    assert value(slot(primary, "changes").spilled) > Bytes(MIB)
    few = verdict(primary, "pg.logical_decoding_work_mem")
    assert isinstance(few, Declined)
    assert few.because.startswith("1 transaction written to disk")


def _cancel_a_query(primary: Cluster, standby: Cluster) -> None:
    """Vacuum removes on the primary what a transaction on the standby still sees."""
    command = (
        *(standby.programs.psql, "-XAtq", "-h", standby.socket_directory, "-p", str(standby.port)),
        *("-U", standby.os_user, "-d", "postgres"),
    )
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as reader:
        assert reader.stdin is not None
        assert reader.stdout is not None
        reader.stdin.write("begin isolation level repeatable read; select count(*) from t;\n")
        reader.stdin.flush()
        assert reader.stdout.readline() == "1000\n"
        primary.query("delete from t")
        primary.query("vacuum t")
        wait_until(lambda: replication_of(standby).cancelled == 1)
        reader.stdin.close()
