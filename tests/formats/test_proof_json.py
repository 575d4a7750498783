"""proof.json reads back as it was written, and what it cannot be is refused by its key."""

import json
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunewiz.core.proof.metrics import METRIC_NAMES
from tunewiz.core.proof.proof import (
    Arm,
    Cycle,
    GroupResult,
    Look,
    MeasuredChange,
    MetricResult,
    Omission,
    Pair,
    Proof,
    ProofBundle,
    ProofHost,
    ProofScript,
    ProofServer,
    ProofWorkload,
    QueryResult,
)
from tunewiz.core.values.errors import InputError
from tunewiz.formats.proof import proof_from_json, proof_json

NUMBERS = st.floats(0, 1e9, allow_nan=False)
ARMS = st.builds(
    Arm,
    figures=st.dictionaries(st.sampled_from(METRIC_NAMES), NUMBERS).map(MappingProxyType),
    series=st.lists(st.integers(0, 10**6), max_size=3).map(tuple),
)
PAIRS = st.lists(
    st.builds(Pair, order=st.sampled_from(["before first", "after first"]), before=ARMS, after=ARMS),
    max_size=3,
).map(tuple)
CYCLES = st.lists(
    st.builds(Cycle, order=st.just(("memory",)), runs=st.tuples(ARMS, ARMS, ARMS)), max_size=2
).map(tuple)
METRICS = st.dictionaries(
    st.sampled_from(METRIC_NAMES),
    st.just(MetricResult(ratio=1.1, low=1.02, high=1.19, level=0.95, verdict="helped", within=1.2)),
).map(MappingProxyType)
PROOFS = st.builds(
    Proof,
    kind=st.sampled_from(["bench", "compare", "switchback"]),
    host=st.builds(ProofHost, name=st.text(max_size=8), processors=st.integers(0, 300)),
    server=st.just(ProofServer(major="15", version="15.18", is_copy=True)),
    bundle=st.just(
        ProofBundle(digest="0" * 64, changes=(MeasuredChange(id="pg.work_mem", before="4MB", value="16MB"),))
    ),
    workload=st.just(
        ProofWorkload(
            source="builtin", scripts=(ProofScript(name="tpcb-like", weight=1, writes=True),), share=0.4
        )
    ),
    verdict=st.sampled_from(["helped", "hurt", "same", "undecided", "observed"]),
    can_show=st.none() | st.floats(1, 3),
    metrics=METRICS,
    pairs=PAIRS,
    same_pairs=PAIRS,
    cycles=CYCLES,
    groups=st.just(
        (GroupResult(name="memory", ids=("pg.x",), ratio=1, low=0.9, high=1.1, level=0.95, verdict="same"),)
    ),
    queries=st.lists(
        st.builds(
            QueryResult,
            query=st.text(max_size=5),
            query_id=st.just("-12"),
            calls_before=st.integers(0, 10**9),
            calls_after=st.integers(0, 10**9),
            ratio=st.none() | st.floats(1e-6, 1e6),
            share=st.floats(0, 1),
            database=st.text(max_size=3),
            share_after=st.floats(0, 1),
        ),
        max_size=2,
    ).map(tuple),
    looks=st.just((Look(pairs=6, level=0.995, verdict="undecided"),)),
    left_out=st.lists(st.builds(Omission, what=st.text(max_size=5), why=st.text(max_size=5)), max_size=2).map(
        tuple
    ),
)


@given(PROOFS)
def test_a_proof_reads_back_as_it_was_written(proof: Proof) -> None:
    text = proof_json(proof)
    assert text.isascii()
    assert proof_from_json(text, "proof.json") == proof


SMALL = Proof(
    kind="bench",
    host=ProofHost(name="db1"),
    server=ProofServer(major="15"),
    bundle=ProofBundle(digest="", changes=()),
    workload=ProofWorkload(source="builtin"),
    verdict="undecided",
)


QUERY = {"query": "q", "query_id": "1", "calls_before": 1, "calls_after": 1, "ratio": 1, "share": 0.5}
NO_FIGURES: dict[str, object] = {"figures": {}}


def changed(**keys: object) -> str:
    return json.dumps(json.loads(proof_json(SMALL)) | keys)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "p.json: found [], expected keys and values"),
        (changed(schema=2), "p.json: schema: found 2, expected 1"),
        (changed(schema=True), "p.json: schema: found true, expected 1"),
        (changed(verdict="great"), "p.json: verdict: found"),
        (changed(extra=1), "p.json: found the unknown key"),
        (changed(can_show=0.5), "p.json: can_show: found 0.5, expected a ratio of 1 or more"),
        (changed(seconds="9"), 'p.json: seconds: found "9", expected a whole number'),
        (
            changed(
                metrics={
                    "speed": {"ratio": 1, "low": 1, "high": 1, "level": 1, "verdict": "same", "within": 1}
                }
            ),
            "p.json: metrics: found the unknown key 'speed'",
        ),
        (
            changed(
                metrics={
                    "throughput": {
                        "ratio": 1,
                        "low": 2,
                        "high": 3,
                        "level": 1,
                        "verdict": "same",
                        "within": 1,
                    }
                }
            ),
            "p.json: metrics.throughput: found 2.0, 1.0, 3.0",
        ),
        (
            changed(
                pairs=[{"order": "before first", "before": {"figures": {"tps": 1}}, "after": NO_FIGURES}]
            ),
            "p.json: pairs.0.before.figures: found the unknown key 'tps'",
        ),
        (
            changed(
                pairs=[
                    {
                        "order": "before first",
                        "before": NO_FIGURES,
                        "after": {"figures": {"throughput": -1}},
                    }
                ]
            ),
            "p.json: pairs.0.after.figures.throughput: found -1.0",
        ),
        (changed(queries=[{**QUERY, "ratio": 0}]), "p.json: queries.0.ratio: found 0.0, expected a ratio"),
        (changed(queries=[{**QUERY, "calls_after": -1}]), "p.json: queries.0: found -1 calls"),
        (
            changed(cycles=[{"order": ["a"], "runs": []}]),
            "p.json: cycles.0: found 0 runs of 1 groups, expected 3",
        ),
    ],
)
def test_what_a_proof_cannot_be_is_refused_by_its_key(text: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        proof_from_json(text, "p.json")
    assert refused.value.message.startswith(message)
