"""From facts and answers to a plan: which server of several, which major, which default answers."""

from __future__ import annotations

import dataclasses
import re
from functools import lru_cache
from types import MappingProxyType
from typing import Literal, TypeAlias, assert_never

from tunewiz.core.answers.answers import Answers, ServerAnswers, Workload
from tunewiz.core.answers.bounds import MAX_DISK
from tunewiz.core.answers.server_limits import MAX_CONNECTIONS
from tunewiz.core.answers.suggested_workload import Suggestion, suggested
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.server import PostgresServer, Setting
from tunewiz.core.facts.trusted_counters import with_trusted_counters
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.proof.measured_parts import NO_PROOF, ProofGiven
from tunewiz.core.recommendation.example_facts import facts_of
from tunewiz.core.recommendation.examples import Given, answers_of
from tunewiz.core.recommendation.situation import NoServer, Situation
from tunewiz.core.server.build_options import as_built
from tunewiz.core.server.older_versions import in_its_own_terms
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Known, known_or
from tunewiz.core.values.pg_settings import SettingError, SettingInfo, SettingsOfMajor
from tunewiz.core.values.units import GIB, MIB, Bytes
from tunewiz.core.values.versions import NEWEST, OLDEST, SUPPORTED, USUAL, Major
from tunewiz.knowledge.loading import Knowledge

Server: TypeAlias = PostgresServer | NoServer

USUAL_CONNECTIONS = 100
"""PostgreSQL's own default of max_connections."""
USUAL_SIZE = Bytes(10 * GIB)
"""Assumed of the databases if nothing is known of them and of memory.

With memory known, as much as that: then the assumption takes nothing from the caches.
"""
MIN_SIZE = Bytes(MIB)

_COUNT = re.compile("[0-9]{1,6}")
_HINT = "Say in the answers which major version to plan for."


def make_plan(facts: Facts, answers: Answers, knowledge: Knowledge, proof: ProofGiven = NO_PROOF) -> Plan:
    """The plan for a machine.

    Raises:
        InputError: The answers do not fit the facts, a decision is unusable, or the proof is from another
            machine, server or plan.
    """
    start = situation_of(facts, answers, knowledge)
    return plan_of(knowledge.catalogue, dataclasses.replace(start, proof=proof))


def situation_of(facts: Facts, answers: Answers, knowledge: Knowledge) -> Situation:
    """What a plan starts from; raises InputError."""
    server = chosen_server(facts, answers)
    settings = knowledge.settings[_major(server, answers)]
    if isinstance(server, PostgresServer):
        _check_values(server, settings, f"postgres.{facts.postgres.index(server)}.settings")
        settings = as_built(settings, server)
        counting = with_trusted_counters(server)
        servers = tuple(
            counting if postgres_server is server else postgres_server for postgres_server in facts.postgres
        )
        facts, server = dataclasses.replace(facts, postgres=servers), counting
    return Situation(
        facts=facts,
        answers=answers,
        server=server,
        settings=settings,
        workload=knowledge.workloads[answers.workload.kind],
        posture=knowledge.postures[answers.risk.posture],
        thresholds=knowledge.thresholds,
        dangers=knowledge.dangers,
        library=knowledge.library,
    )


def chosen_server(facts: Facts, answers: Answers) -> Server:
    """The server that is named, else the first that runs, else the first; raises InputError.

    A server of an unsupported major version counts as none: its settings cannot be judged.
    """
    result = _found_server(facts, answers)
    return result if isinstance(result, NoServer) else _usable(result)


def _found_server(facts: Facts, answers: Answers) -> Server:
    directory = answers.server.data_directory
    if not facts.postgres:
        return NoServer(why="No PostgreSQL server was found")
    if directory is None:
        running = [server for server in facts.postgres if server.running]
        return (running or facts.postgres)[0]
    named = {
        server.data_directory.value: server
        for server in facts.postgres
        if isinstance(server.data_directory, Known)
    }
    if directory not in named:
        raise InputError(
            f"server.data_directory: found {directory}, expected one of {', '.join(named) or 'none: unknown'}"
        )
    return named[directory]


def _usable(server: PostgresServer) -> Server:
    """The server, if its major version is supported."""
    age = _age(server)
    match age:
        case "too old":
            limit = f"older than {OLDEST}, the oldest"
        case "too new":
            limit = f"newer than {NEWEST}, the newest"
        case "known":
            return server
        case _:
            assert_never(age)
    text = known_or(server.release, "")
    terms = in_its_own_terms(Major.parse(server.major.value)) if isinstance(server.major, Known) else ""
    return NoServer(why=f"PostgreSQL {text} is {limit} that is known here", own_terms=terms)


def _age(server: PostgresServer) -> Literal["too old", "too new", "known"]:
    match server.major:
        case Known(value=text):
            major = Major.parse(text)
            return "too old" if major < OLDEST else "too new" if major > NEWEST else "known"
        case _:
            return "known"


def _major(server: Server, answers: Answers) -> Major:
    stated = answers.server.postgres
    if isinstance(server, NoServer):
        return _said_major(stated, server.why)
    if not isinstance(server.major, Known):
        return _said_major(stated, f"The server's major version is not known: {server.major.why}")
    major = Major.parse(server.major.value)
    if stated is not None and Major.parse(stated) != major:
        raise InputError(f"server.postgres: found {stated}, expected {major} as the server is")
    return major


def _said_major(stated: str | None, why: str) -> Major:
    if stated is None:
        expected = f"one of {', '.join(map(str, SUPPORTED))}"
        raise InputError(f"{why}. server.postgres: found nothing, expected {expected}", _HINT)
    return Major.parse(stated)


def _check_values(server: PostgresServer, settings: SettingsOfMajor, key: str) -> None:
    """Raises InputError for a value that the setting cannot have."""
    for name, setting in known_or(server.settings, MappingProxyType({})).items():
        if not settings.has(name) or _fits(settings[name], setting.value, setting.unit):
            continue
        try:
            settings[name].canonical(setting.value)
        except SettingError as error:
            raise InputError(f"{key}.{error}") from error
        unit = settings[name].unit
        if setting.unit not in (None, unit):
            raise InputError(
                f"{key}.{name}.unit: found {setting.unit}, expected {unit}",
                "A server that was built with another block size is not supported.",
            )


@lru_cache(maxsize=8192)
def _fits(info: SettingInfo, value: str, unit: str | None) -> bool:
    """Whether a setting can have the value; most servers have most settings alike."""
    if not _is_checked(info):
        return True
    try:
        info.canonical(value)
    except SettingError:
        return False
    return unit in (None, info.unit)


def _is_checked(info: SettingInfo) -> bool:
    """Whether its values are checked: not those that depend on how the server was built."""
    return info.context != "internal" and info.vartype not in ("enum", "string")


def default_answers(facts: Facts, knowledge: Knowledge) -> Answers:
    """Answers taken from the facts where possible; the rest are defaults, and the plan lists them.

    What a server does is used even if its major version is not supported.
    """
    result = _found_server(facts, Answers(workload=_workload(NoServer(why=""), USUAL_SIZE)))
    server = result if isinstance(result, NoServer) else _usable(result)
    needs_major = isinstance(server, NoServer) or not isinstance(server.major, Known)
    return Answers(
        workload=_workload(result, _assumed_size(facts)),
        server=ServerAnswers(postgres=str(_nearest(facts, knowledge)) if needs_major else None),
    )


def _assumed_size(facts: Facts) -> Bytes:
    return min(MAX_DISK, max(USUAL_SIZE, known_or(facts.memory.total, USUAL_SIZE)))


def _workload(server: Server, assumed: Bytes) -> Workload:
    if isinstance(server, NoServer):
        return Workload(kind="oltp", connections=USUAL_CONNECTIONS, database_size=assumed)
    stated = suggested(server)
    return Workload(
        kind=stated.kind if isinstance(stated, Suggestion) else "oltp",
        connections=_connections(server),
        database_size=_database_size(server, assumed),
    )


def _connections(server: PostgresServer) -> int:
    """As many as the server allows, since they may all come; otherwise as many as are connected."""
    limit = known_or(server.settings, MappingProxyType[str, Setting]({})).get("max_connections")
    if limit is not None and _COUNT.fullmatch(limit.value):
        return max(1, min(int(limit.value), MAX_CONNECTIONS))
    match server.activity:
        case Known(value=activity):
            return max(1, known_or(activity.connections, USUAL_CONNECTIONS))
        case _:
            return USUAL_CONNECTIONS


def _database_size(server: PostgresServer, assumed: Bytes) -> Bytes:
    match server.activity:
        case Known(value=activity):
            return max(MIN_SIZE, known_or(activity.databases_size, assumed))
        case _:
            return assumed


def _nearest(facts: Facts, knowledge: Knowledge) -> Major:
    """The usual major, or the closest to a server that is older or newer."""
    ages = [_age(server) for server in facts.postgres]
    majors = sorted(knowledge.settings)
    if "too old" in ages:
        return majors[0]
    return majors[-1] if "too new" in ages else USUAL


def example_situation(given: Given, knowledge: Knowledge) -> Situation:
    """The situation of a worked example: a server with its major's defaults, except for what is given.

    Raises:
        SettingError: The example gives a value that the setting does not accept.
    """
    settings = knowledge.settings[Major.parse(given.major)]
    values = {name: Setting(value=info.default, unit=info.unit) for name, info in settings.known.items()}
    values |= {name: _as_configured(settings, name, text) for name, text in given.settings.items()}
    return situation_of(facts_of(given, MappingProxyType(values)), answers_of(given), knowledge)


def _as_configured(settings: SettingsOfMajor, name: str, text: str) -> Setting:
    value = settings[name].canonical(text)
    return Setting(value=value, unit=settings[name].unit, source="configuration file")
