"""`tunewiz prove bench` on a real server: what it measures, and that nothing is left."""

import json
from pathlib import Path

from bench_runs import RELOADED, SHORT, as_before, prove
from real_subject import MakeSubject, Subject, system_identifier
from small_plans import small_plan
from tunewiz.core.proof.proof import Proof
from tunewiz.formats.proof import proof_from_json


def counts(proof: Proof, subject: Subject) -> bool:
    """Whether it is evidence for the server that it was measured on, and first among it."""
    (finding,) = small_plan(subject.facts(), RELOADED, proof=proof).findings
    return finding.observed[0].how.startswith("tunewiz prove bench, 2 pairs, ")


def test_pairs_are_measured_and_nothing_is_left(make_subject: MakeSubject, tmp_path: Path) -> None:
    subject = make_subject()
    bundle, before, out = subject.bundle(RELOADED), as_before(subject), tmp_path / "proof.json"
    done = prove(subject, bundle, *SHORT, "--pairs", "2", "--same-pairs", "2", "-o", str(out))
    assert done.returncode in (0, 1, 3, 4), done.stderr
    proof = proof_from_json(out.read_text(), str(out))
    assert (len(proof.pairs), len(proof.same_pairs)) == (2, 2)
    assert set(proof.metrics) >= {"throughput", "latency_99", "wal_per_transaction"}
    assert proof.can_show is not None
    assert any("too short to include a timed checkpoint" in sentence for sentence in proof.cannot_tell)
    assert json.loads(out.read_text())["pairs"][0]["before"]["series"]
    assert proof.server.system_identifier == system_identifier(subject.cluster)
    assert counts(proof, subject)
    assert as_before(subject) == before
    assert not (subject.state / "prove").exists()
