"""How many sessions the processors serve well, and how many the server lets in: one threshold, told once."""

from __future__ import annotations

from fractions import Fraction

from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.known import Fact, Known, MissingFact, Unknown, known_or, needed

PER_THREAD = Fraction(7, 2)
"""Connections per hardware thread at the measured peaks: 224 on the 64 threads of the Power10, 112 on the 32
of the Ice Lake, which did less with 224 (claim 19)."""

FEW = 100
"""Below this a pool gains little on any machine: PostgreSQL's default max_connections."""

RESERVED = ("superuser_reserved_connections", "reserved_connections")
"""Settings whose slots ordinary clients do not get; the second came with PostgreSQL 16."""


def hardware_threads(situation: Situation) -> int:
    """The processors that may run queries, no more than a quota pays for; raises MissingFact."""
    threads = situation.cores * needed(situation.facts.cpu.threads_per_core, "the number of threads per core")
    limits = situation.facts.limits
    quota = int(known_or(limits.cpus, float(threads)))
    return max(1, min(threads, quota, known_or(limits.cpuset, threads)))


def served_well(situation: Situation) -> Fact[int]:
    """How many sessions at once these processors serve before throughput falls: beyond it, a pool."""
    try:
        threads = hardware_threads(situation)
    except MissingFact as missing:
        return Unknown(str(missing))
    return Known(max(FEW, int(PER_THREAD * threads)), "connections per hardware thread")


def reserved_slots(situation: Situation) -> int:
    """Slots after the plan that ordinary clients do not get."""
    return sum(int(situation.will_be(name)) for name in RESERVED if situation.settings.has(name))


def ordinary_slots(situation: Situation) -> int:
    """How many ordinary clients the server lets in after the plan."""
    return max(0, slots(situation) - reserved_slots(situation))


def slots(situation: Situation) -> int:
    """How many sessions the server lets in after the plan, the reserved ones too."""
    return int(situation.will_be("max_connections"))
