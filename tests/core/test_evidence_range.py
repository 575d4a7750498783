"""What the measured systems have in common: how many agree, and between which gains."""

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunewiz.core.planning.evidence_range import EvidenceRange, NoRange, measured_range
from tunewiz.core.recommendation.evidence import Claim
from tunewiz.core.words.evidence import range_in_short, range_in_words
from tunewiz.knowledge.loading import load_knowledge

LIBRARY = load_knowledge().library
TELLING = [claim for claim in LIBRARY.claims.values() if claim.effects]


def claim_of(**effects: str) -> Claim:
    return Claim(
        id="study.claim",
        source="study",
        subject="s",
        speaks_of=(),
        place="p",
        text="t",
        figure="f",
        measured_on=(*effects,),
        effects=effects,
    )


def words(*claims: tuple[Claim, bool]) -> str:
    measured = measured_range(claims)
    assert isinstance(measured, EvidenceRange)
    return f"{range_in_words(measured)} | {range_in_short(measured)}"


@pytest.mark.parametrize(
    ("effects", "opposes", "text"),
    [
        ({"a": "+2.1 to +12.2", "b": "+1.5 to +2.5", "c": "undecided"}, False,
         "direction agreed by 2 of 3 systems, +1.5 to +12 % | +1.5..+12 %, 2 of 3"),
        ({"a": "+10", "b": "same"}, False,
         "direction agreed by 1 of 2 systems, 0 to +10 % | 0..+10 %, 1 of 2"),
        ({"a": "better", "b": "better"}, False, "direction agreed by 2 of 2 systems | faster on 2 of 2"),
        ({"a": "+7"}, False, "one system, +7 % | +7 %"),
        ({"a": "better"}, False, "one system, faster | faster on 1"),
        ({"a": "undecided"}, False, "one system, undecided | undecided on 1"),
        ({"a": "+15"}, True, "one system, -15 % | -15 %"),
        ({"a": "-20 to -10"}, True, "one system, -20 to -10 % | -20..-10 %"),
    ],
)  # fmt: skip
def test_a_range_reads_as_a_person_says_it(effects: dict[str, str], opposes: bool, text: str) -> None:  # noqa: FBT001
    assert words((claim_of(**effects), opposes)) == text


def test_a_system_that_two_claims_disagree_on_does_not_agree() -> None:
    assert words((claim_of(a="+9"), False), (claim_of(a="-2"), True)) == ("one system, -2 to +9 % | -2..+9 %")


def test_claims_that_cannot_be_compared_give_no_range() -> None:
    assert measured_range([]) == NoRange()
    assert measured_range([(claim_of(), False)]) == NoRange()


GAINS = st.dictionaries(
    st.sampled_from("abcdef"), st.integers(-50, 50).filter(bool).map(lambda gain: f"{gain:+d}"), min_size=1
)


@given(GAINS, st.booleans())
def test_the_range_holds_every_gain_and_counts_every_system_once(
    effects: dict[str, str],
    opposes: bool,  # noqa: FBT001
) -> None:
    measured = measured_range([(claim_of(**effects), opposes)] * 2)
    assert isinstance(measured, EvidenceRange)
    gains = [-abs(Fraction(text)) if opposes else Fraction(text) for text in effects.values()]
    assert measured.gains == (min(gains), max(gains))
    assert measured.low == min(gains)
    assert measured.systems == len(effects)
    assert measured.agreeing == sum(gain > 0 for gain in gains)


@pytest.mark.parametrize("claim", TELLING, ids=[claim.id for claim in TELLING])
def test_an_effect_is_of_a_measured_system_and_its_figures_are_the_claim_s(claim: Claim) -> None:
    assert {*claim.effects} <= {*claim.measured_on}
    for key, text in claim.effects.items():
        figure = claim.figures.get(key, claim.figure)
        there = {Fraction(number) for number in re.findall(r"\d+(?:\.\d+)?", figure)}
        assert {abs(Fraction(number)) for number in re.findall(r"\d+(?:\.\d+)?", text)} <= there
        assert re.fullmatch(r"better|worse|same|undecided|[+-][\d.]+( to [+-][\d.]+)?", text)


def test_what_the_source_calls_undecided_is_told_as_undecided_alone() -> None:
    for claim in TELLING:
        assert claim.undecided is ("undecided" in claim.effects.values()), claim.id


def test_every_claim_with_a_gain_in_percent_of_its_own_takes_part() -> None:
    plain = re.compile(r"(almost |ca\. )?[+-]\d[\d.]* %")
    silent = {
        claim.id
        for claim in LIBRARY.claims.values()
        if claim.measured_on and plain.match(claim.figure) and not claim.effects
    }
    assert silent == {
        "z-deck.all_steps",  # of the whole stack
        "classmethod-rds.io_workers",  # of a number that nobody proposes
        "postgres-ai-blocking.observer",  # what watching costs
    }
