"""How long the parts of one measured run last."""

from __future__ import annotations

from tunewiz.core.values.record import dataclass

LONGER_THAN_CHECKPOINTS = 1.2
"""A shorter run never includes a postponed checkpoint."""
READ_ONLY_SECONDS = 300
"""Length of a run that writes nothing: PostgreSQL's default checkpoint_timeout."""
WARM_UP_SHARE, WARM_UP_LEAST, WARM_UP_MOST = 0.2, 1, 60
"""Seconds of a run."""
FIXED_RATE_SHARE, FIXED_RATE_LEAST = 1 / 3, 1
"""Seconds of a run at full speed, unless latency is the primary metric."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Lengths:
    """The lengths of the parts of one run, in seconds."""

    warm_up: int
    full_speed: int
    fixed_rate: int
    writes_pay: int
    """How long a run must last to include a checkpoint; 0 if nothing is written."""

    @property
    def arm(self) -> int:
        """The whole run, without its restart and the copy of its data."""
        return self.warm_up + self.full_speed + self.fixed_rate


def lengths_of(
    checkpoint_timeout: int, *, seconds: int = 0, writes: bool, is_latency: bool = False
) -> Lengths:
    """The lengths of every run.

    Args:
        checkpoint_timeout: The longer of the two sides, in seconds.
        seconds: Seconds of a run at full speed; 0 for the default.
        writes: Whether the transactions write.
        is_latency: Whether the primary metric is latency, which is measured at a fixed rate.
    """
    pays = int(LONGER_THAN_CHECKPOINTS * checkpoint_timeout) if writes else 0
    full = seconds or pays or READ_ONLY_SECONDS
    return Lengths(
        warm_up=int(min(WARM_UP_MOST, max(WARM_UP_LEAST, full * WARM_UP_SHARE))),
        full_speed=full,
        fixed_rate=full if is_latency else max(FIXED_RATE_LEAST, int(full * FIXED_RATE_SHARE)),
        writes_pay=pays,
    )
