"""The log of a real server, in each of its formats, tells what the server did."""

import pytest

from command_line import tunewiz
from fixtures_postgres import MakeCluster, configure
from inherited_state import wait_until
from live_servers import let_in
from real_postgres import Cluster
from tunewiz.collect.logs.files import read_log
from tunewiz.core.facts.log import LogSeen
from tunewiz.core.values.known import Known
from tunewiz.core.values.units import MIB, Bytes
from tunewiz.core.values.versions import NEWEST
from tunewiz.formats.records import facts_from_json

FIRST_JSON = 15
FIRST_TIMED_REPLAY = 14
SETTINGS = {
    "logging_collector": "on",
    "log_directory": "log",
    "log_temp_files": "0",
    "log_checkpoints": "on",
    "log_autovacuum_min_duration": "0",
    "autovacuum_naptime": "1s",
    "log_lock_waits": "on",
    "deadlock_timeout": "10ms",
    "log_statement": "all",
    "lc_messages": "C",
}


def work(server: Cluster) -> None:
    """Spills, a checkpoint, dead rows for autovacuum, and text that looks like a message."""
    server.query("create table t as select n, md5(n::text) as word from generate_series(1, 100000) as n")
    server.query("set work_mem = '64kB'; select count(*) from (select word from t order by word) as s")
    server.query("delete from t where n % 2 = 0; select 'LOG:  checkpoint starting: time'")
    server.query("checkpoint")
    server.query("select pg_sleep(3)")


def log_of(server: Cluster) -> LogSeen:
    return read_log([server.data_directory / "log"])


@pytest.mark.slow
@pytest.mark.parametrize("destination", ["stderr", "csvlog", "jsonlog"])
def test_its_log_tells_what_it_did(make_cluster: MakeCluster, destination: str) -> None:
    server = make_cluster(settings={**SETTINGS, "log_destination": destination, "fsync": "off"})
    if destination == "jsonlog" and int(server.programs.major.split(".")[0]) < FIRST_JSON:
        pytest.skip("this PostgreSQL writes no JSON")
    check_log_of(server)


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.parametrize("major", [str(NEWEST)])
@pytest.mark.parametrize("destination", ["stderr", "csvlog", "jsonlog"])
def test_the_log_of_the_newest_major_tells_what_it_did(matrix_cluster: Cluster, destination: str) -> None:
    configure(matrix_cluster, {**SETTINGS, "log_destination": destination, "fsync": "off"})
    check_log_of(matrix_cluster)


def check_log_of(server: Cluster) -> None:
    """A server's log after some work, a crash and a start."""
    server.start()
    work(server)
    server.stop(mode="immediate")
    server.start()
    server.stop()
    log = log_of(server)
    assert sum(temp_file.files for temp_file in log.temp_files) >= 1
    assert max(temp_file.at_most for temp_file in log.temp_files) >= Bytes(MIB)
    assert log.checkpoints_otherwise >= 1
    assert log.checkpoints_timed == 0
    assert log.largest_distance > Bytes(MIB)
    assert log.autovacuums >= 1
    assert log.damaged == 0
    if int(server.programs.major.split(".")[0]) >= FIRST_TIMED_REPLAY:
        assert log.recoveries <= 1


@pytest.mark.slow
def test_its_log_tells_that_dead_rows_did_not_fit_in_memory(make_cluster: MakeCluster) -> None:
    server = make_cluster(
        settings={
            **SETTINGS,
            "fsync": "off",
            "maintenance_work_mem": "1MB",
            "autovacuum_vacuum_cost_delay": "0",
        }
    )
    server.start()
    server.query("create table t (n int primary key) with (autovacuum_enabled = off)")
    server.query("insert into t select generate_series(1, 400000); delete from t where n % 8 > 0")
    server.query("alter table t reset (autovacuum_enabled)")
    wait_until(lambda: log_of(server).repeated_index_scans > 0)
    server.stop()
    assert log_of(server).most_index_scans > 1


@pytest.mark.slow
def test_the_named_servers_facts_have_what_its_log_told(make_cluster: MakeCluster) -> None:
    server = make_cluster(settings={**SETTINGS, "fsync": "off"})
    let_in(server, "local all all trust")
    server.start()
    work(server)
    where = ("--port", f"{server.port}", "--host", server.socket_directory)
    ended = tunewiz("facts", *where, "--log", server.data_directory / "log")
    assert (ended.status, ended.err.count("\n")) == (0, 1)
    assert "0 long lock waits, 0 crash recoveries." in ended.err
    first, *others = facts_from_json(ended.out, "standard output").postgres
    assert isinstance(first.log, Known)
    assert sum(temp_file.files for temp_file in first.log.value.temp_files) >= 1
    assert not any(isinstance(other.log, Known) for other in others)
