"""What becomes of every setting of every major: a recommendation, a warning, or a reason for no advice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Literal

from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.versions import Major
from tunewiz.knowledge.loading import Knowledge, load_settings
from tunewiz.knowledge.profiles import read_record

_FILE = "no_advice.toml"
Kind = Literal["recommendation", "danger", "no advice"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Reason:
    """Why no advice is given on some settings."""

    why: str
    settings: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class NoAdvice:
    """All reasons, as profiles/no_advice.toml has them."""

    rows: tuple[Reason, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Account:
    """What becomes of a setting."""

    setting: str
    kind: Kind
    why: str
    """The recommendation's id, what its dangerous values do, or why there is no advice."""


@cache
def load_no_advice() -> NoAdvice:
    """The reasons; raises InputError for a setting that no major has, or that has two reasons."""
    result = read_record(NoAdvice, _FILE)
    check_reasons(result, f"profiles/{_FILE}")
    return result


def check_reasons(reasons: NoAdvice, where: str) -> None:
    """Raises InputError for the first setting that no major has, or that has two reasons."""
    known = {name for of_major in load_settings().values() for name in of_major.known}
    checked = set[str]()
    for name in (name for row in reasons.rows for name in row.settings):
        if name not in known:
            raise InputError(f"{where}: found {name}, expected a setting that some major has")
        if name in checked:
            raise InputError(f"{where}: found {name} twice, expected one reason")
        checked.add(name)


def accounts(knowledge: Knowledge, reasons: NoAdvice) -> Mapping[str, Account]:
    """Every setting that is accounted for, by name; a recommendation says more than the others."""
    no_advice = {name: row.why for row in reasons.rows for name in row.settings}
    dangers = {
        name: "; ".join(row.why for row in knowledge.dangers.rows if row.setting == name)
        for name in dict.fromkeys(row.setting for row in knowledge.dangers.rows)
    }
    recommended = {
        entry.target.name: entry.id for entry in knowledge.catalogue if isinstance(entry.target, PgTarget)
    }
    return MappingProxyType(
        _of_kind("no advice", no_advice)
        | _of_kind("danger", dangers)
        | _of_kind("recommendation", recommended)
    )


def _of_kind(kind: Kind, reasons: Mapping[str, str]) -> dict[str, Account]:
    return {name: Account(setting=name, kind=kind, why=why) for name, why in reasons.items()}


def unaccounted(knowledge: Knowledge, known: Iterable[str]) -> tuple[str, ...]:
    """The settings among these of which nobody has decided what becomes of them."""
    decided = accounts(knowledge, load_no_advice())
    return tuple(sorted(name for name in known if name not in decided))


def majors_with(knowledge: Knowledge, name: str) -> tuple[Major, ...]:
    """The majors that have a setting, the oldest first."""
    return tuple(major for major, settings in knowledge.settings.items() if settings.has(name))
