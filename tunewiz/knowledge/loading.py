"""What the program knows before it meets a machine: sources, settings, presets, the catalogue."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import TypeVar, get_args

from tunewiz.catalogue import recommendations
from tunewiz.core.answers.answers import Posture, WorkloadKind
from tunewiz.core.facts.facts import Facts
from tunewiz.core.recommendation.dangers import DangerTable
from tunewiz.core.recommendation.evidence import Claim, Library, MeasuredSystem, Source
from tunewiz.core.recommendation.presets import PosturePreset, SeenPreset, WorkloadPreset
from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.pg_settings import SettingsOfMajor
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.versions import Major
from tunewiz.formats import records
from tunewiz.knowledge.profiles import check_demo_name, package_data, package_text, read_record
from tunewiz.knowledge.settings_by_version import read_spans

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True, slots=True)
class Knowledge:
    """Everything that comes with the package."""

    library: Library
    settings: Mapping[Major, SettingsOfMajor]
    workloads: Mapping[WorkloadKind, WorkloadPreset]
    postures: Mapping[Posture, PosturePreset]
    thresholds: SeenPreset
    dangers: DangerTable
    catalogue: tuple[Recommendation, ...]


@cache
def load_knowledge() -> Knowledge:
    """Everything, read once.

    Raises:
        InputError: A file of the package is not what it should be; the message names file and key.
    """
    return Knowledge(
        library=_library(),
        settings=load_settings(),
        workloads=MappingProxyType({kind: _preset(kind) for kind in get_args(WorkloadKind)}),
        postures=MappingProxyType({argument: _posture(argument) for argument in get_args(Posture)}),
        thresholds=read_record(SeenPreset, "seen.toml"),
        dangers=read_record(DangerTable, "dangers.toml"),
        catalogue=recommendations(),
    )


@cache
def load_settings() -> Mapping[Major, SettingsOfMajor]:
    """Only the settings table: reading a stopped server's files needs no more."""
    return read_spans(package_text("settings.json"), "profiles/settings.json")


def demo_facts(name: str) -> Facts:
    """The facts of an example machine; raises UsageError if no example has that name."""
    check_demo_name(name)
    where = f"profiles/hosts/{name}.json"
    return records.facts_from_json(package_text("hosts", f"{name}.json"), where)


def _preset(kind: str) -> WorkloadPreset:
    return read_record(WorkloadPreset, "workloads", f"{kind}.toml")


def _posture(posture: str) -> PosturePreset:
    return read_record(PosturePreset, "risk", f"{posture}.toml")


@dataclass(frozen=True, kw_only=True, slots=True)
class _SourceFile:
    """One file of profiles/sources."""

    sources: tuple[Source, ...] = ()
    systems: tuple[MeasuredSystem, ...] = ()
    claims: tuple[Claim, ...] = ()


def _library() -> Library:
    names = sorted(path.name for path in package_data("sources").iterdir() if path.name.endswith(".toml"))
    shelves = [read_record(_SourceFile, "sources", name) for name in names]
    return Library(
        sources=_unique((source.key, source) for package_data in shelves for source in package_data.sources),
        systems=_unique((system.key, system) for package_data in shelves for system in package_data.systems),
        claims=_unique((claim.id, claim) for package_data in shelves for claim in package_data.claims),
    )


def _unique(items: Iterable[tuple[str, T]]) -> Mapping[str, T]:
    result = dict[str, T]()
    for key, item in items:
        if key in result:
            raise InputError(f"profiles/sources: found {key} twice, expected it once")
        result[key] = item
    return MappingProxyType(result)
