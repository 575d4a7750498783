"""What was collected of locks, swap, syncs, idle transactions and old statistics is told where it helps."""

import dataclasses

import pytest

from shown_servers import MANY, QUIET, TABLE, Shown, seen, tables, watched
from situations import situation
from tunewiz.core.facts.log import LogSeen
from tunewiz.core.facts.strain import Strain
from tunewiz.core.planning.lock_waits import lock_waits
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.observed import Look, idle_transactions, mean_sessions, wal_syncs
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.seen_memory import MEMORY, memory_is_short
from tunewiz.core.tables.sights import sights_of
from tunewiz.core.values.known import Absent, Known
from tunewiz.core.values.units import GIB, Bytes
from watched import activity

DAY = 86_400
NO_PSI = Absent("the kernel does not count it")


def waiting(active: int, waits: int) -> Situation:
    return seen(MANY, watched(MANY, sessions=dataclasses.replace(QUIET, active=active, waiting=waits)))


def logged(waits: int) -> Situation:
    return seen(
        MANY, Shown(log=Known(LogSeen(files=1, size=Bytes(GIB), damaged=0, lock_waits=waits), "a.log"))
    )


@pytest.mark.parametrize(
    ("waiting_server", "words"),
    [
        (waiting(40, 10), "up to 10 at once, with up to 40 sessions active"),
        (logged(100), "100 waits longer than deadlock_timeout in a.log"),
    ],
)
def test_sessions_that_wait_for_locks_are_warned_of(waiting_server: Situation, words: str) -> None:
    ((code, text),) = lock_waits(waiting_server)
    assert code == "lock_waits"
    assert words in text


def counted(waits: int, milliseconds: int, *, logged: int = 0) -> Situation:
    """A server that counts long waits itself, among 1,000 s of its sessions' work."""
    counts = activity(lock_waits=waits, lock_wait_ms=milliseconds, active_ms=1_000_000)
    log = LogSeen(files=1, size=Bytes(GIB), damaged=0, lock_waits=logged)
    return seen(MANY, Shown(activity=counts, log=Known(log, "a.log")))


def test_a_server_that_counts_waits_itself_is_asked_before_its_log() -> None:
    ((_, text),) = lock_waits(counted(100, 10_000, logged=500))
    assert "100 waits longer than deadlock_timeout since 2026-10-01, which took 1 % of the time" in text
    assert "a.log" not in text


@pytest.mark.parametrize(
    "quiet_server", [counted(99, 900_000), counted(100, 9_999), counted(3, 9, logged=500)]
)
def test_waits_that_the_server_counts_as_few_or_short_are_not_warned_of(quiet_server: Situation) -> None:
    assert list(lock_waits(quiet_server)) == []


@pytest.mark.parametrize("quiet_server", [waiting(41, 10), waiting(1, 1), logged(99), situation()])
def test_a_few_waits_are_not(quiet_server: Situation) -> None:
    assert list(lock_waits(quiet_server)) == []


def strained(**counts: int) -> Situation:
    named = {name: Known(count, "/proc") for name, count in counts.items()}
    strain = dataclasses.replace(Strain(stalled_us=NO_PSI), **named)
    return seen(Given(), Shown(strain=strain))


def test_pages_that_come_back_from_swap_tell_that_memory_is_short_where_stalls_are_not_counted() -> None:
    (words,) = memory_is_short(strained(seconds=DAY, swapped_in=10 * DAY))
    assert words == "pages read back from swap: 10 a second since the machine was booted"
    assert list(memory_is_short(strained(seconds=DAY, swapped_in=10 * DAY - 1))) == []
    assert list(memory_is_short(strained(seconds=60, swapped_in=10 * DAY))) == []


def test_stalls_that_are_counted_come_before_swap() -> None:
    assert list(memory_is_short(strained(seconds=DAY, swapped_in=10 * DAY, stalled_us=0))) == []


def test_what_left_the_page_cache_too_soon_is_told() -> None:
    result = [entry.words for entry in MEMORY.look(strained(seconds=DAY, refaults=DAY))]
    assert result == [
        "pages read again soon after they left the page cache: 1 a second since the machine was booted"
    ]


@pytest.mark.parametrize(
    ("look", "counted", "figure", "means", "opposes"),
    [
        (wal_syncs, {"wal_syncs": 1_000, "wal_sync_us": 12_000_000}, "takes 12 ms", "without a write", False),
        (wal_syncs, {"wal_syncs": 1_000, "wal_sync_us": 200_000}, "takes 0.2 ms", "as on flash", True),
        (
            idle_transactions,
            {"idle_in_transaction_ms": 6_000_000, "active_ms": 2_000_000},
            "idle 75.0 % of the time",
            "wait for the application",
            False,
        ),
        (
            idle_transactions,
            {"idle_in_transaction_ms": 1_000_000, "active_ms": 9_000_000},
            "idle 10.0 % of the time",
            "mostly work",
            True,
        ),
        (
            mean_sessions,
            {"seconds": DAY, "session_ms": 200_000 * DAY, "active_ms": 3_000 * DAY},
            "3 of 200 sessions were at work on average",
            "an average",
            True,
        ),
    ],
)
def test_an_observation_says_what_a_counter_means(
    look: Look, counted: dict[str, int], figure: str, means: str, *, opposes: bool
) -> None:
    (observation,) = look(seen(Given(), Shown(activity=activity(**counted))))
    assert figure in observation.figure
    assert means in observation.means
    assert observation.opposes is opposes


@pytest.mark.parametrize(
    ("look", "counted"),
    [
        (wal_syncs, {"wal_syncs": 999, "wal_sync_us": 12_000_000}),
        (wal_syncs, {"wal_syncs": 1_000_000, "wal_sync_us": 0}),
        (idle_transactions, {"idle_in_transaction_ms": 1_000, "active_ms": 1_000}),
        (mean_sessions, {"seconds": 60, "session_ms": 1_000, "active_ms": 1_000}),
    ],
)
def test_too_little_yields_no_observation(look: Look, counted: dict[str, int]) -> None:
    assert list(look(seen(Given(), Shown(activity=activity(**counted))))) == []


def kinds(dead: int, changed: int, *, analyzed: str = "", **options: str) -> dict[str, str]:
    table = dataclasses.replace(
        TABLE, dead_rows=dead, changed_since_analyze=changed, last_autoanalyze=analyzed, options=options
    )
    (database,) = tables(table).value
    return {sight.kind: sight.because for sight in sights_of(table, database, situation())}


def test_statistics_are_stale_and_dead_rows_stay_far_beyond_what_starts_autovacuum() -> None:
    result = kinds(dead=600_150, changed=300_150, analyzed="2026-10-01T12:00:00Z")
    assert "the last analyze was on 2026-10-01" in result["stale statistics"]
    assert "no vacuum is on record" in result["dead rows"]


def test_a_table_that_waits_its_turn_is_left_alone() -> None:
    assert kinds(dead=600_149, changed=300_149) == {}


def test_a_table_s_own_options_say_when_autovacuum_starts() -> None:
    own = {"autovacuum_analyze_scale_factor": "0.01", "autovacuum_analyze_threshold": "0"}
    assert set(kinds(0, 30_000, **own)) == {"stale statistics"}
    assert kinds(0, 29_999, **own) == {}


def due(**changed: int) -> set[str]:
    """Kinds of sights of a table of which the server itself told how far it is from autovacuum."""
    table = dataclasses.replace(TABLE, **changed)  # type: ignore[arg-type]
    (database,) = tables(table).value
    return {sight.kind for sight in sights_of(table, database, situation())}


def test_what_the_server_says_of_its_next_autovacuum_counts_more_than_the_settings() -> None:
    assert due(dead_rows=100_000, vacuum_due=300) == {"dead rows"}
    assert due(dead_rows=700_000, vacuum_due=299) == set()
    assert due(changed_since_analyze=1_000, analyze_due=300) == {"stale statistics"}
    assert due(changed_since_analyze=400_000, analyze_due=299) == set()


def test_a_server_that_weighs_vacuum_with_nothing_is_judged_by_its_settings() -> None:
    assert due(dead_rows=600_150, vacuum_due=0) == {"dead rows"}
    assert due(dead_rows=600_149, vacuum_due=0) == set()


@pytest.mark.parametrize("factor", ["much", "-1e99", "1e999999999"])
def test_an_option_that_is_no_number_judges_nothing(factor: str) -> None:
    assert kinds(0, 10**12, autovacuum_analyze_scale_factor=factor) == {}
