"""`tunewiz fleet`: every host is planned or named, and what is written is whole."""

import json
import subprocess
from pathlib import Path

import pytest

from command_line import tunewiz
from review_pages import squeezed
from small_fleets import ANSWERS, write_host
from tunewiz.collect.script import collector
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.known import Known
from tunewiz.text.progress import bar


@pytest.fixture
def facts(tmp_path: Path) -> Path:
    directory = tmp_path / "facts"
    directory.mkdir()
    for number, memory in enumerate(("64GB", "96GB", "128GB")):
        write_host(directory, f"db{number}", Given(memory=memory))
    return directory


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    file = tmp_path / "answers.toml"
    file.write_text(ANSWERS)
    return file


def test_a_fleet_is_planned_by_group(facts: Path, answers: Path) -> None:
    done = tunewiz("fleet", "plan", facts, "--answers", answers)
    assert done.status == 0
    assert done.err == ""
    assert "pg15-1: 3 hosts" in done.out
    assert "shared_buffers" in done.out
    assert "wave 1: db0" in done.out


def test_what_hosts_have_today_stands_before_what_they_get(facts: Path, answers: Path) -> None:
    lines = [line.split() for line in tunewiz("fleet", "plan", facts, "--answers", answers).out.splitlines()]
    assert ["random_page_cost", "4", "->", "1.1", "reload"] in lines
    (buffers,) = [line for line in lines if line[:1] == ["shared_buffers"]]
    assert buffers[1:3] == ["128MB", "->"]
    assert buffers[-4:] == ["32GB", "by", "host", "restart"]


def test_groups_json_has_every_host_and_what_differs(facts: Path, answers: Path) -> None:
    document = json.loads(tunewiz("fleet", "plan", facts, "--answers", answers, "--json").out)
    assert document["schema"] == 1
    (group,) = document["groups"]
    assert group["hosts"] == ["db0", "db1", "db2"]
    assert len({*group["differs"]["pg.shared_buffers"].values()}) == 3
    by_id = {value["id"]: value for value in group["decisions"]}
    assert by_id["pg.shared_buffers"]["value"] is None
    assert by_id["pg.random_page_cost"]["value"] == "1.1"
    assert document["failed"] == []
    assert [len(wave) for wave in document["waves"]] == [1, 1, 1]


def test_the_order_of_the_files_changes_nothing(facts: Path) -> None:
    files = sorted(facts.iterdir())
    once = tunewiz("fleet", "plan", *files, "--json").out
    assert tunewiz("fleet", "plan", *reversed(files), facts, "--json").out == once


def test_a_host_that_cannot_be_planned_is_named_and_the_others_go_on(facts: Path, answers: Path) -> None:
    (facts / "cut.json").write_text('{"schema": 1,')
    (facts / "link.json").symlink_to("nowhere")
    (facts / "bytes.json").write_bytes(b"\xff")
    write_host(facts, "../../etc")
    write_host(facts, "all")
    write_host(facts, "{{ lookup('pipe', 'id') }}")
    write_host(facts, "old", version=Known("8.4", "test"), major=Known("8.4", "test"))
    done = tunewiz("fleet", "plan", facts, "--answers", answers, "--json")
    assert done.status == 1
    assert "Traceback" not in done.err
    document = json.loads(done.out)
    assert document["groups"][0]["hosts"] == ["db0", "db1", "db2"]
    assert len(document["failed"]) >= 6
    for value in document["failed"]:
        assert value["host"] in done.err.encode().decode("unicode_escape")
    assert "could not be planned, 3 could" in done.err


def test_why_a_host_was_not_planned_and_what_to_do_are_two_sentences(facts: Path, answers: Path) -> None:
    (facts / "db9.json").write_text(json.dumps({"schema": 1, "host": {"name": "db9"}, "postgres": []}))
    done = tunewiz("fleet", "plan", facts, "--answers", answers)
    assert done.status == 1
    text = next(line for line in done.err.splitlines() if "db9" in line)
    assert text.endswith(". Say in the answers which major version to plan for.")


def test_two_facts_of_one_host_are_both_refused(facts: Path, answers: Path) -> None:
    (facts / "again.json").write_text((facts / "db1.json").read_text())
    done = tunewiz("fleet", "plan", facts, "--answers", answers, "--json")
    assert done.status == 1
    document = json.loads(done.out)
    assert [value["host"] for value in document["failed"]] == ["db1", "db1"]
    assert "have the same machine id, expected one file for each host" in done.err
    assert document["groups"][0]["hosts"] == ["db0", "db2"]


def test_hosts_of_unlike_majors_in_one_cluster_are_refused(facts: Path, answers: Path) -> None:
    for name, major, role in (("p", "15", "primary"), ("s", "16", "standby")):
        write_host(
            facts, name, Given(major=major), system_identifier=Known("7", "test"), role=Known(role, "test")
        )
    done = tunewiz("fleet", "plan", facts, "--answers", answers)
    assert done.status == 1
    assert "several major versions (p has 15, s has 16)" in done.err
    assert "3 hosts in 1 group" in done.out


def test_what_the_collector_wrote_is_read_as_it_is(tmp_path: Path) -> None:
    script = tmp_path / "collect.sh"
    script.write_text(collector())
    with (tmp_path / "here.tunewiz").open("wb") as out:
        subprocess.run(["sh", script], stdout=out, check=True)
    done = tunewiz("fleet", "plan", tmp_path, "--json")
    document = json.loads(done.out)
    assert len(document["groups"]) + len(document["failed"]) == 1
    assert "not valid JSON" not in done.err


def test_a_fleet_is_written_whole(facts: Path, answers: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = tunewiz("fleet", "write", facts, "--answers", answers, "-o", out)
    assert done.status == 0
    assert sorted(entry.name for entry in out.iterdir()) == [
        "REVIEW-pg15-1.md",
        "ansible",
        "answers",
        "bundles",
        "groups.json",
    ]
    assert sorted(entry.name for entry in (out / "bundles").iterdir()) == ["db0", "db1", "db2"]
    for path in (out / "bundles").iterdir():
        subprocess.run(["sha256sum", "--quiet", "-c", "SHA256SUMS"], cwd=path, check=True)
    review = (out / "REVIEW-pg15-1.md").read_text()
    assert "# Group pg15-1: 3 hosts with the same decisions" in review
    assert "## What differs from host to host" in review
    assert "| `db1` |" in squeezed(review)
    assert (out / "groups.json").read_text() == tunewiz(
        "fleet", "plan", facts, "--answers", answers, "--json"
    ).out
    assert "serial: [1, 1, 1]" in (out / "ansible" / "apply.yml").read_text()


def test_nothing_is_overwritten_and_nothing_is_left_behind(
    facts: Path, answers: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    before = sorted(path.name for path in tmp_path.iterdir())
    done = tunewiz("fleet", "write", facts, "--answers", answers, "-o", out)
    assert done.status == 2
    assert "already exists" in done.one_message
    assert sorted(path.name for path in tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("plan",), "found no file of facts"),
        (("collect",), "expected -o DIR"),
        (("collect", "EMPTY", "-o", "x"), "expected only -o DIR"),
        (("plant", "x.json"), "expected plan?"),
        (("plan", "EMPTY"), "found no file of facts"),
        (("plan", "EMPTY", "-o", "x"), "-o belongs to `tunewiz fleet write`"),
        (("write", "EMPTY"), "expected --answers FILE|DIR and -o DIR"),
        (("write", "EMPTY", "--answers", "a", "-o", "EMPTY/x", "--json"), "--json belongs to"),
    ],
)
def test_wrong_usage_has_status_2(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    done = tunewiz("fleet", *(argument.replace("EMPTY", str(tmp_path)) for argument in arguments))
    assert done.status == 2
    assert message in done.err


def test_the_bar_grows_and_tells_how_long_it_takes() -> None:
    assert bar("hosts planned", 0, 10, 0.0) == f"[{' ' * 24}] 0 of 10 hosts planned"
    assert bar("hosts planned", 10, 10, 3.0) == f"[{'#' * 24}] 10 of 10 hosts planned, 0 s left"
