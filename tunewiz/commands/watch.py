"""`tunewiz watch`: records samples of a running server, or shows what was recorded."""

from __future__ import annotations

import os
from pathlib import Path

from tunewiz.collect.postgres.servers import find_servers
from tunewiz.collect.ring.columns import watched_columns
from tunewiz.collect.ring.history import history_of
from tunewiz.collect.ring.keeping import keep_looking
from tunewiz.collect.ring.places import newest_place, place_to_write
from tunewiz.collect.ring.reading import read_ring
from tunewiz.collect.ring.writing import RingWriter
from tunewiz.collect.system import LiveSystem
from tunewiz.commands.connection import first_named
from tunewiz.commands.options import Options
from tunewiz.console import output
from tunewiz.console.exit_status import say
from tunewiz.console.interrupts import Stops
from tunewiz.core.values.errors import InputError, UsageError
from tunewiz.core.values.known import Known
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.units import Bytes, Duration, in_words
from tunewiz.formats.ring import FEWEST_SLOTS, RingHead, why_too_large

_MILLISECONDS = 1_000


def run_watch(options: Options) -> int:
    """Record until SIGINT or SIGTERM, or chart what was recorded."""
    return _show(options) if options.show else _keep(options)


def _keep(options: Options) -> int:
    with Stops() as stopped:
        directory = _directory(options)
        head = RingHead(
            directory=directory,
            every=options.every,
            slots=max(FEWEST_SLOTS, -(-options.keep // options.every)),
            fields=watched_columns(),
        )
        if why := why_too_large(head):
            raise UsageError(f"watch: {why}", "Give --keep a shorter time or --every a longer one.")
        with _ring(options, head) as ring:
            say(_begun(ring))
            for look in keep_looking(LiveSystem(), directory, options.every, say, stopped.is_set):
                ring.append(look)
    return 0


def _ring(options: Options, head: RingHead) -> RingWriter:
    if options.ring:
        return RingWriter(options.ring, head)
    return RingWriter(place_to_write(head.directory, os.environ), head, unreadable="set aside")


def _begun(ring: RingWriter) -> str:
    long, kept = (in_words(Duration(_MILLISECONDS * each)) for each in (ring.head.every, _kept(ring.head)))
    damaged = f"; {how_many(ring.damaged, 'damaged sample')} left out" if ring.damaged else ""
    if ring.set_aside:
        damaged = f"; its head was damaged: the old samples are in {ring.set_aside}, and it begins anew"
    most = Bytes(ring.head.size).human()
    return f"sampling {ring.head.directory} every {long}; {ring.path} keeps {kept} in {most}{damaged}"


def _kept(head: RingHead) -> int:
    return head.slots * head.every


def _show(options: Options) -> int:
    from tunewiz.text.kept import history_text  # noqa: PLC0415 - who keeps draws nothing

    place = options.ring or _place_of(_directory(options))
    history = history_of(read_ring(place))
    if history is None:
        raise InputError(f"{place}: found fewer than two samples, expected more", "Try again later.")
    output.draw(history_text(history, str(place)))
    return 0


def _place_of(directory: str) -> Path:
    found = newest_place(directory, os.environ)
    if found is None:
        raise UsageError(
            f"watch --show: found no samples of {directory}",
            "`tunewiz watch` records them while it runs; --ring names another file.",
        )
    return found


def _directory(options: Options) -> str:
    """The data directory of the named server or the only one, with links resolved."""
    servers = first_named(find_servers(LiveSystem()), options)
    known = [each.data_directory.value for each in servers if isinstance(each.data_directory, Known)]
    if not known:
        raise UsageError("watch: found no PostgreSQL server on this host, expected one")
    return os.path.realpath(known[0])
