"""temp_buffers: memory that each session keeps for its temporary tables once it has used it."""

from __future__ import annotations

from fractions import Fraction

from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.known import Known
from tunewiz.core.values.units import Bytes

MUCH = Fraction(1, 8)
"""Of memory: what all sessions may keep for temporary tables before it is worth a warning."""


def more_temp_buffers(situation: Situation) -> Bytes:
    """What a session may keep beyond the default, which counts among its private memory."""
    usual = situation.settings["temp_buffers"].size(situation.default("temp_buffers"))
    return max(Bytes(0), situation.will_be_size("temp_buffers") - usual)


def keeps_much(situation: Situation) -> bool:
    """Whether all sessions together may keep much of memory, and more than with the default."""
    if not isinstance(situation.facts.memory.total, Known) or not more_temp_buffers(situation):
        return False
    return situation.will_be_size("temp_buffers") * situation.connections > situation.memory * MUCH


def temp_buffers_in_words(situation: Situation) -> str:
    """A warning if all sessions together may keep much of memory; otherwise empty."""
    if not keeps_much(situation):
        return ""
    size, sessions = situation.will_be_size("temp_buffers"), situation.connections
    return (
        f"temp_buffers = {size.pg()}: a session that fills temporary tables keeps that much until it ends, "
        f"{sessions} of them {(size * sessions).human()} of {situation.memory.human()}. Better: the default, "
        "and SET temp_buffers in the sessions that need more."
    )
