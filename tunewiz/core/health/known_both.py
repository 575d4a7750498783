"""Two readings of one host, brought to what both know: a finding that only one could make is no change."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeVar

from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.values.known import Unknown

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    R = TypeVar("R", bound=DataclassInstance)


def known_both(facts: Facts, server: PostgresServer, other: Facts, other_server: PostgresServer) -> Facts:
    """What was read, that server first, without what the other reading does not know.

    Args:
        facts: What was read.
        server: Among them.
        other: Of the same host, at another time.
        other_server: The same server then.
    """
    compared = _as_far_as(server, other_server)
    others = (entry for entry in facts.postgres if entry is not server)
    common = _as_far_as(facts, other)
    unread = {name: fact for name, fact in other.kernel.settings.items() if isinstance(fact, Unknown)}
    kernel = dataclasses.replace(common.kernel, settings={**common.kernel.settings, **unread})
    return dataclasses.replace(common, kernel=kernel, postgres=(compared, *others))


def _as_far_as(record: R, other: object) -> R:
    """Known is a record too: what is in it is compared like any other."""
    return dataclasses.replace(record, **dict(_unknown_there(record, other)))


def _unknown_there(record: DataclassInstance, other: object) -> Iterator[tuple[str, object]]:
    for entry in dataclasses.fields(record):
        value, there = getattr(record, entry.name), getattr(other, entry.name)
        if isinstance(there, Unknown):
            yield entry.name, there
        elif dataclasses.is_dataclass(value) and not isinstance(value, type) and type(value) is type(there):
            yield entry.name, _as_far_as(value, there)
