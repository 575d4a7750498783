"""Limits of what a server and its machine can have counted while they were at work."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING

from tunewiz.core.answers.bounds import MAX_COUNT, ImpossibleValue, count_outside, known_count_outside
from tunewiz.core.facts.server import PostgresServer, Window
from tunewiz.core.facts.statements import StatementsSeen
from tunewiz.core.facts.strain import Strain
from tunewiz.core.values.known import Fact, Known

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def impossible_work(key: str, server: PostgresServer) -> Iterator[ImpossibleValue]:
    """Every impossible value in what was read of its sessions, buffers, statements and processes."""
    yield from _counts(
        key,
        {
            "sessions": server.sessions,
            "buffers": server.buffers,
            "statements": server.statements,
            "process_memory": server.process_memory,
        },
    )


def impossible_meanwhile(key: str, window: Window) -> Iterator[ImpossibleValue]:
    """The same of a watched time."""
    yield from _counts(key, {"sessions": window.sessions, "statements": window.statements})
    if isinstance(window.statements, Known):
        yield from _statements(f"{key}.statements", window.statements.value)
    yield from impossible_strain(f"{key}.strain", window.strain)


def _statements(key: str, observation: StatementsSeen) -> Iterator[ImpossibleValue]:
    yield from _time(f"{key}.run_ms", observation.run_ms)
    for place, statement in enumerate(observation.statements):
        at = f"{key}.statements.{place}"
        yield from count_outside(f"{at}.calls", statement.calls, 1, MAX_COUNT)
        yield from count_outside(f"{at}.rows", statement.rows, 0, MAX_COUNT)
        yield from _time(f"{at}.run_ms", statement.run_ms)


def _time(key: str, milliseconds: float) -> Iterator[ImpossibleValue]:
    if not 0 <= milliseconds <= MAX_COUNT:
        yield ImpossibleValue(key=key, found=str(milliseconds), expected="milliseconds, 0 or more")


def impossible_strain(key: str, strain: Strain) -> Iterator[ImpossibleValue]:
    """Every impossible value in what the kernel counted."""
    for field in fields(strain):
        yield from known_count_outside(f"{key}.{field.name}", getattr(strain, field.name), 0, MAX_COUNT)


def _counts(key: str, observation: Mapping[str, Fact[DataclassInstance]]) -> Iterator[ImpossibleValue]:
    for name, fact in observation.items():
        if isinstance(fact, Known):
            for field in fields(fact.value):
                value = getattr(fact.value, field.name)
                if isinstance(value, int):
                    yield from count_outside(f"{key}.{name}.{field.name}", value, 0, MAX_COUNT)
