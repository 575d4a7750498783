"""From which age on vacuum skips everything that can wait, so that ids do not run out."""

from __future__ import annotations

from fractions import Fraction

from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.verdicts import Declined, Proposal, Verdict

USUAL = 1_600_000_000
"""The default (manual, version 15)."""
LEAST = Fraction(105, 100)
"""Of the age at which vacuum is forced: the server uses no less (manual, version 15)."""


def failsafe(situation: Situation, name: str, freeze: str) -> Verdict:
    """The default where the failsafe would act too late, or always.

    Args:
        situation: The situation.
        name: The age at which it begins, of transactions or of multixacts.
        freeze: The setting with the age at which a vacuum is forced.
    """
    current, least = int(situation.will_be(name)), int(int(situation.will_be(freeze)) * LEAST)
    if current > USUAL:
        because = f"{current:,} leaves few of two billion ids when the failsafe begins"
    elif current < least and current != USUAL:
        because = f"{current:,} is raised to {least:,}: even a slightly late forced vacuum skips indexes"
    else:
        counts = f", which is raised to {least:,}," if current < least else ""
        return Declined(because=f"from {current:,}{counts} on vacuum skips what can wait", kind="keep")
    return Proposal(value=str(USUAL), because=because, computed=f"{USUAL:,}, the default", ticked=False)
