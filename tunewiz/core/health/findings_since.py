"""What is new, worse or gone among the troubles of a server and the warnings of its plan."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal, get_args

from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.health.fixes import MinorFixes
from tunewiz.core.health.trouble import Trouble, TroubleKind
from tunewiz.core.health.troubles import OF_WARNINGS, checkup
from tunewiz.core.planning.plan import Plan
from tunewiz.core.planning.urgent import FIRST
from tunewiz.core.values.known import known_or
from tunewiz.core.values.record import dataclass

FindingChange = Literal["new", "worse", "gone"]
CHANGES: tuple[FindingChange, ...] = get_args(FindingChange)
_ORDER: tuple[TroubleKind, ...] = get_args(TroubleKind)
_TENTHS = 11
"""A tenth more is worse: less than that comes and goes."""
_LOST = "durability_lost"
"""The code of one warning of every setting that loses data."""
_WORSE_BY_ANY = frozenset({"damaged pages", "fixes are missing", _LOST})
_ONE_A_SERVER = frozenset[TroubleKind](
    {"fixes are missing", "sessions wait for locks", "archiving fails", "archiving falls behind"}
)
"""Troubles whose words differ from reading to reading."""
_OF_TABLES = frozenset[TroubleKind](
    {"invalid index", "duplicate index", "no replica identity", "unlogged table", "sequence runs out"}
)
"""Seen only in databases whose tables were read."""
_SEVERAL_OF = frozenset(
    {
        "would_not_start",
        "unusable_line",
        "waits_for_restart",
        "unsafe_file_system",
        "data_at_risk",
        "work_stops",
        "dangerous_value",
        "value_note",
        "disk_nearly_full",
        "managed_files",
    }
)
"""Codes of warnings of which a plan may have several: their first words say of what."""
_OF_THE_PLAN = frozenset(
    {
        "nothing_to_change",
        "no_server",
        "server_chosen",
        "several_servers",
        "set_by_hand",
        "order",
        "overridden",
        "out_of_reach",
        "settings_keeper",
        "tuned",
        "memory_repaired",
        "memory_worst_case",
        "workload_not_measured",
    }
)
"""Codes of warnings about carrying out a plan: they follow from what it chooses."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FindingNews:
    """A trouble or a warning that is not as it was."""

    change: FindingChange
    kind: str
    """Of a trouble its name; of a warning its code."""
    what: str
    """Where; empty if the reason says it."""
    because: str
    """With the numbers of now; of what is gone, those of then."""
    server: str = ""
    """Which, where there are several: `port 5433`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Finding:
    kind: str
    what: str
    because: str
    rank: int
    """The worst has the lowest."""
    extent: int = 0
    database: str = ""
    """Of what is seen only where its tables were read."""


def findings_since(then: Plan, plan: Plan, known: MinorFixes, server: str = "") -> tuple[FindingNews, ...]:
    """Those that differ: what is new before what is worse and what is gone, the worst of each first.

    Args:
        then: Of what was read before.
        plan: Of the same server, from as much.
        known: What minor releases mended.
        server: Its name among several.
    """
    before, current = _findings(then, known), _findings(plan, known)
    read = _databases(then) & _databases(plan)
    changes: list[tuple[FindingChange | Literal["as it was"], _Finding]] = [
        *((_change(before.get(key), finding), finding) for key, finding in current.items()),
        *(("gone", finding) for key, finding in before.items() if key not in current),
    ]
    return tuple(
        FindingNews(change=kind, kind=finding.kind, what=finding.what, because=finding.because, server=server)
        for kind in CHANGES
        for change, finding in sorted(changes, key=lambda entry: entry[1].rank)
        if change == kind and (not finding.database or finding.database in read)
    )


def _change(before: _Finding | None, finding: _Finding) -> FindingChange | Literal["as it was"]:
    if before is None:
        return "new"
    least = before.extent if finding.kind in _WORSE_BY_ANY else before.extent * _TENTHS // 10
    return "worse" if before.extent and finding.extent > least else "as it was"


def _findings(plan: Plan, known: MinorFixes) -> Mapping[tuple[str, ...], _Finding]:
    """By what they are, whatever their numbers; of two that are the same, the larger."""
    findings = [*map(_of_trouble, checkup(plan, known).troubles), *_of_warnings(plan)]
    return dict(sorted(findings, key=lambda entry: entry[1].extent))


def _of_trouble(trouble: Trouble) -> tuple[tuple[str, ...], _Finding]:
    finding = _Finding(
        kind=trouble.kind,
        what=trouble.what,
        because=trouble.because,
        rank=_ORDER.index(trouble.kind),
        extent=trouble.extent,
        database=trouble.database if trouble.kind in _OF_TABLES else "",
    )
    if trouble.kind in _ONE_A_SERVER:
        return (trouble.kind,), finding
    return (trouble.kind, trouble.database, _first_words(trouble.what or trouble.because)), finding


def _of_warnings(plan: Plan) -> Iterator[tuple[tuple[str, ...], _Finding]]:
    """Those that no trouble says already."""
    for warning in plan.warnings:
        if warning.code not in _OF_THE_PLAN and warning.code not in OF_WARNINGS:
            rank = -1 if warning.code in FIRST else len(_ORDER)
            settings = warning.text.count("; ") + 1 if warning.code == _LOST else 0
            key = (warning.code, _first_words(warning.text) if warning.code in _SEVERAL_OF else "")
            yield key, _Finding(kind=warning.code, what="", because=warning.text, rank=rank, extent=settings)


def _first_words(text: str) -> str:
    """Up to the numbers: `The file system /data`, `session 4711 of app in shop`."""
    return re.split(r": |, | \(", text, maxsplit=1)[0]


def _databases(plan: Plan) -> frozenset[str]:
    server = plan.start.server
    tables = known_or(server.tables, ()) if isinstance(server, PostgresServer) else ()
    return frozenset(database.database for database in tables)
