"""Query plans of a running server's most expensive statements, with and without new settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tunewiz.collect.postgres.client import Reachable, ask_plans
from tunewiz.collect.postgres.endpoints import reachable
from tunewiz.collect.postgres.found_server import Stopped
from tunewiz.collect.postgres.protocol import ToPlan
from tunewiz.collect.postgres.servers import running_server
from tunewiz.collect.system import System
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.proof.plan_flips import (
    PlanFlips,
    PlannedStatement,
    SettingTried,
    SkippedStatement,
)
from tunewiz.core.proof.plan_shapes import shape_of
from tunewiz.core.values.errors import ServerError
from tunewiz.core.values.known import Known

MAX_STATEMENTS = 100
"""The most expensive ones: they stand for nearly all the time of most servers. Where a server does little,
half of them are this program's own look at it."""
GENERIC = 160_000
"""From 16 on EXPLAIN plans a statement with parameters."""
FORCED = 120_000
"""From 12 on a prepared statement can be made to use its generic plan."""


def flips_on(system: System, server: PostgresServer, settings: tuple[SettingTried, ...]) -> PlanFlips:
    """The plans of a running server's statements under its own and under these settings.

    Raises:
        ServerError: It does not run, cannot be reached, or does not count statements.
    """
    data = said_by(
        system,
        server,
        ToPlan(settings={setting.name: setting.after for setting in settings}, count=MAX_STATEMENTS),
    )
    planned, skipped = list[PlannedStatement](), list[SkippedStatement]()
    for value in data["statements"]:
        statement = _statement(value)
        if isinstance(statement, PlannedStatement):
            planned.append(statement)
        else:
            skipped.append(statement)
    return PlanFlips(
        settings=settings,
        planned=tuple(sorted(planned, key=lambda planned_statement: -planned_statement.milliseconds)),
        skipped=tuple(sorted(skipped, key=lambda skipped_statement: -skipped_statement.milliseconds)),
        counted_ms=data["milliseconds"],
        how=_how(data["release"]),
    )


def said_by(system: System, server: PostgresServer, task: ToPlan) -> Mapping[str, Any]:
    """The answer as it came; raises ServerError as `flips_on` does."""
    data = ask_plans(system, where(system, server), task)
    if data["refused"]:
        raise ServerError(str(data["refused"]))
    return data


def where(system: System, server: PostgresServer) -> Reachable:
    """The ways to a server that was found earlier; raises ServerError if it does not run any more."""
    if not isinstance(server.data_directory, Known):
        raise ServerError(server.data_directory.why)
    result = running_server(system, server.data_directory.value)
    if isinstance(result, Stopped):
        raise ServerError("the server is not running")
    return reachable(system, result)


def _statement(results: Mapping[str, Any]) -> PlannedStatement | SkippedStatement:
    text = str(results["text"] or "")
    if why := results.get("why", ""):
        return _skipped(results, text, str(why))
    try:
        before, after = shape_of(results["before"]), shape_of(results["after"])
    except ValueError as error:
        return _skipped(results, text, str(error))
    if before.reads_catalogs_alone:
        return _skipped(results, text, "it reads only system catalogs")
    return PlannedStatement(
        queryid=str(results["queryid"]),
        database=str(results["database"]),
        calls=int(results["calls"]),
        milliseconds=float(results["milliseconds"]),
        text=text,
        before=before,
        after=after,
    )


def _skipped(results: Mapping[str, Any], text: str, why: str) -> SkippedStatement:
    return SkippedStatement(
        queryid=str(results["queryid"]),
        database=str(results["database"]),
        milliseconds=float(results["milliseconds"]),
        text=text,
        why=why,
    )


def _how(release: int) -> str:
    if release >= GENERIC:
        return "EXPLAIN (GENERIC_PLAN)"
    if release >= FORCED:
        return "EXPLAIN of prepared statements with plan_cache_mode = force_generic_plan"
    return "EXPLAIN, only for statements without parameters"
