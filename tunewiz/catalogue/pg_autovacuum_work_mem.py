"""autovacuum_work_mem: what each autovacuum worker may take, apart from maintenance_work_mem."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tunewiz.core.planning.budget import budget_of, lacking
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.seen_index_scans import INDEX_SCANS, index_scans_suffice, repeated_index_scans
from tunewiz.core.server.seen_room import ROOM
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.rounding import COARSE, FINE, close, round_down, rounded_in_words
from tunewiz.core.values.units import GIB, MIB, Bytes

LARGE = Bytes(GIB)
"""A maintenance_work_mem up to here may serve the workers too; before 17 vacuum could not use more."""


MOST = Fraction(1, 4)
"""Of memory, for all workers together: what somebody chose is lowered only beyond that. An assumption."""

LEAST = Bytes(16 * MIB)
"""The least memory of a worker: enough for 2.8 million dead rows at six bytes each (before 17)."""


def decide(situation: Situation) -> Verdict:
    """A separate limit for the workers if memory is short, or maintenance_work_mem was set high."""
    if situation.will_be("autovacuum_work_mem") != "-1":
        return _chosen(situation)
    for verdict in _gives_way(situation):
        return verdict
    size, workers = (
        situation.will_be_size("maintenance_work_mem"),
        int(situation.will_be("autovacuum_max_workers")),
    )
    allowed = situation.memory * situation.workload.maintenance_share
    if size <= LARGE or size * workers <= allowed:
        because = f"-1 stays: maintenance_work_mem is shared out with all {workers} workers in mind"
        return Declined(because=because, kind="keep")
    share = allowed // workers
    value = situation.settings["autovacuum_work_mem"].clamped(min(LARGE, round_down(share, COARSE)))
    limited = f"; at most {LARGE.pg()}"
    return Proposal(
        value=value.pg(),
        because=f"{workers} workers may take {size.pg()} each, meant for one command by hand",
        computed=f"{situation.memory_in_words} x {situation.workload.maintenance_share} "
        f"/ {workers} workers = "
        f"{share.short()}{limited if share > LARGE else rounded_in_words(share, value)}",
    )


def _chosen(situation: Situation) -> Verdict:
    """A limit that somebody set stays, unless the dead rows of many runs did not fit in it."""
    current = situation.will_be_size("autovacuum_work_mem")
    for repeated_index_scan in repeated_index_scans(situation):
        workers, budget = int(situation.will_be("autovacuum_max_workers")), budget_of(situation)
        room = budget.room_for(budget.autovacuum) // workers
        size = min(repeated_index_scan.worth, room)
        value = situation.settings["autovacuum_work_mem"].clamped(round_down(size, COARSE))
        if value <= current or close(value, current):
            because = (
                f"{current.pg()} was chosen, and there is no memory for more, but {repeated_index_scan.words}"
            )
            return Declined(because=because, kind="keep")
        left = (
            f"; {room.short()} left for each of {how_many(workers, 'worker')}"
            if room < repeated_index_scan.worth
            else ""
        )
        return Proposal(
            value=value.pg(),
            because=f"{current.pg()} was chosen for the workers, but {repeated_index_scan.words}",
            computed=f"the dead rows of any run fit in {repeated_index_scan.worth.short()}{left}"
            f"{rounded_in_words(size, value)}",
        )
    if (too_much := _too_much(situation, current)) is not None:
        return too_much
    enough = "".join(f": {observation}" for observation in index_scans_suffice(situation))
    return Declined(because=f"{current.pg()} was chosen for the workers{enough}", kind="keep")


def _too_much(situation: Situation, current: Bytes) -> Proposal | None:
    """The default where the workers together could take more than the machine has for them."""
    claimed = budget_of(situation).autovacuum
    if claimed <= situation.memory * MOST:
        return None
    workers = how_many(int(situation.will_be("autovacuum_max_workers")), "worker")
    return Proposal(
        value="-1",
        because=f"{workers} may take {current.pg()} each, {claimed.human()} of {situation.memory.human()}",
        computed=f"-1: as much as maintenance_work_mem, which is shared out with all {workers} in mind",
    )


def _gives_way(situation: Situation) -> Iterator[Verdict]:
    """Less than the default if buffers and sorts lack memory: small machines have small tables."""
    lack, workers = lacking(situation), int(situation.will_be("autovacuum_max_workers"))
    if lack == Bytes(0):
        return
    usual = situation.settings["maintenance_work_mem"].size(situation.default("maintenance_work_mem"))
    left = max(LEAST, usual - min(usual, lack // workers))
    value = max(LEAST, round_down(left, FINE))
    if value >= min(usual, situation.will_be_size("maintenance_work_mem")):
        return
    exact = f"{usual.short()} - {lack.short()} lacking / {how_many(workers, 'worker')}"
    yield Proposal(
        value=value.pg(),
        because=f"connections, buffers and sorts leave room for less than {usual.pg()} for each of "
        f"{how_many(workers, 'worker')}",
        computed=f"{exact}, at least {LEAST.pg()}: {left.short()}{rounded_in_words(left, value)}",
    )


RECOMMENDATION = Recommendation(
    id="pg.autovacuum_work_mem",
    title="Limit the memory of each autovacuum worker",
    group="vacuum",
    target=PgTarget(name="autovacuum_work_mem"),
    explanation=Explanation(
        changes="How much memory each autovacuum worker may take for remembering dead rows. -1: as much as "
        "maintenance_work_mem allows.",
        helps="maintenance_work_mem can be large for CREATE INDEX by hand without several workers taking "
        "as much each. On a small machine, buffers and sorts get memory that the workers would hardly use.",
        leave_alone="When maintenance_work_mem is moderate: one limit is easier to remember than two.",
        costs="A very large table may need more than one pass over its indexes.",
        watch="“index scans” in the autovacuum log: more than 1 means that it was too small for that table.",
    ),
    pros=(
        "Small machines keep memory for buffers and sorts.",
        "A large maintenance_work_mem is counted once, not for every worker.",
        "Takes a reload.",
    ),
    cons=("One more setting to keep in mind.", "Before 17 more than 1GB was never used anyway."),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="z-deck.autovacuum_on", near=True),
        Cite(claim="z-deck.shared_buffers_half", near=True),
        Cite(claim="postgres-manual.autovacuum_work_mem"),
    ),
    decide=decide,
    witnesses=(INDEX_SCANS, *ROOM),
    gives_way=3,
    after=(
        "pg.temp_buffers",
        "pg.autovacuum_max_workers",
        "pg.hash_mem_multiplier",
        "pg.max_connections",
        "pg.max_parallel_workers",
        "pg.max_parallel_workers_per_gather",
        "pg.max_worker_processes",
    ),
    examples=(
        Example(
            name="4 GB were meant for one command",
            given=Given(memory="32GB", settings={"maintenance_work_mem": "4GB"}),
            outcome=Sets(value="1GB"),
        ),
        Example(
            name="60 GB were chosen for each worker of 17",
            given=Given(major="17", settings={"autovacuum_work_mem": "60GB"}),
            outcome=Sets(value="-1"),
        ),
        Example(
            name="ten workers share",
            given=Given(
                memory="32GB", settings={"maintenance_work_mem": "2GB", "autovacuum_max_workers": "10"}
            ),
            outcome=Sets(value="384MB"),
        ),
        Example(name="the default", given=Given(), outcome=Declines(kind="keep")),
        Example(
            name="768 MB for everything",
            given=Given(memory="768MB", available="700MB", connections=20, cores=2, database_size="10GB"),
            outcome=Sets(value="20MB"),
        ),
        Example(
            name="a limit was chosen",
            given=Given(settings={"maintenance_work_mem": "4GB", "autovacuum_work_mem": "512MB"}),
            outcome=Declines(kind="keep"),
        ),
    ),
)
