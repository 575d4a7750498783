"""io_min_workers: how many processes of PostgreSQL 19 are always there to read for everyone."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict

NAME = "io_min_workers"


def decide(situation: Situation) -> Verdict:
    """No more than the most that may run; what was chosen below that is left alone."""
    if situation.will_be("io_method") != "worker":
        return Declined(because=f"io_method is {situation.will_be('io_method')}: there are no workers")
    fewest, most = int(situation.will_be(NAME)), int(situation.will_be("io_max_workers"))
    if fewest < most:
        because = f"{fewest} are always there, up to {most} as reads come: more start within moments"
        return Declined(because=because, kind="keep")
    if fewest == most:
        return Declined(because=f"{fewest} are always there, never more and never fewer", kind="keep")
    return Proposal(
        value=str(most),
        because=f"at least {fewest} are asked for, but io_max_workers lets no more than {most} run",
        computed=f"{most}, io_max_workers: as many as run anyway",
        ticked=False,
    )


RECOMMENDATION = Recommendation(
    id=f"pg.{NAME}",
    title="Ask for no more readers than may run",
    group="storage",
    target=PgTarget(name=NAME),
    explanation=Explanation(
        changes="How many processes that read pages ahead for all sessions are there even when nothing is "
        "read (19, with io_method = worker).",
        helps="A number above io_max_workers has no effect; the next person who reads it is not misled.",
        leave_alone="Everywhere else: the server starts more as soon as reads wait, one each "
        "io_worker_launch_interval.",
        costs="Nothing: as many run as before.",
        watch="SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'io worker'.",
    ),
    pros=("The file says what the server does.", "Takes a reload."),
    cons=("If that many were wanted, raise io_max_workers instead.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(Cite(claim="postgres-manual.io_min_workers"), Cite(claim="munro-workers.too_few", near=True)),
    decide=decide,
    after=("pg.io_method", "pg.io_max_workers"),
    examples=(
        Example(
            name="more than may run",
            given=Given(major="19", settings={NAME: "6", "io_max_workers": "3"}),
            outcome=Sets(value="3"),
        ),
        Example(name="the default", given=Given(major="19"), outcome=Declines(kind="keep")),
        Example(
            name="a fixed number",
            given=Given(major="19", settings={NAME: "8"}),
            outcome=Declines(kind="keep"),
        ),
        Example(
            name="nothing reads in the background",
            given=Given(major="19", settings={"io_method": "sync"}),
            outcome=Declines(),
        ),
        Example(name="18 has io_workers", given=Given(major="18"), outcome=Declines(kind="not_applicable")),
    ),
)
