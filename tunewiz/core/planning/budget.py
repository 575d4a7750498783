"""One memory budget for the server, the kernel and everything else: no plan may exceed it.

What each part costs is explained where it is computed. The parts are bounds that a busy server can reach, not
averages; the sorts are those of the sessions at work, since an idle one sorts nothing.
"""

from __future__ import annotations

from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.database_size import buffers_worth
from tunewiz.core.server.page_tables import lies_in_huge_pages, page_tables
from tunewiz.core.server.seen_memory import per_connection
from tunewiz.core.server.shared_memory import shared_overhead
from tunewiz.core.server.sorts import sorts_at_once, sorts_at_worst
from tunewiz.core.server.start_limits import spendable
from tunewiz.core.server.temp_buffers import more_temp_buffers
from tunewiz.core.values.known import Known, known_or
from tunewiz.core.values.record import dataclass
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


def budget_of(situation: Situation) -> MemoryBudget:
    """The budget with the chosen values; raises MissingFact if memory is unknown."""
    buffers = situation.will_be_size("shared_buffers")
    other = shared_overhead(situation, buffers)
    return MemoryBudget(
        total=spendable(situation),
        buffers=buffers,
        shared_other=other,
        huge_pages_idle=_idle_huge_pages(
            situation, buffers + other if lies_in_huge_pages(situation) else Bytes(0)
        ),
        connections=(per_connection(situation) + more_temp_buffers(situation)) * situation.connections,
        page_tables=page_tables(situation),
        work=situation.will_be_size("work_mem") * sorts_at_once(situation),
        maintenance=situation.will_be_size("maintenance_work_mem"),
        autovacuum=_autovacuum(situation),
        system=system_reserve(situation),
        work_at_worst=situation.will_be_size("work_mem") * sorts_at_worst(situation),
    )


def room_for_buffers(situation: Situation) -> Bytes:
    """What shared memory may take; raises MissingFact.

    Sorts and maintenance are counted with their defaults: they are fitted into what is left afterwards.
    Idle huge pages are room for buffers, unless they must not be used.
    """
    budget = budget_of(situation)
    idle = budget.huge_pages_idle if situation.will_be("huge_pages") != "off" else Bytes(0)
    room = budget.room_for(*_of_buffers(budget), idle, *_fitted_later(budget))
    maintenance = _usual(situation, "maintenance_work_mem") * maintenance_users(situation)
    own = Bytes(0) if maintenance_users(situation) > 1 else budget.autovacuum
    return max(Bytes(0), room - maintenance - own - _usual(situation, "work_mem") * sorts_at_once(situation))


def room_for_maintenance(situation: Situation) -> Bytes:
    """What maintenance by hand may take, and autovacuum if it shares that limit; raises MissingFact."""
    budget = budget_of(situation)
    room = budget.room_for(*_fitted_later(budget))
    own = Bytes(0) if maintenance_users(situation) > 1 else budget.autovacuum
    return max(Bytes(0), room - own - _usual(situation, "work_mem") * sorts_at_once(situation))


def bears(situation: Situation) -> bool:
    """Whether buffers of the usual share fit beside everything else; true if memory is unknown.

    Autovacuum's memory counts as if it had not given way: what it gave up was for less, not for more.
    """
    own, usual = situation.will_be("autovacuum_work_mem"), _usual(situation, "maintenance_work_mem")
    gave_way = own != "-1" and situation.will_be_size("autovacuum_work_mem") < usual
    return lacking(situation.with_chosen("autovacuum_work_mem", "-1") if gave_way else situation) == Bytes(0)


def lacking(situation: Situation) -> Bytes:
    """Memory lacking for shared_buffers of the usual share beside everything else; none if memory is unknown.

    The default of shared_buffers is kept, even if it exceeds that share.
    """
    if not isinstance(situation.facts.memory.total, Known):
        return Bytes(0)
    buffers = max(
        buffers_worth(situation),
        min(situation.will_be_size("shared_buffers"), _usual(situation, "shared_buffers")),
    )
    used = buffers + shared_overhead(situation, buffers)
    idle = _idle_huge_pages(situation, used) if situation.will_be("huge_pages") != "off" else Bytes(0)
    return max(Bytes(0), used + idle - room_for_buffers(situation))


def _of_buffers(budget: MemoryBudget) -> tuple[Bytes, ...]:
    return budget.buffers, budget.shared_other, budget.page_tables


def _fitted_later(budget: MemoryBudget) -> tuple[Bytes, ...]:
    return budget.work, budget.maintenance, budget.autovacuum


def _usual(situation: Situation, name: str) -> Bytes:
    return situation.settings[name].size(situation.default(name))


def system_reserve(situation: Situation) -> Bytes:
    """Memory left to the system: the posture's share, at least its floor, at most a quarter of all."""
    share = max(situation.memory * situation.posture.system_share, situation.posture.system_floor)
    return min(share, situation.memory // 4)


def maintenance_users(situation: Situation) -> int:
    """Processes that may take maintenance_work_mem at once: a command by hand and autovacuum's workers."""
    shared = situation.will_be("autovacuum_work_mem") == "-1"
    return 1 + (int(situation.will_be("autovacuum_max_workers")) if shared else 0)


def _autovacuum(situation: Situation) -> Bytes:
    workers = int(situation.will_be("autovacuum_max_workers"))
    own = situation.will_be("autovacuum_work_mem")
    size = situation.will_be_size("maintenance_work_mem" if own == "-1" else "autovacuum_work_mem")
    return (min(size, VACUUM_LIMIT) if situation.major < V17 else size) * workers


def _idle_huge_pages(situation: Situation, used: Bytes) -> Bytes:
    """What is left of the pool beside what the server uses of it."""
    size = situation.facts.memory.huge_page_size
    reserved = situation.kernel_count("vm.nr_hugepages")
    if not isinstance(size, Known) or reserved == 0:
        return Bytes(0)
    pool = size.value * reserved
    return max(Bytes(0), pool - used - _beyond_the_limit(situation))


def _beyond_the_limit(situation: Situation) -> Bytes:
    """Memory outside the server's control group: the pool is taken from it first."""
    return known_or(situation.facts.memory.total, situation.memory) - situation.memory
