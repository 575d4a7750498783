"""temp_file_limit: how much disk one process may fill with temporary files."""

from __future__ import annotations

from fractions import Fraction

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.observed import spills
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.sorts import workers_of_a_query
from tunewiz.core.values.known import needed
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.rounding import WHOLE, round_down, rounded_in_words
from tunewiz.core.values.units import Bytes

NO_LIMIT = "-1"
SHARE_OF_QUERY = Fraction(1, 2)
"""Of the free space, for one query with all of its workers: one that runs away leaves others the rest."""
MOST = Bytes.parse("1TB")
"""PostgreSQL takes up to 2 TB, and a query that writes this much is a runaway on any disk."""
LEAST = Bytes.parse("1GB")
"""Below this, ordinary index builds would fail."""


def decide(situation: Situation) -> Verdict:
    """Half of the free space for one query with its workers, to be decided: it cancels queries."""
    current = situation.will_be("temp_file_limit")
    if current != NO_LIMIT:
        return Declined(because=f"a process may write {current}", kind="keep")
    free = needed(situation.storage_for("data").free, "the free space for data")
    processes = workers_of_a_query(situation) + 1
    exact = min(MOST, free * SHARE_OF_QUERY // processes)
    value = round_down(exact, WHOLE)
    if value < LEAST:
        return Declined(because=f"{free.short()} free leave no room for a limit")
    return Proposal(
        value=value.pg(),
        because="one runaway query may fill the disk, and then no other can write either",
        computed=f"{free.short()} free x {SHARE_OF_QUERY}{_shared_in_words(processes)}, {MOST.short()} "
        f"at most = {exact.short()}{rounded_in_words(exact, value)}",
        ticked=False,
    )


def _shared_in_words(processes: int) -> str:
    """The limit is of a process, and a query's workers are processes of their own."""
    return f" / {processes} (a query and its {how_many(processes - 1, 'worker')})" if processes > 1 else ""


RECOMMENDATION = Recommendation(
    id="pg.temp_file_limit",
    title="Limit temporary files of one query",
    group="storage",
    target=PgTarget(name="temp_file_limit"),
    explanation=Explanation(
        changes="A query whose temporary files (sorts and hashes that do not fit into memory) outgrow this "
        "is cancelled. Each parallel worker has its own limit: a query with two of them may write three "
        "times as much.",
        helps="A join that someone forgot a condition for ends with an error instead of a full disk.",
        leave_alone="Where temporary files have a file system of their own (temp_tablespaces), or large "
        "reports and index builds need more.",
        costs="A query that needs more fails; a superuser can raise the limit for a session.",
        watch="“temporary file size exceeds temp_file_limit” in the log.",
    ),
    pros=("One query cannot fill the disk.", "Takes a reload."),
    cons=("Large reports and CREATE INDEX may fail.",),
    risk=RiskLevel.MEDIUM,
    basis="reasoned",
    cites=(Cite(claim="postgres-manual.temp_file_limit"),),
    decide=decide,
    after=("pg.max_parallel_workers_per_gather",),
    observed=(spills,),
    examples=(
        Example(name="500 GB are free", given=Given(), outcome=Sets(value="80GB")),
        Example(name="20 TB are free", given=Given(free_space="20TB"), outcome=Sets(value="1TB")),
        Example(name="little is free", given=Given(free_space="2GB"), outcome=Declines()),
        Example(
            name="a limit was chosen",
            given=Given(settings={"temp_file_limit": "20GB"}),
            outcome=Declines(kind="keep"),
        ),
    ),
)
