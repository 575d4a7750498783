"""`tunewiz compare` from the command line: what it takes, what it says, how it ends."""

import json
from pathlib import Path

import pytest

from command_line import ANSWERS, tunewiz

ON_EXAMPLE = ("--demo", "nvme-server")


@pytest.fixture(name="answers")
def _answers(tmp_path: Path) -> Path:
    file = tmp_path / "answers.toml"
    file.write_text(ANSWERS)
    return file


@pytest.fixture(name="bundle")
def _bundle(tmp_path: Path, answers: Path) -> Path:
    assert tunewiz("bundle", *ON_EXAMPLE, "--answers", answers, "-o", tmp_path / "bundle").status == 0
    return tmp_path / "bundle"


def test_a_bundle_is_the_same_as_its_plan_its_facts_and_its_answers(bundle: Path, answers: Path) -> None:
    for other in ("plan.json", "facts.json", "answers.toml"):
        ended = tunewiz(
            "compare", bundle, bundle / other, "--facts", bundle / "facts.json", "--answers", answers
        )
        assert (ended.status, ended.err) == (0, ""), ended.out
        assert "The same in both:" in ended.out
        assert "difference" not in ended.out


def test_another_posture_differs_and_the_inputs_say_so(bundle: Path, answers: Path) -> None:
    bold = answers.with_name("bold.toml")
    bold.write_text(f'{ANSWERS}[risk]\nposture = "bold"\n')
    ended = tunewiz("compare", bundle, bold, *ON_EXAMPLE)
    assert ended.status == 1
    assert "posture  balanced  bold" in ended.out
    assert "only B selects it" in ended.out


def test_as_json_it_has_the_same_differences(bundle: Path) -> None:
    ended = tunewiz("compare", bundle, bundle.parent / "answers.toml", "--json", "--demo", "hdd-server")
    document = json.loads(ended.out)
    assert (ended.status, document["schema"], document["a"]) == (1, 1, str(bundle))
    assert {"key": "host.name", "name": "machine", "a": "nvme-server", "b": "hdd-server"} in document[
        "inputs"
    ]
    buffers = next(value for value in document["differences"] if value["id"] == "pg.shared_buffers")
    assert buffers["a"]["outcome"] == "64GB"
    assert buffers["why"].startswith("A: 256 GiB x 1/4")
    assert (document["only_a"], document["only_b"]) == ([], [])


@pytest.mark.parametrize("peer", ["pgconfig", "pgtune", "timescaledb-tune"])
def test_another_generator_is_named_with_version_and_place(peer: str) -> None:
    ended = tunewiz("compare", "--with", peer, *ON_EXAMPLE)
    assert ended.status == 1
    assert ended.out.startswith(f"{peer} ")
    assert "rules  https://github.com/" in ended.out
    assert "differences: the setting" in ended.out


def test_another_generator_as_json_tells_what_it_was_asked(answers: Path) -> None:
    ended = tunewiz("compare", "--with", "pgtune", *ON_EXAMPLE, "--answers", answers, "--json")
    document = json.loads(ended.out)
    assert document["asked"]["connections"] == 200
    assert document["asked"]["storage"] == "nvme"
    assert document["peer"]["date"] == "2026-06-09"
    assert {value["setting"] for value in document["differences"]}.isdisjoint(document["same"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("compare",), "compare: found 0 plans, expected two, or --with PEER"),
        (("compare", "a.json"), "compare: found 1 plan, expected two"),
        (("compare", "a", "b", "c"), "compare: found 3 plans, expected two"),
        (("compare", "a.json", "b.json"), "a.json: cannot be read: No such file or directory"),
        (("compare", "/etc", "b.json"), "/etc/plan.json: cannot be read: No such file or directory"),
        (("compare", "--with", "pgtoon"), "compare: --with: found 'pgtoon', expected pgtune?"),
        (("compare", "--with", "chance"), "expected one of pgconfig, pgtune, timescaledb-tune"),
        (("compare", "--with", "pgtune", "a.json"), "compare: --with compares with one machine's plan"),
        (("compare", "--with", "pgtune", "--demo", "power10"), "the size of memory is not known"),
    ],
)
def test_what_cannot_be_compared_is_told(arguments: tuple[str, ...], message: str) -> None:
    ended = tunewiz(*arguments)
    assert (ended.status, ended.out) == (2, "")
    assert message in ended.one_message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"schema": 2, "recommendations": []}', "plan.json: schema: found 2, expected 1"),
        ('{"schema": 1, "recommendations": {}}', "plan.json: recommendations: found {}, expected a list"),
        ('{"schema": 1, "recommendations": [1]}', "plan.json: recommendations.0: found 1, expected keys"),
        (
            '{"schema": 1, "recommendations": [{"id": "pg.jit"}]}',
            "plan.json: recommendations.0: state: found nothing, expected one of change",
        ),
        ('{"schema": 1', "plan.json: not valid JSON"),
        ("schema = 2", "plan.json: schema: found 2, expected 1"),
    ],
)
def test_a_broken_plan_is_told_by_its_key(tmp_path: Path, content: str, message: str) -> None:
    file = tmp_path / "plan.json"
    file.write_text(content)
    ended = tunewiz("compare", file, file, *ON_EXAMPLE)
    assert (ended.status, ended.out) == (2, "")
    assert message in ended.one_message


def test_a_plan_with_keys_of_a_later_version_is_read(bundle: Path) -> None:
    document = json.loads((bundle / "plan.json").read_text())
    document["weather"] = "fair"
    for value in document["recommendations"]:
        value["mood"] = value["in_words"]["mood"] = "good"
    newer = bundle.parent / "newer.json"
    newer.write_text(json.dumps(document))
    assert tunewiz("compare", bundle, newer).status == 0
