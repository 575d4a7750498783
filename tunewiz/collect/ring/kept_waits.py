"""Sampled waits as numbers of a ring: active sessions in all looks since the last sample, by kind of wait."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from tunewiz.collect.postgres.samples import Sample
from tunewiz.collect.postgres.waits import HIDDEN
from tunewiz.core.facts.waits import WaitCount
from tunewiz.core.health.waits import WaitKind, kind_of

SAMPLES = "wait_samples"
"""How often was looked."""
HIDDEN_WAITS = "waits_hidden"
KEPT: Mapping[WaitKind, tuple[str, str]] = {
    "locks": ("waits_locks", "Lock"),
    "I/O": ("waits_io", "IO"),
    "WAL": ("waits_wal", "WAL"),
    "internal locks": ("waits_internal_locks", "LWLock"),
    "client": ("waits_client", "Client"),
    "standbys": ("waits_standbys", "SyncRep"),
    "vacuum delay": ("waits_vacuum_delay", "VacuumDelay"),
    "something else": ("waits_other", "other"),
    "CPU": ("waits_none", ""),
}
"""The number of each kind, and the kind of wait that it is read as."""
WAIT_NUMBERS = (SAMPLES, HIDDEN_WAITS, *(name for name, _ in KEPT.values()))


def wait_numbers(sample: Sample) -> dict[str, int]:
    """The numbers of one sample; none where nobody looked."""
    if not sample.wait_samples:
        return {}
    result = Counter(dict.fromkeys(WAIT_NUMBERS, 0))
    result[SAMPLES] = sample.wait_samples
    for kind, event, count in sample.waits:
        result[_number_of(kind, event, count)] += count
    return dict(result)


def _number_of(kind: str, event: str, count: int) -> str:
    if kind == HIDDEN:
        return HIDDEN_WAITS
    return KEPT[kind_of(WaitCount(kind=kind, event=event, count=count))][0]


def waits_from(numbers: Mapping[str, int]) -> tuple[tuple[str, str, int], ...]:
    """What `wait_numbers` made of a sample, without the names of the waits."""
    pairs = [(HIDDEN, HIDDEN_WAITS), *((kind, name) for name, kind in KEPT.values())]
    return tuple((kind, "", numbers[name]) for kind, name in pairs if numbers.get(name))
