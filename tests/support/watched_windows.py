"""Facts of a live server with watched windows, as `prove compare` is given them."""

import dataclasses
from datetime import UTC, datetime
from functools import cache

from small_plans import small_facts
from tunewiz.core.comparison.sightings import NamedFacts, time_text
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.server import Window
from tunewiz.core.facts.statements import StatementSeen, StatementsSeen
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.known import Fact, Known
from watched import window

DAY, WEEK = 86_400, 7 * 86_400
TUESDAY = round(datetime(2026, 11, 3, 14, tzinfo=UTC).timestamp())
"""14:00 UTC."""
IDENTIFIER = "7123456789012345678"
TENS = {"q1": (1000, 10.0), "q2": (200, 50.0)}
"""Calls and mean time in ms: each query takes ten seconds."""


def statements(
    queries: dict[str, tuple[int, float]] = TENS,
    *,
    rows: dict[str, float] | None = None,
    evicted: int = 0,
    elsewhere: float = 0.0,
) -> StatementsSeen:
    """By their ids: how often each was called, and how long a call took; a row a call unless it is told."""
    observation = [
        StatementSeen(
            queryid=name,
            database="shop",
            role="app",
            text=f"select {name}",
            calls=calls,
            run_ms=calls * mean,
            rows=round(calls * (rows or {}).get(name, 1.0)),
        )
        for name, (calls, mean) in queries.items()
    ]
    return StatementsSeen(
        statements=tuple(observation),
        run_ms=sum(statement.run_ms for statement in observation) + elsewhere,
        unlisted=int(elsewhere > 0),
        evicted=evicted,
    )


def watched(
    file: str,
    at: int = TUESDAY,
    seen: StatementsSeen | None = None,
    *,
    settings: dict[str, str] | None = None,
    major: str = "15",
    host: str = "db1",
    **changed: Fact[str] | Fact[int] | Fact[StatementsSeen],
) -> NamedFacts:
    """A file with a window of an hour of a server that was started long before; its fields can be replaced.

    Args:
        file: Its name.
        at: Its beginning, in seconds since 1970.
        seen: What its statements did.
        settings: Of the configuration.
        major: Of the server.
        host: The machine's name, and what identifies it.
        **changed: Fields of the window.
    """
    usual: dict[str, object] = {
        "began": Known(time_text(at), "test"),
        "server_started": Known(time_text(at - 30 * DAY), "test"),
        "statements": Known(seen or statements(), "test"),
        **changed,
    }
    seen_window: Window = dataclasses.replace(window(3_600).value, **usual)  # type: ignore[arg-type]
    return on_server(file, Known(seen_window, "test"), settings=settings, major=major, host=host)


def on_server(
    file: str,
    fact: Fact[Window],
    *,
    settings: dict[str, str] | None = None,
    major: str = "15",
    host: str = "db1",
) -> NamedFacts:
    """A file of that server."""
    facts = _plain(major, tuple((settings or {}).items()))
    servers = tuple(
        dataclasses.replace(
            server,
            system_identifier=Known(IDENTIFIER, "test"),
            window=fact,
        )
        for server in facts.postgres
    )
    machine = dataclasses.replace(facts.host, name=Known(host, "test"), identity=Known(host, "test"))
    return NamedFacts(file=file, facts=dataclasses.replace(facts, host=machine, postgres=servers))


@cache
def _plain(major: str, settings: tuple[tuple[str, str], ...]) -> Facts:
    return small_facts(Given(major=major, settings=dict(settings)))


def days(
    side: str, count: int, observation: StatementsSeen | None = None, *, began: int = TUESDAY, **also: object
) -> list[NamedFacts]:
    """A window at the same hour of as many days in a row."""
    return [
        watched(f"{side}{day}.json", began + day * DAY, observation, **also)  # type: ignore[arg-type]
        for day in range(count)
    ]
