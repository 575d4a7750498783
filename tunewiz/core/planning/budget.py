"""One memory budget for the server, the kernel and everything else: no plan may exceed it.

What each part costs is explained where it is computed. The parts are bounds that a busy server can reach, not
averages; the sorts are those of the sessions at work, since an idle one sorts nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.database_size import buffers_worth
from tunewiz.core.server.page_tables import lies_in_huge_pages, page_tables
from tunewiz.core.server.seen_memory import per_connection
from tunewiz.core.server.shared_memory import shared_overhead
from tunewiz.core.server.sorts import sorts_at_once, sorts_at_worst
from tunewiz.core.server.start_limits import spendable
from tunewiz.core.server.temp_buffers import more_temp_buffers
from tunewiz.core.values.known import Known, known_or
from tunewiz.core.values.units import MIB, Bytes
from tunewiz.core.values.versions import V17

VACUUM_LIMIT = Bytes(1024 * MIB)
"""Before version 17 vacuum could not use more than this for dead rows (release notes 17)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MemoryBudget:
    """Where the memory goes when the server is busy."""

    total: Bytes
    buffers: Bytes
    shared_other: Bytes
    """Shared memory other than the buffers."""
    huge_pages_idle: Bytes
    """Reserved huge pages that the server does not use: lost to everyone."""
    connections: Bytes
    page_tables: Bytes
    """Of the sessions at work, for shared memory that is not in huge pages."""
    work: Bytes
    """The sessions that are at work and parallel workers, with the sorts and hashes that they run at once."""
    maintenance: Bytes
    """One CREATE INDEX or VACUUM by hand."""
    autovacuum: Bytes
    """All autovacuum workers at once."""
    system: Bytes
    """Left to the kernel and everything else."""
    work_at_worst: Bytes
    """If every session sorts and hashes at its limit at once: no part of what is claimed, but a risk."""

    @property
    def claimed(self) -> Bytes:
        """Everything but the page cache."""
        parts = (self.shared_other, self.huge_pages_idle, self.connections, self.page_tables)
        return sum((*parts, self.work, self.maintenance, self.autovacuum, self.system), self.buffers)

    @property
    def fits(self) -> bool:
        """Whether everything fits at once."""
        return self.claimed <= self.total

    @property
    def at_worst(self) -> Bytes:
        """What would be claimed then."""
        return self.claimed - self.work + self.work_at_worst

    @property
    def page_cache(self) -> Bytes:
        """What is left for the kernel's page cache."""
        return max(Bytes(0), self.total - self.claimed)

    @property
    def parts(self) -> dict[str, Bytes]:
        """Everything by name, as a plan shows it: the total, what is claimed of it, and what is left."""
        return {
            "total": self.total,
            "buffers": self.buffers,
            "shared_other": self.shared_other,
            "huge_pages_idle": self.huge_pages_idle,
            "connections": self.connections,
            "page_tables": self.page_tables,
            "work": self.work,
            "maintenance": self.maintenance,
            "autovacuum": self.autovacuum,
            "system": self.system,
            "claimed": self.claimed,
            "page_cache": self.page_cache,
        }

    def room_for(self, *parts: Bytes) -> Bytes:
        """What these parts could take: what they claim now, and the page cache."""
        return max(Bytes(0), sum(parts, self.total - self.claimed))


def budget_of(now: Situation) -> MemoryBudget:
    """The budget with the chosen values; raises MissingFact if memory is unknown."""
    buffers = now.will_be_size("shared_buffers")
    other = shared_overhead(now, buffers)
    return MemoryBudget(
        total=spendable(now),
        buffers=buffers,
        shared_other=other,
        huge_pages_idle=_idle_huge_pages(now, buffers + other if lies_in_huge_pages(now) else Bytes(0)),
        connections=(per_connection(now) + more_temp_buffers(now)) * now.connections,
        page_tables=page_tables(now),
        work=now.will_be_size("work_mem") * sorts_at_once(now),
        maintenance=now.will_be_size("maintenance_work_mem"),
        autovacuum=_autovacuum(now),
        system=system_reserve(now),
        work_at_worst=now.will_be_size("work_mem") * sorts_at_worst(now),
    )


def room_for_buffers(now: Situation) -> Bytes:
    """What shared memory may take; raises MissingFact.

    Sorts and maintenance are counted with their defaults: they are fitted into what is left afterwards.
    Idle huge pages are room for buffers, unless they must not be used.
    """
    budget = budget_of(now)
    idle = budget.huge_pages_idle if now.will_be("huge_pages") != "off" else Bytes(0)
    room = budget.room_for(*_of_buffers(budget), idle, *_fitted_later(budget))
    maintenance = _usual(now, "maintenance_work_mem") * maintenance_users(now)
    own = Bytes(0) if maintenance_users(now) > 1 else budget.autovacuum
    return max(Bytes(0), room - maintenance - own - _usual(now, "work_mem") * sorts_at_once(now))


def room_for_maintenance(now: Situation) -> Bytes:
    """What maintenance by hand may take, and autovacuum if it shares that limit; raises MissingFact."""
    budget = budget_of(now)
    room = budget.room_for(*_fitted_later(budget))
    own = Bytes(0) if maintenance_users(now) > 1 else budget.autovacuum
    return max(Bytes(0), room - own - _usual(now, "work_mem") * sorts_at_once(now))


def bears(now: Situation) -> bool:
    """Whether buffers of the usual share fit beside everything else; true if memory is unknown."""
    return lacking(now) == Bytes(0)


def lacking(now: Situation) -> Bytes:
    """Memory lacking for shared_buffers of the usual share beside everything else; none if memory is unknown.

    The default of shared_buffers is kept, even if it exceeds that share.
    """
    if not isinstance(now.facts.memory.total, Known):
        return Bytes(0)
    buffers = max(buffers_worth(now), min(now.will_be_size("shared_buffers"), _usual(now, "shared_buffers")))
    used = buffers + shared_overhead(now, buffers)
    idle = _idle_huge_pages(now, used) if now.will_be("huge_pages") != "off" else Bytes(0)
    return max(Bytes(0), used + idle - room_for_buffers(now))


def _of_buffers(budget: MemoryBudget) -> tuple[Bytes, ...]:
    return budget.buffers, budget.shared_other, budget.page_tables


def _fitted_later(budget: MemoryBudget) -> tuple[Bytes, ...]:
    return budget.work, budget.maintenance, budget.autovacuum


def _usual(now: Situation, name: str) -> Bytes:
    return now.settings[name].size(now.default(name))


def system_reserve(now: Situation) -> Bytes:
    """Memory left to the system: the posture's share, at least its floor, at most a quarter of all."""
    share = max(now.memory * now.posture.system_share, now.posture.system_floor)
    return min(share, now.memory // 4)


def maintenance_users(now: Situation) -> int:
    """Processes that may take maintenance_work_mem at once: a command by hand and autovacuum's workers."""
    shared = now.will_be("autovacuum_work_mem") == "-1"
    return 1 + (int(now.will_be("autovacuum_max_workers")) if shared else 0)


def _autovacuum(now: Situation) -> Bytes:
    workers = int(now.will_be("autovacuum_max_workers"))
    own = now.will_be("autovacuum_work_mem")
    each = now.will_be_size("maintenance_work_mem" if own == "-1" else "autovacuum_work_mem")
    return (min(each, VACUUM_LIMIT) if now.major < V17 else each) * workers


def _idle_huge_pages(now: Situation, used: Bytes) -> Bytes:
    """What is left of the pool beside what the server uses of it."""
    size = now.facts.memory.huge_page_size
    reserved = now.kernel_count("vm.nr_hugepages")
    if not isinstance(size, Known) or reserved == 0:
        return Bytes(0)
    pool = size.value * reserved
    return max(Bytes(0), pool - used - _beyond_the_limit(now))


def _beyond_the_limit(now: Situation) -> Bytes:
    """Memory outside the server's control group: the pool is taken from it first."""
    return known_or(now.facts.memory.total, now.memory) - now.memory
