"""What a proof says of each part of a plan that was switched on and off as one.

A figure belongs to the part, never to one of its changes: the effect of each was not measured.
"""

from __future__ import annotations

from typing import TypeAlias

from tunewiz.core.proof.figures import figure_of
from tunewiz.core.proof.metrics import METRICS
from tunewiz.core.proof.proof import Proof, Verdict
from tunewiz.core.values.record import dataclass

EVERYTHING = "everything together"
"""The name of the only part, if the plan was measured as a whole."""
NO_FIGURE = "no figure"
"""For a run that ended before its first planned look."""


@dataclass(frozen=True, kw_only=True, slots=True)
class NoProof:
    """Nothing was measured on this server."""


NO_PROOF = NoProof()
ProofGiven: TypeAlias = Proof | NoProof


@dataclass(frozen=True, kw_only=True, slots=True)
class MeasuredPart:
    """A part of a plan, with its measurement."""

    name: str
    ids: tuple[str, ...]
    verdict: Verdict
    figure: str
    """The primary metric with its interval, or NO_FIGURE."""
    percent: float
    """The same as a difference in percent, positive where it improved; 0 without a figure."""

    @property
    def is_one_change(self) -> bool:
        """Whether the figure is that of a single change."""
        return len(self.ids) == 1


def measured_parts(proof: Proof) -> tuple[MeasuredPart, ...]:
    """Each group if the plan was measured part by part, otherwise everything together."""
    if proof.groups:
        return tuple(
            MeasuredPart(
                name=group.name,
                ids=group.ids,
                verdict="observed" if proof.verdict == "observed" else group.verdict,
                figure=figure_of(proof.primary, group),
                percent=_improved(proof, group.ratio),
            )
            for group in proof.groups
        )
    metric = proof.metrics.get(proof.primary)
    return (
        MeasuredPart(
            name=EVERYTHING,
            ids=tuple(change.id for change in proof.bundle.changes),
            verdict=proof.verdict,
            figure=NO_FIGURE if metric is None else figure_of(proof.primary, metric),
            percent=0.0 if metric is None else _improved(proof, metric.ratio),
        ),
    )


def what_it_cost(proof: Proof) -> tuple[str, ...]:
    """Metrics that became significantly worse while the primary one did not."""
    return tuple(
        figure_of(name, result)
        for name, result in proof.metrics.items()
        if name != proof.primary and result.verdict == "hurt"
    )


def _improved(proof: Proof, ratio: float) -> float:
    """In percent of throughput, or of the time that is saved."""
    better = METRICS[proof.primary].better
    return 100 * (ratio - 1 if better == "higher" else 1 / ratio - 1)
