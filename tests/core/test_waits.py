"""Sampled waits: their shares, the sentence on them, who blocks whom, and when locks are a trouble."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from small_plans import small_answers, small_facts
from tunewiz.collect.postgres.waits import WaitSample, sample_query, waits_of
from tunewiz.core.facts.waits import BlockedSession, WaitCount, Waits
from tunewiz.core.health.blockers import blocker_tree, trouble_with_locks
from tunewiz.core.health.troubles import checkup
from tunewiz.core.health.waits import kind_of, shares_of, verdict_on
from tunewiz.core.values.known import Known, Unknown
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.knowledge.minor_fixes import load_minor_fixes
from tunewiz.planning import make_plan


def waits(**counts: int) -> Waits:
    """So many active sessions in each kind of wait; `none` are those that wait for nothing."""
    kinds = tuple(
        WaitCount(kind=kind.replace("none", ""), event="" if kind == "none" else "x", count=count)
        for kind, count in counts.items()
    )
    return Waits(seconds=60, samples=240, hidden=0, counts=kinds)


def blocked(pid: int, *blockers: int) -> BlockedSession:
    return BlockedSession(
        pid=pid, blockers=blockers, database="shop", role="app", application="web", state="active", seconds=90
    )


@pytest.mark.parametrize(
    ("kind", "event", "expected"),
    [
        ("", "", "CPU"),
        ("Lock", "transactionid", "locks"),
        ("IO", "DataFileRead", "I/O"),
        ("IO", "WALSync", "WAL"),
        ("IO", "WalSync", "WAL"),
        ("LWLock", "WALWrite", "WAL"),
        ("LWLockNamed", "WALWriteLock", "WAL"),
        ("LWLock", "BufferContent", "internal locks"),
        ("LWLockTranche", "lock_manager", "internal locks"),
        ("Client", "ClientWrite", "client"),
        ("Client", "WalSenderWaitForWAL", "client"),
        ("IPC", "SyncRep", "standbys"),
        ("Timeout", "VacuumDelay", "vacuum delay"),
        ("Timeout", "PgSleep", "something else"),
        ("BufferPin", "BufferPin", "something else"),
    ],
)
def test_each_wait_belongs_to_one_kind(kind: str, event: str, expected: str) -> None:
    assert kind_of(WaitCount(kind=kind, event=event, count=1)) == expected


def test_the_largest_share_is_said_in_one_line() -> None:
    assert verdict_on(waits(Lock=70, none=30)) == (
        "70 % of active time waits for locks: no setting in this plan changes that"
    )
    assert verdict_on(waits(none=60, IO=40)).startswith("60 % of active time is at work")
    assert verdict_on(waits(IO=60, Lock=40)) == "60 % of active time waits for reads and writes of data files"


def test_few_active_sessions_show_no_share() -> None:
    quiet = waits(Lock=19)
    assert verdict_on(quiet) == "19 active sessions in 240 samples: too few to say what sessions wait for"
    assert (shares_of(quiet), trouble_with_locks(quiet)) == ((), None)


@given(st.lists(st.tuples(st.sampled_from(["", "Lock", "IO", "LWLock", "IPC"]), st.integers(1, 500))))
def test_shares_add_up_to_the_whole(entries: list[tuple[str, int]]) -> None:
    counts = tuple(WaitCount(kind=kind, event="e", count=count) for kind, count in entries)
    shares = shares_of(Waits(seconds=9, samples=9, hidden=0, counts=counts))
    if shares:
        assert sum(share.count for share in shares) == sum(count for _, count in entries)
        assert abs(sum(share.percent for share in shares) - 100) <= len(shares)
        assert [share.count for share in shares] == sorted((share.count for share in shares), reverse=True)


@pytest.mark.parametrize(("locks", "expected"), [(19, False), (20, True), (100, True)])
def test_locks_are_a_trouble_from_a_fifth_of_active_time_on(locks: int, *, expected: bool) -> None:
    assert (trouble_with_locks(waits(Lock=locks, none=100 - locks)) is not None) is expected


def test_who_holds_all_others_up_is_named_and_nobody_else_is_to_be_ended() -> None:
    queue = dataclasses.replace(waits(Lock=50), blocked=(blocked(1), blocked(2, 1), blocked(3, 2, 1)))
    trouble = trouble_with_locks(queue)
    assert trouble is not None
    assert (trouble.what, trouble.do) == ("session 1 blocks others", ("SELECT pg_terminate_backend(1);",))
    assert "100 % of active time waits for locks" in trouble.because


def test_a_prepared_transaction_that_blocks_has_no_process_to_end() -> None:
    queue = dataclasses.replace(waits(Lock=50), blocked=(blocked(2, 0),))
    trouble = trouble_with_locks(queue)
    assert trouble is not None
    assert (trouble.what, trouble.do) == ("", ())
    assert next(blocker_tree(queue.blocked)).startswith("a prepared transaction")


def test_chains_are_shown_as_a_tree() -> None:
    rows = list(blocker_tree((blocked(1), blocked(2, 1), blocked(3, 2), blocked(4, 1))))
    assert [(len(row) - len(row.lstrip()), row.split()[1].rstrip(",")) for row in rows] == [
        (0, "1"),
        (2, "2"),
        (4, "3"),
        (2, "4"),
    ]


@given(st.dictionaries(st.integers(1, 8), st.lists(st.integers(0, 9), max_size=3, unique=True)))
def test_every_session_is_shown_once_even_in_a_deadlock(entries: dict[int, list[int]]) -> None:
    sessions = tuple(blocked(pid, *blockers) for pid, blockers in entries.items())
    rows = list(blocker_tree(sessions))
    for session in sessions:
        assert sum(row.lstrip().startswith(f"session {session.pid},") for row in rows) == 1


def test_samples_are_added_up_and_hidden_sessions_kept_apart() -> None:
    how = "as postgres over /tmp, port 1"
    first = WaitSample(seconds=0, how=how, counts=(("Lock", "tuple", 2), ("hidden", "", 3)))
    second = WaitSample(seconds=0.25, how=how, counts=(("Lock", "tuple", 1), ("", "", 5)))
    last = WaitSample(seconds=0.6, how=how, blocked=())
    actual = waits_of(WaitSample.from_json(sample.to_json()) for sample in (first, second, last))
    assert actual == Known(
        Waits(
            seconds=1,
            samples=2,
            hidden=3,
            counts=(
                WaitCount(kind="", event="", count=5),
                WaitCount(kind="Lock", event="tuple", count=3),
            ),
        ),
        f"pg_stat_activity {how}",
    )
    assert isinstance(waits_of([first, last]), Unknown)


@pytest.mark.parametrize("release", [90_500, 90_600, 100_000, 180_000])
def test_a_sample_asks_neither_about_locks_nor_tables(release: int) -> None:
    sql = sample_query(release)
    for costly in ("pg_blocking_pids", "pg_locks", "pg_class"):
        assert costly not in sql
    assert not any(name in sql for name in ("KIND", "EVENT", "OF_CLIENTS", "IS_HIDDEN"))


def test_a_checkup_carries_the_waits_and_says_why_there_are_none() -> None:
    sampled = small_facts(waits=Known(waits(Lock=70, none=30), "sampled"))
    result = checkup(make_plan(sampled, small_answers(), load_knowledge()), load_minor_fixes())
    assert result.waits is not None
    assert "sessions wait for locks" in [trouble.kind for trouble in result.troubles]
    failed = small_facts(waits=Unknown("the connection was lost"))
    result = checkup(make_plan(failed, small_answers(), load_knowledge()), load_minor_fixes())
    assert result.waits is None
    assert "what sessions wait for: the connection was lost" in result.unseen
    unasked = checkup(make_plan(small_facts(), small_answers(), load_knowledge()), load_minor_fixes())
    assert not any("wait for" in reason for reason in unasked.unseen)
