"""Measurements of a bundle as the wizard sees them, by their state."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from types import MappingProxyType
from typing import Final

from tunewiz.bench.run import BenchRun, MeasuredServer
from tunewiz.core.proof.analysis import metrics_of_pairs
from tunewiz.core.proof.bench_seen import (
    BenchSeen,
    Finished,
    NotBegun,
    NotPutBack,
    Outlook,
    PutBack,
    SoFar,
    UnderWay,
)
from tunewiz.core.proof.lengths import Lengths, lengths_of
from tunewiz.core.proof.looks import FIRST, LAST, planned_looks
from tunewiz.core.proof.proof import (
    Arm,
    Look,
    Pair,
    Proof,
    ProofBundle,
    ProofHost,
    ProofServer,
    ProofWorkload,
)
from tunewiz.core.proof.remaining import rule_of

BUNDLE: Final = "/root/db1-2026-11-21"
OUTLOOK: Final = Outlook(
    directory=BUNDLE,
    proof_file=f"{BUNDLE}-proof.json",
    server="/var/lib/postgresql/15/main",
    changes=12,
    later=1,
    restarts=True,
    lengths=lengths_of(900, writes=True),
)
NOISE = 0.01
SPEED = 500.0


def pairs_of(count: int, ratio: float, seed: int = 1) -> tuple[Pair, ...]:
    """So many pairs, in which the throughput changes by that ratio, with noise."""
    draw = Random(seed)  # noqa: S311 - noise

    def arm(share: float) -> Arm:
        return Arm(figures=MappingProxyType({"throughput": SPEED * share * (1 + draw.gauss(0, NOISE))}))

    return tuple(Pair(order="before first", before=arm(1), after=arm(ratio)) for _ in range(count))


def so_far(pairs: int = 0, ratio: float = 1.08, *, same: int = 3) -> SoFar:
    """After so many pairs."""
    return SoFar(
        primary="throughput",
        most=LAST,
        agreed=LAST if same == 3 else 0,
        same_planned=3,
        same_pairs=pairs_of(same, 1, seed=2),
        pairs=pairs_of(pairs, ratio),
        groups=0,
        cycles=0,
        steps=0,
        arm_seconds=400,
    )


def under_way(measured: SoFar) -> UnderWay:
    """Measuring the pair after those."""
    doing = f"pair {len(measured.pairs) + 1} of {LAST}, run 1 of 2"
    return UnderWay(directory=BUNDLE, so_far=measured, doing=doing)


def proof_after(measured: SoFar) -> Proof:
    """What is claimed after the look that those pairs reach."""
    look = next(
        planned_look for planned_look in planned_looks(LAST) if planned_look.pairs == len(measured.pairs)
    )
    metrics = metrics_of_pairs(measured.pairs, rule_of(measured, look.risk))
    verdict = metrics["throughput"].verdict
    return Proof(
        kind="bench",
        host=ProofHost(name="db1"),
        server=ProofServer(major="15"),
        bundle=ProofBundle(digest="", changes=()),
        workload=ProofWorkload(source="builtin"),
        verdict=verdict,
        metrics=metrics,
        pairs=measured.pairs,
        same_pairs=measured.same_pairs,
        looks=(Look(pairs=look.pairs, level=1 - look.risk, verdict=verdict),),
        cannot_tell=("pgbench's own transactions are not those of your applications.",),
    )


NOWHERE: Final = MeasuredServer(
    major="15", data_directory="/nowhere", owner="postgres", role="postgres", programs=""
)


def run_of(digest: str, server: MeasuredServer = NOWHERE) -> BenchRun:
    """A run of a bundle."""
    return BenchRun(
        host=ProofHost(name="db1"),
        server=server,
        digest=digest,
        changes=(),
        source="builtin",
        scripts=(),
        clients=1,
        scale=1,
        template="",
        lengths=Lengths(warm_up=1, full_speed=1, fixed_rate=0, writes_pay=0),
        pairs=16,
        is_fixed=False,
        same_pairs=3,
        primary="throughput",
        seed=1,
        groups=(),
        until=0,
        began=0,
        ask=True,
        work="/nowhere",
        database="tunewiz_prove_x",
    )


QUESTION = "This server can reveal a difference of 3 % with 16 pairs, in 3 h 33 min."
SEEN: Mapping[str, BenchSeen] = MappingProxyType(
    {
        "explained": NotBegun(outlook=OUTLOOK),
        "asked": replace(
            under_way(replace(so_far(), agreed=0)), doing="A/A pair 3 of 3, run 2 of 2", question=QUESTION
        ),
        "running": under_way(so_far(4)),
        "a_look": under_way(so_far(FIRST + 1, 1.005)),
        "finished": Finished(directory=BUNDLE, proof=proof_after(so_far(FIRST)), unshown=True),
        "put_back": PutBack(directory=BUNDLE, so_far=so_far(2), why="someone asked to stop"),
        "not_put_back": NotPutBack(directory=BUNDLE, why=("rollback.sh ended with status 5",)),
    }
)
