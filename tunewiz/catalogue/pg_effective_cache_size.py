"""effective_cache_size: what the planner believes the caches hold."""

from __future__ import annotations

from fractions import Fraction

from tunewiz.core.planning.budget import budget_of
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.observed import cache_hits
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.seen_memory import CACHED, could_be_cached
from tunewiz.core.server.seen_room import ROOM
from tunewiz.core.values.rounding import close, round_down, rounded_in_words
from tunewiz.core.values.units import Bytes

MIN_SHARE = Fraction(1, 2)
"""Half of memory is the careful choice, three quarters the bold one (PostgreSQL wiki, Tuning Your Server)."""


def decide(situation: Situation) -> Verdict:
    """The workload's share of memory; nothing is allocated, so no budget bounds it."""
    share, memory = situation.workload.effective_cache, situation.memory
    wanted, current = _wanted(situation), situation.will_be_size("effective_cache_size")
    value = situation.settings["effective_cache_size"].clamped(round_down(wanted))
    by_somebody = situation.will_be("effective_cache_size") != situation.default("effective_cache_size")
    if (by_somebody and memory * MIN_SHARE <= current <= memory) or close(current, value):
        return Declined(
            because=f"{current.pg()} is a sound estimate for {memory.short()} of memory"
            f"{_less_when_busy(situation, current)}",
            kind="keep",
        )
    return Proposal(
        value=value.pg(),
        because=f"the planner now assumes that {current.pg()} is cached, of {memory.short()} of memory"
        f"{_less_when_busy(situation, value)}",
        computed=f"{situation.memory_in_words} x {share} = "
        f"{(memory * share).short()}{_cached_in_words(situation)}"
        f"{rounded_in_words(wanted, value)}",
    )


def _wanted(situation: Situation) -> Bytes:
    """The workload's share, but no more than this server's caches have been able to hold."""
    return min(
        (
            situation.memory * situation.workload.effective_cache,
            *(size for size, _ in could_be_cached(situation)),
        )
    )


def _cached_in_words(situation: Situation) -> str:
    share = situation.memory * situation.workload.effective_cache
    return "".join(f", but {words}" for size, words in could_be_cached(situation) if size < share)


def _less_when_busy(situation: Situation, value: Bytes) -> str:
    """The memory table's upper bounds beside an estimate of the usual hour: said where they differ."""
    budget = budget_of(situation)
    left = budget.buffers + budget.page_cache
    if value <= left or close(value, left):
        return ""
    return f"; it shrinks to {left.short()} if sessions and maintenance take all that the plan allows them"


RECOMMENDATION = Recommendation(
    id="pg.effective_cache_size",
    title="Set effective_cache_size to what is cached",
    group="planner",
    target=PgTarget(name="effective_cache_size"),
    explanation=Explanation(
        changes="What the planner assumes that PostgreSQL's buffers and the kernel's page cache hold "
        "together for one query. It is an estimate: no memory is taken.",
        helps="The more is assumed to be cached, the cheaper index scans look compared with reading whole "
        "tables.",
        leave_alone="When much of the memory belongs to other programs: then the page cache is smaller than "
        "this. When plans are good now and nothing else changes.",
        costs="Plans may change, mostly for the better; a query whose index pages are not cached gets "
        "slower.",
        watch="Plans of the ten most expensive queries before and after (EXPLAIN, pg_stat_statements).",
    ),
    pros=("Index scans are judged by the memory that is really there.", "Takes a reload and no memory."),
    cons=(
        "Plans may change for a few queries.",
        "Each query counts on the whole cache, which many large queries at once share.",
    ),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="z-deck.effective_cache_size"),
        Cite(claim="z-deck.shared_buffers_quarter"),
        Cite(claim="postgres-manual.effective_cache_size"),
    ),
    decide=decide,
    witnesses=(CACHED, *ROOM),
    observed=(cache_hits,),
    after=(
        "kernel.nr_hugepages",
        "pg.autovacuum_max_workers",
        "pg.autovacuum_work_mem",
        "pg.hash_mem_multiplier",
        "pg.huge_pages",
        "pg.maintenance_work_mem",
        "pg.max_connections",
        "pg.max_parallel_workers",
        "pg.max_parallel_workers_per_gather",
        "pg.max_worker_processes",
        "pg.shared_buffers",
        "pg.work_mem",
    ),
    examples=(
        Example(name="three quarters of 64 GB", given=Given(memory="64GB"), outcome=Sets(value="48GB")),
        Example(
            name="a container's limit counts",
            given=Given(memory="64GB", memory_limit="2GB"),
            outcome=Sets(value="1536MB"),
        ),
        Example(
            name="more than there is",
            given=Given(memory="16GB", settings={"effective_cache_size": "48GB"}),
            outcome=Sets(value="12GB"),
        ),
        Example(name="the default in 6 GB", given=Given(memory="6GB"), outcome=Sets(value="4608MB")),
        Example(
            name="5 GB were chosen in 6 GB",
            given=Given(memory="6GB", settings={"effective_cache_size": "5GB"}),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="unknown memory decides nothing",
            given=Given(memory_unknown=True),
            outcome=Declines(kind="not_applicable"),
        ),
    ),
)
