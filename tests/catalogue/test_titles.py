"""A title that names a direction names the one in which the value moves, wherever it stands."""

import dataclasses
import re
from collections.abc import Iterator
from fractions import Fraction

import pytest

from situations import situation
from tunewiz.core.planning.plan import plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Proposal
from tunewiz.core.values.pg_settings import SettingInfo
from tunewiz.knowledge.loading import load_knowledge

CATALOGUE = load_knowledge().catalogue
UP = re.compile(r"\b(increase|raise|more|larger|longer|higher)\b", re.IGNORECASE)
DOWN = re.compile(r"\b(lower|reduce|less|fewer|sooner|smaller|shorter)\b", re.IGNORECASE)
BUSY = Given(memory="64GB", available="64GB", cores=16, connections=800)
SMALL = Given(memory="8GB", available="8GB", cores=2, connections=60, workload="mixed")


def numbers(given: Given) -> Iterator[tuple[Recommendation, SettingInfo, Fraction]]:
    """Recommendations of numbers whose titles name a direction, with what the plan would have."""
    end = plan_of(CATALOGUE, situation(given)).end
    for recommendation in CATALOGUE:
        target, title = recommendation.target, recommendation.title
        if not isinstance(target, PgTarget) or not (UP.search(title) or DOWN.search(title)):
            continue
        if target.name in end.settings.known and end.settings[target.name].vartype in ("integer", "real"):
            info = end.settings[target.name]
            yield recommendation, info, Fraction(info.canonical(end.will_be(target.name)))


def chosen_near(info: SettingInfo, value: Fraction, factor: Fraction) -> str:
    """So many times that value, within the setting's bounds."""
    least, most = Fraction(info.minimum or 0), Fraction(info.maximum or 2**31 - 1)
    number = min(max(value * factor, least), most)
    return str(int(number)) if info.vartype == "integer" else str(float(round(number, 4)))


@pytest.mark.parametrize("given", [BUSY, SMALL], ids=["busy", "small"])
@pytest.mark.parametrize("factor", [Fraction(1, 20), Fraction(3), Fraction(50)])
def test_no_title_says_the_opposite_of_what_is_proposed(given: Given, factor: Fraction) -> None:
    tried = 0
    for recommendation, info, value in numbers(given):
        if value <= 0:
            continue
        text = chosen_near(info, value, factor)
        entry = situation(dataclasses.replace(given, settings={info.name: text}))
        result = next(
            finding
            for finding in plan_of(CATALOGUE, entry).findings
            if finding.recommendation.id == recommendation.id
        )
        tried += 1
        if isinstance(result.verdict, Proposal):
            rises = Fraction(info.canonical(result.verdict.value)) > Fraction(info.canonical(text))
            opposite = DOWN if rises else UP
            assert not opposite.search(recommendation.title), (recommendation.title, text, result.verdict)
    assert tried >= 8


REALS = sorted(
    name for name, info in situation(Given(major="18")).settings.known.items() if info.vartype == "real"
)


@pytest.mark.parametrize("name", REALS)
@pytest.mark.parametrize("part", [Fraction(1, 3), Fraction(1, 7), Fraction(5, 2), Fraction(1)])
def test_a_plan_is_made_whatever_fraction_a_setting_is(name: str, part: Fraction) -> None:
    info = situation(Given(major="18")).settings[name]
    least, most = Fraction(info.minimum or 0), Fraction(info.maximum or 100)
    value = min(max(part, least), most)
    given = Given(major="18", settings={name: f"{float(value):g}"})
    assert plan_of(CATALOGUE, situation(given)).findings
