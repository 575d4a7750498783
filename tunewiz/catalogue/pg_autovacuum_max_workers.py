"""autovacuum_max_workers: how many tables are vacuumed at the same time."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.observed import dead_rows
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
from tunewiz.core.server.database_size import size_of
from tunewiz.core.server.own_numbers import rather_than
from tunewiz.core.server.seen_storage import PROBED
from tunewiz.core.server.seen_vacuum import DEAD_ROWS, vacuum_keeps_up
from tunewiz.core.values.known import Known, known_or
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.units import GIB, Bytes

USUAL = 3
"""PostgreSQL's default."""


LARGE = Bytes(256 * GIB)
"""Up to this size three workers are enough; each doubling beyond it adds one. An assumption."""

CORES_A_WORKER = 8
"""A worker more needs this many cores: vacuum is to stay a small part of the work."""

MOST = 10
"""They share one allowance (autovacuum_vacuum_cost_limit): more would each get little of it."""

USUAL_ALLOWANCE = 200
"""PostgreSQL's default of vacuum_cost_limit: with no more, further workers are shown and not ticked."""


def decide(situation: Situation) -> Verdict:
    """At least the default; more for large databases on many cores, whose allowance grows as well."""
    current, value = int(situation.will_be("autovacuum_max_workers")), _wanted(situation)
    if current >= value:
        because = (
            f"{current} workers share one allowance (autovacuum_vacuum_cost_limit): more would not be faster"
        )
        return Declined(because=because, kind="keep")
    for observation in vacuum_keeps_up(situation):
        return Declined(
            because=f"{how_many(current, 'worker')} keep up: {rather_than(observation, str(value))}",
            kind="keep",
        )
    if value == USUAL:
        return Proposal(
            value=str(USUAL),
            because=f"with {current} a large table keeps the small busy ones waiting",
            computed=f"{USUAL}, PostgreSQL's default",
        )
    return Proposal(
        value=str(value),
        because=f"in {size_of(situation).short()} several large tables keep {current} workers busy for long",
        computed=f"{USUAL} and one for each doubling of {LARGE.short()} "
        f"({_doublings(situation)}), no more than "
        f"one for {CORES_A_WORKER} of {how_many(situation.cores, 'core')}, at "
        f"most {_most(situation)}: {value}",
        ticked=_allowance(situation) > USUAL_ALLOWANCE,
    )


def _allowance(situation: Situation) -> int:
    own = int(situation.will_be("autovacuum_vacuum_cost_limit"))
    return own if own >= 0 else int(situation.will_be("vacuum_cost_limit"))


def _wanted(situation: Situation) -> int:
    rotates = known_or(situation.storage_told, "hdd") == "hdd"
    if rotates or not situation.workload.writes or not isinstance(situation.facts.cpu.cores, Known):
        return USUAL
    return max(
        USUAL, min(_most(situation), USUAL + min(_doublings(situation), situation.cores // CORES_A_WORKER))
    )


def _most(situation: Situation) -> int:
    """From 18 on no more run than there are slots, which take a restart to add to."""
    slots = "autovacuum_worker_slots"
    return min(MOST, int(situation.will_be(slots))) if situation.settings.has(slots) else MOST


def _doublings(situation: Situation) -> int:
    return max(1, size_of(situation).count // LARGE.count).bit_length() - 1


RECOMMENDATION = Recommendation(
    id="pg.autovacuum_max_workers",
    title="Increase autovacuum_max_workers",
    group="vacuum",
    target=PgTarget(name="autovacuum_max_workers"),
    explanation=Explanation(
        changes="How many autovacuum workers may run at once, each on one table. A restart up to 17; "
        "from 18 a reload, up to autovacuum_worker_slots.",
        helps="While one worker is busy with a large table for hours, others look after the small ones.",
        leave_alone="When three are there and no table is large. More helps only if large tables keep all "
        "three busy; then raise the allowance as well, which they share.",
        costs="Memory: each may take maintenance_work_mem, or autovacuum_work_mem.",
        watch="Workers in pg_stat_activity (backend_type autovacuum worker) that are busy all day.",
    ),
    pros=("Small busy tables do not wait for large ones.",),
    cons=("Each worker may take maintenance_work_mem.", "Up to 17 it needs a restart."),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="z-deck.autovacuum_on", near=True),
        Cite(claim="postgres-manual.autovacuum_max_workers"),
        Cite(claim="pettus-workers.shared_allowance", opposes=True),
    ),
    disputes=(
        Dispute(
            one="The usual advice for busy servers: more workers than three, so that autovacuum keeps up.",
            other="Pettus (2026): they share one cost limit, so more of them clean no faster; each table "
            "takes longer.",
            follows="More workers only with a larger limit, which the plan decides first, and only where "
            "large tables keep small ones waiting. Nobody published a measurement.",
            claims=(
                "postgres-manual.autovacuum_max_workers",
                "z-deck.autovacuum_on",
                "pettus-workers.shared_allowance",
            ),
        ),
    ),
    decide=decide,
    witnesses=(DEAD_ROWS, PROBED),
    gives_way=4,
    after=("pg.autovacuum_vacuum_cost_limit",),
    observed=(dead_rows,),
    examples=(
        Example(
            name="a single worker",
            given=Given(settings={"autovacuum_max_workers": "1"}),
            outcome=Sets(value="3"),
        ),
        Example(name="the default", given=Given(), outcome=Declines(kind="keep")),
        Example(
            name="a large database on many cores",
            given=Given(database_size="10TB", cores=64),
            outcome=Sets(value="8"),
        ),
        Example(
            name="slots for no more than five",
            given=Given(
                major="18", database_size="10TB", cores=64, settings={"autovacuum_worker_slots": "5"}
            ),
            outcome=Sets(value="5"),
        ),
        Example(
            name="a large database on rotating disks",
            given=Given(database_size="10TB", cores=64, disk="hdd"),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="a large database on few cores",
            given=Given(database_size="10TB", cores=4),
            outcome=Declines(kind="keep"),
        ),
    ),
)
