"""Samples of a server as `tunewiz watch` keeps them, of a steady hour and a half."""

from pathlib import Path

from tunewiz.collect.ring.writing import RingWriter
from tunewiz.core.facts.look import ServerSample
from tunewiz.formats.ring import RingHead

MINUTES = 90
WAL_A_SECOND = 4 << 20
_BEGIN = 1_760_000_000_000


def ring_of(path: Path, directory: str) -> Path:
    """A file with samples of the server of that data directory, which wrote WAL steadily."""
    head = RingHead(directory=directory, every=60, slots=100, fields=("commits", "wal_position"))
    with RingWriter(path, head) as ring:
        for minute in range(MINUTES):
            passed = 60_000 * minute
            numbers = {"commits": 1000 * minute, "wal_position": 60 * WAL_A_SECOND * minute}
            ring.append(ServerSample(run=1, at=_BEGIN + passed, passed=passed, numbers=numbers))
    return path
