"""`tunewiz --proof`: what is measured here outranks documents in the wizard too, also in a resumed one."""

import json
from pathlib import Path

import pytest

from command_line import Ended, tunewiz
from recognizable_machine import recognizable, unmeasured
from synthetic_proofs import told
from tunewiz.formats.proof import proof_json
from tunewiz.formats.records import facts_to_json


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with a machine, and a measurement of it that hurt."""
    (tmp_path / "facts.json").write_text(facts_to_json(recognizable()))
    (tmp_path / "proof.json").write_text(proof_json(told(unmeasured().plan, "hurt")))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def plain(*start: str, lines: int = 40) -> Ended:
    """The wizard line by line, with the usual answers."""
    return tunewiz("--plain", *start, stdin="\n" * lines)


def letters(text: str) -> str:
    """Without blanks: a long path is broken over rows."""
    return "".join(text.split())


def test_the_bundle_is_that_of_the_headless_command(here: Path) -> None:
    ended = plain("--facts", "facts.json", "--proof", "proof.json", "--out", "asked")
    assert ended.status == 0, ended.err
    assert letters("measured 10 % slower, 6 to 14 %; throughput x 0.90") in letters(ended.err)
    made_of = ("--facts", "facts.json", "--answers", "asked/answers.toml", "--proof", "proof.json")
    assert tunewiz("bundle", *made_of, "-o", "headless").status == 0
    names = sorted(path.name for path in (here / "asked").iterdir())
    assert "PROOF.md" in names
    assert names == sorted(path.name for path in (here / "headless").iterdir())
    for file in (path for path in (here / "headless").rglob("*") if path.is_file()):
        assert (here / "asked" / file.relative_to(here / "headless")).read_bytes() == file.read_bytes()


def test_a_bundle_with_a_measurement_is_reopened_with_it(here: Path) -> None:
    plain("--facts", "facts.json", "--proof", "proof.json", "--out", "first")
    ended = plain("--reopen", "first", "--out", "second")
    assert ended.status == 0, ended.err
    for name in ("plan.json", "PROOF.md", "proof.json", "REVIEW.md"):
        assert (here / "first" / name).read_bytes() == (here / "second" / name).read_bytes()


def test_a_resumed_session_keeps_it(here: Path) -> None:
    plain("--facts", "facts.json", "--proof", "proof.json", "--out", "bundle", lines=5)
    ended = plain("--resume")
    assert ended.status == 0, ended.err
    assert "goes on with the measurement" not in ended.err
    assert (here / "bundle/proof.json").read_bytes() == (here / "proof.json").read_bytes()


@pytest.mark.parametrize("change", ["gone", "broken", "another"])
def test_a_resumed_session_says_what_became_of_the_file(here: Path, change: str) -> None:
    proof = here / "proof.json"
    plain("--facts", "facts.json", "--proof", "proof.json", "--out", "bundle", lines=5)
    before = proof.read_bytes()
    expected = {
        "gone": f"! {proof}: cannot be read: No such file or directory. The session goes on",
        "broken": f"! {proof}: ",
        "another": f"! {proof} has changed: the session goes on with the measurement as it was",
    }
    match change:
        case "gone":
            proof.unlink()
        case "broken":
            proof.write_text("{")
        case _:
            proof.write_text(proof_json(told(unmeasured().plan, "same")))
    ended = plain("--resume")
    assert ended.status == 0, ended.err
    assert letters(expected[change]) in letters(ended.err)
    assert (here / "bundle/proof.json").read_bytes() == before


def test_a_resumed_session_takes_a_new_measurement(here: Path) -> None:
    plain("--facts", "facts.json", "--proof", "proof.json", "--out", "bundle", lines=5)
    (here / "new.json").write_text(proof_json(told(unmeasured().plan, "same")))
    assert plain("--resume", "--proof", "new.json").status == 0
    assert json.loads((here / "bundle/proof.json").read_text())["verdict"] == "same"


def test_a_measurement_of_another_plan_is_told_at_once_and_in_the_review(here: Path) -> None:
    document = json.loads((here / "proof.json").read_text())
    document["bundle"]["changes"][0]["value"] = "1"
    (here / "proof.json").write_text(json.dumps(document))
    ended = plain("--facts", "facts.json", "--proof", "proof.json", "--out", "bundle")
    assert ended.status == 0, ended.err
    said = "The measurement does not count for this plan: proof.json: bundle.changes."
    assert letters(ended.err).count(letters(said)) == 2
    assert not (here / "bundle/proof.json").exists()


@pytest.mark.parametrize(
    ("start", "message"),
    [
        (("--demo", "small-vm", "--proof", "proof.json"), "host.identity: found aaaaaaaaaaaa"),
        (("--facts", "facts.json", "--proof", "none.json"), "none.json: cannot be read"),
        (("--facts", "facts.json", "--proof", "facts.json"), "facts.json: "),
        (("--fleet", ".", "--proof", "proof.json"), "--proof: expected one machine, found --fleet"),
    ],
)
def test_what_cannot_be_used_is_refused_before_anything_is_asked(
    here: Path, start: tuple[str, ...], message: str
) -> None:
    assert (here / "proof.json").exists()
    ended = plain(*start)
    assert ended.status == 2
    assert message in ended.one_message
