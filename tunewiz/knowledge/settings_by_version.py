"""The settings of every major version, from a file that lists them by ranges of majors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import cache
from types import MappingProxyType

from tunewiz.core.values.errors import InputError
from tunewiz.core.values.pg_settings import Context, SettingInfo, SettingsOfMajor, VarType
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.versions import SUPPORTED, Major
from tunewiz.formats import json
from tunewiz.formats.structure import KEY, structure

SCHEMA = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class MajorRange:
    """A setting as it is in a range of major versions."""

    first: str = field(metadata={KEY: "from"})
    last: str = field(metadata={KEY: "to"})
    type: VarType
    context: Context
    default: str
    unit: str | None = None
    min: str | None = None
    max: str | None = None
    enum: tuple[str, ...] = ()

    def info(self, name: str) -> SettingInfo:
        """The setting in the form that the rest of the program uses."""
        return SettingInfo(
            name=name,
            vartype=self.type,
            context=self.context,
            default=self.default,
            unit=self.unit,
            minimum=self.min,
            maximum=self.max,
            choices=self.enum,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class _Document:
    schema: int
    settings: Mapping[str, tuple[MajorRange, ...]]


class SettingsByMajor(Mapping[Major, SettingsOfMajor]):
    """The settings of each supported major, built on first use."""

    def __init__(self, spans: Mapping[str, tuple[MajorRange, ...]]) -> None:
        self._spans = spans
        self._made = dict[Major, SettingsOfMajor]()

    def __getitem__(self, major: Major) -> SettingsOfMajor:
        if major not in SUPPORTED:
            raise KeyError(major)
        if major not in self._made:
            self._made[major] = _of_major(self._spans, major)
        return self._made[major]

    def __iter__(self) -> Iterator[Major]:
        return iter(SUPPORTED)

    def __len__(self) -> int:
        return len(SUPPORTED)


def read_spans(text: str, where: str) -> SettingsByMajor:
    """The settings in the text of profiles/settings.json; raises InputError."""
    document = structure(json.loads(text, where), _Document, where)
    if document.schema != SCHEMA:
        raise InputError(f"{where}: schema: found {document.schema}, expected {SCHEMA}")
    return SettingsByMajor(document.settings)


def _of_major(spans: Mapping[str, tuple[MajorRange, ...]], major: Major) -> SettingsOfMajor:
    known, elsewhere = dict[str, SettingInfo](), dict[str, tuple[Major, ...]]()
    for name, of_name in spans.items():
        majors = {major: span for span in of_name for major in _majors(span.first, span.last)}
        if major in majors:
            known[name] = majors[major].info(name)
        else:
            elsewhere[name] = tuple(sorted(majors))
    return SettingsOfMajor(major=major, known=MappingProxyType(known), elsewhere=MappingProxyType(elsewhere))


@cache
def _majors(first: str, last: str) -> tuple[Major, ...]:
    """From one through another; hundreds of settings have the same few spans."""
    return tuple(major for major in SUPPORTED if Major.parse(first) <= major <= Major.parse(last))
