"""Warnings about values that the server has after the plan and that are dangerous whoever set them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import get_args

from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.planning.ownership import keeper_of
from tunewiz.core.recommendation.dangers import Danger, Harm
from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Declined, Verdict
from tunewiz.core.server.copy_on_write import data_copied_on_write
from tunewiz.core.server.override_layers import for_whom, removal
from tunewiz.core.values.known import Known, known_or
from tunewiz.core.values.pg_settings import SettingError

CODES: Mapping[Harm, str] = {"data": "data_at_risk", "outage": "work_stops"}
"""Of warnings that come before the plan itself."""
NOTE = "value_note"


def dangerous_values(end: Situation) -> Iterator[tuple[str, str]]:
    """Code and text of each warning, the worst harm first: each kind of harm has a code of its own."""
    order = get_args(Harm)
    for danger in sorted(end.dangers.rows, key=lambda danger: order.index(danger.harm)):
        value = dangerous_value(end, danger)
        if value is not None:
            yield _code(danger), _text(danger, value)
        yield from _of_roles(end, danger)


def _code(danger: Danger) -> str:
    return NOTE if danger.harm == "note" else CODES.get(danger.harm, "dangerous_value")


def _of_roles(end: Situation, danger: Danger) -> Iterator[tuple[str, str]]:
    """What roles and databases have for themselves, if that puts data at risk."""
    is_theirs = danger.harm == "data" and not danger.fine_for_roles and not danger.beside
    if not is_theirs or not isinstance(end.server, PostgresServer):
        return
    for override in known_or(end.server.overrides, ()):
        if override.name == danger.setting and _applies(end, danger, override.value):
            whose = f"{danger.setting} = {override.value} {for_whom(override)}"
            yield _code(danger), f"{whose}: {danger.why}. Better: {removal(override)}."


def _applies(end: Situation, danger: Danger, value: str) -> bool:
    info = end.settings[danger.setting] if end.settings.has(danger.setting) else None
    try:
        return info is not None and danger.applies(info, info.show(value))
    except SettingError:
        return False


def lost_durability(start: Situation, end: Situation) -> Iterator[tuple[str, str]]:
    """Code and text of one warning: what loses data today and is mended by the plan."""
    mended = [
        f"{danger.setting} = {value} ({danger.why})"
        for danger in start.dangers.rows
        if danger.harm == "data" and (value := dangerous_value(start, danger)) is not None
        if dangerous_value(end, danger) is None
    ]
    if mended:
        keeper = keeper_of(end)
        mends = f"Mend that first, through {keeper}" if keeper else "The plan mends that"
        text = (
            f"Data is at risk today: {'; '.join(mended)}. {mends}; what was damaged before "
            "stays damaged, so check a dump or pg_amcheck too."
        )
        yield "durability_lost", text


def dangerous_value(end: Situation, danger: Danger) -> str | None:
    """What the setting will be, if that is dangerous; what was not read has its default, which is not."""
    name = danger.setting
    if not end.settings.has(name) or not (name in end.chosen or isinstance(end.setting(name), Known)):
        return None
    value = end.will_be(name)
    try:
        return (
            value if danger.applies(end.settings[name], value) and _is_so_beside_others(end, danger) else None
        )
    except SettingError:
        return None


def _is_so_beside_others(end: Situation, danger: Danger) -> bool:
    """Whether nothing else makes this value harmless; raises SettingError."""
    if danger.harmless_on_copies and data_copied_on_write(end):
        return False
    having = all(
        end.will_be(name) in values for name, values in danger.beside.items() if end.settings.has(name)
    )
    other = danger.below_setting
    return having and (other is None or _number(end, danger.setting) < _number(end, other))


def _number(end: Situation, name: str) -> Fraction:
    return Fraction(end.settings[name].number(end.will_be(name)))


def _text(danger: Danger, value: str) -> str:
    better = f"Better: {danger.instead} (PostgreSQL's manual, {danger.page})."
    return f"{danger.setting} = {value}: {danger.why}. {better}"


def dangerous_kept(recommendation: Recommendation, verdict: Verdict, situation: Situation) -> Verdict:
    """The verdict; where it keeps a dangerous value, its reason is what that value does."""
    target = recommendation.target
    if not isinstance(verdict, Declined) or verdict.kind != "keep" or not isinstance(target, PgTarget):
        return verdict
    for danger in situation.dangers.rows:
        if danger.setting == target.name and danger.harm != "note":
            value = dangerous_value(situation, danger)
            if value is not None:
                because = f"nothing proposes another value than {value}, but it is warned of: {danger.why}"
                return dataclasses.replace(verdict, because=because)
    return verdict
