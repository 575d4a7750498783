"""What was measured, by whom, where; and how like this machine that was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from tunewiz.core.answers.answers import WorkloadKind
from tunewiz.core.facts.storage_kind import StorageKind

Fit = Literal["like", "unlike", "opposite"]


@dataclass(frozen=True, kw_only=True, slots=True)
class MeasuredSystem:
    """A system that a source measured on."""

    key: str
    name: str
    architecture: str
    """As `uname -m` prints it; empty where the source is silent, as are the others below."""
    cores: int = 0
    memory_gib: int = 0
    postgres: str = ""
    kernel: str = ""
    storage: StorageKind | Literal[""] = ""
    hypervisor: str = ""
    workload: WorkloadKind | Literal[""] = ""
    summary: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """A document."""

    key: str
    title: str
    author: str
    date: str
    """ISO date, as exact as the document is; `undated` where it bears none."""
    kind: str
    """webcast slides, tutorial, white paper, talk, blog post."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    """One thing that a source claims, in our own words."""

    id: str
    source: str
    subject: str
    place: str
    """Where in the document a person finds it."""
    text: str
    figure: str
    """What was measured; `not measured` where nothing was."""
    measured_on: tuple[str, ...]
    """Keys of measured systems; none where nothing was measured."""
    today: str = ""
    """What is known today that changes it."""
    caution: str = ""
    """Where the source contradicts itself or does not say enough."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Library:
    """All sources, systems and claims."""

    sources: Mapping[str, Source]
    systems: Mapping[str, MeasuredSystem]
    claims: Mapping[str, Claim]


@dataclass(frozen=True, kw_only=True, slots=True)
class Cite:
    """A recommendation leans on a claim, or argues with it."""

    claim: str
    opposes: bool = False
    """The claim speaks against what is recommended: shown as the other side."""
    near: bool = False
    """What was measured is something near it: it explains, but is no ground to tick."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Fitted:
    """A claim held against this machine."""

    claim: Claim
    source: Source
    systems: tuple[MeasuredSystem, ...]
    fit: Fit
    because: str
    near: bool = False
    """Measured was something near what is recommended."""
