"""Each thing that a server showed of itself moves what it speaks for, leaves the rest alone, and is told."""

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType

import pytest

from shown_servers import MANY, QUIET, ROWS, TABLE, Shown, seen, tables, watched
from situations import situation
from tunewiz.core.facts.counters import Buffers, RoleStatements, Statements
from tunewiz.core.facts.log import LogSeen, SizeClass
from tunewiz.core.facts.server import Curve, PostgresServer, Window
from tunewiz.core.facts.strain import ProcessMemory, Strain
from tunewiz.core.planning.budget import budget_of
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import plan_of
from tunewiz.core.planning.weighing import Weighed
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.verdicts import Advice, Declined, Proposal
from tunewiz.core.recommendation.witness import Witness, unseen
from tunewiz.core.server.role_work import ROLE_JIT, ROLE_SPILLS
from tunewiz.core.server.seen_storage import READS as READS_TIME
from tunewiz.core.server.seen_vacuum import DEAD_ROWS, FREEZING, INSERTS
from tunewiz.core.server.seen_work import FULL_PAGES, IDLE, JIT, SESSIONS, WAL_BUFFERS
from tunewiz.core.values.known import Known
from tunewiz.core.values.units import GIB, KIB, MIB, Bytes
from tunewiz.core.words.weighing import weighing_in_words
from tunewiz.knowledge.loading import load_knowledge
from watched import NOT_READ, activity, window

CATALOGUE = load_knowledge().catalogue
DAY, HOUR = 86_400, 3_600


def finding(entry: Situation, name: str) -> Finding:
    return next(item for item in plan_of(CATALOGUE, entry).findings if item.recommendation.id == name)


def reason_of(entry: Finding) -> str:
    computed = "" if isinstance(entry.verdict, Declined) else entry.verdict.computed
    return f"{entry.because}; {computed}"


def spilling(calls: int) -> Shown:
    """Of one role, whose calls wrote 16 MiB each."""
    spills = (SizeClass(at_most=Bytes(16 * MIB), files=calls),)
    reports = RoleStatements(
        role="reports",
        calls=1_000_000,
        run_ms=100,
        jit_ms=70,
        spills=spills,
        is_superuser=False,
        can_log_in=True,
        connection_limit=4,
    )
    shop = dataclasses.replace(reports, role="shop", jit_ms=0, spills=())
    statements = Statements(calls=2_000_000, run_ms=200, jit_ms=70, spills=spills, roles=(reports, shop))
    return Shown(statements=Known(statements, "test"))


def test_few_sessions_at_work_need_no_pool_and_leave_each_more_memory() -> None:
    few = seen(MANY, watched(MANY, sessions=dataclasses.replace(QUIET, active=6, idle=900)))
    busy = seen(MANY, watched(MANY, sessions=dataclasses.replace(QUIET, active=400, idle=900)))
    assert isinstance(finding(few, "host.connection_pool").verdict, Declined)
    assert "2 x the 6 sessions active at once" in finding(few, "host.connection_pool").because
    assert isinstance(finding(busy, "host.connection_pool").verdict, Advice)
    sizes = [
        entry.settings["work_mem"].size(finding(entry, "pg.work_mem").sets or "4MB") for entry in (busy, few)
    ]
    assert sizes[0] < sizes[1]


def test_a_short_look_at_the_sessions_decides_nothing_and_says_so() -> None:
    short = seen(MANY, watched(MANY, sessions=dataclasses.replace(QUIET, active=6), seconds=60))
    result = finding(short, "host.connection_pool")
    assert isinstance(result.verdict, Advice)
    assert isinstance(result.weighed, Weighed)
    assert result.weighed.sure == "too little"
    assert "too little was seen" in weighing_in_words(result)


def test_sessions_that_idle_in_transactions_are_advised_against_and_others_are_not() -> None:
    name, usual = "pg.idle_in_transaction_session_timeout", Given()
    long = dataclasses.replace(QUIET, longest_idle_in_transaction=HOUR)
    bad = finding(seen(usual, Shown(sessions=Known(long, "now"))), name)
    assert isinstance(bad.verdict, Advice)
    assert "idle in its transaction for 60 min" in bad.because
    good = finding(seen(usual, watched(usual)), name)
    assert isinstance(good.verdict, Declined)
    assert good.state == "keep"


SAN = Given(disk="san", database_size="2TB")
READS = 1_000_000


def test_fast_reads_set_what_a_san_hides() -> None:
    fast = seen(SAN, watched(SAN, blocks_read=READS, read_us=READS * 90))
    result = finding(fast, "pg.random_page_cost")
    assert isinstance(result.verdict, Proposal)
    assert result.verdict.value == "1.1"
    assert "0.09 ms" in reason_of(result)
    between = seen(SAN, watched(SAN, blocks_read=READS, read_us=READS * 2_000))
    assert finding(between, "pg.random_page_cost").state == "declined"


def test_fast_reads_since_a_reset_may_not_all_have_been_timed() -> None:
    since = Shown(activity=activity(blocks_read=READS, read_us=READS * 90))
    assert isinstance(finding(seen(SAN, since), "pg.random_page_cost").verdict, Declined)


SAN_OF_18 = Given(disk="san", database_size="2TB", major="18")


def read_calls(pages: int, microseconds: int) -> Shown:
    """As 18 counts them, beside a mean of a page that large scans made short."""
    return watched(
        SAN_OF_18,
        blocks_read=100 * READS,
        read_us=100 * READS * 60,
        read_calls=READS,
        read_call_bytes=READS * pages * 8 * KIB,
        read_call_us=READS * microseconds,
    )


def test_a_server_that_counts_reads_is_judged_by_the_mean_read_and_not_by_the_mean_page() -> None:
    fast = finding(seen(SAN_OF_18, read_calls(1, 90)), "pg.random_page_cost")
    assert fast.sets == "1.1"
    assert "a read of 8 KiB on average takes 0.09 ms" in reason_of(fast)
    slow = finding(seen(SAN_OF_18, read_calls(1, 9_000)), "pg.random_page_cost")
    assert isinstance(slow.verdict, Declined)
    assert "a read of 8 KiB on average takes 9 ms" in weighing_in_words(slow)


def test_short_reads_of_many_pages_show_no_fast_storage() -> None:
    scans = seen(SAN_OF_18, read_calls(5, 90))
    assert finding(scans, "pg.random_page_cost").state == "declined"


def test_the_mean_time_of_a_page_shows_no_fast_storage_where_a_read_takes_several() -> None:
    fast = seen(SAN_OF_18, watched(SAN_OF_18, blocks_read=READS, read_us=READS * 90))
    assert finding(fast, "pg.random_page_cost").state == "declined"
    slow = seen(Given(disk="ssd", major="18"), watched(SAN_OF_18, blocks_read=READS, read_us=READS * 9_000))
    assert "although the storage is ssd" in finding(slow, "pg.random_page_cost").because


def test_slow_reads_contradict_what_storage_is_called() -> None:
    called = Given(disk="ssd")
    since = Shown(activity=activity(blocks_read=READS, read_us=READS * 9_000))
    result = finding(seen(called, since), "pg.random_page_cost")
    assert isinstance(result.verdict, Declined)
    assert "although the storage is ssd" in result.because


@pytest.mark.parametrize(
    ("workload", "jit_ms", "state"),
    [
        ("oltp", 1, "keep"),
        ("oltp", 500_000, "change"),
        ("analytics", 50_000, "declined"),
        ("analytics", 500_000, "advise"),
    ],
)
def test_the_time_that_compiling_takes_decides_about_jit(workload: str, jit_ms: int, state: str) -> None:
    given = Given(workload="oltp" if workload == "oltp" else "analytics", major="16")
    statements = Statements(calls=1_000_000, run_ms=1_000_000, jit_ms=jit_ms, spills=())
    assert finding(seen(given, Shown(statements=Known(statements, ""))), "pg.jit").state == state


WRITES = Given(cores=16, built_with={"wal_compression": ("pglz", "lz4", "on", "off")})
PAGE = 8 * KIB


@pytest.mark.parametrize(("pages", "states"), [(100, ("keep", "keep")), (90_000, ("change", "change"))])
def test_few_whole_pages_in_the_wal_need_no_compression_and_no_longer_checkpoints(
    pages: int, states: tuple[str, str]
) -> None:
    result = seen(WRITES, Shown(activity=activity(wal_bytes=GIB, full_pages=pages)))
    names = ("pg.wal_compression", "pg.checkpoint_timeout")
    assert tuple(finding(result, name).state for name in names) == states


@pytest.mark.parametrize(("times", "value"), [(100, ""), (2_000, "64MB")])
def test_full_wal_buffers_are_made_larger(times: int, value: str) -> None:
    one = window(seconds=HOUR, wal_buffers_full=times).value
    hour = dataclasses.replace(one, counters=dataclasses.replace(one.counters, seconds=Known(HOUR, "test")))
    result = seen(Given(), Shown(window=Known(hour, "watched")))
    assert finding(result, "pg.wal_buffers").sets == value


def test_full_wal_buffers_since_the_reset_may_be_of_one_load_and_decide_nothing() -> None:
    result = seen(Given(), Shown(activity=activity(seconds=HOUR, wal_buffers_full=2_000)))
    assert finding(result, "pg.wal_buffers").state == "keep"


def curve(entry: Situation, *, seconds: int, values: tuple[int, ...]) -> Situation:
    assert isinstance(entry.server, PostgresServer)
    one = window(seconds=seconds, wal_bytes=seconds * sum(values) // len(values)).value
    drawn = dataclasses.replace(one, curves=(Curve(counted="wal_bytes", values=values),))
    server = dataclasses.replace(entry.server, window=Known(drawn, "watched"))
    return dataclasses.replace(
        entry, server=server, facts=dataclasses.replace(entry.facts, postgres=(server,))
    )


def test_the_busiest_hour_counts_for_the_wal_not_the_mean_of_a_day() -> None:
    usual = situation(Given(recovery_time="1h", free_space="90TB", disk="nvme"))
    quiet = curve(usual, seconds=DAY, values=(MIB,) * 24)
    busy = curve(usual, seconds=DAY, values=(*(MIB,) * 23, 60 * MIB))
    result = [finding(entry, "pg.max_wal_size") for entry in (quiet, busy)]
    assert "60 MiB/s at the peak" in reason_of(result[1])
    assert "at the peak" not in reason_of(result[0])
    sizes = [usual.settings["max_wal_size"].size(entry.sets) for entry in result]
    assert sizes[0] < sizes[1]


def test_the_most_wal_between_two_checkpoints_in_the_log_counts() -> None:
    log = LogSeen(files=1, size=Bytes(GIB), damaged=0, checkpoints_timed=50, largest_distance=Bytes(9 * GIB))
    given = Given(free_space="90TB", recovery_time="15min", disk="nvme")
    assert "9 GiB between two checkpoints in the log" in reason_of(
        finding(seen(given, Shown(log=Known(log, "the log"))), "pg.max_wal_size")
    )
    few = dataclasses.replace(log, checkpoints_timed=2)
    assert "between two checkpoints in" not in reason_of(
        finding(seen(given, Shown(log=Known(few, "the log"))), "pg.max_wal_size")
    )


def test_memory_that_tasks_waited_for_is_not_given_away() -> None:
    short = Strain(seconds=Known(DAY, ""), stalled_us=Known(DAY * 50_000, ""))
    outcome = seen(Given(), Shown(strain=short))
    for name in ("pg.shared_buffers", "pg.work_mem", "pg.maintenance_work_mem"):
        result = finding(outcome, name)
        assert result.state == "advise"
        assert "tasks waited for memory 5 % of the time" in result.because
    assert finding(outcome, "kernel.swappiness").state == "change"
    assert finding(situation(Given()), "kernel.swappiness").state == "advise"
    relaxed = Strain(seconds=Known(DAY, ""), stalled_us=Known(1, ""))
    assert finding(seen(Given(), Shown(strain=relaxed)), "pg.shared_buffers").state == "change"


SHORT = Strain(seconds=Known(DAY, ""), stalled_us=Known(DAY * 50_000, ""))


def while_watched(strain: Strain) -> Known[Window]:
    return Known(dataclasses.replace(window(seconds=2 * HOUR).value, strain=strain), "watched")


def test_memory_while_watched_counts_before_memory_since_the_boot() -> None:
    relaxed = Strain(seconds=Known(2 * HOUR, ""), stalled_us=Known(1, ""))
    brief = Strain(seconds=Known(60, ""), stalled_us=Known(1, ""))
    states = [
        finding(seen(Given(), Shown(window=while_watched(strain), strain=since)), "pg.shared_buffers").state
        for strain, since in ((relaxed, SHORT), (SHORT, relaxed), (brief, SHORT))
    ]
    assert states == ["change", "advise", "advise"]
    result = finding(seen(Given(), Shown(window=while_watched(SHORT))), "kernel.swappiness")
    assert "5 % of the time in this window of 120 min" in weighing_in_words(result)


def test_a_machine_that_was_just_booted_says_too_little_of_its_memory() -> None:
    booted = Strain(seconds=Known(60, ""), stalled_us=Known(60_000_000, ""))
    result = finding(seen(Given(), Shown(strain=booted)), "kernel.swappiness")
    assert isinstance(result.weighed, Weighed)
    assert result.weighed.sure == "too little"
    assert "booted 60 s ago" in weighing_in_words(result)


def test_what_is_free_says_nothing_while_the_server_is_stopped() -> None:
    given = Given(available="10GB", running=False)
    shown = Shown(strain=Strain(seconds=Known(DAY, "")))
    assert finding(seen(given, shown), "pg.effective_cache_size").sets == "48GB"


def test_what_processes_have_for_themselves_counts_if_it_is_more_than_usual() -> None:
    usual, large, small = (
        budget_of(seen(Given(), Shown(process_memory=fact))).connections
        for fact in (
            NOT_READ,
            Known(ProcessMemory(processes=50, own=Bytes(GIB), largest=Bytes(GIB)), ""),
            Known(ProcessMemory(processes=50, own=Bytes(MIB), largest=Bytes(MIB)), ""),
        )
    )
    assert small == usual < large


VACUUMED = activity(dead_rows=1_000, live_rows=100 * ROWS)
LARGE = Given(database_size="2TB", disk="nvme", cores=16)


@pytest.mark.parametrize(
    ("shown", "behind"),
    [
        (Shown(activity=VACUUMED, tables=tables(TABLE)), ""),
        (Shown(activity=VACUUMED), " "),
        (
            Shown(
                activity=VACUUMED,
                tables=tables(TABLE, dataclasses.replace(TABLE, name="queue", dead_rows=ROWS // 10)),
            ),
            " ",
        ),
        (
            Shown(activity=VACUUMED, tables=tables(dataclasses.replace(TABLE, dead_rows=ROWS))),
            "50 % of 2,000,000 rows of orders are dead",
        ),
        (
            Shown(
                activity=VACUUMED,
                sessions=Known(dataclasses.replace(QUIET, longest_autovacuum=9 * HOUR), "now"),
            ),
            "an autovacuum run takes 9 hours",
        ),
        (
            Shown(
                activity=VACUUMED,
                log=Known(
                    LogSeen(files=1, size=Bytes(GIB), damaged=0, longest_autovacuum=7 * HOUR), "the log"
                ),
            ),
            "autovacuum run takes 7 hours (the log)",
        ),
    ],
    ids=[
        "all is well",
        "tables not read",
        "the hottest table is not",
        "one table is not",
        "a run does not end",
        "one took long",
    ],
)
def test_one_table_or_one_run_that_is_behind_is_not_hidden_by_the_rest(shown: Shown, behind: str) -> None:
    result = finding(seen(LARGE, shown), "pg.autovacuum_vacuum_cost_limit")
    assert isinstance(result.verdict, Proposal if behind else Declined)
    assert behind in reason_of(result)


@pytest.mark.parametrize(("inserted", "state"), [(1_000, "keep"), (ROWS, "advise")])
def test_new_rows_decide_how_soon_they_are_frozen(inserted: int, state: str) -> None:
    table = dataclasses.replace(TABLE, inserted_since_vacuum=inserted)
    result = finding(seen(LARGE, Shown(tables=tables(table))), "pg.autovacuum_vacuum_insert_scale_factor")
    assert result.state == state


def test_a_vacuum_against_wraparound_is_forecast() -> None:
    outcome = seen(LARGE, watched(LARGE, seconds=HOUR, transaction_ids=1_000_000))
    assert isinstance(outcome.server, PostgresServer)
    server = dataclasses.replace(outcome.server, activity=activity(transaction_age=100_000_000))
    facts = dataclasses.replace(outcome.facts, postgres=(server,))
    result = finding(dataclasses.replace(outcome, server=server, facts=facts), "pg.autovacuum_freeze_max_age")
    assert "in 4 days, using 24,000,000 transaction ids a day" in result.because


@pytest.mark.parametrize(("used", "state"), [(1_000, "keep"), (16_384, "change")])
def test_buffers_that_were_never_needed_are_enough(used: int, state: str) -> None:
    shown = Shown(
        activity=activity(blocks_hit=900_000, blocks_read=900_000, commits=10),
        buffers=Known(Buffers(pages=16_384, used=used, popular=used), ""),
    )
    assert finding(seen(Given(), shown), "pg.shared_buffers").state == state


def test_what_is_free_or_cached_a_day_after_the_start_bounds_what_the_planner_counts_on() -> None:
    given = Given(available="10GB")
    day, hour = (
        finding(seen(given, Shown(strain=Strain(seconds=Known(up, "")))), "pg.effective_cache_size")
        for up in (DAY, HOUR)
    )
    assert (day.sets, hour.sets) == ("10GB", "48GB")
    assert "10 GiB free or cached" in reason_of(day)


def test_statements_tell_what_holds_most_spills() -> None:
    spills = (SizeClass(at_most=Bytes(MIB), files=98), SizeClass(at_most=Bytes(GIB), files=2))
    statements = Statements(calls=1_000, run_ms=1, jit_ms=0, spills=spills)
    result = finding(seen(Given(), Shown(statements=Known(statements, ""))), "pg.work_mem")
    assert "95 % of 100 calls that spilled in pg_stat_statements wrote 1 MiB or less" in weighing_in_words(
        result
    )


def test_what_would_be_without_is_what_a_server_that_nobody_looked_at_gets() -> None:
    result = seen(LARGE, Shown(activity=VACUUMED))
    priors = {
        item.recommendation.id: item.weighed.prior
        for item in plan_of(CATALOGUE, result).findings
        if isinstance(item.weighed, Weighed)
    }
    alone = plan_of(CATALOGUE, unseen(result))
    for entry in alone.findings:
        if isinstance(entry.weighed, Weighed):
            assert entry.weighed.sure == "not seen"
            if entry.recommendation.id.startswith("pg.autovacuum"):
                assert entry.weighed.posterior == priors[entry.recommendation.id]


FEW_ROWS = activity(dead_rows=10, live_rows=100)
TOLD: Mapping[str, tuple[Witness, Shown, str]] = MappingProxyType(
    {
        "dead rows": (DEAD_ROWS, Shown(activity=VACUUMED), "0.0 % of 100,001,000 rows are dead"),
        "one table": (
            DEAD_ROWS,
            Shown(activity=VACUUMED, tables=tables(dataclasses.replace(TABLE, dead_rows=ROWS))),
            "50 % of 2,000,000 rows of orders are dead",
        ),
        "few rows": (DEAD_ROWS, Shown(activity=FEW_ROWS), "too little was seen: 110 rows"),
        "inserts": (INSERTS, Shown(tables=tables(TABLE)), "0.0 % of a large table's rows are new"),
        "freezing": (
            FREEZING,
            Shown(activity=activity(transaction_age=1, commits=9, rollbacks=0, seconds=DAY)),
            "at most 9 transaction ids a day",
        ),
        "sessions": (
            SESSIONS,
            watched(MANY),
            "at most 0 active, 0 idle, 0 idle in transactions, 0 waiting for locks at once",
        ),
        "idle": (IDLE, watched(MANY), "no session was idle in its transaction for longer than 0"),
        "reads": (READS_TIME, watched(SAN, blocks_read=READS, read_us=READS * 90), "a page takes 0.09 ms"),
        "few reads": (
            READS_TIME,
            watched(SAN, blocks_read=9, read_us=9),
            "too little was seen: 9 timed reads",
        ),
        "jit": (
            JIT,
            Shown(statements=Known(Statements(calls=1_000_000, run_ms=100, jit_ms=7, spills=()), "")),
            "compilation took 7 % of the time of 1,000,000 statements",
        ),
        "one role spills": (
            ROLE_SPILLS,
            spilling(5_000),
            "5,000 calls wrote 16 MiB or less, about 3 times that in memory; it may have 4 sessions",
        ),
        "hardly anybody spills": (
            ROLE_SPILLS,
            spilling(7),
            "too little was seen: 7 calls that spilled",
        ),
        "one role compiles": (
            ROLE_JIT,
            spilling(5_000),
            "compilation took 70 % of the time of 1,000,000 calls of reports",
        ),
        "few statements": (
            JIT,
            Shown(statements=Known(Statements(calls=7, run_ms=100, jit_ms=7, spills=()), "")),
            "too little was seen: 7 statements",
        ),
        "whole pages": (
            FULL_PAGES,
            Shown(activity=activity(wal_bytes=GIB, full_pages=131_072)),
            "full-page images: at most 100 % of 1 GiB of WAL",
        ),
        "little WAL": (
            FULL_PAGES,
            Shown(activity=activity(wal_bytes=7, full_pages=1)),
            "too little was seen: 7 bytes of WAL",
        ),
        "full buffers": (
            WAL_BUFFERS,
            Shown(activity=activity(seconds=2 * HOUR, wal_buffers_full=8)),
            "WAL buffers were full 4 times an hour",
        ),
        "a minute": (
            WAL_BUFFERS,
            Shown(activity=activity(seconds=60, wal_buffers_full=8)),
            "too little was seen: 60 seconds",
        ),
    }
)


@pytest.mark.parametrize(("witness", "shown", "words"), TOLD.values(), ids=TOLD)
def test_a_witness_tells_what_was_seen_or_how_much_would_do(
    witness: Witness, shown: Shown, words: str
) -> None:
    told_now = next(iter(witness.look(seen(Given(major="16"), shown))))
    assert told_now.enough is not told_now.words.startswith("too little")
    assert words in told_now.words


def test_a_server_that_nobody_looked_at_has_no_witness() -> None:
    result = seen(Given(major="16"), Shown())
    for recommendation in CATALOGUE:
        assert [
            told_now.words for witness in recommendation.witnesses for told_now in witness.look(result)
        ] == []
