"""The tables that a server told of, as facts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from tunewiz.collect.postgres.protocol import Answer
from tunewiz.core.facts.design import DesignFlaw
from tunewiz.core.facts.health import DuplicateIndex, EndingSequence, InvalidIndex, OutdatedIndex
from tunewiz.core.facts.tables import BareForeignKey, DatabaseTables, Table, UnusedIndex
from tunewiz.core.values.known import Fact, Known, Unknown

T = TypeVar("T")
_NOT_REPORTED = "the server did not report it"


def tables_of(answer: Answer) -> Fact[tuple[DatabaseTables, ...]]:
    """The tables of each database that was entered, or why it was not."""
    if "tables" not in answer.texts:
        return Unknown(answer.refused.get("tables", _NOT_REPORTED))
    loads = json.loads(answer.texts["tables"])
    return Known(tuple(_database(value, answer.how) for value in loads), f"pg_class {answer.how}")


def _database(results: Mapping[str, Any], how: str) -> DatabaseTables:
    actual, refused = results["found"], results["refused"]

    def fact(name: str, view: str, made: Callable[[Any], T]) -> Fact[T]:
        if name in actual:
            return Known(made(actual[name]), f"{view} {how}")
        return Unknown(refused.get("", refused.get(name, _NOT_REPORTED)))

    return DatabaseTables(
        database=results["database"],
        since=fact("since", "pg_stat_database", str),
        counted_seconds=fact("counted_seconds", "pg_stat_database", lambda seconds: max(0, int(seconds))),
        tables=fact("tables", "pg_class", lambda text: tuple(map(_table, json.loads(text)))),
        unused_indexes=fact(
            "unused_indexes", "pg_index", lambda text: tuple(UnusedIndex(**load) for load in json.loads(text))
        ),
        bare_foreign_keys=fact(
            "bare_foreign_keys", "pg_constraint", lambda text: tuple(map(_key, json.loads(text)))
        ),
        invalid_indexes=fact("invalid_indexes", "pg_index", _list_of(InvalidIndex)),
        duplicate_indexes=fact("duplicate_indexes", "pg_index", _list_of(DuplicateIndex)),
        outdated_indexes=fact("outdated_indexes", "pg_collation", _list_of(OutdatedIndex)),
        redundant_indexes=fact("redundant_indexes", "pg_index", _list_of(DuplicateIndex)),
        design_flaws=fact("design_flaws", "pg_class", _list_of(DesignFlaw)),
        ending_sequences=fact("ending_sequences", "pg_sequence", _list_of(EndingSequence)),
    )


def _list_of(record: Callable[..., T]) -> Callable[[str], tuple[T, ...]]:
    return lambda text: tuple(record(**load) for load in json.loads(text))


def _table(results: dict[str, Any]) -> Table:
    results["options"] = MappingProxyType(dict(_options(results["options"])))
    return Table(**results)


def _options(results: list[str]) -> Iterator[tuple[str, str]]:
    for option in results:
        name, _, value = option.partition("=")
        yield name, value


def _key(results: dict[str, Any]) -> BareForeignKey:
    results["columns"] = tuple(results["columns"])
    return BareForeignKey(**results)
