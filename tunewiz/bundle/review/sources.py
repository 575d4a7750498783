"""The documents behind the changes and the systems they measured on: each told once, cited by its number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tunewiz.bundle.review.blocks import Block, Bullets, Numbered, Strong, heading, line
from tunewiz.core.planning.finding import Finding
from tunewiz.core.recommendation.evidence import Fitted


@dataclass(frozen=True, kw_only=True, slots=True)
class Sources:
    """Documents by their number, systems with what sets them apart from this machine."""

    numbers: Mapping[str, int]
    """By the key of a document, from 1 in the order of citation."""
    titles: tuple[str, ...]
    systems: Mapping[str, str]
    first: Mapping[str, int]
    """The number of the change under which a claim is told, by the claim's id."""

    @classmethod
    def behind(cls, findings: Iterable[Finding]) -> Sources:
        """Those that the findings cite with a measurement."""
        changes = list(enumerate(findings, start=1))
        cited = [evidence for _, finding in changes for evidence in measured(finding)]
        backwards = reversed(
            [(evidence.claim.id, number) for number, finding in changes for evidence in measured(finding)]
        )
        documents = {
            evidence.source.key: f"{evidence.source.title} ({evidence.source.date})" for evidence in cited
        }
        return cls(
            numbers={key: number for number, key in enumerate(documents, start=1)},
            titles=tuple(documents.values()),
            first=dict(backwards),
            systems={systems_of(evidence): evidence.because for evidence in cited},
        )


def measured(finding: Finding) -> Iterator[Fitted]:
    """What was measured of it: `tunewiz explain` tells what was only said, or measured of something near."""
    yield from (evidence for evidence in finding.evidence if evidence.systems and not evidence.near)


def systems_of(fitted: Fitted) -> str:
    """The names of its systems."""
    return " and ".join(system.name for system in fitted.systems)


def list_of(sources: Sources) -> Iterator[Block]:
    """The section, unless nothing is cited."""
    if not sources.titles:
        return
    yield heading(2, "Sources, and how like this machine theirs were")
    yield Numbered(tuple(map(line, sources.titles)))
    yield Bullets(tuple(line(Strong(name), f": {because}") for name, because in sources.systems.items()))
