"""Another generator of settings: which one, by which published rules, and what it is asked."""

from __future__ import annotations

from collections.abc import Mapping

from tunewiz.core.answers.answers import WorkloadKind
from tunewiz.core.facts.storage_kind import StorageKind
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.known import Known, MissingFact, known_or, needed
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import Bytes
from tunewiz.core.values.versions import Major


@dataclass(frozen=True, kw_only=True, slots=True)
class Peer:
    """One file of profiles/peers: what people read about a generator; its arithmetic is a module here."""

    name: str
    version: str
    date: str
    """Of that version, YYYY-MM-DD."""
    url: str
    """Where its rules are published."""
    licence: str
    about: str
    """What it leaves out or takes for granted, in a sentence or two."""
    workloads: Mapping[str, str]
    """Its name for each of our kinds of workload; empty where it does not ask."""
    storage: Mapping[str, str]
    """Its name for each kind of storage; empty where it does not ask."""
    rules: Mapping[str, str]
    """Each setting that it may set, and by which rule, in our words."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PeerMachine:
    """What a person would tell a generator about this server."""

    memory: Bytes
    """What the server may use."""
    processors: int
    """Logical ones, as generators count them, within the control group's limits."""
    connections: int
    workload: WorkloadKind
    storage: StorageKind
    storage_assumed: bool
    """Whether the kind of storage is unknown here, so that generators' usual answer was given."""
    database_size: Bytes
    major: Major


USUAL_STORAGE: StorageKind = "ssd"
"""What the generators' forms have ticked before a person answers."""


def peer_machine(start: Situation) -> PeerMachine:
    """The machine as generators ask for it; raises MissingFact if memory or processors are unknown."""
    stored = _storage(start)
    return PeerMachine(
        memory=start.memory,
        processors=_processors(start),
        connections=start.connections,
        workload=start.answers.workload.kind,
        storage=stored or USUAL_STORAGE,
        storage_assumed=stored is None,
        database_size=start.answers.workload.database_size,
        major=start.major,
    )


def _storage(start: Situation) -> StorageKind | None:
    try:
        return start.storage_kind
    except MissingFact:
        return None


def _processors(start: Situation) -> int:
    limits = start.facts.limits
    cpu = start.facts.cpu
    online = needed(cpu.online if isinstance(cpu.online, Known) else cpu.cores, "the number of processors")
    allowed = limits.cpuset.value if isinstance(limits.cpuset, Known) else online
    return max(1, min(online, allowed, int(known_or(limits.cpus, float(online)))))
