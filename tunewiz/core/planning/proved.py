"""What a measurement on this server says about a recommendation: it outranks everything else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TypeAlias

from tunewiz.core.proof.measured_parts import MeasuredPart, NoProof, measured_parts, what_it_cost
from tunewiz.core.proof.proof import Proof, Verdict
from tunewiz.core.recommendation.observed import Observation
from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.verdicts import Advice, Proposal
from tunewiz.core.recommendation.verdicts import Verdict as Decided
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.record import dataclass

FOUND: Mapping[Verdict, str] = MappingProxyType(
    {
        "helped": "it helped",
        "hurt": "it hurt",
        "same": "it made no relevant difference",
        "undecided": "whether it helps is undecided",
        "observed": "observed on the live server, which proves nothing",
    }
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Proved:
    """A change was measured on this server, alone or with others."""

    part: MeasuredPart
    value: str
    """The value that was measured."""
    costs: tuple[str, ...]
    """Other metrics that became significantly worse."""
    how: str
    """The command, the number of pairs, and the date."""
    is_of_this: bool
    """Whether it is the value that the plan proposes, or that is in force."""


@dataclass(frozen=True, kw_only=True, slots=True)
class NotProved:
    """It was not measured on this server."""


NOT_PROVED = NotProved()
ProvedHere: TypeAlias = Proved | NotProved


def proved(recommendation: Recommendation, verdict: Decided, situation: Situation) -> ProvedHere:
    """What this server's proof, if there is one, says about a recommendation."""
    if isinstance(situation.proof, NoProof):
        return NOT_PROVED
    change = next(
        (change for change in situation.proof.bundle.changes if change.id == recommendation.id), None
    )
    part = next(
        (
            measured_part
            for measured_part in measured_parts(situation.proof)
            if recommendation.id in measured_part.ids
        ),
        None,
    )
    if change is None or part is None:
        return NOT_PROVED
    return Proved(
        part=part,
        value=change.value,
        costs=what_it_cost(situation.proof),
        how=how_measured(situation.proof),
        is_of_this=_is_of_this(recommendation, verdict, change.value, situation),
    )


def _is_of_this(recommendation: Recommendation, verdict: Decided, value: str, situation: Situation) -> bool:
    """Whether the measured value is the planned one; true if none is planned."""
    planned = verdict.value if isinstance(verdict, Proposal | Advice) else ""
    return not planned or situation.same(recommendation.target, planned, value)


def how_measured(proof: Proof) -> str:
    """`tunewiz prove bench, 10 pairs, 2026-11-24`."""
    runs = how_many(len(proof.cycles), "cycle") if proof.cycles else how_many(len(proof.pairs), "pair")
    day = proof.finished[:10]
    copy = "on a copy of this server" if proof.server.is_copy else ""
    return ", ".join(text for text in (f"tunewiz prove {proof.kind}", runs, copy, day) if text)


def seen_in_proof(here: ProvedHere) -> Iterator[Observation]:
    """The measurement as an observation."""
    if isinstance(here, Proved):
        yield Observation(
            figure=here.part.figure,
            means=what_it_means(here),
            how=here.how,
            opposes=here.part.verdict == "hurt",
            neutral=not _speaks(here),
        )


def _speaks(here: Proved) -> bool:
    """Whether it argues for or against the change; a gain counts only for the value measured."""
    return here.part.verdict == "hurt" or (here.part.verdict == "helped" and here.is_of_this)


def what_it_means(here: Proved) -> str:
    """In words, what was found and for which changes."""
    part = here.part
    whose = "" if part.is_one_change else f" ({part.name}: one figure for {len(part.ids)} changes)"
    value = "" if here.is_of_this else f"; measured with {here.value} instead of this value"
    costs = f"; at the cost of {', '.join(here.costs)}" if here.costs and part.verdict == "helped" else ""
    return f"{FOUND[part.verdict]}{whose}{costs}{value}"
