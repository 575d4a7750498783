"""Replication slots, the archive and cancelled queries, from the server's own views."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, get_args

from tunewiz.collect.postgres.protocol import Answer
from tunewiz.collect.postgres.queries import FIRST_LSN, Query
from tunewiz.core.facts.replication import Conflicts, Replication, Slot, WalStatus
from tunewiz.core.values.known import Fact, Known, Unknown
from tunewiz.core.values.units import Bytes

_NAME = "replication"
_FIRST_STATUS = 130_000
"""From 13 on a slot tells whether its WAL is still there."""
_FIRST_SPILLS = 140_000
"""From 14 on pg_stat_replication_slots counts what logical decoding wrote to disk."""
_IN_A_FILE_ID = 2**32
"""Bytes of WAL that share the middle eight digits of a segment's name."""
_SEGMENT = re.compile(r"[0-9A-F]{8}([0-9A-F]{8})([0-9A-F]{8})")

_OF_10 = Query(
    columns=(_NAME,),
    sql="""
    select json_build_object(
        'slots', (select coalesce(json_agg(json_build_object(
                      'name', slot_name, 'kind', slot_type, 'active', active, 'status', '',
                      'held', greatest(0, coalesce(pg_wal_lsn_diff(here, restart_lsn), 0))::bigint,
                      'age', greatest(0, age(xmin), age(catalog_xmin))) order by slot_name), '[]')
                  from pg_replication_slots),
        'standbys', (select count(*) from pg_stat_replication
                     where coalesce(state, '') <> 'backup'
                     and coalesce(application_name, '') not in
                         ('pg_basebackup', 'pg_receivewal', 'pg_receivexlog')
                     and pid not in (select active_pid from pg_replication_slots
                                     where slot_type = 'logical' and active_pid is not null)),
        'failures', failed_count,
        'failing', coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false),
        'archived', coalesce(last_archived_wal, ''),
        'segment', pg_size_bytes(current_setting('wal_segment_size')),
        'position', pg_wal_lsn_diff(here, '0/0')::bigint,
        'cancelled', (select coalesce(sum(conflicts), 0)::bigint from pg_stat_database),
        'conflicts', (select json_build_object(
                          'snapshot', coalesce(sum(confl_snapshot), 0)::bigint,
                          'lock', coalesce(sum(confl_lock), 0)::bigint,
                          'bufferpin', coalesce(sum(confl_bufferpin), 0)::bigint,
                          'tablespace', coalesce(sum(confl_tablespace), 0)::bigint,
                          'deadlock', coalesce(sum(confl_deadlock), 0)::bigint)
                      from pg_stat_database_conflicts))::text
    from pg_stat_archiver,
         (select case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
                 else pg_current_wal_lsn() end as here) as p""",
)
_OF_13 = Query(columns=(_NAME,), sql=_OF_10.sql.replace("'status', ''", "'status', coalesce(wal_status, '')"))
_OF_14 = Query(
    columns=(_NAME,),
    sql=_OF_13.sql.replace("'age', ", "'spills', spill_txns, 'spilled', spill_bytes, 'age', ").replace(
        "from pg_replication_slots)",
        "from pg_replication_slots left join pg_stat_replication_slots using (slot_name))",
    ),
)
_OF_9 = Query(
    columns=(_NAME,),
    sql=_OF_10.sql.replace("pg_wal_lsn_diff", "pg_xlog_location_diff")
    .replace("pg_last_wal_replay_lsn", "pg_last_xlog_replay_location")
    .replace("pg_current_wal_lsn", "pg_current_xlog_location")
    .replace("pg_size_bytes(current_setting('wal_segment_size'))", "16777216"),
)
"""9.5 has no pg_size_bytes; other segments than 16 MB had to be compiled in."""


def replication_query(release: int) -> Query:
    """The statement for a server_version_num."""
    if release >= _FIRST_SPILLS:
        return _OF_14
    if release >= _FIRST_STATUS:
        return _OF_13
    return _OF_10 if release >= FIRST_LSN else _OF_9


def replication_of(answer: Answer) -> Fact[Replication]:
    """What the server keeps for others."""
    if _NAME not in answer.texts:
        return Unknown(answer.refused.get(_NAME, "the server did not report it"))
    views = "pg_replication_slots, pg_stat_replication, pg_stat_archiver and pg_stat_database_conflicts"
    how = f"{views} {answer.how}"
    return Known(_replication(json.loads(answer.texts[_NAME]), how), how)


def _replication(results: Mapping[str, Any], how: str) -> Replication:
    return Replication(
        slots=tuple(
            Slot(
                name=value["name"],
                kind=value["kind"],
                active=value["active"],
                held=Bytes(value["held"]),
                status=_known_status(value["status"]),
                age=value["age"],
                spills=_counted(value.get("spills"), how),
                spilled=_bytes(_counted(value.get("spilled"), how)),
            )
            for value in results["slots"]
        ),
        archive_failures=results["failures"],
        archive_failing=results["failing"],
        archive_behind=_behind(results["position"], results["segment"], results["archived"], how),
        cancelled=results["cancelled"],
        conflicts=Known(Conflicts(**results["conflicts"]), how),
        standbys=Known(results["standbys"], how),
    )


def _counted(count: int | None, how: str) -> Fact[int]:
    return (
        Unknown("only slots of logical decoding are counted, from 14 on")
        if count is None
        else Known(count, how)
    )


def _bytes(count: Fact[int]) -> Fact[Bytes]:
    return Known(Bytes(count.value), count.how) if isinstance(count, Known) else count


def _known_status(said: str) -> WalStatus:
    """A word of a later version counts as none."""
    return next((known for known in get_args(WalStatus) if known == said), "")


def _behind(position: int, segment: int, archived: str, how: str) -> Fact[Bytes]:
    """From the end of the segment that was archived last.

    >>> _behind(0x1_0200_0000, 0x100_0000, "000000010000000100000000", "asked")
    Known(value=Bytes(count=16777216), how='asked')
    >>> _behind(0, 0x100_0000, "00000002.history", "asked")
    Unknown(why='no segment was archived last')
    """
    match _SEGMENT.fullmatch(archived):
        case None:
            return Unknown("no segment was archived last")
        case named:
            file_id, number = (int(part, 16) for part in named.groups())
            return Known(Bytes(max(0, position - file_id * _IN_A_FILE_ID - (number + 1) * segment)), how)
