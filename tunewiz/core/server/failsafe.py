"""When vacuum drops everything that can wait, so that ids do not run out."""

from __future__ import annotations

from fractions import Fraction

from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.verdicts import Declined, Proposal, Verdict

USUAL = 1_600_000_000
"""The default (manual, version 15)."""
LEAST = Fraction(105, 100)
"""Of the age at which vacuum is forced: the server takes no less (manual, version 15)."""


def failsafe(now: Situation, name: str, freeze: str) -> Verdict:
    """The default where the failsafe comes too late, or at once.

    Args:
        now: The situation.
        name: The age at which it begins, of transactions or of multixacts.
        freeze: The setting with the age at which a vacuum is forced.
    """
    current, least = int(now.will_be(name)), int(int(now.will_be(freeze)) * LEAST)
    if current > USUAL:
        because = f"{current:,} leaves few of two billion ids when nothing else may wait any more"
    elif current < least and current != USUAL:
        because = f"{current:,} counts as {least:,}: a vacuum that is forced and a little late skips indexes"
    else:
        counts = f", which counts as {least:,}" if current < least else ""
        return Declined(because=f"from {current:,}{counts} on vacuum leaves out what can wait", kind="keep")
    return Proposal(value=str(USUAL), because=because, computed=f"{USUAL:,}, the default", ticked=False)
