"""What documents say for and against a recommendation, apart from our words, and how similar theirs are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tunewiz.core.planning.evidence_fit import ThisSystem, fit_of
from tunewiz.core.planning.evidence_range import EvidenceRange, measured_range
from tunewiz.core.recommendation.evidence import Cite, Library, MeasuredSystem
from tunewiz.core.values.record import dataclass
from tunewiz.core.words.evidence import FITS, NEAR, range_in_words

THEIRS = {
    "for": "What documents say for it",
    "against": "What documents say against it",
    "near": "What documents say of something related",
}
"""Headings; ours are OURS."""
OURS = {"for": "For it, as this program sees it", "against": "Against it, as this program sees it"}
ONLY_MANUALS = "PostgreSQL's or the kernel's own documentation."


@dataclass(frozen=True, kw_only=True, slots=True)
class NoMachine:
    """It is explained without a machine."""


Beside = ThisSystem | NoMachine


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """A line of a claim and by how much it is indented."""

    text: str
    indented: int


def all_together(cites: tuple[Cite, ...], library: Library) -> str:
    """What the systems of all claims have in common; empty where nothing can be compared."""
    own = (cite for cite in cites if not cite.near)
    measured = measured_range((library.claims[cite.claim], cite.opposes) for cite in own)
    return range_in_words(measured) if isinstance(measured, EvidenceRange) else ""


def by_side(cites: tuple[Cite, ...]) -> Mapping[str, tuple[Cite, ...]]:
    """The citations under each heading of THEIRS; a heading without any is left out."""
    sides = {title: tuple(cite for cite in cites if _side(cite) == side) for side, title in THEIRS.items()}
    return {title: members for title, members in sides.items() if members}


def _side(cite: Cite) -> str:
    return "against" if cite.opposes else "near" if cite.near else "for"


def cited(cite: Cite, library: Library, described: set[str], beside: Beside) -> Iterator[Told]:
    """One claim; a system that was already described is only named."""
    claim = library.claims[cite.claim]
    source = library.sources[claim.source]
    yield Told(text=f"{NEAR if cite.near else ''}{claim.figure}", indented=2)
    texts = (
        claim.text,
        *_measured_on([library.systems[key] for key in claim.measured_on], described, beside),
        f"Careful: {claim.caution}" if claim.caution else "",
        f"Known today: {claim.today}" if claim.today else "",
        f"{source.title}, {source.author}, {source.date}: {claim.place} (claim {claim.id})",
        source.address,
    )
    yield from (Told(text=text, indented=4) for text in texts if text)
    described |= {*claim.measured_on}


def _measured_on(systems: list[MeasuredSystem], described: set[str], beside: Beside) -> Iterator[str]:
    if systems:
        names = "; ".join(_system(system, known=system.key in described) for system in systems)
        yield f"Measured on: {names}"
    for system in systems:
        if isinstance(beside, ThisSystem) and system.key not in described:
            fit, because = fit_of(system, beside)
            yield f"{system.name} is {FITS[fit]}: {because}"


def _system(system: MeasuredSystem, *, known: bool) -> str:
    return system.name if known or not system.summary else f"{system.name} ({system.summary})"
