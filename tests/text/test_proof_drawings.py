"""A proof in characters: dots where their ratio is, a waterfall, strips; 80 cells, ASCII where needed."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command_line import tunewiz
from fixtures_golden import Golden
from synthetic_proofs import PROOFS, kept, measured_plan, told
from tunewiz.commands.proof_status import status_of
from tunewiz.core.proof.drawn import dots_of
from tunewiz.core.proof.proof import Arm, Pair, Proof
from tunewiz.core.words.ascii import in_ascii
from tunewiz.text.bars import LEVELS, strip
from tunewiz.text.proof import DOT, SAME_DOT, WIDTH, drawings

NAMES = ("synthetic-pairs", "synthetic-ablation")
SECONDS = st.lists(st.integers(0, 10**9), min_size=1, max_size=300)


@pytest.mark.parametrize("name", NAMES)
def test_it_is_shown_as_it_was_reviewed(name: str, golden: Golden) -> None:
    ended = tunewiz("prove", "show", PROOFS / f"{name}.json")
    assert (ended.status, ended.err) == (status_of(kept(name)), "")
    golden(f"proof/{name}/show.txt", ended.out)


@pytest.mark.parametrize("name", NAMES)
def test_without_utf_8_it_is_the_same_in_ascii(name: str) -> None:
    shown = tunewiz("prove", "show", PROOFS / f"{name}.json")
    ended = tunewiz("prove", "show", PROOFS / f"{name}.json", environment={"PYTHONIOENCODING": "ascii"})
    assert ended.out == in_ascii(shown.out)
    assert ended.out.isascii()
    assert "?" not in ended.out


@pytest.mark.parametrize("name", NAMES)
def test_every_line_of_a_drawing_fits_80_columns(name: str) -> None:
    assert max(map(len, drawings(kept(name)))) <= WIDTH


def test_a_proof_without_figures_is_not_drawn() -> None:
    assert drawings(told(measured_plan(), "undecided")) == ()


def test_the_part_that_hurt_is_drawn_otherwise_than_those_that_helped() -> None:
    lines = {line[:6]: line for line in drawings(kept("synthetic-ablation"))}
    assert "▒" in lines["kernel"]
    assert "█" in lines["memory"]


RATIOS = st.lists(st.floats(0.2, 5), min_size=1, max_size=12)


def with_pairs(ratios: list[float], *, same: bool) -> Proof:
    pairs = tuple(
        Pair(
            order="before first",
            before=Arm(figures={"throughput": 1_000}),
            after=Arm(figures={"throughput": 1_000 * ratio}),
        )
        for ratio in ratios
    )
    none: tuple[Pair, ...] = ()
    same_pairs, pairs = (pairs, none) if same else (none, pairs)
    return dataclasses.replace(kept("synthetic-pairs"), same_pairs=same_pairs, pairs=pairs)


@given(ratios=RATIOS, same=st.booleans())
def test_dots_stand_in_the_order_of_their_ratios(ratios: list[float], *, same: bool) -> None:
    proof = with_pairs(ratios, same=same)
    lines = drawings(proof)
    assert max(map(len, lines)) <= WIDTH
    mark = SAME_DOT if same else DOT
    dots = [line.index(mark) for line in lines if line.startswith(("pair ", "A/A "))]
    assert len(dots) == len(dots_of(proof)) == len(ratios)
    ranked = [place for _, place in sorted(zip((dot.ratio for dot in dots_of(proof)), dots, strict=True))]
    assert ranked == sorted(dots)


@given(SECONDS, st.integers(1, 100))
def test_a_stall_is_seen_whatever_shares_its_cell(seconds: list[int], cells: int) -> None:
    drawn = strip((*seconds, 0), cells, max(*seconds, 1))
    assert len(drawn) == min(cells, len(seconds) + 1)
    assert drawn[-1] == LEVELS[0]


@given(SECONDS)
def test_at_the_top_a_second_fills_its_cell(seconds: list[int]) -> None:
    top = max(*seconds, 1)
    assert strip([top], 10, top) == LEVELS[-1]
