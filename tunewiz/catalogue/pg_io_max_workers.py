"""io_max_workers: up to how many processes of PostgreSQL 19 read for everyone."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.seen_storage import PROBED
from tunewiz.core.values.known import known_or
from tunewiz.core.values.plural import how_many

NAME = "io_max_workers"

PART = 4
"""A quarter of the cores, as for io_workers of 18; the default is 8, the most 32."""

MAXIMUM = 32
"""The largest value that PostgreSQL takes (pg_settings, 19)."""


def decide(situation: Situation) -> Verdict:
    """Room for more on many cores with storage that serves reads in parallel; a rule of thumb, shown."""
    current, cores = int(situation.will_be(NAME)), situation.cores
    if situation.will_be("io_method") != "worker":
        return Declined(because=f"io_method is {situation.will_be('io_method')}: there are no workers")
    value = _wanted(situation)
    if value <= current or known_or(situation.storage_told, "hdd") == "hdd":
        return Declined(
            because=f"up to {current} workers, as many as reads need, are enough for "
            f"{how_many(cores, 'core')} and this storage",
            kind="keep",
        )
    return Proposal(
        value=str(value),
        because=f"the pool grows only while reads wait for it, and stops at {how_many(current, 'worker')}",
        computed=f"{how_many(cores, 'core')} / {PART}, at least {situation.default(NAME)}, at most "
        f"{MAXIMUM}: {value}",
        ticked=False,
    )


def _wanted(situation: Situation) -> int:
    """A quarter of the cores, and the default where each of that many workers has a core."""
    usual, cores = int(situation.default(NAME)), situation.cores
    return min(MAXIMUM, max(cores // PART, usual if cores >= usual else 0))


RECOMMENDATION = Recommendation(
    id=f"pg.{NAME}",
    title="Let the pool of readers grow on many cores",
    group="storage",
    target=PgTarget(name=NAME),
    explanation=Explanation(
        changes="The most processes that read pages ahead for all sessions (19, with io_method = worker). "
        "Their number moves between io_min_workers and this as reads come.",
        helps="Where many sessions scan at once on fast storage, the pool is not stopped while reads wait.",
        leave_alone="On few cores and rotating disks, and where fewer than this run at the busiest time.",
        costs="Processor time for copying pages, taken from the same cores, while reads ask for it; idle "
        "workers end after io_worker_idle_timeout.",
        watch="SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'io worker': all of them, for "
        "long, means too few.",
    ),
    pros=("Scans do not wait for a free worker.", "Takes a reload.", "Idle workers end by themselves."),
    cons=("A rule of thumb: the right number was not measured.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="postgres-manual.io_max_workers"),
        Cite(claim="munro-workers.too_few", near=True),
        Cite(claim="classmethod-rds.io_workers", near=True, opposes=True),
        Cite(claim="smalldatum-18.io_workers", near=True, opposes=True),
    ),
    decide=decide,
    witnesses=(PROBED,),
    after=("pg.io_method",),
    examples=(
        Example(name="64 cores", given=Given(major="19", cores=64), outcome=Sets(value="16")),
        Example(name="8 cores", given=Given(major="19", cores=8), outcome=Declines(kind="keep")),
        Example(
            name="three workers of 18 were kept",
            given=Given(major="19", cores=16, settings={"io_min_workers": "3", NAME: "3"}),
            outcome=Sets(value="8"),
        ),
        Example(
            name="fewer on two cores",
            given=Given(major="19", cores=2, settings={NAME: "3"}),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="rotating disks",
            given=Given(major="19", cores=64, disk="hdd"),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="nothing reads in the background",
            given=Given(major="19", cores=64, settings={"io_method": "sync"}),
            outcome=Declines(),
        ),
        Example(name="18 has io_workers", given=Given(major="18"), outcome=Declines(kind="not_applicable")),
    ),
)
