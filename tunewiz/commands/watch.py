"""`tunewiz watch`: records samples of a running server, or shows what was recorded."""

from __future__ import annotations

import os

from tunewiz.collect.ring.columns import watched_columns
from tunewiz.collect.ring.history import history_of
from tunewiz.collect.ring.places import place_to_write
from tunewiz.collect.ring.reading import read_ring
from tunewiz.collect.ring.sampling import keep_looking
from tunewiz.collect.ring.writing import RingWriter
from tunewiz.collect.system import LiveSystem
from tunewiz.commands.options import Options
from tunewiz.commands.watch_server import directory_to_sample, ring_to_show
from tunewiz.console import output
from tunewiz.console.exit_status import say
from tunewiz.console.interrupts import Stops
from tunewiz.core.values.errors import InputError, UsageError
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.units import Bytes, Duration, in_words
from tunewiz.formats.ring import FEWEST_SLOTS, RingHead, why_too_large

_MILLISECONDS = 1_000


def run_watch(options: Options) -> int:
    """Record until SIGINT or SIGTERM, or chart what was recorded."""
    return _show(options) if options.show else _keep(options)


def _keep(options: Options) -> int:
    with Stops() as stopped:
        # Checked before looking for a server: these options are wrong for any of them.
        if why := why_too_large(_head(options, "")):
            raise UsageError(f"watch: {why}", "Give --keep a shorter time or --every a longer one.")
        directory = directory_to_sample(options)
        head = _head(options, directory)
        with _ring(options, head) as ring:
            say(_begun(ring))
            for look in keep_looking(LiveSystem(), directory, options.every, say, stopped.is_set):
                ring.append(look)
    return 0


def _head(options: Options, directory: str) -> RingHead:
    return RingHead(
        directory=directory,
        every=options.every,
        slots=max(FEWEST_SLOTS, -(-options.keep // options.every)),
        fields=watched_columns(),
    )


def _ring(options: Options, head: RingHead) -> RingWriter:
    if options.ring:
        return RingWriter(options.ring, head)
    return RingWriter(place_to_write(head.directory, os.environ), head, unreadable="set aside")


def _begun(ring: RingWriter) -> str:
    long, kept = (
        in_words(Duration(_MILLISECONDS * number)) for number in (ring.head.every, _kept(ring.head))
    )
    damaged = f"; {how_many(ring.damaged, 'damaged sample')} left out" if ring.damaged else ""
    if ring.set_aside:
        damaged = f"; its head was damaged: the old samples are in {ring.set_aside}, and it begins anew"
    most = Bytes(ring.head.size).human()
    return f"sampling {ring.head.directory} every {long}; {ring.path} keeps {kept} in {most}{damaged}"


def _kept(head: RingHead) -> int:
    return head.slots * head.every


def _show(options: Options) -> int:
    from tunewiz.text.watch_history import history_text  # noqa: PLC0415 - who keeps draws nothing

    place = options.ring or ring_to_show(options)
    history = history_of(read_ring(place))
    if history is None:
        raise InputError(f"{place}: found fewer than two samples, expected more", "Try again later.")
    output.draw(history_text(history, str(place)))
    return 0
