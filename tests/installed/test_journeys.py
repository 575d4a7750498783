"""An installed wizard from its first page to a written bundle: an example machine, and this host."""

import json
import re
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from installed_program import CLEAR, DOWN, END, ENTER, ESCAPE, HOME, RIGHT, Program, Walk, chosen
from tunewiz.core.answers.steps import Step

pytestmark = pytest.mark.timeout(600)
"""A person's pace, and the machine is read several times."""

DEMO, THIS_HOST = "z13-lpar", ""
MAX_QUESTIONS = 40
DAMAGED = re.compile(r": (is missing|was changed since|does not belong to)\b")
MACHINES = pytest.mark.parametrize("machine", [DEMO, THIS_HOST], ids=["an-example", "this-host"])


def holds(program: Program, bundle: Path) -> None:
    """The bundle is whole, and a byte more would be noticed."""
    checked = program.run("check", bundle)
    assert checked.err == ""
    assert not DAMAGED.search(checked.out), checked.out
    with (bundle / "REVIEW.md").open("a") as review:
        review.write("\n")
    again = program.run("check", bundle)
    assert again.status == 1
    assert DAMAGED.search(again.out)


@contextmanager
def bundle_of(program: Program, machine: str, bundle: Path) -> Generator[Path]:
    """Where a bundle for that machine is to be written; afterwards it is looked at."""
    before = values_of_this_host(program) if machine == THIS_HOST else ""
    yield bundle
    if machine == THIS_HOST:
        checked = program.run("check", bundle)
        if checked.status == 1 and before != values_of_this_host(program):
            pytest.skip(
                "somebody changed a server or a kernel setting of this host while its bundle was made"
            )
        expected = f"{bundle}: intact, and this host matches what it was planned on\n"
        assert (checked.status, checked.out, checked.err) == (0, expected, "")
    holds(program, bundle)


def values_of_this_host(program: Program) -> str:
    """What a bundle is checked against: the kernel's settings, the servers and theirs."""
    facts = json.loads(program.run("facts").out)
    servers = {server["data_directory"]: server["settings"] for server in facts["postgres"]}
    return json.dumps([facts["kernel"]["settings"], servers], sort_keys=True)


@MACHINES
@pytest.mark.parametrize("letters", [(), ("--ascii",)], ids=["lines", "ascii"])
def test_from_the_first_page_to_a_bundle(
    program: Program, machine: str, letters: tuple[str, ...], tmp_path: Path
) -> None:
    with (
        bundle_of(program, machine, tmp_path / "bundle") as bundle,
        Walk(program, *letters, "--out", bundle) as walk,
    ):
        chosen(walk, machine)
        walk.writes()
        walk.press(ENTER)
        walk.ends()
        assert f"less {bundle}/REVIEW.md".encode() in walk.received
        assert walk.received.isascii() == bool(letters)


@MACHINES
def test_after_writing_the_review_is_read_and_the_dry_run_tried(
    program: Program, machine: str, tmp_path: Path
) -> None:
    with (
        bundle_of(program, machine, tmp_path / "bundle") as bundle,
        Walk(program, "--out", bundle) as walk,
    ):
        chosen(walk, machine)
        walk.writes()
        assert "Change bundle for" in walk.changes(b"v")
        assert "dry-run" in walk.changes(ESCAPE)
        walk.press(b"t")
        walk.see("ended with exit status")
        assert "Nothing was changed" in walk.text
        walk.press(b"q")
        walk.ends()
        assert f"tunewiz --reopen {bundle}".encode() in walk.received


@MACHINES
def test_line_by_line_to_a_bundle(program: Program, machine: str, tmp_path: Path) -> None:
    named = ("--demo", machine) if machine else ()
    with (
        bundle_of(program, machine, tmp_path / "bundle") as bundle,
        Walk(program, "--plain", *named, "--out", bundle) as walk,
    ):
        for _ in range(MAX_QUESTIONS):
            if walk.has_ended():
                break
            walk.press(b"\n")
        walk.ends()
        assert b"\x1b" not in walk.received
        assert f"less {bundle}/REVIEW.md".encode() in walk.received


def test_a_run_that_was_cut_off_is_gone_on_with(program: Program, tmp_path: Path) -> None:
    bundle = tmp_path / "bundle"
    with Walk(program, "--out", bundle) as walk:
        chosen(walk, DEMO)
        walk.on_to(Step.RISK)
        assert walk.hang_up() != 0
    listed = program.run("sessions")
    assert (listed.status, listed.err) == (0, "")
    assert re.search(rf"{DEMO}, at {Step.RISK}, [0-9]+ changes$", listed.out)
    with Walk(program, "--resume", "--out", bundle) as resumed:
        resumed.at(Step.RISK)
        resumed.writes()
        resumed.press(ENTER)
        resumed.ends()
    holds(program, bundle)
    assert program.run("sessions", "--remove-all").status == 0
    assert program.run("sessions").out == ""


def test_what_is_answered_by_hand_is_in_the_bundle(program: Program, tmp_path: Path) -> None:
    bundle = tmp_path / "bundle"
    with Walk(program, "--out", bundle) as walk:
        chosen(walk, DEMO)
        walk.on_to(Step.RECOMMENDATIONS)
        walk.changes(b"/")
        walk.press(b"maintenance_work_mem", ENTER)
        explained(walk)
        walk.changes(b"n")
        walk.changes(b"agreed upon", ENTER)
        walk.changes(b"e")
        walk.press(CLEAR, b"nonsense", ENTER)
        walk.see("nonsense")
        walk.changes(CLEAR, b"777MB", ENTER)
        walk.comes_back(ESCAPE)
        walk.see("777MB")
        walk.on_to(Step.REVIEW)
        summary = walk.text
        walk.changes(b"d")
        assert "+++ " in walk.text
        walk.changes(b"m")
        walk.changes(b"m")
        assert walk.text == summary
        walk.writes()
        walk.press(ENTER)
        walk.ends()
    answers = (bundle / "answers.toml").read_text()
    assert "777MB" in answers
    assert "agreed upon" in answers
    holds(program, bundle)


def explained(walk: Walk) -> None:
    """One recommendation in full, to its end and back."""
    assert not walk.step or walk.step == Step.RECOMMENDATIONS
    walk.changes(ENTER)
    assert walk.step == ""
    assert "pg.maintenance_work_mem" in walk.text
    walk.press(END, DOWN, HOME)
    walk.changes(ESCAPE)
    assert walk.step == Step.RECOMMENDATIONS


def listed(text: str) -> str:
    """Everything on the page of recommendations above the pane that explains."""
    return text[: text.rindex("─" * 80)]


def test_the_recommendation_under_the_cursor_is_declined_and_accepted_again(program: Program) -> None:
    with Walk(program, "--demo", DEMO) as walk:
        walk.at(Step.MACHINE)
        walk.on_to(Step.RECOMMENDATIONS)
        before = listed(walk.text)
        walk.changes(b" ")
        assert listed(walk.text) != before
        assert "Also out of the plan: vm.nr_hugepages." in walk.text
        walk.press(b" ")
        walk.until(lambda: listed(walk.text) == before, "the list as it was")
        assert "Also in the plan: vm.nr_hugepages." in walk.text
        walk.press(RIGHT)
        walk.at(Step.REVIEW)
        walk.press(b"q", ENTER)
        walk.ends()
