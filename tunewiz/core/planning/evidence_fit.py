"""How similar the systems that a claim was measured on are to this machine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from tunewiz.core.recommendation.evidence import A_GUEST, Cite, Fit, Fitted, MeasuredSystem
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.known import Known, MissingFact, known_or
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.units import GIB
from tunewiz.core.values.versions import Major

SAME_MAGNITUDE = 4
"""Cores and memory within this factor count as alike: the sources warn only of far larger images."""

TWO_LIVES = 10
"""Majors apart from which what was measured is of another time: each is supported for five years, and one
comes every year (PostgreSQL's versioning policy)."""

BARE_METAL = "none"

Weight = Literal["heavy", "light"]


def fitted(cite: Cite, now: Situation) -> Fitted:
    """The claim with its fit to this machine: that of the closest system it was measured on."""
    claim = now.library.claims[cite.claim]
    systems = tuple(now.library.systems[key] for key in claim.measured_on)
    if claim.figures:
        systems = (min(systems, key=lambda system: distance(system, now)),)
    fit, because = _fit(systems, now, against=cite.opposes and not claim.undecided)
    return Fitted(
        claim=claim,
        source=now.library.sources[claim.source],
        systems=systems,
        figure=claim.figures[systems[0].key] if claim.figures else claim.figure,
        fit=fit,
        because=because,
        near=cite.near,
    )


def _fit(systems: tuple[MeasuredSystem, ...], now: Situation, *, against: bool) -> tuple[Fit, str]:
    if not systems:
        return "unlike", "nothing was measured"
    compared = sorted((_differences(system, now) for system in systems), key=_distance)
    closest = compared[0]
    if against:
        return "opposite", _because(closest) or "measured on a system like this one"
    heavy = any(weight == "heavy" for weight, _ in closest)
    return ("unlike" if heavy else "like"), _because(closest) or "same kind of machine, storage and workload"


def fit_of(system: MeasuredSystem, now: Situation) -> tuple[Fit, str]:
    """Whether a system is like this machine, and why."""
    return _fit((system,), now, against=False)


def distance(system: MeasuredSystem, now: Situation) -> tuple[int, int]:
    """How far it is, where what the source does not say of it counts as a difference."""
    heavy, differences = _distance(_differences(system, now))
    return heavy, differences + untold(system)


def untold(system: MeasuredSystem) -> int:
    """How much of what is compared the source does not say of it."""
    told = (system.workload, system.storage, system.cores, system.hypervisor, system.postgres)
    return sum(not each for each in told)


def _distance(differences: list[tuple[Weight, str]]) -> tuple[int, int]:
    return sum(weight == "heavy" for weight, _ in differences), len(differences)


def _because(differences: list[tuple[Weight, str]]) -> str:
    return "; ".join(text for _, text in differences)


def _differences(system: MeasuredSystem, now: Situation) -> list[tuple[Weight, str]]:
    compared = (_architecture, _workload, _storage, _cores, _memory, _database, _hypervisor, _version)
    return [difference for one in compared for difference in one(system, now)]


def _architecture(system: MeasuredSystem, now: Situation) -> Iterator[tuple[Weight, str]]:
    here = known_or(now.facts.host.architecture, "")
    if not system.architecture:
        yield "heavy", "the source does not say on which kind of machine"
    elif here and system.architecture != here:
        yield "heavy", f"measured on {system.architecture}, this is {here}"


def _workload(system: MeasuredSystem, now: Situation) -> Iterator[tuple[Weight, str]]:
    here = now.answers.workload.kind
    if system.workload and system.workload != here:
        weight: Weight = "heavy" if "analytics" in (system.workload, here) else "light"
        yield weight, f"measured with {_word(system.workload)}, yours is {_word(here)}"


def _word(kind: str) -> str:
    return {"oltp": "transactions", "read_mostly": "mostly reads"}.get(kind, kind)


def under(hypervisor: str) -> str:
    """Where a system runs, in words: `under z/VM`."""
    names = {
        "none": "on bare metal",
        "lpar": "in a logical partition",
        "zvm": "under z/VM",
        "kvm": "under KVM",
        "xen": "under Xen",
        "vmware": "under VMware",
        A_GUEST: "in a virtual machine",
    }
    return names.get(hypervisor, f"under {hypervisor}")


def _storage(system: MeasuredSystem, now: Situation) -> Iterator[tuple[Weight, str]]:
    try:
        here = now.storage_kind
    except MissingFact:
        return
    if system.storage and system.storage != here:
        weight: Weight = "heavy" if "hdd" in (system.storage, here) else "light"
        yield weight, f"measured on {system.storage}, this is {here}"


def _cores(system: MeasuredSystem, now: Situation) -> Iterator[tuple[Weight, str]]:
    is_known = isinstance(now.facts.cpu.cores, Known) and system.cores
    if is_known and not _is_alike(now.cores, system.cores):
        yield "heavy", f"measured with {how_many(system.cores, 'core')}, this has {now.cores}"


def _memory(system: MeasuredSystem, now: Situation) -> Iterator[tuple[Weight, str]]:
    memory = now.facts.memory.total
    if not isinstance(memory, Known) or not system.memory_gib:
        return
    if not _is_alike(memory.value.count, GIB * system.memory_gib):
        yield "light", f"measured with {system.memory_gib} GiB of memory, this has {memory.value.human()}"


def _database(system: MeasuredSystem, now: Situation) -> Iterator[tuple[Weight, str]]:
    """Whether the data fit into memory decides what reading costs, and with it most figures."""
    memory = now.facts.memory.total
    if not (isinstance(memory, Known) and system.memory_gib and system.database_gib):
        return
    there = system.database_gib / system.memory_gib
    here = now.answers.workload.database_size.count / max(1, memory.value.count)
    if (there > 1) is not (here > 1):
        told = (
            "measured with a database larger than memory, yours fits into it"
            if there > 1
            else "measured with a database that fits into memory, yours is larger"
        )
        yield "heavy", told


def _is_alike(one: int, other: int) -> bool:
    return max(one, other) <= SAME_MAGNITUDE * max(1, min(one, other))


def _hypervisor(system: MeasuredSystem, now: Situation) -> Iterator[tuple[Weight, str]]:
    hypervisor = now.facts.virtualization.hypervisor
    if not isinstance(hypervisor, Known) or system.hypervisor in ("", hypervisor.value):
        return
    if system.hypervisor != A_GUEST or hypervisor.value == BARE_METAL:
        yield "heavy", f"measured {under(system.hypervisor)}, this runs {under(hypervisor.value)}"


def _version(system: MeasuredSystem, now: Situation) -> Iterator[tuple[Weight, str]]:
    if not system.postgres:
        return
    measured = Major.parse(system.postgres)
    if measured != now.major:
        weight: Weight = "heavy" if abs(now.major.place - measured.place) >= TWO_LIVES else "light"
        yield weight, f"measured with PostgreSQL {system.postgres}, this is {now.major}"
