"""Witnesses: functions that read one kind of a server's own numbers, and say if they suffice to decide."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator

from tunewiz.core.facts.server import NO_STRAIN, PostgresServer
from tunewiz.core.facts.statistics import Counted, Weigh, counted, most_counted
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.known import NOT_LOOKED_FOR
from tunewiz.core.values.record import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """One observation of this server."""

    words: str
    """What was counted, and in which period; if it was too little, how much would do."""
    enough: bool = True
    decides: bool = True
    """Whether a value follows from it; false if it only shows how much memory is left."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Witness:
    """One kind of a server's own numbers."""

    of: str
    """For a person who has no server at hand: `forced and timed checkpoints`."""
    look: Callable[[Situation], Iterable[Seen]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Needs:
    """How much must have been counted, of what."""

    names: tuple[str, ...]
    enough: int
    unit: str
    """Of the enough: `checkpoints`."""
    weigh: Weigh = sum


def enough_seen(situation: Situation, needs: Needs) -> Iterator[Counted]:
    """The counters of the first period in which enough was seen."""
    if isinstance(situation.server, PostgresServer):
        yield from counted(situation.server, *needs.names, enough=needs.enough, weigh=needs.weigh)


def too_little(situation: Situation, needs: Needs) -> Iterator[Seen]:
    """How much was seen, where it was not enough."""
    if not isinstance(situation.server, PostgresServer):
        return
    for most, when in most_counted(situation.server, *needs.names, weigh=needs.weigh):
        if most < needs.enough:
            words = f"too little was seen: {most:,} {needs.unit} {when}, {needs.enough:,} needed"
            yield Seen(words=words, enough=False)


def unseen(situation: Situation) -> Situation:
    """The same situation without anything seen of the server at work: only documents remain."""
    if not isinstance(situation.server, PostgresServer):
        return situation
    server = dataclasses.replace(
        situation.server,
        activity=NOT_LOOKED_FOR,
        window=NOT_LOOKED_FOR,
        log=NOT_LOOKED_FOR,
        tables=NOT_LOOKED_FOR,
        sessions=NOT_LOOKED_FOR,
        buffers=NOT_LOOKED_FOR,
        statements=NOT_LOOKED_FOR,
        process_memory=NOT_LOOKED_FOR,
        probe=NOT_LOOKED_FOR,
        replication=NOT_LOOKED_FOR,
        health=NOT_LOOKED_FOR,
        slru=NOT_LOOKED_FOR,
    )
    servers = tuple(
        server if postgres_server is situation.server else postgres_server
        for postgres_server in situation.facts.postgres
    )
    memory = dataclasses.replace(situation.facts.memory, strain=NO_STRAIN)
    facts = dataclasses.replace(situation.facts, postgres=servers, memory=memory)
    return dataclasses.replace(situation, server=server, facts=facts)
