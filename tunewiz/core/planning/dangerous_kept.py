"""No finding approves of a value that is dangerous: it stays, and the finding says what it does."""

from __future__ import annotations

import dataclasses

from tunewiz.core.planning.dangerous_values import dangerous_value
from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Verdict


def dangerous_kept(recommendation: Recommendation, verdict: Verdict, situation: Situation) -> Verdict:
    """The verdict; where it keeps a dangerous value, its reason is what that value does."""
    target = recommendation.target
    if not isinstance(verdict, Declined) or verdict.kind != "keep" or not isinstance(target, PgTarget):
        return verdict
    for danger in situation.dangers.rows:
        if danger.setting == target.name and danger.harm != "note":
            value = dangerous_value(situation, danger)
            if value is not None:
                because = f"nothing proposes another value than {value}, but it is warned of: {danger.why}"
                return dataclasses.replace(verdict, because=because)
    return verdict
