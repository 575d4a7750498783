"""Every command does what it says, for scripts and for people."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from command_line import ANSWERS, tunewiz
from tunewiz import __version__
from tunewiz.catalogue import recommendations
from tunewiz.core.values.known import Known
from tunewiz.formats.records import facts_from_json
from tunewiz.knowledge.profiles import demo_names, demos
from tunewiz.text.documents import OURS, THEIRS

COMMANDS = ("facts", "plan", "bundle", "explain", "check", "demo")
STATES = {"change", "keep", "advise", "declined", "not_applicable"}


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    file = tmp_path / "answers.toml"
    file.write_text(ANSWERS)
    return file


@pytest.fixture
def captured_root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    (root / "proc").mkdir(parents=True)
    (root / "proc" / "meminfo").write_text("MemTotal:       67108864 kB\nMemAvailable:   60000000 kB\n")
    return root


@pytest.mark.parametrize("command", [(), *((command,) for command in COMMANDS)])
def test_help_and_version_are_everywhere(command: tuple[str, ...]) -> None:
    helped, text = tunewiz(*command, "--help"), tunewiz(*command, "--version")
    assert (helped.status, helped.err) == (0, "")
    assert helped.out.startswith("usage: tunewiz")
    assert (text.status, text.out, text.err) == (0, f"tunewiz {__version__}\n", "")


def test_facts_of_this_host_are_facts_and_nothing_else() -> None:
    ended = tunewiz("facts")
    assert (ended.status, ended.err) == (0, "")
    assert facts_from_json(ended.out, "this host").host.architecture == Known(os.uname().machine, "uname -m")


def test_facts_of_a_captured_root_say_what_is_missing_there(captured_root: Path) -> None:
    ended = tunewiz("facts", "--root", captured_root)
    facts: dict[str, Any] = json.loads(ended.out)
    assert ended.status == 0
    assert facts["memory"]["total"] == 67108864 * 1024
    assert facts["cpu"]["cores"] is None
    assert facts["unknown"]["cpu.cores"]


def test_facts_can_go_to_a_file(captured_root: Path, tmp_path: Path) -> None:
    file = tmp_path / "facts.json"
    ended = tunewiz("facts", "--root", captured_root, "-o", file)
    assert (ended.status, ended.out, ended.err) == (0, "", "")
    assert file.read_text() == tunewiz("facts", "--root", captured_root).out


def test_facts_can_be_piped_into_a_plan(answers: Path) -> None:
    facts = tunewiz("facts").out
    with_major = answers.read_text() + '[server]\npostgres = "15"\n' if not servers(facts) else ANSWERS
    answers.write_text(with_major)
    ended = tunewiz("plan", "--facts", "/dev/stdin", "--answers", answers, "--json", stdin=facts)
    assert (ended.status, ended.err) == (0, "")
    assert json.loads(ended.out)["schema"] == 1


def servers(facts: str) -> list[object]:
    result: list[object] = json.loads(facts)["postgres"]
    return result


def test_a_plan_has_the_shape_that_scripts_rely_on(answers: Path) -> None:
    ended = tunewiz("plan", "--demo", "nvme-server", "--answers", answers, "--json")
    plan: dict[str, Any] = json.loads(ended.out)
    assert ended.status == 0
    assert list(plan) == ["schema", "host", "answers", "memory_budget", "warnings", "recommendations"]
    assert {recommendation["id"] for recommendation in plan["recommendations"]} == {
        recommendation.id for recommendation in recommendations()
    }
    for recommendation in plan["recommendations"]:
        assert recommendation["state"] in STATES
        assert recommendation["takes_effect"] in {"now", "reload", "restart", "reboot", "manual"}
        assert recommendation["risk"] in {"low", "medium", "high"}
        assert set(recommendation["target"]) == {"kind", "name"}
        assert {"title", "group", "because", "current", "proposed", "default", "unit", "computed"} <= set(
            recommendation
        )
        for cited in recommendation["evidence"]:
            assert cited["fit"] in {"like", "unknown", "unlike", "opposite"}
            assert {"source", "claim", "place", "figure", "measured_on", "fit_because", "today"} <= set(cited)


def test_the_same_inputs_give_the_same_plan_byte_for_byte(answers: Path) -> None:
    line = ("plan", "--demo", "z13-lpar", "--json", "--answers", answers)
    answers.write_text(ANSWERS + '[server]\npostgres = "9.5"\n')
    once = tunewiz(*line, environment={"PYTHONHASHSEED": "1", "LC_ALL": "C"})
    again = tunewiz(*line, environment={"PYTHONHASHSEED": "2", "TZ": "Asia/Tokyo", "COLUMNS": "40"})
    assert once.out == again.out
    assert once.out.isascii()


def test_a_plan_for_people_groups_changes_and_shows_the_memory(answers: Path) -> None:
    ended = tunewiz("plan", "--demo", "nvme-server", "--answers", answers)
    assert ended.status == 0
    assert re.search(r"^To change \(\d+\)$", ended.out, re.MULTILINE)
    assert "  shared_buffers" in ended.out
    assert "Memory when the server is busy" in ended.out
    assert "assumed" not in ended.out
    assert "\x1b" not in ended.out


def test_a_plan_without_answers_says_that_they_are_assumed() -> None:
    assert "assumed: change this with --answers FILE" in tunewiz("plan", "--demo", "nvme-server").out


def test_a_plan_is_short_and_all_of_it_can_be_asked_for(answers: Path) -> None:
    line = ("plan", "--demo", "nvme-server", "--answers", answers)
    short, whole = tunewiz(*line), tunewiz(*line, "--all")
    assert (short.status, whole.status) == (0, 0)
    assert ("Right already: " in short.out, "Right already (" in whole.out) == (True, True)
    assert len(short.out.splitlines()) < len(whole.out.splitlines()) / 2


@pytest.mark.parametrize("name", ["small-vm", "z13-lpar"])
def test_an_example_can_be_written_to_a_file_that_gives_the_same_plan(name: str, tmp_path: Path) -> None:
    exported = tunewiz("facts", "--demo", name, "-o", tmp_path / "facts.json")
    assert (exported.status, exported.out, exported.err) == (0, "", "")
    by_file = tunewiz("plan", "--facts", tmp_path / "facts.json", "--json")
    assert by_file.out == tunewiz("plan", "--demo", name, "--json").out


@pytest.mark.parametrize("other", [("--root", "/"), ("--probe",), ("--port", "5432")])
def test_nothing_is_read_for_an_example(other: tuple[str, ...]) -> None:
    refused = tunewiz("facts", "--demo", "small-vm", *other)
    assert (refused.status, refused.out) == (2, "")
    assert "not allowed with" in refused.err


def test_a_narrow_window_is_kept_to(answers: Path) -> None:
    ended = tunewiz("plan", "--demo", "nvme-server", "--answers", answers, environment={"COLUMNS": "80"})
    assert max(map(len, ended.out.splitlines())) <= 80


def test_a_bundle_can_be_written_without_the_wizard(answers: Path, tmp_path: Path) -> None:
    bundle = tmp_path / "bundle"
    ended = tunewiz("bundle", "--demo", "nvme-server", "--answers", answers, "-o", bundle)
    assert (ended.status, ended.err) == (0, "")
    assert f"sudo sh {bundle}/apply.sh --dry-run" in ended.out
    line = ("plan", "--facts", bundle / "facts.json", "--answers", bundle / "answers.toml", "--json")
    assert tunewiz(*line).out == (bundle / "plan.json").read_text()


def test_a_bundle_for_another_host_does_not_fit_this_one(answers: Path, tmp_path: Path) -> None:
    bundle = tmp_path / "bundle"
    tunewiz("bundle", "--demo", "nvme-server", "--answers", answers, "-o", bundle)
    ended = tunewiz("check", bundle)
    assert (ended.status, ended.err) == (1, "")
    assert ended.out.splitlines()


def test_a_review_is_shown_as_a_page_and_one_that_was_changed_is_told(answers: Path, tmp_path: Path) -> None:
    bundle = tmp_path / "bundle"
    tunewiz("bundle", "--demo", "nvme-server", "--answers", answers, "-o", bundle)
    ended = tunewiz("review", bundle, environment={"COLUMNS": "80"})
    assert (ended.status, ended.err) == (0, "")
    assert ended.out.startswith("Change bundle for nvme-server\n")
    assert max(map(len, ended.out.splitlines())) <= 80
    (bundle / "REVIEW.md").write_text("Nothing to see here.\n")
    ended = tunewiz("review", bundle)
    assert (ended.status, ended.out) == (1, "Nothing to see here.\n")
    assert "REVIEW.md: was changed since the bundle was written" in ended.err


def test_what_is_no_bundle_has_no_review(tmp_path: Path) -> None:
    ended = tunewiz("review", tmp_path)
    assert (ended.status, ended.out) == (2, "")
    assert "expected a bundle" in ended.err


def test_a_bundle_that_was_changed_is_found_out(answers: Path, tmp_path: Path) -> None:
    bundle = tmp_path / "bundle"
    tunewiz("bundle", "--demo", "nvme-server", "--answers", answers, "-o", bundle)
    (bundle / "plan.json").write_text("{}")
    ended = tunewiz("check", bundle)
    assert ended.status == 1
    assert "plan.json: was changed since the bundle was written" in ended.out.splitlines()


def test_explain_lists_every_recommendation() -> None:
    listed = tunewiz("explain")
    assert listed.status == 0
    assert {line.split()[0] for line in listed.out.splitlines() if line.startswith(" ")} == {
        recommendation.id for recommendation in recommendations()
    }


@pytest.mark.parametrize("name", ["pg.shared_buffers", "kernel.dirty_bytes", "pg.fsync"])
def test_explain_tells_one_recommendation_with_its_evidence(name: str) -> None:
    result = tunewiz("explain", name)
    assert result.status == 0
    headings = (
        "What changes",
        "For it, as this program sees it",
        "Against it, as this program sees it",
        "When to leave it alone",
        "What it costs",
        *(title for title in THEIRS.values() if f"\n{title}\n" in result.out),
    )
    assert len(headings) > len(OURS) + 3
    for heading in headings:
        assert f"\n{heading}\n" in result.out
    assert "Measured on: " in result.out


def test_explain_says_how_like_a_machine_each_measured_system_is() -> None:
    result = tunewiz("explain", "pg.max_wal_size", "--demo", "nvme-server")
    assert result.status == 0
    shown = " ".join(result.out.split())
    assert "On this machine - now " in shown
    for system in ("IBM Power S1022 virtual machine", "Xeon Platinum 8380 virtual machine"):
        assert f"{system} is unlike yours: measured " in shown
    assert "direction agreed by 2 of 3 systems, +1.5 to +12 %" in shown
    assert " is unlike yours" not in tunewiz("explain", "pg.max_wal_size").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--demo", "nvme-server"), "explain: found a machine but no ID"),
        (("pg.work_mem", "--answers", "answers.toml"), "explain: found --answers without a machine"),
        (("pg.work_mem", "--demo", "nothing"), "nothing"),
    ],
)
def test_explain_refuses_half_of_a_machine(arguments: tuple[str, ...], message: str) -> None:
    result = tunewiz("explain", *arguments)
    assert result.status == 2
    assert message in result.err


def test_demo_lists_the_example_machines() -> None:
    listed = tunewiz("demo")
    assert listed.status == 0
    lines = listed.out.splitlines()
    assert tuple(line.split()[0] for line in lines[::2]) == demo_names()
    assert tuple(line.strip() for line in lines[1::2]) == tuple(demos().values())
    assert "z13-lpar" in demo_names()


@pytest.mark.parametrize("time", ["1s", "2d", "soon", "-5s", ""])
def test_a_time_to_watch_that_is_none_is_refused(time: str) -> None:
    done = tunewiz("facts", f"--watch={time}")
    assert done.status == 2
    assert "argument --watch" in done.err


def test_only_this_host_can_be_watched() -> None:
    done = tunewiz("plan", "--demo", "small-vm", "--watch", "10s")
    assert done.status == 2
    assert "not allowed with argument" in done.err


@pytest.mark.parametrize("name", ["shared_buffers", "vm.nr_hugepages"])
def test_explain_takes_the_setting_s_own_name(name: str) -> None:
    result = tunewiz("explain", name)
    assert result.status == 0
    assert f".{name.removeprefix('vm.')}: " in result.out


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("wal_level", "wal_level: no advice is given\nWhy: "),
        ("pg.wal_level", "wal_level: no advice is given\nWhy: "),
        ("lock_timeout", "lock_timeout: only dangerous values are warned of\nWhy: statements fail"),
    ],
)
def test_explain_says_why_a_setting_has_no_recommendation(name: str, said: str) -> None:
    result = tunewiz("explain", name)
    assert (result.status, result.err) == (0, "")
    assert result.out.startswith(said)


def test_explain_refuses_what_no_major_has() -> None:
    assert tunewiz("explain", "wal_levle").status == 2
