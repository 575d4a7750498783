"""Facts from the newer statistics views: from one answer, and from samples while a server was watched."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from tunewiz.collect.postgres.counter_queries import HIDDEN, SESSIONS
from tunewiz.collect.postgres.protocol import Answer
from tunewiz.core.facts.counters import Buffers, Counters, RoleStatements, Sessions, Statements
from tunewiz.core.facts.log import SizeClass
from tunewiz.core.values.known import Fact, Known, Unknown
from tunewiz.core.values.units import Bytes

Number: TypeAlias = Callable[[str], Fact[int]]
"""A number by its column, or why it is not known."""
_ONLY_WATCHED = Unknown("known only if the server was watched")
_NOT_REPORTED = "the server did not report it"
_MOST_POWER = 62
"""Of two: 4 EiB."""


def counters_since_reset(number: Number) -> Counters:
    """Of an answer."""
    return Counters(
        **{
            **_by_name(number),
            "seconds": number("counted_seconds"),
            "transaction_ids": _ONLY_WATCHED,
        }
    )


def counters_of_window(number: Number, seconds: int) -> Counters:
    """Of a watched time, in which the numbers grew so much."""
    return Counters(**{**_by_name(number), "seconds": Known(seconds, "watched")})


def _by_name(number: Number) -> dict[str, Fact[int]]:
    return {
        field.name: number(field.name) for field in dataclasses.fields(Counters) if field.name != "seconds"
    }


def sessions_of(numbers: Mapping[str, int], refused: Mapping[str, str], how: str) -> Fact[Sessions]:
    """What the sessions did in one sample, or why this role may not see it."""
    return most_sessions((numbers,), refused, how)


def most_sessions(looks: Sequence[Mapping[str, int]], refused: Mapping[str, str], how: str) -> Fact[Sessions]:
    """The most of each kind in any sample that shows them.

    Args:
        looks: The samples, by column; one that lacks a column shows nothing.
        refused: Why columns were refused.
        how: As whom, and where.
    """
    whole = [look for look in looks if {*SESSIONS, HIDDEN} <= look.keys()]
    if not whole:
        return Unknown(refused.get(SESSIONS[0], _NOT_REPORTED))
    if hidden := max(look[HIDDEN] for look in whole):
        return Unknown(f"{hidden} sessions of other roles are not shown to this one (pg_read_all_stats is)")
    most = {name: max(0, *(look[name] for look in whole)) for name in SESSIONS}
    return Known(Sessions(**most), f"pg_stat_activity {how}")


def statements_of(answer: Answer) -> Fact[Statements]:
    """The statements, if pg_stat_statements exists and this role may read it."""
    fact = _told(answer, "statements", "pg_stat_statements")
    if isinstance(fact, Unknown):
        return fact
    spills = _by_size(fact.value.pop("spills"))
    roles = tuple(_of_role(**role) for role in fact.value.pop("roles"))
    return Known(Statements(**fact.value, spills=spills, roles=roles), fact.how)


def _of_role(*, spills: Iterable[tuple[int, int]], **counted: Any) -> RoleStatements:  # noqa: ANN401 - JSON
    return RoleStatements(**counted, spills=_by_size(spills))


def _by_size(counted: Iterable[tuple[int, int]]) -> tuple[SizeClass, ...]:
    """From powers of two."""
    return tuple(
        SizeClass(at_most=Bytes(2 ** min(_MOST_POWER, max(0, power))), files=calls)
        for power, calls in counted
    )


def buffers_of(answer: Answer) -> Fact[Buffers]:
    """The buffers, if pg_buffercache exists and this role may read it."""
    fact = _told(answer, "buffers", "pg_buffercache")
    return fact if isinstance(fact, Unknown) else Known(Buffers(**fact.value), fact.how)


def _told(answer: Answer, name: str, view: str) -> Fact[dict[str, Any]]:
    if name not in answer.texts:
        return Unknown(answer.refused.get(name, "the server did not report it"))
    return Known(json.loads(answer.texts[name]), f"{view} {answer.how}")
