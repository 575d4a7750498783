"""`tunewiz prove compare` on files and directories: what it prints, how it ends, what it refuses."""

import json
from pathlib import Path

import pytest

from command_line import tunewiz
from tunewiz.core.comparison.sightings import NamedFacts
from tunewiz.core.values.errors import InputError
from tunewiz.formats.proof import proof_from_json
from tunewiz.formats.records import facts_from_json, facts_to_json
from watched_windows import TENS, TUESDAY, WEEK, days, statements, watched


def written(folder: Path, windows: list[NamedFacts]) -> Path:
    """A directory with a file for each."""
    folder.mkdir()
    for window in windows:
        (folder / window.file).write_text(facts_to_json(window.facts))
    return folder


@pytest.mark.parametrize(
    ("factor", "status", "word"), [(0.5, 0, "faster"), (2.0, 1, "slower"), (1.0, 3, "the same within")]
)
def test_a_week_on_each_side_ends_with_the_status_of_what_was_seen(
    tmp_path: Path, factor: float, status: int, word: str
) -> None:
    after = statements({name: (calls, mean * factor) for name, (calls, mean) in TENS.items()})
    before = written(tmp_path / "before", days("a", 7))
    later = written(tmp_path / "after", days("b", 7, after, began=TUESDAY + WEEK))
    out = tmp_path / "proof.json"
    ended = tunewiz("prove", "compare", before, later, "-o", out)
    assert (ended.status, ended.err) == (status, "")
    assert ended.out.startswith("time of the same queries: observed, not proved\n")
    assert word in ended.out
    assert proof_from_json(out.read_text(), "proof.json").verdict == "observed"
    shown = tunewiz("prove", "show", out)
    assert shown.status == status
    drawn = shown.out.removeprefix(ended.out)
    assert drawn.count("day ") == 7
    assert "before and after the change" in drawn


def test_a_refusal_is_told_on_standard_error_and_writes_nothing(tmp_path: Path) -> None:
    before = written(tmp_path / "before", [watched("a.json")])
    later = written(tmp_path / "after", [watched("b.json", TUESDAY + WEEK, host="db2")])
    ended = tunewiz("prove", "compare", before, later, "-o", tmp_path / "proof.json")
    assert (ended.status, ended.out) == (4, "")
    assert ended.one_message.startswith("tunewiz: prove compare: refused:\n  machine: found db2 in ")
    assert not (tmp_path / "proof.json").exists()


def test_texts_of_queries_do_not_reach_the_terminal_as_commands(tmp_path: Path) -> None:
    observation = statements({"q\x1b]0;owned\x07": (10, 1.0)})
    slow = statements({"q\x1b]0;owned\x07": (10, 9.0)})
    before = written(tmp_path / "before", [watched("a.json", seen=observation)])
    later = written(tmp_path / "after", [watched("b.json", TUESDAY + WEEK, slow)])
    ended = tunewiz("prove", "compare", before, later)
    assert "\x1b" not in ended.out
    assert "\\x1b" in ended.out


def test_a_directory_without_facts_and_a_file_that_is_none_are_wrong_usage(tmp_path: Path) -> None:
    good = written(tmp_path / "good", [watched("a.json")])
    (tmp_path / "empty").mkdir()
    empty = tunewiz("prove", "compare", good, tmp_path / "empty")
    assert (empty.status, "found no file of facts" in empty.one_message) == (2, True)
    bad = tunewiz("prove", "compare", good, tmp_path / "missing.json")
    assert (bad.status, "missing.json: cannot be read" in bad.one_message) == (2, True)


@pytest.mark.parametrize(
    ("key", "number", "expected"),
    [
        ("calls", 0, "calls: found 0, expected 1"),
        ("rows", -1, "rows: found -1"),
        ("run_ms", -0.5, "run_ms: found"),
    ],
)
def test_counts_that_cannot_be_are_refused_by_their_key(key: str, number: float, expected: str) -> None:
    document = json.loads(facts_to_json(watched("a.json").facts))
    document["postgres"][0]["window"]["statements"]["statements"][1][key] = number
    with pytest.raises(InputError, match=r"^a.json: postgres.0.window.statements.statements.1") as refused:
        facts_from_json(json.dumps(document), "a.json")
    assert expected in refused.value.message


def test_windows_read_back_from_a_file_as_they_were_written() -> None:
    facts = watched("a.json").facts
    assert facts_from_json(facts_to_json(facts), "a.json").postgres[0].window == facts.postgres[0].window
