"""shared_preload_libraries: the libraries that count statements and read back the cache after a restart."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
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
from tunewiz.core.server.preload_libraries import SETTING, is_installed, libraries_in, with_libraries
from tunewiz.core.values.known import needed
from tunewiz.core.values.units import GIB, Bytes
from tunewiz.core.values.versions import V11

WORTH_READING_BACK = Bytes(GIB)
"""Less is read from the page cache or a disk within seconds."""


def decide(situation: Situation) -> Verdict:
    """What is installed and not loaded yet, behind what is loaded."""
    there = needed(situation.setting(SETTING), SETTING)
    missing = tuple(_missing(libraries_in(there), situation))
    if not missing:
        return Declined(because="what is installed and useful here is loaded", kind="keep")
    return Proposal(
        value=with_libraries(there, missing),
        because="; ".join(REASONS[name] for name in missing),
        computed=f"{there or 'nothing'} is loaded now; installed and not loaded: {', '.join(missing)}",
    )


REASONS = {
    "pg_stat_statements": "pg_stat_statements shows which queries take the time, before and after a change",
    "pg_prewarm": "pg_prewarm reads the cache back after a restart",
}


def _missing(loaded: tuple[str, ...], situation: Situation) -> Iterator[str]:
    if "pg_stat_statements" not in loaded and is_installed("pg_stat_statements", situation):
        yield "pg_stat_statements"
    is_worth_it = situation.major >= V11 and situation.will_be_size("shared_buffers") >= WORTH_READING_BACK
    if is_worth_it and "pg_prewarm" not in loaded and is_installed("pg_prewarm", situation):
        yield "pg_prewarm"


RECOMMENDATION = Recommendation(
    id="pg.shared_preload_libraries",
    title="Load pg_stat_statements and pg_prewarm at the start",
    group="connections",
    target=PgTarget(name=SETTING),
    after=("pg.shared_buffers",),
    explanation=Explanation(
        changes="Which libraries the server loads when it starts. What is loaded stays, in its order; "
        "pg_stat_statements and pg_prewarm are added where they are installed.",
        helps="pg_stat_statements counts calls, time, rows and blocks of each query. pg_prewarm (11 and "
        "newer, shared_buffers of 1 GB or more) writes down every five minutes which pages are cached, and "
        "reads them back after a restart: the first minutes are no longer slow.",
        leave_alone="Where another tool gathers query statistics, or where nothing may be loaded into the "
        "server.",
        costs="A restart. Some memory and a little time for each query, more on very many processors; "
        "after a restart pg_prewarm "
        "reads as much as shared_buffers holds, beside the first clients. Its list, autoprewarm.blocks in "
        "the data directory, stays after a rollback and can be removed.",
        watch="SELECT count(*) FROM pg_stat_statements, after CREATE EXTENSION pg_stat_statements; the "
        "server's log says how many blocks autoprewarm read back.",
    ),
    pros=("Shows where to look first.", "After a restart the cache is not empty."),
    cons=(
        "Takes a restart.",
        "A library that is missing at a later start keeps the server down: the line goes before the package.",
        "Seven rounds on a small, busy machine did not show what autoprewarm gains in the first 20 s.",
    ),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="postgres-manual.preload_libraries"),
        Cite(claim="postgres-manual.query_statistics"),
        Cite(claim="postgres-manual.autoprewarm"),
        Cite(claim="own-small-vm.autoprewarm"),
        Cite(claim="tantor-statements.locks", opposes=True),
        Cite(claim="dalibo-statements.evictions", opposes=True),
        Cite(claim="own-small-vm.preloaded", near=True),
        Cite(claim="own-small-vm.cold_start", near=True),
    ),
    disputes=(
        Dispute(
            one="The project's own machine with two processors: counting every statement made no "
            "difference in throughput that could be shown.",
            other="Tantor (2025): its locks become a bottleneck on very many processors. A customer's "
            "server (2021): 406 ms for a select 1, with room for 1,000 statements.",
            follows="It is loaded: without it nobody sees which queries matter. On very many busy "
            "processors measure with it and without; keep pg_stat_statements.max at its default of 5,000 "
            "at least.",
            claims=(
                "own-small-vm.preloaded",
                "tantor-statements.locks",
                "dalibo-statements.evictions",
            ),
        ),
    ),
    decide=decide,
    examples=(
        Example(
            name="both are installed",
            given=Given(extensions=("pg_prewarm", "pg_stat_statements"), settings={"shared_buffers": "16GB"}),
            outcome=Sets(value="pg_stat_statements, pg_prewarm"),
        ),
        Example(
            name="a small cache is filled in seconds",
            given=Given(
                extensions=("pg_prewarm", "pg_stat_statements"), settings={"shared_buffers": "512MB"}
            ),
            outcome=Sets(value="pg_stat_statements"),
        ),
        Example(
            name="another is loaded",
            given=Given(
                extensions=("pg_stat_statements",), settings={"shared_preload_libraries": "auto_explain"}
            ),
            outcome=Sets(value="auto_explain, pg_stat_statements"),
        ),
        Example(
            name="10 has no autoprewarm",
            given=Given(major="10", extensions=("pg_prewarm",)),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="all is loaded",
            given=Given(
                extensions=("pg_prewarm", "pg_stat_statements"),
                settings={"shared_preload_libraries": "pg_prewarm, pg_stat_statements"},
            ),
            outcome=Declines(kind="keep"),
        ),
        Example(name="nobody said what is installed", given=Given(), outcome=Declines(kind="not_applicable")),
    ),
)
