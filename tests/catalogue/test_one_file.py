"""A new recommendation is one file: no list beside it has to name it."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tunewiz.catalogue import recommendations

CHECKOUT = Path(__file__).resolve().parents[2]
NEW = """
from tunewiz.core.recommendation.recommendation import Example, Explanation, Recommendation, Sets
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Proposal, RiskLevel, Verdict


def decide(now: Situation) -> Verdict:
    return Proposal(value="2s", because="a test proposes it", computed="2 x 1 s = 2 s")


RECOMMENDATION = Recommendation(
    id="pg.deadlock_timeout",
    title="Wait longer before looking for deadlocks",
    group="connections",
    target=PgTarget(name="deadlock_timeout"),
    explanation=Explanation(changes="c", helps="h", leave_alone="l", costs="c", watch="w"),
    pros=("it is one file",),
    cons=("it is a test's",),
    risk=RiskLevel.LOW,
    basis="well understood",
    cites=(),
    decide=decide,
    examples=(Example(name="always", given=Given(), outcome=Sets(value="2s")),),
)
"""
ANSWERS = """
schema = 1
[workload]
kind = "oltp"
connections = 100
database_size = "100GB"
[risk]
posture = "balanced"
restart = true
"""
RUN = """
import sys
import tunewiz.catalogue
tunewiz.catalogue.__path__.append(sys.argv.pop(1))
from tunewiz.cli import run
raise SystemExit(run())
"""


def run(folder: Path, *arguments: str | Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", RUN, folder, *arguments],
        env={**os.environ, "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Holds the new file and nothing else."""
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "pg_deadlock_timeout.py").write_text(NEW)
    return tmp_path / "new"


def test_a_new_file_is_explained_planned_and_carried_out(folder: Path, tmp_path: Path) -> None:
    assert "Wait longer before looking for deadlocks" in run(folder, "explain", "pg.deadlock_timeout")
    assert re.search(r"deadlock_timeout +\(1s\) +-> +2s", run(folder, "plan", "--demo", "nvme-server"))
    plan = json.loads(run(folder, "plan", "--demo", "nvme-server", "--json"))
    (actual,) = (
        recommendation
        for recommendation in plan["recommendations"]
        if recommendation["id"] == "pg.deadlock_timeout"
    )
    assert (actual["state"], actual["proposed"]) == ("change", "2s")

    answers = tmp_path / "answers.toml"
    answers.write_text(ANSWERS)
    run(folder, "bundle", "--demo", "nvme-server", "--answers", answers, "-o", tmp_path / "bundle")
    assert "`deadlock_timeout`" in (tmp_path / "bundle" / "REVIEW.md").read_text()
    assert "setting|deadlock_timeout|" in (tmp_path / "bundle" / "steps.txt").read_text()


def test_no_code_but_the_catalogue_names_a_recommendation() -> None:
    ids = re.compile("|".join(rf'"{re.escape(recommendation.id)}"' for recommendation in recommendations()))
    kernel_settings = CHECKOUT / "tunewiz" / "collect" / "kernel" / "settings.py"  # the kernel's own names
    beside = [
        file.relative_to(CHECKOUT)
        for folder in ("tunewiz", "screens")
        for file in (CHECKOUT / folder).rglob("*.py")
        if "catalogue" not in file.parts and file != kernel_settings and ids.search(file.read_text())
    ]
    assert beside == []
