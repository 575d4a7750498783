"""The tables that a server told of, as facts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from tunewiz.collect.postgres.protocol import Answer
from tunewiz.core.facts.tables import BareForeignKey, DatabaseTables, Table, UnusedIndex
from tunewiz.core.values.known import Fact, Known, Unknown

T = TypeVar("T")
_NOT_REPORTED = "the server did not report it"


def tables_of(answer: Answer) -> Fact[tuple[DatabaseTables, ...]]:
    """The tables of each database that was entered, or why it was not."""
    if "tables" not in answer.texts:
        return Unknown(answer.refused.get("tables", _NOT_REPORTED))
    told = json.loads(answer.texts["tables"])
    return Known(tuple(_database(each, answer.how) for each in told), f"pg_class {answer.how}")


def _database(told: Mapping[str, Any], how: str) -> DatabaseTables:
    found, refused = told["found"], told["refused"]

    def fact(name: str, view: str, made: Callable[[Any], T]) -> Fact[T]:
        if name in found:
            return Known(made(found[name]), f"{view} {how}")
        return Unknown(refused.get("", refused.get(name, _NOT_REPORTED)))

    return DatabaseTables(
        database=told["database"],
        since=fact("since", "pg_stat_database", str),
        counted_seconds=fact("counted_seconds", "pg_stat_database", lambda seconds: max(0, int(seconds))),
        tables=fact("tables", "pg_class", lambda text: tuple(map(_table, json.loads(text)))),
        unused_indexes=fact(
            "unused_indexes", "pg_index", lambda text: tuple(UnusedIndex(**each) for each in json.loads(text))
        ),
        bare_foreign_keys=fact(
            "bare_foreign_keys", "pg_constraint", lambda text: tuple(map(_key, json.loads(text)))
        ),
    )


def _table(told: dict[str, Any]) -> Table:
    told["options"] = MappingProxyType(dict(_options(told["options"])))
    return Table(**told)


def _options(told: list[str]) -> Iterator[tuple[str, str]]:
    for option in told:
        name, _, value = option.partition("=")
        yield name, value


def _key(told: dict[str, Any]) -> BareForeignKey:
    told["columns"] = tuple(told["columns"])
    return BareForeignKey(**told)
