"""What was kept, in equal parts of the time from the first look to the last."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from tunewiz.collect.postgres.waits import added_up
from tunewiz.collect.ring.busiest import busiest
from tunewiz.collect.ring.kept_waits import SAMPLES, waits_from
from tunewiz.collect.ring.reading import Ring
from tunewiz.collect.ring.stretches import breaks, stretches
from tunewiz.collect.ring.window import when
from tunewiz.core.facts.history import Hour, Kept, KeptLine, ServerHistory
from tunewiz.core.facts.look import ServerSample
from tunewiz.core.facts.waits import Waits
from tunewiz.core.values.known import known_or

PARTS = 40
"""As many as a row of a terminal shows beside a name and a number."""
_MILLISECONDS = 1_000
Step = Callable[[ServerSample, ServerSample], int]
"""The value between two looks; raises KeyError or ZeroDivisionError where there is none."""


def history_of(ring: Ring, parts: int = PARTS) -> ServerHistory | None:
    """How the server's work went; None where there are no two looks."""
    looks = ring.looks
    if len(looks) <= 1:
        return None
    times = list(_forward(looks))
    broken = [why for _, why in breaks(looks, ring.head.every)]
    return ServerHistory(
        directory=ring.head.directory,
        every=ring.head.every,
        looks=len(looks),
        begin=times[0],
        end=times[-1],
        restarts=broken.count("restart"),
        resets=broken.count("reset"),
        gaps=broken.count("gap"),
        damaged=ring.damaged,
        lines=tuple(_lines(ring, dict(zip(map(id, looks), _places(times, parts), strict=True)), parts)),
        busiest=_hour(ring, times, parts),
        waits=_waits(ring, (times[-1] - times[0]) / _MILLISECONDS),
    )


def _waits(ring: Ring, seconds: float) -> Waits | None:
    counts = [entry for look in ring.looks for entry in waits_from(look.numbers)]
    taken = sum(look.numbers.get(SAMPLES, 0) for look in ring.looks)
    return known_or(added_up(counts, seconds=seconds, samples=taken, how="recorded"), None)


def _forward(looks: Sequence[ServerSample]) -> Iterator[int]:
    """The times of the looks; where the clock was set back, time stands still until it is caught up."""
    latest = 0
    for look in looks:
        latest = max(latest, look.at)
        yield latest


def _places(times: Sequence[int], parts: int) -> Iterator[int]:
    span = max(1, times[-1] - times[0])
    return (min(parts - 1, parts * (time - times[0]) // span) for time in times)


def _lines(ring: Ring, places: Mapping[int, int], parts: int) -> Iterator[KeptLine]:
    steps = [pair for part in stretches(ring.looks, ring.head.every) for pair in pairwise(part)]
    for counted, (step, joined) in STEPS.items():
        lines: list[list[int]] = [[] for _ in range(parts)]
        for before, after in steps:
            try:
                value = step(before, after)
            except (KeyError, ZeroDivisionError):
                continue
            last = places[id(after)]
            lines[last].append(value)
            # A step may be longer than a part: what is counted in it is counted once.
            for part in range(places[id(before)], last):
                lines[part].append(0 if joined is sum else value)
        yield KeptLine(counted=counted, values=tuple(joined(row) if row else None for row in lines))


def _hour(ring: Ring, times: Sequence[int], parts: int) -> Hour | None:
    looks = busiest(ring.looks, ring.head.every)
    if not looks:
        return None
    placed = [
        place
        for look, place in zip(ring.looks, _places(times, parts), strict=True)
        if look is looks[0] or look is looks[-1]
    ]
    return Hour(
        when=when(looks[0], looks[-1]),
        parts=range(placed[0], placed[-1] + 1),
        seconds=(looks[-1].passed - looks[0].passed) // _MILLISECONDS,
    )


def _a_second(*names: str) -> Step:
    def step(before: ServerSample, after: ServerSample) -> int:
        grown = sum(after.numbers[name] - before.numbers[name] for name in names)
        return round(_MILLISECONDS * grown / (after.passed - before.passed))

    return step


def _grown(*names: str) -> Step:
    return lambda before, after: sum(after.numbers[name] - before.numbers[name] for name in names)


def _hits(before: ServerSample, after: ServerSample) -> int:
    """Percent of the blocks that were found in shared_buffers."""
    hit, read = (after.numbers[name] - before.numbers[name] for name in ("blocks_hit", "blocks_read"))
    return round(100 * hit / (hit + read))


def _at_most(before: ServerSample, after: ServerSample) -> int:
    return max(before.numbers["connections"], after.numbers["connections"])


STEPS: Mapping[Kept, tuple[Step, Callable[[Sequence[int]], int]]] = {
    "commits": (_a_second("commits", "rollbacks"), max),
    "wal_bytes": (_a_second("wal_position"), max),
    "checkpoints": (_grown("checkpoints_timed", "checkpoints_requested"), sum),
    "hits": (_hits, min),
    "temp_bytes": (_a_second("temp_bytes"), max),
    "connections": (_at_most, max),
}
