"""shared_buffers: PostgreSQL's own cache of table and index pages."""

from __future__ import annotations

from fractions import Fraction

from tunewiz.core.planning.budget import room_for_buffers
from tunewiz.core.recommendation.evidence import IBM_POWER, Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.observed import cache_hits
from tunewiz.core.recommendation.recommendation import (
    Declines,
    Dispute,
    Example,
    Explanation,
    Recommendation,
    Sets,
)
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.database_size import buffers_in_words, buffers_worth, most_used, size_of
from tunewiz.core.server.own_numbers import HITS, rather_than, reads_rarely
from tunewiz.core.server.page_tables import (
    MOST_OF_MEMORY,
    allowed_in_small_pages,
    largest_buffers,
    tables_in_words,
)
from tunewiz.core.server.seen_memory import MEMORY, memory_is_short
from tunewiz.core.server.seen_room import ROOM
from tunewiz.core.server.shared_memory import huge_pages_of
from tunewiz.core.server.start_limits import StartLimit, unfit
from tunewiz.core.values.known import known_or
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.rounding import close, round_down, rounded_in_words
from tunewiz.core.values.units import MIB, Bytes

MAXIMUM = Fraction(2, 5)
"""Above 40 % of memory more is unlikely to work better (PostgreSQL documentation, Resource Consumption)."""

MINIMUM = Bytes(128 * MIB)
"""What initdb writes on any normal machine: nothing smaller is proposed."""


def decide(situation: Situation) -> Verdict:
    """A share of memory, less where the databases, the connections and the system leave less to hold."""
    wanted, room = buffers_worth(situation), largest_buffers(situation, room_for_buffers(situation))
    value = situation.settings["shared_buffers"].clamped(round_down(min(wanted, room)))
    current = situation.will_be_size("shared_buffers")
    if current > MINIMUM and (limit := unfit(situation, current)):
        return _too_large(situation, limit, min(wanted, room))
    if current > max(MINIMUM, situation.memory * MAXIMUM):
        return _very_large(situation, current, room)
    if value < MINIMUM or value <= current or close(current, value) or close(current, wanted):
        return Declined(because=_why_kept(situation, current, wanted, room), kind="keep")
    for observation in reads_rarely(situation):
        because = f"{current.pg()} are enough: {rather_than(observation, value.pg())}"
        return Declined(because=because, kind="keep")
    short = "".join(f"; but {observed}" for observed in memory_is_short(situation))
    return Proposal(
        value=value.pg(),
        because=f"{_why_more(situation, value)}{_waiting(situation, round_down(wanted))}{short}",
        computed=_computed(situation, wanted, room, value),
        ticked=not short,
    )


def _too_large(situation: Situation, limit: StartLimit, allowed: Bytes) -> Proposal:
    """The server cannot start, or is killed once it uses them: whoever chose them."""
    value = max(MINIMUM, situation.settings["shared_buffers"].clamped(round_down(allowed)))
    return Proposal(
        value=value.pg(),
        because=f"they and the rest of shared memory exceed {limit.words}: the server does not start, or is "
        "killed at work",
        computed=f"{buffers_in_words(situation)}; room for "
        f"{allowed.short()}{rounded_in_words(allowed, value)}",
    )


def _very_large(situation: Situation, current: Bytes, room: Bytes) -> Proposal:
    """More than the documentation expects to help was chosen by a person, who decides."""
    bound, hopeless = situation.memory * MAXIMUM, room < current
    value = max(MINIMUM, situation.settings["shared_buffers"].clamped(round_down(min(bound, room))))
    return Proposal(
        value=value.pg(),
        because=f"{current.pg()} is more than {MAXIMUM} of memory: the page cache, sorts and connections "
        f"share the rest, and memory {'runs' if hopeless else 'may run'} short under load",
        computed=f"{situation.memory_in_words} x {MAXIMUM} = "
        f"{bound.short()}{_room_in_words(situation, bound, room)}"
        f"{rounded_in_words(min(bound, room), value)}",
        risk=RiskLevel.LOW if hopeless else RiskLevel.MEDIUM,
        ticked=hopeless,
    )


def _why_more(situation: Situation, value: Bytes) -> str:
    if size_of(situation) <= value:
        return f"all {size_of(situation).short()} of the databases are then held by the server itself"
    return "the server keeps more of its hot pages itself and asks the kernel less often"


def _computed(situation: Situation, wanted: Bytes, room: Bytes, value: Bytes) -> str:
    computed = f"{buffers_in_words(situation)}{_room_in_words(situation, wanted, room)}"
    return f"{computed}{rounded_in_words(min(wanted, room), max(MINIMUM, value))}"


def _room_in_words(situation: Situation, wanted: Bytes, room: Bytes) -> str:
    if room >= wanted:
        return ""
    if _held_by_tables(situation, wanted):
        share = f"page tables within {MOST_OF_MEMORY} of memory"
        return f"; {share} ({tables_in_words(situation, room)}) leave {room.short()}"
    return f"; connections and system leave room for {room.short()}"


def _held_by_tables(situation: Situation, wanted: Bytes) -> bool:
    """Whether page tables bound the buffers, since huge pages do not come."""
    return situation.small_pages and allowed_in_small_pages(situation) < wanted


def _waiting(situation: Situation, wanted: Bytes) -> str:
    if not _held_by_tables(situation, wanted):
        return ""
    return f"; {_wait_for_huge_pages(situation, wanted)}"


def _wait_for_huge_pages(situation: Situation, unbounded: Bytes) -> str:
    wanted = situation.settings["shared_buffers"].clamped(unbounded)
    size = known_or(situation.facts.memory.huge_page_size, Bytes(0))
    count = huge_pages_of(situation.with_chosen("shared_buffers", wanted.pg()), size).count if size else 0
    pages = f"{count:,} huge pages of {size.short()}" if count else "huge pages, which this kernel lacks"
    tables = tables_in_words(situation, wanted)
    return f"{wanted.pg()} wait for {pages}: without them page tables would take {tables}"


def _why_kept(situation: Situation, current: Bytes, wanted: Bytes, room: Bytes) -> str:
    if room < min(MINIMUM, wanted):
        return (
            f"{how_many(situation.connections, 'connection')} and the system leave no room for more: a "
            f"connection pool would"
        )
    if _held_by_tables(situation, wanted) and current < wanted:
        return f"{current.pg()} stay: {_wait_for_huge_pages(situation, round_down(wanted))}"
    if most_used(situation) <= current:
        return f"{current.pg()} hold all databases ({size_of(situation).short()}), even if they double"
    if current > wanted and not close(current, wanted):
        return f"{current.pg()} is more than would be proposed and within {MAXIMUM} of memory"
    return f"{current.pg()} is right for {situation.memory.short()} of memory"


RECOMMENDATION = Recommendation(
    id="pg.shared_buffers",
    title="Size shared_buffers",
    group="memory",
    target=PgTarget(name="shared_buffers"),
    explanation=Explanation(
        changes="The memory in which all server processes share table and index pages. It is taken once, "
        "at the start of the server.",
        helps="A page found here costs no system call. Dirty pages are written by checkpoints, in "
        "order, rather than by whichever query needs room.",
        leave_alone="When the databases, grown, are smaller than the present value. When other programs need "
        "the memory. Beyond 2/5 of memory the kernel's page cache starves, which PostgreSQL relies on.",
        costs="A restart, after which the cache is empty: on a small virtual machine the first 20 s served "
        "0.69 to 2 times the reads of the defaults (undecided). pg_prewarm reads tables back on request, "
        "and from 11 on automatically (autoprewarm). The memory is gone for everything else, and "
        "each connection needs "
        "page tables for it unless huge pages are used.",
        watch="blks_hit against blks_read in pg_stat_database over a busy hour, memory and swap in vmstat, "
        "and the kernel log for the out-of-memory killer.",
    ),
    pros=(
        "One of the two largest steps of the z13 study, together with effective_cache_size.",
        "Fewer system calls for hot pages.",
    ),
    cons=(
        "Requires a restart, and the cache starts empty: warm it in a quiet hour (pg_prewarm).",
        "Pages may be in this cache and in the kernel's: some memory holds the same data twice.",
        "1/8 was no slower in the same study: the gain is not the same for every load.",
    ),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="z-deck.shared_buffers_quarter"),
        Cite(claim="z-deck.shared_buffers_half"),
        Cite(claim="z-deck.shared_buffers_eighth", opposes=True),
        Cite(claim="vxfs.shared_buffers_20gb", opposes=True),
        Cite(claim="power.other_settings", near=True),
        Cite(claim="own-small-vm.large_buffers", near=True),
        Cite(claim="own-small-vm.direct_io", near=True),
        Cite(claim="own-small-vm.cold_start"),
        Cite(claim="own-small-vm.memory", near=True),
        Cite(claim="postgres-manual.shared_buffers"),
        Cite(claim="kernel-power.page_tables", near=True, only_on=IBM_POWER),
    ),
    disputes=(
        Dispute(
            one="z13, 64 GB, with the page cache (2018): a quarter of memory, almost +12 % together "
            "with effective_cache_size. Half woke the out-of-memory killer; an eighth was no "
            "slower.",
            other="DL185, 32 GB, without the page cache (direct I/O on VxFS, 2008): 20 GB of the 32 GB, a "
            "modest gain over 500 MB and 2 GB.",
            follows="The quarter: the page cache stays nearly everywhere, and very large buffers hold "
            "twice what is in it. The project's own measurement (768 MB, 2026): 40 % read slower "
            "than a quarter, 75 % faster where it held everything; few servers have so much to "
            "spare. Without the page cache a quarter lost half of its reads.",
            claims=(
                "z-deck.shared_buffers_quarter",
                "z-deck.shared_buffers_half",
                "z-deck.shared_buffers_eighth",
                "vxfs.shared_buffers_20gb",
                "own-small-vm.large_buffers",
                "own-small-vm.direct_io",
            ),
        ),
        Dispute(
            one="z13, a database of 256 GB beside 64 GB of memory (2018): larger buffers, together with "
            "effective_cache_size, gave almost 12 %.",
            other="Power10, 16 GB of data (2023): beside max_wal_size and checkpoint_timeout several other "
            "settings were tried, and none gave a benefit. Which ones is not told.",
            follows="The z13: its database is larger than its memory, as busy ones are. Where all data fits "
            "into the page cache expect little: it was so on the project's own small machine too.",
            claims=("z-deck.shared_buffers_quarter", "power.other_settings", "own-small-vm.memory"),
        ),
    ),
    decide=decide,
    witnesses=(HITS, MEMORY, *ROOM),
    gives_way=8,
    observed=(cache_hits,),
    after=(
        "pg.temp_buffers",
        "pg.autovacuum_max_workers",
        "pg.autovacuum_work_mem",
        "pg.hash_mem_multiplier",
        "pg.max_connections",
        "pg.max_parallel_workers",
        "pg.max_parallel_workers_per_gather",
        "pg.max_worker_processes",
    ),
    examples=(
        Example(name="a quarter of 64 GB", given=Given(memory="64GB"), outcome=Sets(value="16GB")),
        Example(
            name="a container may use less than the machine has",
            given=Given(memory="64GB", memory_limit="16GB"),
            outcome=Sets(value="4GB"),
        ),
        Example(
            name="connections leave less than a quarter",
            given=Given(memory="4GB", available="3GB", connections=400),
            outcome=Sets(value="448MB"),
        ),
        Example(
            name="50 MB of data fill no 16 GB",
            given=Given(memory="64GB", database_size="50MB"),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="3 GB of data, and room for as much again",
            given=Given(memory="64GB", database_size="3GB"),
            outcome=Sets(value="6GB"),
        ),
        Example(
            name="more than 2/5 of memory was chosen: lower it to that, if you agree",
            given=Given(memory="64GB", settings={"shared_buffers": "32GB"}),
            outcome=Sets(value="24GB"),
        ),
        Example(
            name="a larger value within 2/5 stays",
            given=Given(memory="64GB", settings={"shared_buffers": "20GB"}),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="close enough is left alone",
            given=Given(memory="64GB", settings={"shared_buffers": "15800MB"}),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="no room beside the connections",
            given=Given(memory="512MB", available="400MB", settings={"shared_buffers": "128MB"}),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="unknown memory decides nothing",
            given=Given(memory_unknown=True),
            outcome=Declines(kind="not_applicable"),
        ),
    ),
)
