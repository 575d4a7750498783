"""io_workers: processes of PostgreSQL 18 that read for everyone."""

from __future__ import annotations

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
from tunewiz.core.server.seen_storage import PROBED
from tunewiz.core.values.known import known_or
from tunewiz.core.values.plural import how_many

PART = 4
"""A quarter of the cores: pgtune's rule as well; the default is 3, the most 32."""

MAXIMUM = 32
"""The largest value that PostgreSQL takes (pg_settings, 18)."""


def decide(situation: Situation) -> Verdict:
    """More than three on many cores with storage that serves reads in parallel; a rule of thumb, shown."""
    current, cores = int(situation.will_be("io_workers")), situation.cores
    if situation.will_be("io_method") != "worker":
        return Declined(because=f"io_method is {situation.will_be('io_method')}: there are no workers")
    value = min(MAXIMUM, cores // PART)
    if value <= current or known_or(situation.storage_told, "hdd") == "hdd":
        return Declined(
            because=f"{current} workers are enough for {how_many(cores, 'core')} and this storage",
            kind="keep",
        )
    return Proposal(
        value=str(value),
        because=f"{current} workers read for all sessions on {cores} cores",
        computed=f"{how_many(cores, 'core')} / {PART} = {value}, at most {MAXIMUM}",
        ticked=False,
    )


RECOMMENDATION = Recommendation(
    id="pg.io_workers",
    title="Increase io_workers",
    group="storage",
    target=PgTarget(name="io_workers"),
    explanation=Explanation(
        changes="How many processes read pages ahead for all sessions (18, with io_method = worker).",
        helps="Three can be the bottleneck where many sessions scan at once on fast storage.",
        leave_alone="On few cores and rotating disks. Far too many cost: 32 on two processors took 45 %.",
        costs="Processor time for copying pages, taken from the same cores.",
        watch="Processor time of “io worker” processes: near 100 % for all of them means too few.",
    ),
    pros=("Scans do not wait for a free worker.", "Takes a reload."),
    cons=("A rule of thumb: too many were measured to hurt, the right number was not.",),
    risk=RiskLevel.LOW,
    basis="reasoned",
    cites=(
        Cite(claim="z-deck.read_ahead", near=True),
        Cite(claim="munro-workers.too_few"),
        Cite(claim="classmethod-rds.io_workers", opposes=True),
        Cite(claim="smalldatum-18.io_workers", opposes=True),
        Cite(claim="postgres-manual.io_workers"),
    ),
    disputes=(
        Dispute(
            one="Munro, its author (2025): with too few workers the queue overflows and sessions silently "
            "read for themselves.",
            other="RDS (2026): 32 workers on two processors cost 45 %. Callaghan (2025): 16 on 8 cores "
            "were too many, and 32 on 48.",
            follows="A quarter of the cores at most, on 16 cores and more only, and never ticked: no "
            "source says how many are right. PostgreSQL 19 decides by itself.",
            claims=(
                "munro-workers.too_few",
                "classmethod-rds.io_workers",
                "smalldatum-18.io_workers",
            ),
        ),
    ),
    decide=decide,
    witnesses=(PROBED,),
    after=("pg.io_method",),
    examples=(
        Example(name="64 cores", given=Given(major="18", cores=64), outcome=Sets(value="16")),
        Example(name="8 cores", given=Given(major="18", cores=8), outcome=Declines(kind="keep")),
        Example(
            name="nothing reads in the background",
            given=Given(major="18", cores=64, settings={"io_method": "sync"}),
            outcome=Declines(),
        ),
        Example(
            name="17 has none",
            given=Given(major="17", cores=64),
            outcome=Declines(kind="not_applicable"),
        ),
    ),
)
