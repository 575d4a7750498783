"""log_lock_waits: a line in the log for a session that waits long for a lock."""

from __future__ import annotations

from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Declines, Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.values.units import Duration

SHORT = Duration(100)
"""A deadlock_timeout below this is named as dangerous."""


def decide(situation: Situation) -> Verdict:
    """On: contention is a limit that no setting lifts, and it must be seen."""
    if situation.will_be("log_lock_waits") == "on":
        return Declined(because="it is on", kind="keep")
    after = situation.will_be("deadlock_timeout")
    if Duration.parse(after) < SHORT:
        return Declined(
            because=f"deadlock_timeout is {after}: every short wait would write a line; raise that first"
        )
    return Proposal(
        value="on",
        because="a session that waits for a lock longer than deadlock_timeout is named in the log, with the "
        "holder",
        computed=f"on; a line after deadlock_timeout = {after}",
    )


RECOMMENDATION = Recommendation(
    id="pg.log_lock_waits",
    title="Turn on log_lock_waits",
    group="connections",
    target=PgTarget(name="log_lock_waits"),
    explanation=Explanation(
        changes="A session that waits for a lock longer than deadlock_timeout (1 s) writes a line that "
        "names the lock and its holder.",
        helps="On the Power10, locks on a few hot rows were the limit; the log shows whether they are here.",
        leave_alone="Where long waits are normal and known: the log would fill with them.",
        costs="A line for each long wait.",
        watch="“still waiting for” and “acquired” in the log.",
    ),
    pros=("Contention becomes visible.", "Takes a reload."),
    cons=("The log grows where waiting is normal.",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(
        Cite(claim="power.contention", near=True),
        Cite(claim="power.connections_peak", near=True),
        Cite(claim="postgres-manual.log_lock_waits"),
    ),
    decide=decide,
    examples=(
        Example(name="off by default", given=Given(), outcome=Sets(value="on")),
        Example(
            name="every short wait would be logged",
            given=Given(settings={"deadlock_timeout": "5ms"}),
            outcome=Declines(kind="declined"),
        ),
        Example(
            name="it is on", given=Given(settings={"log_lock_waits": "on"}), outcome=Declines(kind="keep")
        ),
    ),
)
