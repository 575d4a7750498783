"""Values that a person set for a recommendation, checked by what its target accepts."""

from __future__ import annotations

from typing import assert_never

from tunewiz.core.planning.wal_directory import checked_wal_place
from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import AdviceTarget, HostTarget, PgTarget, SysctlTarget, SysfsTarget
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.names import expected_name
from tunewiz.core.values.pg_settings import SettingError
from tunewiz.core.values.units import Bytes, UnitError


def checked_value(recommendation: Recommendation, text: str, situation: Situation) -> str:
    """A value that a person set, in its target's form; raises InputError."""
    where = f"decisions.{recommendation.id}"
    match recommendation.target:
        case PgTarget(name=name):
            try:
                value = situation.settings[name].show(text)
            except SettingError as error:
                raise InputError(f"{where}: {error}") from error
            if value in recommendation.never:
                raise InputError(f"{where}: {value} is never set by a bundle: it puts data at risk")
            return value
        case SysctlTarget() as target:
            return str(_checked_number(target, text, where))
        case SysfsTarget(choices=choices):
            if text not in choices:
                raise InputError(f"{where}: expected {expected_name(text, choices)}, found {text!r}")
            return text
        case HostTarget(takes="place of the WAL"):
            return checked_wal_place(text, where, situation)
        case HostTarget():
            raise InputError(f"{where}: there is no value to set; accept = true has it done")
        case AdviceTarget():
            raise InputError(f"{where}: it is advice for a person; there is no value to set")
        case _:
            assert_never(recommendation.target)


def _checked_number(target: SysctlTarget, text: str, where: str) -> int:
    try:
        number = Bytes.parse(text).count if target.unit == "bytes" and not text.isdigit() else int(text)
    except (UnitError, ValueError) as error:
        raise InputError(f"{where}: expected a whole number, found {text!r}") from error
    if not target.minimum <= number <= target.maximum:
        raise InputError(f"{where}: expected {target.minimum} to {target.maximum}, found {number}")
    return number
