"""A new kind of action is one folder: no list, no case and no other module has to name it."""

import dataclasses
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pretend_root import PretendRoot, make_root
from small_plans import small_answers, small_facts
from tunewiz.catalogue import recommendations
from tunewiz.core.answers.answers import Refused
from tunewiz.formats.records import answers_to_toml, facts_to_json

CHECKOUT = Path(__file__).resolve().parents[2]
PACKAGE = CHECKOUT / "tunewiz"

PYTHON = '''
"""A notice that is shown before anyone logs in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tunewiz.core.recommendation.actions import HostAction, Row


@dataclass(frozen=True, kw_only=True, slots=True)
class Notice(HostAction):
    """One line, in a file of its own."""

    path: str
    text: str

    @property
    def action_in_words(self) -> str:
        return f"Writes the notice {self.path}"

    @property
    def why_not(self) -> str:
        return "" if self.path.startswith("/etc/") else f"{self.path!r} is no place for a notice"

    @property
    def usage(self) -> tuple[str, ...]:
        return ("Read the notice at the next login.",)

    def rows_before_files(self) -> Iterator[Row]:
        yield "notice", self.path, self.text
'''
SHELL = """# shellcheck shell=dash disable=SC2034 # the scripts read its variables
# A notice. A step is  notice|PATH|TEXT.

name_notice() {
    NAME=$F1
}

keep_notice() {
    :
}

check_notice() {
    check_writable "${F1%/*}/"
}

state_notice() {
    BEFORE='no notice' FOUND=$BEFORE STANDS=before
    [ -e "$ROOT$F1" ] || return 0
    FOUND='another notice' STANDS=other
    [ "$(cat "$ROOT$F1")" != "$F2" ] || STANDS=after
}

do_notice() {
    doing "write the notice $F1" || return 0
    printf '%s\\n' "$F2" >"$ROOT$F1"
}

undo_notice() {
    doing "remove the notice $F1" || return 0
    rm "$ROOT$F1"
}

verify_notice() {
    state_notice "$1"
    VALUE=
    [ "$STANDS" != after ] || VALUE=$F2
    tell notice "$F1" "$F2" "$VALUE" "$VALUE" "$F1" ''
}
"""
RECOMMENDATION = """
from tunewiz.core.recommendation.recommendation import Explanation, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import HostTarget
from tunewiz.core.recommendation.verdicts import Proposal, RiskLevel, Verdict
from tunewiz.kinds.notice import Notice


def decide(now: Situation) -> Verdict:
    return Proposal(value="shown", because="a test wants it", computed="by hand", before="none")


def actions(now: Situation, _: str):
    return (Notice(path="/etc/notice", text="tuned; ask first"),)


RECOMMENDATION = Recommendation(
    id="host.notice",
    title="Tell who logs in that the server is tuned",
    group="host",
    target=HostTarget(name="notice"),
    explanation=Explanation(changes="c", helps="h", leave_alone="l", costs="c", watch="w"),
    pros=("it is one folder",),
    cons=("it is a test's",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(),
    decide=decide,
    actions=actions,
    examples=(),
)
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Holds a copy of the package with one folder more, and a recommendation that uses it."""
    home = tmp_path_factory.mktemp("copy")
    shutil.copytree(PACKAGE, home / "tunewiz", ignore=shutil.ignore_patterns("__pycache__"))
    folder = home / "tunewiz" / "kinds" / "notice"
    folder.mkdir()
    (folder / "__init__.py").write_text(PYTHON)
    (folder / "notice.sh").write_text(SHELL)
    (home / "tunewiz" / "catalogue" / "host_notice.py").write_text(RECOMMENDATION)
    facts = small_facts()
    declined = {
        recommendation.id: Refused(note="a test looks at the new one alone")
        for recommendation in recommendations()
    }
    answers = dataclasses.replace(small_answers(), decisions=declined)
    (home / "facts.json").write_text(facts_to_json(facts))
    (home / "answers.toml").write_text(answers_to_toml(answers))
    return home


def run(home: Path, *arguments: str) -> str:
    inputs = ("--facts", "facts.json", "--answers", "answers.toml")
    done = subprocess.run(
        [sys.executable, "-m", "tunewiz", arguments[0], *inputs, *arguments[1:]],
        cwd=home,
        env={**os.environ, "PYTHONPATH": str(home), "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def bundle(home: Path) -> Path:
    run(home, "bundle", "-o", "bundle")
    return home / "bundle"


def test_it_is_planned(home: Path) -> None:
    assert re.search(r"notice +\(?none\)? +-> +shown", run(home, "plan"))


def test_it_is_reviewed(bundle: Path) -> None:
    review = (bundle / "REVIEW.md").read_text()
    assert "Writes the notice /etc/notice." in review
    assert "Read the notice at the next login." in review
    assert 'name = "Writes the notice /etc/notice"' in (bundle / "manifest.toml").read_text()


def test_it_is_rendered(bundle: Path) -> None:
    assert "notice|/etc/notice|tuned\\0073 ask first" in (bundle / "steps.txt").read_text().splitlines()
    assert (bundle / "lib" / "notice.sh").read_text() == SHELL


def test_it_is_applied_verified_and_taken_back(bundle: Path, tmp_path: Path) -> None:
    machine = make_root(tmp_path)
    before = machine.tree()
    assert "would write the notice /etc/notice" in machine.run(bundle / "apply.sh", "--dry-run").out
    assert machine.tree() == before
    applied = machine.run(bundle / "apply.sh")
    assert (applied.status, applied.err) == (0, "")
    assert machine.read("/etc/notice") == "tuned; ask first\n"
    verified = machine.run(bundle / "verify.sh")
    assert (verified.status, "as planned  /etc/notice" in verified.out) == (0, True)
    assert machine.run(bundle / "apply.sh").status == 3
    restored = machine.run(bundle / "rollback.sh")
    assert (restored.status, restored.err) == (0, "")
    assert machine.tree() == before


def applied_machine(bundle: Path, directory: Path) -> PretendRoot:
    machine = make_root(directory)
    assert machine.run(bundle / "apply.sh").status == 0
    return machine


def test_what_others_made_of_it_is_left_alone(bundle: Path, tmp_path: Path) -> None:
    machine = applied_machine(bundle, tmp_path)
    machine.write("/etc/notice", "theirs\n")
    assert machine.run(bundle / "verify.sh").status == 1
    ran = machine.run(bundle / "rollback.sh")
    assert (ran.status, "/etc/notice (another notice)" in ran.err) == (4, True)
    assert machine.read("/etc/notice") == "theirs\n"


def test_a_step_of_a_kind_without_a_part_is_refused(bundle: Path, tmp_path: Path) -> None:
    machine, poorer = make_root(tmp_path), tmp_path / "poorer"
    shutil.copytree(bundle, poorer)
    (poorer / "lib" / "notice.sh").write_text("# nothing\n")
    sums = (poorer / "SHA256SUMS").read_text()
    results = ["sha256sum", "lib/notice.sh"]
    own = subprocess.run(results, cwd=poorer, capture_output=True, text=True, check=True).stdout
    (poorer / "SHA256SUMS").write_text(re.sub(r".*  lib/notice\.sh\n", own, sums))
    ran = machine.run(poorer / "apply.sh")
    assert (ran.status, "found the unknown kind notice" in ran.err) == (2, True)


def test_a_part_that_the_checksums_do_not_hold_is_not_read(bundle: Path, tmp_path: Path) -> None:
    machine, richer = make_root(tmp_path), tmp_path / "richer"
    shutil.copytree(bundle, richer)
    (richer / "lib" / "extra.sh").write_text(f"true >'{tmp_path}/read'\n")
    assert machine.run(richer / "apply.sh", "--dry-run").status == 0
    assert not (tmp_path / "read").exists()


def test_a_part_of_a_name_that_is_taken_is_refused(home: Path) -> None:
    taken = home / "tunewiz" / "kinds" / "notice" / "swap.sh"
    taken.write_text("# another\n")
    results = [sys.executable, "-c", "from tunewiz.bundle.parts import parts; parts()"]
    done = subprocess.run(results, cwd=home, capture_output=True, text=True, check=False)
    taken.unlink()
    assert (done.returncode, "two parts of the scripts have the name swap.sh" in done.stderr) == (1, True)
