"""How similar the systems that a claim was measured on are to this machine."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from tunewiz.core.recommendation.evidence import A_GUEST, Cite, Fit, Fitted, Library, MeasuredSystem, under
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.known import Known, known_or
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.units import GIB, Bytes
from tunewiz.core.values.versions import Major

SAME_MAGNITUDE = 4
"""Cores and memory within this factor count as alike: the sources warn only of far larger images."""

SAME_SIZE = 4
"""Databases whose sizes are within so many doublings count as alike: two steps of SAME_MAGNITUDE, since what
decides first is whether the data fit into memory."""

TWO_LIVES = 10
"""Majors apart from which what was measured is of another time: each is supported for five years, and one
comes every year (PostgreSQL's versioning policy)."""

BARE_METAL = "none"

Weight = Literal["heavy", "light", "untold", "unknown"]
"""What the source does not say of its system is untold, what is not known of this one unknown: it might be
equal, or anything else."""

_ASPECTS = (
    "kind of machine",
    "workload",
    "storage",
    "cores",
    "memory",
    "hypervisor",
    "size of the database",
    "version of PostgreSQL",
)

_NETWORK, _ARM = "san", "hdd"
"""Storage that nothing measured on another kind says much about."""


class ThisSystem(NamedTuple):
    """The system that measured ones are compared with: no decision of a plan changes it."""

    architecture: str
    """Empty if unknown, as the other texts."""
    workload: str
    storage: str
    cores: int
    """0 if unknown, as the other numbers."""
    memory: str
    """In words; the next three fields are compared with numbers."""
    memory_gib: int
    """Rounded up."""
    memory_quarters: int
    """GiB, rounded down to a quarter: sizes within the same quarter compare alike."""
    database: int
    """Doublings from 1 GiB to its size, which many servers share; 0 if it is smaller."""
    outgrown: bool
    """Whether the database is larger than memory."""
    hypervisor: str
    postgres: Major


def here_of(situation: Situation) -> ThisSystem:
    """This machine, its server and its workload, as far as they are compared: many servers share it."""
    facts = situation.facts
    memory = known_or(facts.memory.total, Bytes(0))
    return ThisSystem(
        architecture=known_or(facts.host.architecture, ""),
        workload=situation.answers.workload.kind,
        storage=known_or(situation.storage_told, ""),
        cores=situation.cores if isinstance(facts.cpu.cores, Known) else 0,
        memory=memory.human() if memory else "",
        memory_gib=-(-memory.count // GIB),
        memory_quarters=SAME_MAGNITUDE * memory.count // GIB,
        database=_doublings(situation.answers.workload.database_size.count // GIB),
        outgrown=situation.answers.workload.database_size > memory,
        hypervisor=known_or(facts.virtualization.hypervisor, ""),
        postgres=situation.major,
    )


class ComparedLibrary:
    """A library compared with a system; each claim is compared when first cited."""

    def __init__(self, library: Library, here: ThisSystem) -> None:
        self._library, self._here = library, here
        self._found = dict[tuple[Cite, ...], tuple[Fitted, ...]]()

    def all_of(self, cites: tuple[Cite, ...]) -> tuple[Fitted, ...]:
        """The claims with their fit, without those of hardware that this is not."""
        result = self._found.get(cites)
        if result is None:
            concerning = (cite for cite in cites if cite.concerns(self._here.architecture))
            result = tuple(fitted(cite, self._library, self._here) for cite in concerning)
            self._found[cites] = result
        return result


@lru_cache(maxsize=256)
def compared(library: Library, here: ThisSystem) -> ComparedLibrary:
    """The library compared with a system, cached: the servers of a fleet are mostly alike."""
    return ComparedLibrary(library, here)


def fitted(cite: Cite, library: Library, here: ThisSystem) -> Fitted:
    """The claim with its fit to this machine: that of the closest system it was measured on."""
    claim = library.claims[cite.claim]
    systems = tuple(library.systems[key] for key in claim.measured_on)
    if claim.figures:
        systems = (min(systems, key=lambda system: distance(system, here)),)
    fit, because = _fit(systems, here, against=cite.opposes and not claim.undecided)
    return Fitted(
        claim=claim,
        source=library.sources[claim.source],
        systems=systems,
        figure=claim.figures[systems[0].key] if claim.figures else claim.figure,
        fit=fit,
        because=because,
        near=cite.near,
    )


def _doublings(gib: int) -> int:
    return max(0, gib.bit_length() - 1)


def _fit(systems: tuple[MeasuredSystem, ...], here: ThisSystem, *, against: bool) -> tuple[Fit, str]:
    if not systems:
        return "unlike", "nothing was measured"
    closest = min((_differences(system, here) for system in systems), key=_distance)
    if against:
        return "opposite", _because(closest) or "measured on a system like this one"
    return _fit_by(closest), _because(closest) or "same kind of machine, storage and workload"


def _fit_by(differences: list[tuple[Weight, str]]) -> Fit:
    """Like where all that is compared is known and nothing weighs; what is not known is not equal."""
    weights = {weight for weight, _ in differences}
    if "heavy" in weights:
        return "unlike"
    return "like" if weights <= {"light"} else "unknown"


def fit_of(system: MeasuredSystem, here: ThisSystem) -> tuple[Fit, str]:
    """Whether a system is like this machine, and why."""
    return _fit((system,), here, against=False)


def distance(system: MeasuredSystem, here: ThisSystem) -> tuple[int, int]:
    """How far it is, where what is not known counts as a difference that weighs."""
    return _distance(_differences(system, here))


def known_differences(system: MeasuredSystem, here: ThisSystem) -> tuple[int, int]:
    """How many of its known differences weigh, and how many there are."""
    weights = [weight for weight, _ in _differences(system, here) if weight in ("heavy", "light")]
    return weights.count("heavy"), len(weights)


def untold(system: MeasuredSystem) -> int:
    """How much of what is compared the source does not say of it."""
    return sum(not is_told for is_told in _told(system))


def _distance(differences: list[tuple[Weight, str]]) -> tuple[int, int]:
    return sum(weight != "light" for weight, _ in differences), len(differences)


def _because(differences: list[tuple[Weight, str]]) -> str:
    result = [text for weight, text in differences if weight in ("heavy", "light")]
    return "; ".join(
        (
            *result,
            *_named("the source does not say", "untold", differences),
            *_named("not known here", "unknown", differences),
        )
    )


def _named(title: str, which: Weight, differences: list[tuple[Weight, str]]) -> Iterator[str]:
    names = [text for weight, text in differences if weight == which]
    if names:
        yield f"{title}: {', '.join(names)}"


@lru_cache(maxsize=1024)
def _differences(system: MeasuredSystem, here: ThisSystem) -> list[tuple[Weight, str]]:
    """The same few systems are compared for hundreds of claims in a plan; nobody changes the list."""
    compared = (_architecture, _workload, _storage, _cores, _memory, _database, _hypervisor, _version)
    result = [difference for one in compared for difference in one(system, here)]
    return [*result, *_open(system, here)]


def _open(system: MeasuredSystem, here: ThisSystem) -> Iterator[tuple[Weight, str]]:
    """Of each aspect that cannot be compared, its name."""
    own = (here.architecture, here.workload, here.storage, here.cores, here.memory, here.hypervisor)
    known = (*map(bool, own), True, True)
    for name, there, is_known in zip(_ASPECTS, _told(system), known, strict=True):
        if not (there and is_known):
            yield "unknown" if there else "untold", name


def _told(system: MeasuredSystem) -> tuple[bool, ...]:
    """Of each aspect, whether the source says it."""
    first = (system.architecture, system.workload, system.storage, system.cores, system.memory_gib)
    return tuple(map(bool, (*first, system.hypervisor, system.database_gib, system.postgres)))


def _architecture(system: MeasuredSystem, here: ThisSystem) -> Iterator[tuple[Weight, str]]:
    if here.architecture and system.architecture not in ("", here.architecture):
        yield "heavy", f"measured on {system.architecture}, this is {here.architecture}"


def _workload(system: MeasuredSystem, here: ThisSystem) -> Iterator[tuple[Weight, str]]:
    if system.workload and system.workload != here.workload:
        weight: Weight = "heavy" if "analytics" in (system.workload, here.workload) else "light"
        yield weight, f"measured with {_word(system.workload)}, yours is {_word(here.workload)}"


def _word(kind: str) -> str:
    return {"oltp": "transactions", "read_mostly": "mostly reads"}.get(kind, kind)


def _storage(system: MeasuredSystem, here: ThisSystem) -> Iterator[tuple[Weight, str]]:
    if here.storage and system.storage and system.storage != here.storage:
        weight: Weight = "heavy" if {_ARM, _NETWORK} & {system.storage, here.storage} else "light"
        yield weight, f"measured on {system.storage}, this is {here.storage}"


def _cores(system: MeasuredSystem, here: ThisSystem) -> Iterator[tuple[Weight, str]]:
    if here.cores and system.cores and not _is_alike(here.cores, system.cores):
        yield "heavy", f"measured with {how_many(system.cores, 'core')}, this has {here.cores}"


def _memory(system: MeasuredSystem, here: ThisSystem) -> Iterator[tuple[Weight, str]]:
    if not here.memory or not system.memory_gib:
        return
    if not (
        here.memory_gib <= SAME_MAGNITUDE * system.memory_gib and system.memory_gib <= here.memory_quarters
    ):
        yield "light", f"measured with {system.memory_gib} GiB of memory, this has {here.memory}"


def _database(system: MeasuredSystem, here: ThisSystem) -> Iterator[tuple[Weight, str]]:
    """Whether the data fit into memory decides what reading costs, and with it most figures."""
    if not system.database_gib:
        return
    apart = here.database - _doublings(system.database_gib)
    if here.memory and system.memory_gib and (system.database_gib > system.memory_gib) is not here.outgrown:
        text = (
            "measured with a database that fits into memory, yours is larger"
            if here.outgrown
            else "measured with a database larger than memory, yours fits into it"
        )
        yield "heavy", text
    elif abs(apart) > SAME_SIZE:
        much = "larger" if apart > 0 else "smaller"
        yield "heavy", f"measured with a database of {system.database_gib} GiB, yours is far {much}"


def _is_alike(one: int, other: int) -> bool:
    return max(one, other) <= SAME_MAGNITUDE * max(1, min(one, other))


def _hypervisor(system: MeasuredSystem, here: ThisSystem) -> Iterator[tuple[Weight, str]]:
    if not here.hypervisor or system.hypervisor in ("", here.hypervisor):
        return
    if system.hypervisor != A_GUEST or here.hypervisor == BARE_METAL:
        yield "heavy", f"measured {under(system.hypervisor)}, this runs {under(here.hypervisor)}"


def _version(system: MeasuredSystem, here: ThisSystem) -> Iterator[tuple[Weight, str]]:
    if not system.postgres:
        return
    measured = Major.parse(system.postgres)
    if measured != here.postgres:
        weight: Weight = "heavy" if abs(here.postgres.place - measured.place) >= TWO_LIVES else "light"
        yield weight, f"measured with PostgreSQL {system.postgres}, this is {here.postgres}"
