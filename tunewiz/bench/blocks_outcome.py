"""Makes a proof from the blocks of a switchback."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from tunewiz.bench.blocks import rule_of
from tunewiz.bench.outcome import server_of_proof
from tunewiz.core.proof.analysis import metrics_of_pairs
from tunewiz.core.proof.blocks import MOST_LEFT_OUT, TIME
from tunewiz.core.proof.looks import LAST_RISK
from tunewiz.core.proof.metrics import MetricName
from tunewiz.core.proof.proof import ClaimVerdict, MetricResult, Omission, Proof, ProofBundle, ProofWorkload
from tunewiz.core.words.proof import seconds_in_words

if TYPE_CHECKING:
    from tunewiz.bench.blocks import SwitchbackRun


def proof_of_blocks(blocks: SwitchbackRun, *, finished: str, seconds: int, early: str) -> Proof:
    """The proof; `early` is why it ended before its last look, or empty."""
    run, partial = blocks.run, blocks.partial
    risk = 1 - blocks.looks[-1].level if blocks.looks else LAST_RISK
    metrics: Mapping[MetricName, MetricResult] = MappingProxyType({})
    if not early and not blocks.is_doubted:
        metrics = metrics_of_pairs(partial.pairs, rule_of(risk))
    doubts = () if early else tuple(_doubts(blocks))
    metric = metrics.get(TIME)
    verdict: ClaimVerdict = "undecided" if metric is None else metric.verdict
    return Proof(
        kind="switchback",
        host=run.host,
        server=server_of_proof(run),
        bundle=ProofBundle(digest=run.digest, changes=run.changes),
        workload=ProofWorkload(source="live", run_seconds=run.lengths.full_speed, seed=run.seed),
        verdict=verdict,
        primary=TIME,
        metrics=metrics,
        pairs=partial.pairs,
        looks=tuple(blocks.looks),
        seconds=seconds,
        finished=finished,
        left_out=tuple(_left_out(blocks, early)),
        cannot_tell=(*doubts, *_cannot_tell(blocks)),
    )


def _doubts(blocks: SwitchbackRun) -> Iterator[str]:
    pairs, left = len(blocks.partial.pairs), len(blocks.partial.left_out)
    if blocks.is_doubted:
        yield (
            f"{left} of {pairs + left} pairs are left out, expected {MOST_LEFT_OUT:.0%} or less: "
            "nothing is concluded from the others."
        )


def _left_out(blocks: SwitchbackRun, early: str) -> Iterator[Omission]:
    if early:
        yield Omission(what="claims", why=f"the run ended early: {early}")
    yield Omission(
        what=f"the first {seconds_in_words(blocks.run.lengths.warm_up)} of each block",
        why="the value before it may still have an effect",
    )
    yield from blocks.partial.left_out


def _cannot_tell(blocks: SwitchbackRun) -> Iterator[str]:
    lengths = blocks.run.lengths
    if lengths.full_speed < lengths.writes_pay:
        yield (
            f"Blocks measured for {seconds_in_words(lengths.full_speed)} are too short to include a timed "
            f"checkpoint, which takes {seconds_in_words(lengths.writes_pay)}."
        )
    yield (
        "What one block leaves to the next beyond the pause (cached pages, cached plans, vacuum put off) "
        "makes both values look more alike."
    )
    yield "Sessions, roles and databases with a value of their own never used the planned one."
