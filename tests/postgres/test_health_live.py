"""Real servers of every major with made troubles: each is seen by its name, and a healthy server has none."""

import dataclasses
from collections.abc import Callable

import pytest

from fixtures_postgres import MakeCluster, configure
from live_servers import the_server_alone, value
from real_postgres import Cluster
from sessions_at_work import aged, session
from small_plans import small_answers, small_facts
from streaming import LETS_ALL_IN, copied_standby, standby_of
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.health import Replay
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.health.trouble import Trouble
from tunewiz.core.health.troubles import Checkup, checkup
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.known import Known
from tunewiz.core.values.minor_releases import minor_release
from tunewiz.core.values.versions import V10, V19, Major
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.knowledge.minor_fixes import load_minor_fixes
from tunewiz.planning import make_plan
from waiting import until

pytestmark = [pytest.mark.slow, pytest.mark.postgres, pytest.mark.timeout(300)]

V96, V15 = Major(906), Major(1500)
OBJECTS = (
    "create table orders (id int primary key, note text, total int)",
    "insert into orders select n, 'n' || n % 7, n from generate_series(1, 5000) as n",
    "create index orders_total on orders (total)",
    "create index orders_total_again on orders (total)",
    # None of these is a duplicate.
    "create index orders_total_down on orders (total desc)",
    "create index orders_total_some on orders (total) where total > 5",
    "create index orders_total_note on orders (total, note)",
    "create index orders_id_again on orders (id, total)",
)
SEQUENCES = (
    "create domain number as int",
    "create table seats (id number primary key)",
    "create sequence seats_id owned by seats.id",
    "select setval('seats_id', 2100000000)",
    "create table tickets (id serial primary key)",
    "select setval('tickets_id_seq', 2000000000)",
    "create sequence young",
    "create sequence round maxvalue 100 cycle",
    "select setval('round', 99)",
)
SEQUENCES_THAT_END = (
    "sequence runs out: seats_id in public",
    "sequence runs out: tickets_id_seq in public",
)


def states(server: PostgresServer) -> list[str]:
    """Of the test's own sessions: other looks at the server come and go."""
    return [entry.state for entry in value(server.health).transactions if entry.application == "batch"]


def facts_with(server: PostgresServer) -> Facts:
    return dataclasses.replace(small_facts(Given(major=str(value(server.major)))), postgres=(server,))


def troubles(server: PostgresServer) -> dict[str, Trouble]:
    """What a checkup of it comes to, by kind and subject; which release was installed is left out."""
    return {
        f"{trouble.kind}: {trouble.what}": trouble
        for trouble in checked(server).troubles
        if trouble.kind != "fixes are missing"
    }


def checked(server: PostgresServer) -> Checkup:
    plan = make_plan(facts_with(server), small_answers(), load_knowledge())
    return checkup(plan, load_minor_fixes())


def test_a_healthy_server_has_no_trouble(matrix_cluster: Cluster) -> None:
    matrix_cluster.start()
    matrix_cluster.query("create table t (id serial primary key, n int)", "create index t_n on t (n)")
    with session(matrix_cluster, "insert into t (n) values (1)"):
        server = the_server_alone(matrix_cluster)
        assert states(server) == ["idle in transaction"]
        assert troubles(server) == {}
        assert troubles(aged(server, 60)) == {}


def test_the_release_that_a_server_tells_is_compared_with_release_notes(matrix_cluster: Cluster) -> None:
    matrix_cluster.start()
    server = the_server_alone(matrix_cluster)
    numbers = minor_release(matrix_cluster.query("show server_version"))
    missing = [trouble for trouble in checked(server).troubles if trouble.kind == "fixes are missing"]
    brought = [release for fix in load_minor_fixes().fixes for release in fix.fixed_in]
    later = [release for release in brought if numbers and is_later(release, numbers)]
    assert bool(missing) == bool(later)


def is_later(release: str, than: tuple[Major, int]) -> bool:
    numbers = minor_release(release)
    return numbers is not None and numbers[0] == than[0] and numbers[1] > than[1]


def test_who_holds_vacuum_back_is_named(matrix_cluster: Cluster) -> None:
    (matrix_cluster.data_directory / "conf.d" / "a.conf").write_text("max_prepared_transactions = 5\n")
    matrix_cluster.start()
    matrix_cluster.query("create table t as select 1 as n")
    matrix_cluster.query("begin; update t set n = 2; prepare transaction 'it''s left'")
    with session(matrix_cluster, "select txid_current()"):
        idle, prepared = troubles(aged(the_server_alone(matrix_cluster), 7_200)).values()
        if idle.what.startswith("prepared"):
            idle, prepared = prepared, idle
        assert "(batch)" in idle.what
        assert "it began its transaction 120 min ago and has done nothing for 120 min in it" in idle.because
        matrix_cluster.query(*idle.do)
    assert prepared.what == "prepared transaction it's left"
    matrix_cluster.query(*prepared.do)
    assert troubles(aged(the_server_alone(matrix_cluster), 7_200)) == {}


def test_sessions_that_wait_for_locks_are_counted(matrix_cluster: Cluster, major: str) -> None:
    matrix_cluster.start()
    matrix_cluster.query("create table t as select 1 as n")
    waits = "waiting" if Major.parse(major) < V96 else "wait_event_type = 'Lock'"
    with session(matrix_cluster, "lock t"), session(matrix_cluster, "select * from t", waits_for=""):
        waiting = f"select 1 from pg_stat_activity where {waits}"  # noqa: S608
        until(lambda: matrix_cluster.query(waiting) != "")
        assert troubles(the_server_alone(matrix_cluster)) == {}
        (trouble,) = troubles(aged(the_server_alone(matrix_cluster), 120)).values()
        assert (trouble.kind, trouble.because[:23]) == ("sessions wait for locks", "1 session waits for a l")
        for statement in trouble.do:
            assert matrix_cluster.query(statement) != "{}"


def test_indexes_and_sequences_are_named_with_sql_that_mends_them(
    matrix_cluster: Cluster, major: str
) -> None:
    matrix_cluster.start()
    matrix_cluster.query(*OBJECTS)
    with pytest.raises(AssertionError, match="could not create unique index"):
        matrix_cluster.query("create unique index concurrently orders_note_key on orders (note)")
    has_sequences = Major.parse(major) >= V10
    if has_sequences:
        matrix_cluster.query(*SEQUENCES)
    server = the_server_alone(matrix_cluster)
    actual = troubles(server)
    assert set(actual) == {
        "invalid index: orders_note_key on public.orders",
        "duplicate index: orders_total_again on public.orders",
        *(SEQUENCES_THAT_END if has_sequences else ()),
    }
    matrix_cluster.query("delete from orders where id > 7")
    for trouble in actual.values():
        for statement in trouble.do:
            matrix_cluster.query(statement)
    assert set(troubles(the_server_alone(matrix_cluster))) == {name for name in actual if "sequence" in name}
    (duplicate,) = (trouble for name, trouble in actual.items() if "duplicate" in name)
    matrix_cluster.query(*duplicate.undo)
    assert "duplicate index: orders_total_again on public.orders" in troubles(
        the_server_alone(matrix_cluster)
    )


def test_a_library_that_sorts_otherwise_is_noticed(running_cluster: Cluster) -> None:
    if Major.parse(running_cluster.programs.major) < V15:
        pytest.skip("versions of a database's collation are recorded from 15 on")
    running_cluster.query("create database sorted template template0 locale_provider icu icu_locale 'en'")
    name = "collation has changed: database sorted"
    assert troubles(the_server_alone(running_cluster)) == {}
    running_cluster.query("update pg_database set datcollversion = '0.1' where datname = 'sorted'")
    trouble = troubles(the_server_alone(running_cluster))[name]
    for statement in trouble.do:
        running_cluster.query(statement, database=trouble.database)
    assert troubles(the_server_alone(running_cluster)) == {}


def test_the_indexes_of_a_collation_that_sorts_otherwise_are_named(matrix_cluster: Cluster) -> None:
    matrix_cluster.start()
    major = Major.parse(matrix_cluster.programs.major)
    if (
        major < V10
        or matrix_cluster.query("select count(*) from pg_collation where collprovider = 'i'") == "0"
    ):
        pytest.skip("this server knows no collation with a version: before 10, or built without ICU")
    matrix_cluster.query(
        "create collation german (provider = icu, locale = 'de')",
        "create collation french (provider = icu, locale = 'fr')",
        "create table words (word text collate german, mot text collate french, id int primary key)",
        "create index words_word on words (word)",
        "create index words_again on words (id, word desc) where id > 5",
        "create index words_mot on words (mot)",
        'create index words_plain on words (mot collate "C")',
    )
    assert troubles(the_server_alone(matrix_cluster)) == {}
    matrix_cluster.query("update pg_collation set collversion = '0.1' where collname = 'german'")
    (trouble,) = troubles(the_server_alone(matrix_cluster)).values()
    assert trouble.what == "public.german in database postgres"
    assert [statement.rpartition(".")[2] for statement in trouble.do[:-1]] == [
        '"words_again";',
        '"words_word";',
    ]
    for statement in trouble.do:
        matrix_cluster.query(statement, database=trouble.database)
    assert troubles(the_server_alone(matrix_cluster)) == {}


def test_a_role_with_few_rights_is_told_what_it_did_not_see(
    matrix_cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    matrix_cluster.start()
    matrix_cluster.query("create role few login")
    with session(matrix_cluster, "select txid_current()"):
        monkeypatch.setenv("PGUSER", "few")
        server = the_server_alone(matrix_cluster)
    assert value(server.health).hidden_sessions >= 1
    assert "which this role may not look into" in checked(server).unseen[0]


def test_a_standby_that_holds_vacuum_back_is_named_and_looked_at_itself(make_cluster: MakeCluster) -> None:
    primary = make_cluster(settings={"wal_level": "replica", "max_wal_senders": "5"})
    (primary.data_directory / "pg_hba.conf").write_text(LETS_ALL_IN)
    primary.start()
    primary.query("create table t as select 1 as n", "create unlogged table u (id serial)")
    feedback = {"hot_standby": "on", "hot_standby_feedback": "on", "wal_receiver_status_interval": "1"}
    with standby_of(primary, make_cluster().port, feedback) as standby:
        repeatable = "set transaction isolation level repeatable read"
        with session(standby, repeatable, "select * from t"):
            reported = "select 1 from pg_stat_replication where backend_xmin is not null"
            until(lambda: primary.query(reported) != "")
            look = value(the_server_alone(primary).health)
            (holder,) = (entry for entry in look.transactions if entry.kind == "standby")
            assert (holder.application, holder.seconds) == ("walreceiver", 0)
            old = dataclasses.replace(holder, age=20_000_000)
            server = dataclasses.replace(
                the_server_alone(primary),
                health=Known(dataclasses.replace(look, transactions=(old,)), "older"),
            )
            assert "vacuum is held back: standby walreceiver" in troubles(server)
            # Its own session, and no error about the unlogged sequence, of which it has no file.
            assert states(the_server_alone(standby)) == ["idle in transaction"]
            for database in value(the_server_alone(standby).tables):
                assert value(database.ending_sequences) == ()


def test_a_standby_whose_replay_is_paused_is_in_trouble_until_it_resumes(
    matrix_cluster: Cluster, major: str, next_port: Callable[[], int]
) -> None:
    (matrix_cluster.data_directory / "pg_hba.conf").write_text(LETS_ALL_IN)
    level = "hot_standby" if Major.parse(major) < V96 else "replica"
    configure(matrix_cluster, {"wal_level": level, "max_wal_senders": "10", "hot_standby": "on"})
    with copied_standby(matrix_cluster, next_port()) as standby:
        xlog = "wal" if Major.parse(major) >= V10 else "xlog"
        until(lambda: matrix_cluster.query("select count(*) from pg_stat_replication") == "1")
        matrix_cluster.query("create table t as select n from generate_series(1, 10000) as n")
        until(lambda: replay_of(standby).commit_seconds is not None)
        assert value(the_server_alone(matrix_cluster).health).replay is None
        assert "replay is paused: " not in troubles(the_server_alone(standby))
        standby.query(f"select pg_{xlog}_replay_pause()")
        matrix_cluster.query("insert into t select n from generate_series(1, 10000) as n")
        until(lambda: (replay_of(standby).behind or 0) > 100_000)
        replay = replay_of(standby)
        assert replay.pause == "paused"
        assert (replay.caught_up_seconds is None) == (Major.parse(major) < V19)
        (resume,) = troubles(the_server_alone(standby))["replay is paused: "].do
        standby.query(resume.rstrip(";"))
        until(lambda: replay_of(standby).behind == 0)
        assert "replay is paused: " not in troubles(the_server_alone(standby))


def replay_of(standby: Cluster) -> Replay:
    replay = value(the_server_alone(standby).health).replay
    assert replay is not None
    return replay
