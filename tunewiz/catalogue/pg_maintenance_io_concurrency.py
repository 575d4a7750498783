"""maintenance_io_concurrency: reads ahead for vacuum, ANALYZE and recovery."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import IBM_Z, Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.server.requests_at_once import dasd_requests
from tunewiz.core.server.seen_storage import PROBED
from tunewiz.core.values.known import known_or

READS_AHEAD = 10
"""The default from 13 to 17; 16 since 18."""


def decide(situation: Situation) -> Verdict:
    """At least the old default if storage serves reads in parallel."""
    current = int(situation.will_be("maintenance_io_concurrency"))
    if current >= READS_AHEAD:
        return Declined(because=f"{current} reads ahead are enough", kind="keep")
    kind = known_or(situation.storage_told, "hdd")
    if kind == "hdd":
        return Declined(because=f"{current} reads ahead suit spinning disks", kind="keep")
    if (mainframe := dasd_requests(situation.storage_for("data"))) and mainframe.at_once < READS_AHEAD:
        because = f"{current} stays: its mainframe disks take no more: {mainframe.in_words()}"
        return Declined(because=because, kind="keep")
    return Proposal(
        value=str(READS_AHEAD),
        because=f"{current} was chosen, and {kind} storage serves many reads in parallel",
        computed=f"{READS_AHEAD}, PostgreSQL's default from 13 to 17",
    )


RECOMMENDATION = Recommendation(
    id="pg.maintenance_io_concurrency",
    title="Increase maintenance_io_concurrency",
    group="storage",
    target=PgTarget(name="maintenance_io_concurrency"),
    explanation=Explanation(
        changes="How many pages maintenance work asks for before it needs them (13 and newer): ANALYZE "
        "from 14, recovery from 15, vacuum from 18.",
        helps="Maintenance and recovery after a crash wait less for storage that serves many reads at once.",
        leave_alone="At its default. On a single rotating disk fewer is right.",
        costs="More reads at once compete with those of users.",
        watch="Read latency (iostat -x) while ANALYZE runs; “redo done” in the log after a crash.",
    ),
    pros=("Recovery and ANALYZE finish sooner.", "Takes a reload."),
    cons=("Users' reads may wait longer meanwhile.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="z-deck.read_ahead", near=True),
        Cite(claim="postgres-manual.maintenance_io_concurrency"),
        Cite(claim="ibm-hyperpav.one_transfer", only_on=IBM_Z),
    ),
    decide=decide,
    witnesses=(PROBED,),
    examples=(
        Example(
            name="turned off on flash",
            given=Given(settings={"maintenance_io_concurrency": "0"}),
            outcome=Sets(value="10"),
        ),
        Example(name="the default", given=Given(), outcome=Declines(kind="keep")),
        Example(name="12 has none", given=Given(major="12"), outcome=Declines(kind="not_applicable")),
    ),
)
