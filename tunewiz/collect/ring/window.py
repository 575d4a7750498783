"""The busiest hour that was kept, as facts: what the server did in it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from tunewiz.collect.postgres.curves import curves_of
from tunewiz.collect.postgres.samples import window_of
from tunewiz.collect.ring.busiest import busiest, samples
from tunewiz.collect.ring.places import newest_place
from tunewiz.collect.ring.reading import Ring, read_ring
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.look import ServerSample
from tunewiz.core.facts.server import PostgresServer, Window
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Fact, Known, Unknown
from tunewiz.core.values.plural import how_many

_MILLISECONDS = 1_000
_DAY = 86_400 * _MILLISECONDS


def with_kept(facts: Facts, environ: Mapping[str, str]) -> Facts:
    """The facts, each server that was not watched with its busiest hour where `tunewiz watch` kept it.

    Args:
        facts: Of this host.
        environ: Of this process.
    """
    return dataclasses.replace(
        facts, postgres=tuple(_with_kept(server, environ) for server in facts.postgres)
    )


def _with_kept(server: PostgresServer, environ: Mapping[str, str]) -> PostgresServer:
    if isinstance(server.window, Known) or not isinstance(server.data_directory, Known):
        return server
    place = newest_place(server.data_directory.value, environ)
    return server if place is None else dataclasses.replace(server, window=window_of_ring(place))


def window_of_ring(path: Path) -> Fact[Window]:
    """What the server did in its busiest hour; unknown with the reason where that cannot be told."""
    try:
        return busiest_hour(read_ring(path), path)
    except InputError as error:
        return Unknown(error.message)


def busiest_hour(ring: Ring, path: Path) -> Fact[Window]:
    """The same of a file that was read."""
    looks = busiest(ring.looks, ring.head.every)
    if not looks:
        return Unknown(f"{path}: too few samples to find the busiest hour")
    taken = samples(looks, f"in the busiest hour that {path} holds: {when(looks[0], looks[-1])}{_but(ring)}")
    match window_of(taken):
        case Known(value=window, how=how):
            days = Known(len({sample.at // _DAY for sample in ring.looks}), f"{path}: days with samples")
            return Known(dataclasses.replace(window, curves=curves_of(taken), days=days), how)
        case unknown:
            return unknown


def _but(ring: Ring) -> str:
    return f" ({how_many(ring.damaged, 'damaged sample')} left out)" if ring.damaged else ""


def when(first: ServerSample, last: ServerSample) -> str:
    """`2026-11-24 14:02 to 15:02 UTC`."""
    begin, end = (datetime.fromtimestamp(sample.at / _MILLISECONDS, UTC) for sample in (first, last))
    same = begin.date() == end.date()
    return f"{begin:%Y-%m-%d %H:%M} to {end:{'%H:%M' if same else '%Y-%m-%d %H:%M'}} UTC"
