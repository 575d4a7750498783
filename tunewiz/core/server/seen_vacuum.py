"""Whether vacuum keeps up on this server: dead rows, tables that are behind, long runs, old ids."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tunewiz.core.facts.server import PostgresServer, Window
from tunewiz.core.facts.tables import Table
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.witness import Needs, Seen, Witness, enough_seen, too_little
from tunewiz.core.server.own_numbers import while_counting
from tunewiz.core.server.server_log import server_log
from tunewiz.core.values.known import Known, known_or
from tunewiz.core.values.plural import how_many

DAY = 86_400
HOUR = 3600


def _rows(now: Situation) -> Needs:
    return Needs(names=("dead_rows", "live_rows"), enough=now.seen.rows, unit="rows")


def vacuum_keeps_up(now: Situation) -> Iterator[str]:
    """That few rows are dead, also in every single table, and no run takes too long: vacuum keeps up."""
    if any(vacuum_is_behind(now)):
        return
    for seen in enough_seen(now, _rows(now)):
        dead, rows = seen.values[0], sum(seen.values)
        if dead <= rows * now.seen.few_dead:
            yield f"{float(100 * Fraction(dead, rows)):.1f} % of {rows:,} rows are dead"


def vacuum_is_behind(now: Situation) -> Iterator[str]:
    """Tables with many dead rows, and runs so long that changes outpace them."""
    for table in _tables(now):
        rows = table.live_rows + table.dead_rows
        if rows >= now.seen.rows and table.dead_rows >= rows * now.seen.many_dead:
            share = float(100 * Fraction(table.dead_rows, rows))
            yield f"{share:.0f} % of {rows:,} rows of {table.name} are dead"
            break
    longest, where = _longest_run(now)
    if longest >= now.seen.long_autovacuum.seconds:
        yield f"an autovacuum run takes {_time_in_words(longest)} ({where})"


def _longest_run(now: Situation) -> tuple[int, str]:
    runs = [(0, "")]
    match now.server:
        case PostgresServer(sessions=Known(value=seen)):
            others = f", the longest of {seen.autovacuums:,}" if seen.autovacuums > 1 else ""
            runs.append((seen.longest_autovacuum, f"running now{others}"))
        case _:
            pass
    runs += [(seen.longest_autovacuum, how) for seen, how in server_log(now)]
    return max(runs, key=lambda each: each[0])


def few_inserted(now: Situation) -> Iterator[str]:
    """That no table gathers many new rows between two vacuums."""
    large = [each for each in _tables(now) if each.live_rows >= now.seen.rows]
    known = [each for each in large if each.inserted_since_vacuum is not None]
    if not large or len(known) < len(large):
        return
    most = max(known, key=_new_rows)
    if _new_rows(most) <= now.seen.few_dead:
        yield f"at most {float(100 * _new_rows(most)):.1f} % of a large table's rows are new ({most.name})"


def _new_rows(table: Table) -> Fraction:
    return Fraction(table.inserted_since_vacuum or 0, max(1, table.live_rows))


def _tables(now: Situation) -> Iterator[Table]:
    """The tables that were read, the one with the most dead rows first."""
    match now.server:
        case PostgresServer(tables=Known(value=databases)):
            found = [each for database in databases for each in known_or(database.tables, ())]
            yield from sorted(found, key=lambda each: -each.dead_rows)
        case _:
            pass


def freeze_forecast(now: Situation) -> Iterator[tuple[int, str]]:
    """Seconds until a vacuum against wraparound is forced, and the same in words."""
    for seen in enough_seen(now, Needs(names=("transaction_age",), enough=1, unit="transactions")):
        left = int(while_counting(now, "autovacuum_freeze_max_age")) - seen.values[0]
        for rate, words in _ids_a_day(now):
            seconds = max(0, left) * DAY // rate
            when = "it is due" if left <= 0 else f"in {_time_in_words(seconds)}"
            yield seconds, f"{when}, using {words}"
            return


def time_until_age(situation: Situation, age: int, limit: int) -> str | None:
    """The time until the oldest transaction id, of that age, reaches the limit; None without a rate."""
    for rate, described in _ids_a_day(situation):
        return f"{_time_in_words(max(0, limit - age) * DAY // rate)}, using {described}"
    return None


def _ids_a_day(now: Situation) -> Iterator[tuple[int, str]]:
    """As assigned while the server was watched; otherwise no more than the number of transactions."""
    match now.server:
        case PostgresServer(window=Known(value=Window() as window)) if window.seconds >= HOUR:
            if isinstance(ids := window.counters.transaction_ids, Known) and ids.value > 0:
                rate = max(1, ids.value * DAY // window.seconds)
                yield rate, f"{rate:,} transaction ids a day"
                return
        case _:
            pass
    for seen in enough_seen(now, Needs(names=("commits", "rollbacks", "seconds"), enough=1, unit="")):
        commits, rollbacks, seconds = seen.values
        if seconds >= DAY and commits + rollbacks > 0:
            rate = max(1, (commits + rollbacks) * DAY // seconds)
            yield rate, f"at most {rate:,} transaction ids a day"


def _time_in_words(seconds: int) -> str:
    if seconds >= 2 * DAY:
        return how_many(seconds // DAY, "day")
    return how_many(seconds // HOUR, "hour") if seconds >= 2 * HOUR else how_many(seconds // 60, "minute")


def _told(now: Situation) -> Iterator[Seen]:
    behind = tuple(vacuum_is_behind(now))
    yield from (Seen(words=words) for words in behind)
    for seen in enough_seen(now, _rows(now)):
        dead, rows = seen.values[0], sum(seen.values)
        yield Seen(words=f"{float(100 * Fraction(dead, rows)):.1f} % of {rows:,} rows are dead")
        return
    yield from too_little(now, _rows(now))


def _inserts_told(now: Situation) -> Iterator[Seen]:
    yield from (Seen(words=words) for words in few_inserted(now))


def _freeze_told(now: Situation) -> Iterator[Seen]:
    yield from (Seen(words=f"a vacuum against wraparound {words}") for _, words in freeze_forecast(now))


DEAD_ROWS = Witness(of="dead rows, in total and by table; the longest autovacuum run", look=_told)
INSERTS = Witness(of="new rows in large tables since their last vacuum", look=_inserts_told)
FREEZING = Witness(of="transaction ids used a day, and the age of the oldest", look=_freeze_told)
