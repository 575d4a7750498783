"""Dangerous values: one for each row of the table."""

from fractions import Fraction

from tunewiz.core.recommendation.dangers import Danger
from tunewiz.core.values.pg_settings import SettingInfo


def a_value(danger: Danger, info: SettingInfo) -> str:
    """A value that the row is about and that a server starts with."""
    if danger.values:
        return danger.values[0]
    if danger.below_setting is not None:
        return "0.5"
    step = Fraction(1, 1000) if info.vartype == "real" and info.unit is None else Fraction(1)
    if danger.above is not None:
        return f"{float(Fraction(info.number(danger.above)) + step):.12g}"
    assert danger.below is not None
    number = max(Fraction(info.number(danger.below)) - step, Fraction(info.minimum or 0))
    return f"{float(number):.12g}"
