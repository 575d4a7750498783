"""`tunewiz study` from the command line: what it takes, what it says, how it ends."""

import json
from pathlib import Path

import pytest

from command_line import ANSWERS, tunewiz

ON_EXAMPLE = ("--demo", "z13-lpar")


def test_without_a_name_it_lists_the_studies() -> None:
    ended = tunewiz("study")
    assert (ended.status, ended.err) == (0, "")
    names = [row.split()[0] for row in ended.out.splitlines() if not row.startswith(" ")]
    assert names == ["vxfs", "kernel-talk", "z13", "power10"]


def test_the_list_as_json_names_documents_and_systems() -> None:
    listed = json.loads(tunewiz("study", "--json").out)
    assert listed["schema"] == 1
    z13 = next(value for value in listed["studies"] if value["name"] == "z13")
    assert [value["key"] for value in z13["documents"]] == ["z-deck", "z-guide"]
    assert z13["systems"][0]["name"] == "IBM z13 logical partition"


def test_a_study_is_told_beside_the_plan_of_the_machine() -> None:
    ended = tunewiz("study", "z13", *ON_EXAMPLE)
    assert (ended.status, ended.err) == (0, "")
    assert "beside    z13-lpar: s390x, 4 cores" in ended.out
    assert "shared_buffers 128MB -> 16GB" in ended.out
    assert max(map(len, ended.out.splitlines())) <= 100


def test_a_document_is_a_name_of_its_study() -> None:
    assert tunewiz("study", "z-guide", *ON_EXAMPLE).out == tunewiz("study", "z13", *ON_EXAMPLE).out


def test_answers_change_what_is_told(tmp_path: Path) -> None:
    answers = tmp_path / "answers.toml"
    answers.write_text(f'{ANSWERS}[decisions]\n"pg.shared_buffers" = {{ decline = true, note = "later" }}\n')
    ended = tunewiz("study", "z13", "--demo", "nvme-server", "--answers", answers)
    assert "declined by you" in ended.out
    assert "declined by you" not in tunewiz("study", "z13", "--demo", "nvme-server").out


def test_as_json_each_step_names_its_recommendation_and_the_claims_with_their_places() -> None:
    loads = json.loads(tunewiz("study", "vxfs", "--demo", "dl185", "--json").out)
    assert [value["recommendation"] for value in loads["steps"]][:2] == [
        "pg.shared_buffers",
        "storage.vxfs_direct",
    ]
    assert all(claim["place"] for value in loads["steps"] for claim in value["claims"])
    assert sum(loads["counts"].values()) == len(loads["steps"])


def test_where_the_encoding_has_no_blocks_the_bars_are_still_told_by_numbers() -> None:
    ended = tunewiz("study", "z13", *ON_EXAMPLE, environment={"PYTHONIOENCODING": "ascii", "LC_ALL": "C"})
    assert ended.status == 0
    assert "everything together        +45 %  ####" in ended.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("study", "z14", *ON_EXAMPLE), "study: found 'z14', expected z13?"),
        (("study", "z13", "--demo", "z14"), "--demo: found 'z14'"),
    ],
)
def test_what_is_not_there_is_refused_with_what_is(arguments: tuple[str, ...], message: str) -> None:
    ended = tunewiz(*arguments)
    assert (ended.status, ended.out) == (2, "")
    assert message in ended.one_message
