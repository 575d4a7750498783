"""How much shared memory the server takes, and how many huge pages hold it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from tunewiz.core.recommendation.situation import NOTHING_CHOSEN, NoServer, Situation
from tunewiz.core.server.extension_workers import extension_memory
from tunewiz.core.server.huge_page_pool import neighbours_pages
from tunewiz.core.server.processes import processes_of
from tunewiz.core.values.known import Absent, Fact, Known, MaybeFact, Unknown, known_or, needed
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import GIB, KIB, MIB, Bytes

SHARED_OVERHEAD = Fraction(3, 100)
"""Shared memory beside the buffers: 2.3 to 2.8 % of 16 GB in versions 9.5 to 18 (measured 2026-11)."""

SHARED_FLOOR = Bytes(32 * MIB)
"""What is added to that at any size, including WAL buffers: 62 MB beside 1 GB of buffers, 22 MB beside 128 MB
(PostgreSQL 18.6, 2026-11), and a little room for extensions."""

SHARED_PER_CONNECTION = Bytes(84 * KIB)
"""Growth of shared memory per connection: 18 to 32 MB for 400 more connections (measured 2026-11).

The upper end: with huge_pages=on a server does not start if one page is missing.
"""

USUAL_WAL_BUFFERS = Bytes(16 * MIB)
"""The most that the server takes by itself, with segments of the usual size: included in SHARED_OVERHEAD."""

DEFAULT_LOCKS = 64
"""max_locks_per_transaction by default: counted in SHARED_PER_CONNECTION."""

USUAL_QUERY = Bytes(KIB)
"""track_activity_query_size by default: counted in SHARED_PER_CONNECTION."""

PER_LOCK = Bytes(300)
"""A lock and its holder in the shared lock table: 270 bytes in the documentation's terms, rounded up."""


SMALL_CACHES = (
    "multixact_member_buffers",
    "multixact_offset_buffers",
    "subtransaction_buffers",
    "transaction_buffers",
)
"""Transaction status caches (SLRU; 17 and newer): at their defaults SHARED_OVERHEAD includes them."""


def shared_overhead(situation: Situation, buffers: Bytes) -> Bytes:
    """Shared memory beside the buffers, rounded up generously."""
    return SHARED_FLOOR + buffers * SHARED_OVERHEAD + _beside_any_size(situation)


def _beside_any_size(situation: Situation) -> Bytes:
    """What does not depend on the size of the buffers: connections, and what was set high."""
    wal = situation.will_be("wal_buffers")
    chosen = Bytes(0) if wal == "-1" else situation.will_be_size("wal_buffers")
    more_wal = max(Bytes(0), chosen - USUAL_WAL_BUFFERS)
    return (
        per_connection(situation)
        + more_wal
        + _small_caches(situation)
        + _query_texts(situation)
        + _dynamic(situation)
        + extension_memory(situation)
    )


def _query_texts(situation: Situation) -> Bytes:
    """Room for the query of each process in pg_stat_activity, beyond the usual."""
    name = "track_activity_query_size"
    length = (
        situation.will_be_size(name) if situation.settings[name].unit else Bytes(int(situation.will_be(name)))
    )
    return max(Bytes(0), length - USUAL_QUERY) * processes_of(situation)


def _dynamic(situation: Situation) -> Bytes:
    """Memory for parallel queries that is reserved at the start (14 and newer)."""
    name = "min_dynamic_shared_memory"
    return situation.will_be_size(name) if situation.settings.has(name) else Bytes(0)


def _small_caches(situation: Situation) -> Bytes:
    """What was set for them, or will be."""
    return sum(
        (
            situation.will_be_size(name)
            for name in SMALL_CACHES
            if situation.settings.has(name) and _is_set(situation, name)
        ),
        Bytes(0),
    )


def _is_set(situation: Situation, name: str) -> bool:
    return not situation.settings[name].same(situation.will_be(name), situation.default(name))


def per_connection(situation: Situation) -> Bytes:
    """Shared memory that grows with the allowed connections."""
    sessions = int(situation.will_be("max_connections")) + int(situation.will_be("max_prepared_transactions"))
    more_locks = max(0, int(situation.will_be("max_locks_per_transaction")) - DEFAULT_LOCKS)
    return (SHARED_PER_CONNECTION + PER_LOCK * more_locks) * sessions


def buffers_beside(situation: Situation, room: Bytes, growing: Fraction) -> Bytes:
    """The largest buffers that fit into the room with their overhead, and what else grows with them."""
    left = room - _beside_any_size(situation)
    return max(Bytes(0), (left - SHARED_FLOOR) * (1 / (1 + SHARED_OVERHEAD + growing)))


WORTH_HUGE_PAGES = Bytes(2 * GIB)
"""Below, a process's page table for the buffers stays under 4 MB: 8 bytes for each page of 4 kB."""

EASILY_FOUND = Bytes(32 * MIB)
"""Larger pages are rarely found in one piece once a system has run for a while (512 MB, 1 GB, 16 GB)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class HugePages:
    """How many huge pages the server's shared memory takes."""

    count: int
    size: Bytes
    """Of one page."""
    computed: str
    """The computation, as a person would write it."""

    @property
    def pool(self) -> str:
        """The kernel's file with the number of pages of this size."""
        return f"/sys/kernel/mm/hugepages/hugepages-{self.size.count // KIB}kB/nr_hugepages"


def huge_pages_needed(situation: Situation) -> HugePages:
    """What the pool must hold for all servers; raises MissingFact if the kernel has no huge pages."""
    size = _page_size(situation)
    fact = _told_by_the_server(situation)
    if isinstance(fact, Known):
        said = f"{fact.value:,} pages, as the server reports"
        return _beside_neighbours(HugePages(count=fact.value, size=size, computed=said), situation)
    return _beside_neighbours(huge_pages_of(situation, size), situation)


def _beside_neighbours(own: HugePages, situation: Situation) -> HugePages:
    """The same pool serves every server of the machine, whoever starts first."""
    theirs = neighbours_pages(situation, own.size, SHARED_FLOOR)
    if not theirs:
        return own
    computed = f"{own.computed}, and {theirs:,} for the other servers that run here"
    return replace(own, count=own.count + theirs, computed=computed)


def huge_pages_of(situation: Situation, size: Bytes) -> HugePages:
    """How many pages of that size hold the server's shared memory after the plan."""
    buffers = situation.will_be_size("shared_buffers")
    beside = _rest_by_the_server(situation)
    if isinstance(beside, Known):
        count = (buffers + beside.value).pages(size)
        sum_of_it = f"{buffers.short()} + {beside.value.short()} beside the buffers, as the server counts"
        return HugePages(count=count, size=size, computed=f"({sum_of_it}) / {size.short()} = {count:,} pages")
    other = shared_overhead(situation, buffers)
    count = (buffers + other).pages(size)
    sum_of_it = f"{buffers.short()} + {other.short()} beside the buffers"
    return HugePages(count=count, size=size, computed=f"({sum_of_it}) / {size.short()} = {count:,} pages")


def _rest_by_the_server(situation: Situation) -> Fact[Bytes]:
    """What lies beside the buffers: the server's own count of today, and what the plan adds to it."""
    if isinstance(situation.server, NoServer) or not isinstance(situation.server.shared_memory_pages, Known):
        return Unknown("the server does not count its shared memory")
    today = replace(situation, chosen=NOTHING_CHOSEN)
    buffers = today.will_be_size("shared_buffers")
    rest = _page_size(today) * situation.server.shared_memory_pages.value - buffers
    planned = shared_overhead(situation, situation.will_be_size("shared_buffers"))
    more = planned - shared_overhead(today, buffers)
    return Known(max(Bytes(0), rest + more), "its own count, and what the plan adds")


def pages_reserved(situation: Situation) -> int:
    """Huge pages of the size that the server asks for in the kernel's pool after the plan."""
    if _page_size(situation) != known_or(situation.facts.memory.huge_page_size, Bytes(0)):
        return 0
    return situation.kernel_count("vm.nr_hugepages")


def smaller_pages(situation: Situation) -> Bytes:
    """The largest size that the server could ask for and the kernel easily finds; 0 if there is none."""
    if not situation.settings.has("huge_page_size"):
        return Bytes(0)
    page = known_or(situation.facts.memory.page_size, Bytes(0))
    sizes = known_or(situation.facts.memory.huge_page_sizes, ())
    return max((size for size in sizes if page < size <= EASILY_FOUND), default=Bytes(0))


def _page_size(situation: Situation) -> Bytes:
    """The size that the server will ask for: huge_page_size (14 and newer), else the kernel's default."""
    if situation.settings.has("huge_page_size"):
        size = situation.will_be_size("huge_page_size")
        if size:
            return size
    return needed(situation.facts.memory.huge_page_size, "the size of huge pages")


SIZED_BY = (
    "shared_buffers",
    "max_connections",
    "max_worker_processes",
    "autovacuum_max_workers",
    "io_max_concurrency",
    "max_locks_per_transaction",
    *SMALL_CACHES,
)
"""Settings of the catalogue that change the size of shared memory."""

DECIDED_BY = tuple(f"pg.{name}" for name in SIZED_BY)
"""The recommendations that must be decided before it is known."""


def is_resized(situation: Situation) -> bool:
    """Whether the plan changes its size: what a reload changes does not (autovacuum workers from 18 on)."""
    return any(name in situation.chosen and situation.settings[name].needs_restart for name in SIZED_BY)


def _told_by_the_server(situation: Situation) -> MaybeFact[int]:
    """Its own count (15 and newer), as long as the plan changes nothing that it depends on."""
    if isinstance(situation.server, NoServer) or is_resized(situation):
        return Absent("the plan changes what it depends on")
    return situation.server.shared_memory_pages
