"""Where too many pairs of blocks are left out, the others decide nothing: at a look, and in the result."""

from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from bench_seen_cases import run_of
from tunewiz.bench.blocks import SwitchbackRun
from tunewiz.bench.blocks_outcome import proof_of_blocks
from tunewiz.bench.owner import nobody_watches
from tunewiz.bench.progress import ProgressFile
from tunewiz.bench.run import Partial, RunDirectory, write_record
from tunewiz.bench.server import server_of
from tunewiz.bench.switching import Switch
from tunewiz.core.proof.blocks import TIME
from tunewiz.core.proof.looks import FIRST, SECOND
from tunewiz.core.proof.proof import Arm, Omission, Pair


def pair(after: float) -> Pair:
    return Pair(
        order="before first",
        before=Arm(figures=MappingProxyType({TIME: 1.0})),
        after=Arm(figures=MappingProxyType({TIME: after})),
    )


def looked_at(directory: Path, pairs: int, left_out: int) -> SwitchbackRun:
    """A switchback with all of its pairs behind it: most of them alike, and much faster."""
    place = RunDirectory(directory)
    partial = Partial(
        pairs=tuple(pair(0.5 + number / 1000) for number in range(pairs)),
        left_out=tuple(Omission(what=f"pair {number}", why="no calls") for number in range(left_out)),
    )
    write_record(place.partial, partial)
    run = replace(run_of(""), kind="switchback", primary=TIME, pairs=pairs + left_out)
    blocks = SwitchbackRun(
        run=run,
        server=server_of(run),
        switch=Switch(place=place, minutes=1),
        place=place,
        progress=ProgressFile(place.progress),
        watch=nobody_watches,
    )
    blocks.measure()
    return blocks


@pytest.mark.parametrize(
    ("pairs", "left_out", "verdict"),
    [(6, 0, "helped"), (9, 3, "helped"), (8, 3, "undecided"), (6, 6, "undecided")],
)
def test_more_than_a_quarter_left_out_decides_nothing(
    pairs: int, left_out: int, verdict: str, tmp_path: Path
) -> None:
    blocks = looked_at(tmp_path, pairs, left_out)
    proof = proof_of_blocks(blocks, finished="2026-11-25T10:00:00Z", seconds=60, early="")
    assert proof.verdict == verdict
    assert {look.verdict for look in proof.looks} == {verdict}
    assert bool(proof.metrics) == (verdict == "helped")
    result = f"{left_out} of {pairs + left_out} pairs are left out" in " ".join(proof.cannot_tell)
    assert result == (verdict == "undecided")


def test_where_nothing_is_decided_because_of_them_it_goes_on_to_the_last_look(tmp_path: Path) -> None:
    assert [look.pairs for look in looked_at(tmp_path, 8, 4).looks] == [FIRST, SECOND, 12]
    assert [look.pairs for look in looked_at(tmp_path, 12, 0).looks] == [FIRST]
