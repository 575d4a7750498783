"""Whether vacuum keeps up on this server: dead rows, tables that are behind, long runs, old ids."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tunewiz.core.facts.server import PostgresServer, Window
from tunewiz.core.facts.tables import Table
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.witness import Needs, Seen, Witness, enough_seen, too_little
from tunewiz.core.server.server_log import server_log
from tunewiz.core.values.known import Known, known_or
from tunewiz.core.values.plural import how_many

DAY = 86_400
HOUR = 3600


def _rows(situation: Situation) -> Needs:
    return Needs(names=("dead_rows", "live_rows"), enough=situation.thresholds.rows, unit="rows")


def vacuum_keeps_up(situation: Situation) -> Iterator[str]:
    """That few rows of every large table are dead, and no run takes too long: vacuum keeps up.

    All rows together would hide the table that is written most, so they alone decide nothing.
    """
    table = hottest_table(situation)
    if table is None or any(vacuum_is_behind(situation)):
        return
    if table.dead_share <= situation.thresholds.few_dead:
        yield f"at most {_percent(table.dead_share)} of a large table's rows are dead ({table.name})"


def hottest_table(situation: Situation) -> Table | None:
    """The large table of whose rows most are dead; None where the tables of some database were not read."""
    match situation.server:
        case PostgresServer(tables=Known(value=databases)) if all(
            isinstance(database.tables, Known) for database in databases
        ):
            large = [table for table in _tables(situation) if table.rows >= situation.thresholds.rows]
            return max(large, key=lambda table: table.dead_share, default=None)
        case _:
            return None


def _percent(share: Fraction) -> str:
    return f"{float(100 * share):.1f} %"


def vacuum_is_behind(situation: Situation) -> Iterator[str]:
    """Tables with many dead rows, and runs so long that changes outpace them."""
    for table in _tables(situation):
        if table.rows >= situation.thresholds.rows and table.dead_share >= situation.thresholds.many_dead:
            share = float(100 * table.dead_share)
            yield f"{share:.0f} % of {table.rows:,} rows of {table.name} are dead"
            break
    longest, where = _longest_run(situation)
    if longest >= situation.thresholds.long_autovacuum.seconds:
        yield f"an autovacuum run takes {_time_in_words(longest)} ({where})"


def _longest_run(situation: Situation) -> tuple[int, str]:
    runs = [(0, "")]
    match situation.server:
        case PostgresServer(sessions=Known(value=sessions)):
            others = f", the longest of {sessions.autovacuums:,}" if sessions.autovacuums > 1 else ""
            runs.append((sessions.longest_autovacuum, f"running now{others}"))
        case _:
            pass
    runs += [(log.longest_autovacuum, how) for log, how in server_log(situation)]
    return max(runs, key=lambda results: results[0])


def few_inserted(situation: Situation) -> Iterator[str]:
    """That no table gathers many new rows between two vacuums."""
    large = [table for table in _tables(situation) if table.live_rows >= situation.thresholds.rows]
    known = [table for table in large if table.inserted_since_vacuum is not None]
    if not large or len(known) < len(large):
        return
    most = max(known, key=_new_rows)
    if _new_rows(most) <= situation.thresholds.few_dead:
        yield f"at most {float(100 * _new_rows(most)):.1f} % of a large table's rows are new ({most.name})"


def _new_rows(table: Table) -> Fraction:
    return Fraction(table.inserted_since_vacuum or 0, max(1, table.live_rows))


def _tables(situation: Situation) -> Iterator[Table]:
    """The tables that were read, the one with the most dead rows first."""
    match situation.server:
        case PostgresServer(tables=Known(value=databases)):
            tables = [table for database in databases for table in known_or(database.tables, ())]
            yield from sorted(tables, key=lambda table: -table.dead_rows)
        case _:
            pass


def freeze_forecast(situation: Situation) -> Iterator[tuple[int, str]]:
    """Seconds until a vacuum against wraparound is forced, and the same in words."""
    for statistics in enough_seen(
        situation, Needs(names=("transaction_age",), enough=1, unit="transactions")
    ):
        left = int(situation.in_force("autovacuum_freeze_max_age")) - statistics.values[0]
        for rate, words in _ids_a_day(situation):
            seconds = max(0, left) * DAY // rate
            when = "it is due" if left <= 0 else f"in {_time_in_words(seconds)}"
            yield seconds, f"{when}, using {words}"
            return


def time_until_age(situation: Situation, age: int, limit: int) -> str | None:
    """The time until the oldest transaction id, of that age, reaches the limit; None without a rate."""
    for rate, described in _ids_a_day(situation):
        return f"{_time_in_words(max(0, limit - age) * DAY // rate)}, using {described}"
    return None


def _ids_a_day(situation: Situation) -> Iterator[tuple[int, str]]:
    """As assigned while the server was watched; otherwise no more than the number of transactions."""
    match situation.server:
        case PostgresServer(window=Known(value=Window() as window)) if window.seconds >= HOUR:
            if isinstance(ids := window.counters.transaction_ids, Known) and ids.value > 0:
                rate = max(1, ids.value * DAY // window.seconds)
                yield rate, f"{rate:,} transaction ids a day"
                return
        case _:
            pass
    for statistics in enough_seen(
        situation, Needs(names=("commits", "rollbacks", "seconds"), enough=1, unit="")
    ):
        commits, rollbacks, seconds = statistics.values
        if seconds >= DAY and commits + rollbacks > 0:
            rate = max(1, (commits + rollbacks) * DAY // seconds)
            yield rate, f"at most {rate:,} transaction ids a day"


def _time_in_words(seconds: int) -> str:
    if seconds >= 2 * DAY:
        return how_many(seconds // DAY, "day")
    return how_many(seconds // HOUR, "hour") if seconds >= 2 * HOUR else how_many(seconds // 60, "minute")


def _told(situation: Situation) -> Iterator[Seen]:
    behind = tuple(vacuum_is_behind(situation))
    yield from (Seen(words=words) for words in behind)
    for statistics in enough_seen(situation, _rows(situation)):
        dead, rows = statistics.values[0], sum(statistics.values)
        yield Seen(
            words=f"{_percent(Fraction(dead, rows))} of {rows:,} rows are dead{_hottest_in_words(situation)}"
        )
        return
    yield from too_little(situation, _rows(situation))


def _hottest_in_words(situation: Situation) -> str:
    table = hottest_table(situation)
    if table is None:
        return "; which tables they are in was not read"
    return f", at most {_percent(table.dead_share)} of a large table's ({table.name})"


def _inserts_told(situation: Situation) -> Iterator[Seen]:
    yield from (Seen(words=words) for words in few_inserted(situation))


def _freeze_told(situation: Situation) -> Iterator[Seen]:
    yield from (Seen(words=f"a vacuum against wraparound {words}") for _, words in freeze_forecast(situation))


DEAD_ROWS = Witness(of="dead rows, in total and by table; the longest autovacuum run", look=_told)
INSERTS = Witness(of="new rows in large tables since their last vacuum", look=_inserts_told)
FREEZING = Witness(of="transaction ids used a day, and the age of the oldest", look=_freeze_told)
