"""How much written data the kernel may keep in memory, and how much of that is sensible.

Each limit is a pair of settings, one of which is in force: writing one zeroes the other.
"""

from __future__ import annotations

from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.known import known_or, needed
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import MIB, Bytes

BACKGROUND = Bytes(64 * MIB)
LIMIT = Bytes(512 * MIB)
"""The z13 study's two values (z-deck.dirty_limits)."""

ENOUGH = 2
"""32, 64 and 128 MB performed alike there: lowering up to twice the value gains nothing."""

SHARE = 10
"""Never more than a tenth of memory: the kernel's own background limit."""

WRITEBACK_KNOWS_NO_GROUPS = 1
"""Version of control groups under which dirty limits count all memory (kernel documentation, cgroup-v2)."""


NOT_GOVERNED = (
    "ZFS holds back data in its own memory (zfs_dirty_data_max): the kernel's limit does not govern it"
)


def governed(situation: Situation) -> bool:
    """Whether the kernel's limits count for the data and the WAL: for any file system of theirs but ZFS."""
    kinds = [known_or(storage.filesystem, "") for storage in situation.facts.storage]
    return not kinds or any(kind != "zfs" for kind in kinds)


@dataclass(frozen=True, kw_only=True, slots=True)
class Held:
    """A limit as it is in force."""

    size: Bytes
    in_words: str
    """As it was set: `64 MiB`, `10 % of memory = 2.4 GiB`."""


def held(situation: Situation, pair: str) -> Held:
    """The limit in force of `vm.dirty` or `vm.dirty_background`; raises MissingFact."""
    absolute = situation.kernel_number(f"{pair}_bytes")
    if absolute:
        return Held(size=Bytes(absolute), in_words=Bytes(absolute).short())
    percent = situation.kernel_number(f"{pair}_ratio")
    size = _counted(situation) * percent // 100
    return Held(size=size, in_words=f"{percent} % of memory = {size.short()}")


def _counted(situation: Situation) -> Bytes:
    """The memory that percentages refer to: writeback respects control groups from version 2 on."""
    if known_or(situation.facts.limits.cgroup_version, 0) == WRITEBACK_KNOWS_NO_GROUPS:
        return needed(situation.facts.memory.total, "the size of memory")
    return situation.memory


def sensible(situation: Situation, wanted: Bytes) -> Bytes:
    """The wanted limit, smaller on a small machine, in whole pages and at least two; raises MissingFact."""
    page = needed(situation.facts.memory.page_size, "the size of a memory page")
    bounded = min(wanted, situation.memory * wanted.count // (LIMIT.count * SHARE))
    return max(page * 2, bounded.down_to(page))


def computed(situation: Situation, wanted: Bytes, limits: Held) -> str:
    """The computation, as a person would write it."""
    value = sensible(situation, wanted)
    less = "" if value == wanted else f", less on {situation.memory.short()} of memory: {value.short()}"
    return f"{limits.in_words} now; {wanted.short()} where it was measured{less}"
