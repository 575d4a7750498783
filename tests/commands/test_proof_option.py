"""`tunewiz plan --proof` and `tunewiz bundle --proof`: what a measurement on this server changes."""

import json
from pathlib import Path

import pytest

from command_line import Ended, tunewiz
from recognizable_machine import DEMO, recognizable, unmeasured
from synthetic_proofs import told
from tunewiz.core.proof.proof import Verdict
from tunewiz.formats.proof import proof_json
from tunewiz.formats.records import answers_to_toml, facts_to_json
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import default_answers

MEASURED = "Measured on this server"


def written(folder: Path, verdict: Verdict) -> Path:
    """A proof in the folder, beside the facts of its machine."""
    (folder / "facts.json").write_text(facts_to_json(recognizable()))
    file = folder / "proof.json"
    file.write_text(proof_json(told(unmeasured().plan, verdict)))
    return file


def planned(folder: Path, *options: str | Path) -> Ended:
    return tunewiz("plan", "--facts", folder / "facts.json", *options)


def states(ended: Ended) -> dict[str, str]:
    return {load["id"]: load["state"] for load in json.loads(ended.out)["recommendations"]}


def test_a_plan_that_hurt_as_a_whole_is_carried_out_by_no_bundle(tmp_path: Path) -> None:
    proof = written(tmp_path, "hurt")
    before = states(planned(tmp_path, "--json"))
    after = states(planned(tmp_path, "--json", "--proof", proof))
    changed = {name for name, state in before.items() if state == "change"}
    result = (finding.recommendation for finding in unmeasured().plan.findings)
    safe = {recommendation.id for recommendation in result if recommendation.group == "durability"}
    assert {name for name, state in after.items() if state == "change"} <= safe
    # A role is given its own jit only where the server's stays on.
    assert {name for name in before if before[name] != after[name]} <= changed | {"role.jit"}


@pytest.mark.parametrize("verdict", ["helped", "same", "undecided"])
def test_what_did_not_hurt_leaves_the_plan_as_it_was(tmp_path: Path, verdict: Verdict) -> None:
    proof = written(tmp_path, verdict)
    ended = planned(tmp_path, "--json", "--proof", proof)
    assert states(ended) == states(planned(tmp_path, "--json"))
    assert json.loads(ended.out)["proof"]["verdict"] == verdict


def test_a_bundle_tells_what_was_measured(tmp_path: Path) -> None:
    answers = tmp_path / "answers.toml"
    answers.write_text(answers_to_toml(default_answers(recognizable(), load_knowledge())))
    proof, out = written(tmp_path, "helped"), tmp_path / "bundle"
    ended = tunewiz(
        *("bundle", "--facts", tmp_path / "facts.json", "--answers", answers),
        *("--proof", proof, "-o", out),
    )
    assert (ended.status, ended.err) == (0, "")
    assert MEASURED in (out / "REVIEW.md").read_text()
    assert (out / "proof.json").read_text() == proof.read_text()
    assert "PROOF.md" in (out / "SHA256SUMS").read_text()


def test_a_proof_of_another_machine_is_refused_by_its_file(tmp_path: Path) -> None:
    file = written(tmp_path, "helped")
    document = json.loads(file.read_text())
    document["host"]["identity"] = "0" * 64
    file.write_text(json.dumps(document))
    ended = planned(tmp_path, "--proof", file)
    assert ended.status == 2
    assert f"{file}: host.identity: found 000000000000" in ended.one_message


@pytest.mark.parametrize("text", ["", "{}", '{"schema": 2}'])
def test_a_file_that_is_no_proof_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "proof.json"
    file.write_text(text)
    (tmp_path / "facts.json").write_text(facts_to_json(recognizable()))
    ended = planned(tmp_path, "--proof", file)
    assert ended.status == 2
    assert str(file) in ended.one_message


def test_an_example_machine_takes_no_proof(tmp_path: Path) -> None:
    ended = tunewiz("plan", "--demo", DEMO, "--proof", written(tmp_path, "helped"))
    assert ended.status == 2
    assert "expected this machine's: an example machine" in ended.one_message


def test_the_table_says_why_something_is_left_to_decide(tmp_path: Path) -> None:
    proof = written(tmp_path, "hurt")
    assert "here: hurt" in " ".join(planned(tmp_path, "--proof", proof).out.split())
    assert "hurt on this server" in " ".join(planned(tmp_path, "--all", "--proof", proof).out.split())
