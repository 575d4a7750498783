"""How many sessions the processors serve well, and how many the server lets in: one threshold, told once."""

from __future__ import annotations

from fractions import Fraction

from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.known import Fact, Known, MissingFact, Unknown, known_or, needed

PER_THREAD = Fraction(7, 2)
"""Connections that a hardware thread serves well, an assumption: 224 on 64 threads were a tuned Power10's
peak, with default settings 112; on the 32 threads of the Ice Lake 112 were the fewest tried (claim 19)."""

FEW = 100
"""No pool is proposed for fewer, on any machine: PostgreSQL's default max_connections, an assumption."""

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
    return Known(max(FEW, int(PER_THREAD * threads)), "connections per hardware thread, assumed")


def served_in_words(threads: int) -> str:
    """The computation: what is assumed of the processors, and of any machine.

    >>> served_in_words(40)
    '3.5 per hardware thread, as assumed, x 40 = 140'
    >>> served_in_words(16)
    '3.5 per hardware thread, as assumed, x 16 = 56; no pool is proposed for fewer than 100'
    """
    by_threads = int(PER_THREAD * threads)
    computed = f"{float(PER_THREAD):g} per hardware thread, as assumed, x {threads} = {by_threads}"
    return computed if by_threads >= FEW else f"{computed}; no pool is proposed for fewer than {FEW}"


def reserved_slots(situation: Situation) -> int:
    """Slots after the plan that ordinary clients do not get."""
    return sum(int(situation.will_be(name)) for name in RESERVED if situation.settings.has(name))


def ordinary_slots(situation: Situation) -> int:
    """How many ordinary clients the server lets in after the plan."""
    return max(0, slots(situation) - reserved_slots(situation))


def slots(situation: Situation) -> int:
    """How many sessions the server lets in after the plan, the reserved ones too."""
    return int(situation.will_be("max_connections"))
