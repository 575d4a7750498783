"""`tunewiz prove show`: what a proof.json says, and what is said of a file that is none."""

import json
from pathlib import Path

import pytest

from command_line import tunewiz
from tunewiz.core.proof.proof import (
    MetricResult,
    Omission,
    Proof,
    ProofBundle,
    ProofHost,
    ProofServer,
    ProofWorkload,
    Verdict,
)
from tunewiz.formats.proof import proof_json

STATUSES: tuple[tuple[Verdict, int], ...] = (("helped", 0), ("hurt", 1), ("same", 3), ("undecided", 4))


def written(folder: Path, verdict: Verdict, name: str = "db1") -> Path:
    result = MetricResult(ratio=1.09, low=1.01, high=1.19, level=0.95, verdict="helped", within=1.2)
    proof = Proof(
        kind="bench",
        host=ProofHost(name=name),
        server=ProofServer(major="15"),
        bundle=ProofBundle(digest="", changes=()),
        workload=ProofWorkload(source="builtin"),
        verdict=verdict,
        metrics={"throughput": result},
        left_out=(Omission(what=f"a run on {name}", why=f"{name} was busy"),),
    )
    path = folder / "proof.json"
    path.write_text(proof_json(proof))
    return path


@pytest.mark.parametrize(("verdict", "status"), STATUSES)
def test_the_exit_status_is_the_verdict(tmp_path: Path, verdict: Verdict, status: int) -> None:
    ended = tunewiz("prove", "show", written(tmp_path, verdict))
    assert (ended.status, ended.err) == (status, "")
    assert "1.09 (95 %: 1.01 to 1.19)" in ended.out


def test_as_json_it_is_the_same_file(tmp_path: Path) -> None:
    path = written(tmp_path, "helped")
    assert tunewiz("prove", "show", "--json", path).out == path.read_text()


def test_names_in_the_file_do_not_reach_the_terminal_as_commands(tmp_path: Path) -> None:
    ended = tunewiz("prove", "show", written(tmp_path, "helped", "db1\x1b]0;owned\x07"))
    assert "\x1b" not in ended.out
    assert "\\x1b" in ended.out


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", json.dumps({"schema": 2}), '{"schema": 1, "kind": "guess"}']
)
def test_a_file_that_is_no_proof_is_refused_by_name(tmp_path: Path, text: str) -> None:
    path = tmp_path / "proof.json"
    path.write_text(text)
    ended = tunewiz("prove", "show", path)
    assert ended.status == 2
    assert "proof.json" in ended.one_message
