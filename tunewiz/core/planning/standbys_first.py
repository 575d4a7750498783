"""What a standby may not have less of than its primary is raised on the standbys first.

A standby with less stops replaying (PostgreSQL's manual, version 15, hot-standby), so the plan of a primary
proposes the value and leaves it to a person who knows that the standbys have it.
"""

from __future__ import annotations

import dataclasses

from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Proposal, RiskLevel, Verdict
from tunewiz.core.server.replication import signs_of_standbys, standbys
from tunewiz.core.server.standby import bound, is_standby, lowers

FIRST_THERE = "raise it on the standbys first, or they stop replaying"


def standbys_first(recommendation: Recommendation, verdict: Verdict, situation: Situation) -> Verdict:
    """The verdict, unticked if it raises such a value on a server that standbys follow."""
    target = recommendation.target
    if not isinstance(verdict, Proposal) or not isinstance(target, PgTarget):
        return verdict
    if target.name not in bound(situation) or lowers(situation, target.name, verdict.value):
        return verdict
    if is_standby(situation) or not standbys(situation):
        return verdict
    signs = ", ".join(signs_of_standbys(situation))
    because = f"{verdict.because}; {FIRST_THERE}{f' ({signs})' if signs else ''}"
    return dataclasses.replace(verdict, because=because, risk=RiskLevel.HIGH, ticked=False)
