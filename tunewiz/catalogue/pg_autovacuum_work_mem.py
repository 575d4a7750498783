"""autovacuum_work_mem: what each autovacuum worker may take, apart from maintenance_work_mem."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.values.rounding import COARSE, round_down, rounded_in_words
from tunewiz.core.values.units import GIB, Bytes

LARGE = Bytes(GIB)
"""A maintenance_work_mem up to here may serve the workers too; before 17 vacuum could not use more."""


def decide(now: Situation) -> Verdict:
    """A limit of their own for the workers if maintenance_work_mem was set high."""
    if now.will_be("autovacuum_work_mem") != "-1":
        return Declined(
            because=f"{now.will_be('autovacuum_work_mem')} was chosen for the workers", kind="keep"
        )
    each, workers = now.will_be_size("maintenance_work_mem"), int(now.will_be("autovacuum_max_workers"))
    allowed = now.memory * now.workload.maintenance_share
    if each <= LARGE or each * workers <= allowed:
        because = f"-1 stays: maintenance_work_mem is shared out with all {workers} workers in mind"
        return Declined(because=because, kind="keep")
    share = allowed // workers
    value = now.settings["autovacuum_work_mem"].clamped(min(LARGE, round_down(share, COARSE)))
    limited = f"; at most {LARGE.pg()}"
    return Proposal(
        value=value.pg(),
        because=f"{workers} workers may take {each.pg()} each, meant for one command by hand",
        computed=f"{now.memory_in_words} x {now.workload.maintenance_share} / {workers} workers = "
        f"{share.short()}{limited if share > LARGE else rounded_in_words(share, value)}",
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
        "as much each.",
        leave_alone="When maintenance_work_mem is moderate: one limit is easier to remember than two.",
        costs="A very large table may need more than one pass over its indexes.",
        watch="“index scans” in the autovacuum log: more than 1 means that it was too small for that table.",
    ),
    pros=("A large maintenance_work_mem is counted once, not for every worker.", "Takes a reload."),
    cons=("One more setting to keep in mind.", "Before 17 more than 1GB was never used anyway."),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="z-deck.autovacuum_on", near=True),
        Cite(claim="z-deck.shared_buffers_half", near=True),
        Cite(claim="postgres-manual.autovacuum_work_mem"),
    ),
    decide=decide,
    gives_way=3,
    after=("pg.autovacuum_max_workers",),
    examples=(
        Example(
            name="4 GB were meant for one command",
            given=Given(memory="32GB", settings={"maintenance_work_mem": "4GB"}),
            outcome=Sets(value="1GB"),
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
            name="a limit was chosen",
            given=Given(settings={"maintenance_work_mem": "4GB", "autovacuum_work_mem": "512MB"}),
            outcome=Declines(kind="keep"),
        ),
    ),
)
