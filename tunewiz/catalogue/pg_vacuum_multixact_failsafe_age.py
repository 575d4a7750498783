"""vacuum_multixact_failsafe_age: when vacuum skips everything that can wait."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import (
    Declines,
    Example,
    Explanation,
    Recommendation,
    Sets,
)
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import RiskLevel, Verdict
from tunewiz.core.server.failsafe import failsafe


def decide(situation: Situation) -> Verdict:
    """The default where it is so high that the failsafe acts too late, or so low that it always acts."""
    return failsafe(situation, "vacuum_multixact_failsafe_age", "autovacuum_multixact_freeze_max_age")


RECOMMENDATION = Recommendation(
    id="pg.vacuum_multixact_failsafe_age",
    title="Keep the last safeguard against multixact wraparound",
    group="vacuum",
    target=PgTarget(name="vacuum_multixact_failsafe_age"),
    explanation=Explanation(
        changes="When the oldest multixact id in a table is this old, a vacuum no longer pauses "
        "and skips what can wait: cleaning indexes and truncating the table (14 and newer).",
        helps="The last safeguard before the server refuses to write because multixact ids run out.",
        leave_alone="Where it is the default: it counts as 1.05 times the age at which vacuum is forced, at "
        "least.",
        costs="A vacuum in this state uses the disk without limit, and indexes keep their dead entries.",
        watch="“bypassing nonessential maintenance” in the log: it should never be there.",
    ),
    pros=("The last safeguard works when it is needed.", "Takes a reload."),
    cons=("It should never have to act: autovacuum comes first.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(Cite(claim="postgres-manual.vacuum_multixact_failsafe_age"),),
    decide=decide,
    after=("pg.autovacuum_multixact_freeze_max_age",),
    examples=(
        Example(
            name="it acts too late",
            given=Given(settings={"vacuum_multixact_failsafe_age": "2100000000"}),
            outcome=Sets(value="1600000000"),
        ),
        Example(
            name="it always acts",
            given=Given(settings={"vacuum_multixact_failsafe_age": "0"}),
            outcome=Sets(value="1600000000"),
        ),
        Example(name="the default", given=Given(), outcome=Declines(kind="keep")),
        Example(
            name="a choice between the two",
            given=Given(settings={"vacuum_multixact_failsafe_age": "1000000000"}),
            outcome=Declines(kind="keep"),
        ),
        Example(name="13 has none", given=Given(major="13"), outcome=Declines(kind="not_applicable")),
    ),
)
