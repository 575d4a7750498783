"""What active sessions wait for, as the process that samples it tells: the statements, and what follows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, LiteralString

from tunewiz.core.facts.waits import BlockedSession, WaitCount, Waits
from tunewiz.core.values.known import Fact, Known, Unknown

FIRST_EVENTS = 90_600
"""Wait events, and pg_blocking_pids."""
_FIRST_TYPES = 100_000
MIN_SAMPLES = 2
WAIT_PAUSE = 0.25
"""Seconds from one look to the next on a server that answers at once."""

# Grouped by the server, whose view joins names only where they are wanted: a look opens no table and asks
# nobody about locks.
_SAMPLE: LiteralString = """
    select coalesce(json_agg(json_build_array(w.kind, w.event, w.count)), '[]')::text from (
        select case when IS_HIDDEN then 'hidden' else KIND end as kind,
               case when IS_HIDDEN then '' else EVENT end as event, count(*) as count
        from pg_stat_activity as a
        where a.pid <> pg_backend_pid() and (a.state = 'active' or a.usesysid is not null and IS_HIDDEN)
              and OF_CLIENTS
        group by 1, 2) as w"""

# Once, and for few: every call stops all lock traffic of the server for a moment.
CHAINS: LiteralString = """
    with waiting as (
        select q.pid, pg_blocking_pids(q.pid) as blockers from (
            select pid from pg_stat_activity
            where wait_event_type = 'Lock' and pid <> pg_backend_pid()
            order by query_start limit 20) as q)
    select coalesce(json_agg(row_to_json(b)), '[]')::text from (
        select a.pid, coalesce(w.blockers, '{}') as blockers, coalesce(a.datname, '') as database,
               coalesce(a.usename, '') as role, coalesce(a.application_name, '') as application,
               coalesce(a.state, '') as state,
               coalesce(greatest(0, date_part('epoch', clock_timestamp() - a.xact_start)), 0)::bigint
                   as seconds
        from pg_stat_activity as a left join waiting as w on w.pid = a.pid
        where a.pid in (select pid from waiting union select unnest(blockers) from waiting)
        order by a.xact_start, a.pid limit 100) as b"""
HIDDEN = "hidden"


def sample_query(release: int) -> LiteralString:
    """The statement of one sample for a server_version_num."""
    kind: LiteralString = "case when a.waiting then 'Lock' else '' end"
    event: LiteralString = "''"
    if release >= FIRST_EVENTS:
        kind, event = "coalesce(a.wait_event_type, '')", "coalesce(a.wait_event, '')"
    # Before 10 the view has no types, and lists autovacuum and WAL senders among the clients.
    clients: LiteralString = (
        "(a.backend_type in ('client backend', 'parallel worker') or a.backend_type is null)"
        if release >= _FIRST_TYPES
        else "a.query not like 'autovacuum: %' and not exists "
        "(select from pg_stat_get_wal_senders() as s where s.pid = a.pid)"
    )
    sql = _SAMPLE.replace("KIND", kind).replace("EVENT", event).replace("OF_CLIENTS", clients)
    return sql.replace("IS_HIDDEN", "a.query = '<insufficient privilege>'")


@dataclass(frozen=True, kw_only=True, slots=True)
class WaitSample:
    """One look at active sessions, or the last message, with who blocks whom."""

    seconds: float
    """Since the first look."""
    how: str
    counts: tuple[tuple[str, str, int], ...] = ()
    blocked: tuple[Mapping[str, Any], ...] | None = None
    """Only in the last message."""

    def to_json(self) -> str:
        """For the process that asked, on one line."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> WaitSample:
        """What `to_json` wrote."""
        data = json.loads(text)
        counts = tuple((kind, event, count) for kind, event, count in data.pop("counts"))
        return cls(counts=counts, **data)


def waits_of(messages: Iterable[WaitSample]) -> Fact[Waits]:
    """What all samples together come to."""
    counts, samples, seconds, how = list[tuple[str, str, int]](), 0, 0.0, ""
    blocked: tuple[BlockedSession, ...] = ()
    for message in messages:
        seconds, how = message.seconds, message.how
        if message.blocked is not None:
            blocked = tuple(map(_blocked, message.blocked))
            continue
        samples += 1
        counts += message.counts
    return added_up(counts, seconds=seconds, samples=samples, how=how, blocked=blocked)


def added_up(
    entries: Iterable[tuple[str, str, int]],
    *,
    seconds: float,
    samples: int,
    how: str,
    blocked: tuple[BlockedSession, ...] = (),
) -> Fact[Waits]:
    """So many looks together; unknown with the reason where there were too few of them."""
    if samples < MIN_SAMPLES:
        return Unknown("it was sampled less than twice")
    total = Counter[tuple[str, str]]()
    for kind, event, count in entries:
        total[kind, event] += count
    hidden = total.pop((HIDDEN, ""), 0)
    counts = sorted(total.items(), key=lambda entry: (-entry[1], entry[0]))
    waits = Waits(
        seconds=round(seconds),
        samples=samples,
        hidden=hidden,
        counts=tuple(WaitCount(kind=kind, event=event, count=count) for (kind, event), count in counts),
        blocked=blocked,
    )
    return Known(waits, f"pg_stat_activity {how}")


def _blocked(load: Mapping[str, Any]) -> BlockedSession:
    values = dict[str, Any](load)
    values["blockers"] = tuple(dict.fromkeys(values["blockers"]))
    return BlockedSession(**values)
