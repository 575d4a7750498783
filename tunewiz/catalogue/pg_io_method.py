"""io_method: how PostgreSQL 18 reads in the background."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict


def decide(now: Situation) -> Verdict:
    """Worker, the default, unless someone went back to reading one page after another."""
    current = now.will_be("io_method")
    if current != "sync":
        return Declined(because=f"{current} reads in the background", kind="keep")
    return Proposal(
        value="worker",
        because="with sync, each session waits for its own reads, as before PostgreSQL 18",
        computed="worker, PostgreSQL's default; io_uring only where build and kernel have it",
    )


RECOMMENDATION = Recommendation(
    id="pg.io_method",
    title="Use asynchronous reads",
    group="storage",
    target=PgTarget(name="io_method"),
    explanation=Explanation(
        changes="Who reads pages ahead (18 and newer): processes of the server (worker), the kernel "
        "(io_uring), or each session itself, waiting (sync).",
        helps="A session goes on working while its next pages are on their way.",
        leave_alone="When it is worker. io_uring is not proposed: it needs a server built with liburing "
        "and a kernel that allows it, else the server does not start.",
        costs="A restart. With worker, a few more processes (io_workers).",
        watch="pg_aios and pg_stat_io while a large scan runs.",
    ),
    pros=("Scans and bitmap scans wait less.",),
    cons=("Requires a restart.", "New in 18: there is little experience with it."),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="z-deck.read_ahead", near=True),
        Cite(claim="postgres-manual.io_method"),
    ),
    decide=decide,
    examples=(
        Example(
            name="set back to sync",
            given=Given(major="18", settings={"io_method": "sync"}),
            outcome=Sets(value="worker"),
        ),
        Example(name="the default", given=Given(major="18"), outcome=Declines(kind="keep")),
        Example(name="17 has none", given=Given(major="17"), outcome=Declines(kind="not_applicable")),
    ),
)
