"""Makes a proof from the measurements of an experiment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from tunewiz.bench.mix import FROM_SERVER
from tunewiz.core.proof.analysis import (
    can_show,
    groups_of_cycles,
    metrics_of_cycles,
    metrics_of_pairs,
    unusable,
)
from tunewiz.core.proof.looks import LAST_RISK, ONLY_RISK, planned_looks
from tunewiz.core.proof.proof import (
    Arm,
    ClaimVerdict,
    Omission,
    Proof,
    ProofBundle,
    ProofServer,
    ProofWorkload,
)
from tunewiz.core.proof.ratios import log_ratios
from tunewiz.core.proof.resolution import is_lopsided
from tunewiz.core.values.rounding import shortly
from tunewiz.core.words.proof import seconds_in_words

if TYPE_CHECKING:
    from tunewiz.bench.experiment import Experiment
    from tunewiz.bench.run import BenchRun

LOPSIDED_RISK = 0.01
"""A/A pairs are few: only a striking difference is reported."""


def proof_of(experiment: Experiment, *, finished: str, seconds: int, early: str) -> Proof:
    """The proof; `early` is why the run ended before its last look, or empty."""
    run, partial = experiment.bench.run, experiment.partial
    groups = {group_of_changes.name: group_of_changes.ids for group_of_changes in run.groups}
    rule = experiment.rule(_risk(experiment))
    # Only pairs up to a planned look count: how many came after it depends on when the run ended.
    pairs = partial.pairs[: experiment.looks[-1].pairs] if experiment.looks else partial.pairs
    metrics = metrics_of_cycles(partial.cycles, rule) if groups else metrics_of_pairs(pairs, rule)
    metric = metrics.get(experiment.primary)
    verdict: ClaimVerdict = "undecided" if early or metric is None else metric.verdict
    return Proof(
        kind="bench",
        host=run.host,
        server=server_of_proof(run),
        bundle=ProofBundle(digest=run.digest, changes=run.changes),
        workload=ProofWorkload(
            source=run.source,
            scripts=run.scripts,
            clients=run.clients,
            scale=run.scale,
            run_seconds=run.lengths.full_speed,
            rate=partial.rate,
            seed=run.seed,
            share=run.share,
        ),
        verdict=verdict,
        primary=experiment.primary,
        can_show=can_show(partial.same_pairs, experiment.primary, partial.agreed),
        metrics=metrics if not early else MappingProxyType({}),
        pairs=partial.pairs,
        same_pairs=partial.same_pairs,
        cycles=partial.cycles,
        groups=() if early else groups_of_cycles(partial.cycles, groups, rule),
        looks=tuple(experiment.looks),
        seconds=seconds,
        finished=finished,
        left_out=tuple(_left_out(experiment, early)),
        cannot_tell=tuple(_cannot_tell(experiment)),
    )


def server_of_proof(run: BenchRun) -> ProofServer:
    """The measured server."""
    return ProofServer(
        major=run.server.major,
        data_directory=run.server.data_directory,
        system_identifier=run.server.system_identifier,
        is_copy=run.server.is_copy,
    )


def _risk(experiment: Experiment) -> float:
    """Of the look at which the results are reported."""
    if experiment.bench.run.groups:
        return ONLY_RISK
    if experiment.looks:
        return 1 - experiment.looks[-1].level
    looks = planned_looks(max(2, experiment.partial.agreed))
    return looks[-1].risk if looks else LAST_RISK


def _arms(experiment: Experiment) -> Iterator[Arm]:
    partial = experiment.partial
    for pair in partial.pairs:
        yield pair.before
        yield pair.after
    for cycle in partial.cycles:
        yield from cycle.runs


def _left_out(experiment: Experiment, early: str) -> Iterator[Omission]:
    if early:
        yield Omission(what="claims", why=f"the run ended early: {early}")
    yield Omission(
        what=f"the first {seconds_in_words(experiment.bench.run.lengths.warm_up)} of each arm",
        why="they warm up the caches",
    )
    if not experiment.bench.run.lengths.fixed_rate:
        yield Omission(what="latency at a fixed rate", why="the budget is too short for it")
    yield from unusable(tuple(_arms(experiment)))
    yield from experiment.bench.run.left_out


def _cannot_tell(experiment: Experiment) -> Iterator[str]:
    yield from experiment.bench.run.cannot_tell
    lengths = experiment.bench.run.lengths
    run, pays = seconds_in_words(lengths.full_speed), seconds_in_words(lengths.writes_pay)
    if lengths.full_speed < lengths.writes_pay:
        yield (
            f"Runs of {run} are too short to include a timed checkpoint, which takes {pays}: "
            f"part of a gain may be work that is only postponed."
        )
    if 0 < lengths.fixed_rate < lengths.writes_pay:
        rate = seconds_in_words(lengths.fixed_rate)
        yield f"Latency was measured in stretches of {rate}, without the cost of a timed checkpoint."
    if experiment.bench.run.source == "builtin":
        yield "pgbench's own transactions are not those of your applications."
    yield from _about_statements(experiment.bench.run)
    yield from _about_same_pairs(experiment)


def _about_statements(run: BenchRun) -> Iterator[str]:
    """What a run of scripts made from a server's statements cannot show."""
    if run.source not in FROM_SERVER:
        return
    if run.share is not None:
        counted = "is in its log" if run.source == "log" else "the server counted"
        yield f"The scripts represent {shortly(100 * run.share, 3)} % of the execution time that {counted}."
    yield "Each statement runs in a transaction of its own, so waits between transactions are missing."
    if run.source == "log":
        yield "Statements that the server did not log are missing; of the logged ones a sample is run."
    else:
        yield (
            "Each value is drawn independently from the statistics of its column: "
            "correlations between columns are lost, and some values match no row."
        )


def _about_same_pairs(experiment: Experiment) -> Iterator[str]:
    primary = experiment.primary
    figures: list[Mapping[str, float]] = []
    for pair in experiment.partial.same_pairs:
        first, second = (
            (pair.before, pair.after) if pair.order == "before first" else (pair.after, pair.before)
        )
        figures.append({"first": first.figures.get(primary, 0), "second": second.figures.get(primary, 0)})
    usable = [(figure["first"], figure["second"]) for figure in figures if min(figure.values()) > 0]
    if len(usable) > 1 and is_lopsided(log_ratios(usable), LOPSIDED_RISK):
        yield "In every A/A pair the second run differed from the first: something else affects this server."
