"""What was measured, by whom, where; and how similar that is to this machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType
from typing import Literal

from tunewiz.core.answers.answers import WorkloadKind
from tunewiz.core.facts.storage_kind import StorageKind
from tunewiz.core.values.record import dataclass

Fit = Literal["like", "unknown", "unlike", "opposite"]
"""Unknown where nothing differs that weighs, but not all that is compared is known."""


A_GUEST = "guest"
"""A virtual machine of whatever hypervisor."""


def under(hypervisor: str) -> str:
    """Where a system runs, in words: `under z/VM`."""
    names = {
        "none": "on bare metal",
        "lpar": "in a logical partition",
        "zvm": "under z/VM",
        "powervm": "under PowerVM",
        "kvm": "under KVM",
        "xen": "under Xen",
        "vmware": "under VMware",
        A_GUEST: "in a virtual machine",
    }
    return names.get(hypervisor, f"under {hypervisor}")


NOT_TOLD_APART: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True, slots=True)
class MeasuredSystem:
    """A system that a source measured on."""

    key: str
    name: str
    architecture: str
    """As `uname -m` prints it; like the fields below, empty if the source does not say."""
    cores: int = 0
    memory_gib: int = 0
    database_gib: int = 0
    postgres: str = ""
    kernel: str = ""
    storage: StorageKind | Literal[""] = ""
    hypervisor: str = ""
    """As the facts name it; A_GUEST where the source only says that it was a virtual machine."""
    workload: WorkloadKind | Literal[""] = ""
    summary: str = ""


MANUAL = "manual"


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """A document."""

    key: str
    title: str
    author: str
    date: str
    """ISO date, as precise as the document's; `undated` if it has none."""
    kind: str
    """webcast slides, tutorial, white paper, talk, blog post; `MANUAL` for a documentation."""
    address: str = ""
    """Where anybody can read it; empty for what has no address of its own."""

    @property
    def is_manual(self) -> bool:
        """Whether it is PostgreSQL's or the kernel's own documentation."""
        return self.kind == MANUAL


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    """One thing that a source claims, in our own words."""

    id: str
    source: str
    subject: str
    speaks_of: tuple[str, ...]
    """Ids of the recommendations whose very setting it is about: for all others it is only near."""
    place: str
    """Where in the document a person finds it."""
    text: str
    figure: str
    """What was measured; `not measured` if nothing was, `documented` in a manual."""
    measured_on: tuple[str, ...]
    """Keys of measured systems; none if nothing was measured."""
    figures: Mapping[str, str] = field(default_factory=lambda: NOT_TOLD_APART)
    """What was measured on each of several systems alone, by its key, where the source tells them apart."""
    effects: Mapping[str, str] = field(default_factory=lambda: NOT_TOLD_APART)
    """What the claim's change gained on each system, by its key, where that compares with others: percent of
    throughput (`+2.1 to +12.2`), else `better`, `worse`, `same` or `undecided`."""
    today: str = ""
    """What has changed since."""
    caution: str = ""
    """Contradictions and gaps in the source."""
    undecided: bool = False
    """Too few or too short runs to tell an effect from noise: a reason neither for nor against."""
    carried_by: tuple[str, ...] = ()
    """What the document has at that place, for reviewers and tests: its figures, or a word or two.

    What is not in the document but follows from its figures is written as arithmetic: `64 * 7 = 448`.
    """


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Library:
    """All sources, systems and claims; a single object, compared by identity."""

    sources: Mapping[str, Source]
    systems: Mapping[str, MeasuredSystem]
    claims: Mapping[str, Claim]


@dataclass(frozen=True, kw_only=True, slots=True)
class Cite:
    """A recommendation's reference to a claim, for or against it."""

    claim: str
    opposes: bool = False
    """The claim argues against the recommendation: shown as the other side."""
    near: bool = False
    """Something related was measured: it explains, but does not justify ticking."""
    only_on: tuple[str, ...] = ()
    """Architectures whose hardware it speaks of: no evidence on others; all if none is named."""

    def concerns(self, architecture: str) -> bool:
        """Whether it is evidence on that architecture, empty where it is not known."""
        return not (self.only_on and architecture) or architecture in self.only_on


IBM_Z: tuple[str, ...] = ("s390x",)
IBM_POWER: tuple[str, ...] = ("ppc64le", "ppc64")
X86: tuple[str, ...] = ("x86_64",)


@dataclass(frozen=True, kw_only=True, slots=True)
class Fitted:
    """A claim compared with this machine."""

    claim: Claim
    source: Source
    systems: tuple[MeasuredSystem, ...]
    """Where it was measured: of several that the source tells apart, the closest to this machine."""
    figure: str
    """What was measured there."""
    fit: Fit
    because: str
    near: bool = False
    """Something related to the recommendation was measured."""

    @property
    def speaks_for(self) -> bool:
        """Whether it is a reason for the recommendation: decided, of the very thing, and not against it."""
        return self.fit != "opposite" and not self.near and not self.claim.undecided
