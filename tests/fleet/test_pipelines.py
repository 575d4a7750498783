"""The pipelines of docs/pipelines.md: their commands are run as they stand, in a repository of facts."""

import json
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml

from small_fleets import ANSWERS, write_host
from tools_here import path_of

PAGE = Path(__file__).parents[2] / "docs" / "pipelines.md"
BROKEN = '[[rules]]\nsetting = "host.auto_explain"\nrequire = true\nreason = "r"\nowner = "dba"\n'
NAMES = ("db1", "db2")


@cache
def blocks(language: str) -> tuple[str, ...]:
    return tuple(re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL))


def github() -> dict[Any, Any]:
    return dict(yaml.safe_load(blocks("yaml")[0]))


def gitlab() -> dict[str, Any]:
    return dict(yaml.safe_load(blocks("yaml")[1]))


@dataclass(frozen=True, kw_only=True, slots=True)
class Runner:
    """A machine of the forge: a checkout, a home of its own, and files through which steps talk."""

    checkout: Path
    home: Path

    def run(self, script: str) -> int:
        """The exit status of a step, run as the forges do."""
        path = self.home / "path"
        added = path.read_text().split() if path.exists() else []
        environment = {
            "PATH": os.pathsep.join([*added, os.environ["PATH"]]),
            "HOME": str(self.home),
            "GITHUB_PATH": str(path),
            "GITHUB_STEP_SUMMARY": str(self.home / "summary"),
            "GITHUB_BASE_REF": "main",
            "TEXTFILES": str(self.home),
            "LANG": "C.UTF-8",
        }
        command = [path_of("bash"), "-eo", "pipefail", "-c", script]
        return subprocess.run(command, cwd=self.checkout, env=environment, check=False).returncode

    def git(self, *arguments: str) -> None:
        """Run git in the checkout, without anybody's configuration."""
        author = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "init.defaultBranch=main")
        subprocess.run(
            [path_of("git"), *author, *arguments],
            cwd=self.checkout,
            check=True,
            capture_output=True,
            env={"PATH": os.environ["PATH"], "HOME": str(self.home)},
        )


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    """A pull request that has changed nothing yet."""
    checkout = tmp_path / "checkout"
    for folder in ("facts", "answers", "tools"):
        (checkout / folder).mkdir(parents=True)
    (tmp_path / "home").mkdir()
    for name in NAMES:
        write_host(checkout / "facts", name)
    (checkout / "answers" / "default.toml").write_text(ANSWERS)
    program = f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -P -m tunewiz "$@"\n'
    (checkout / "tools" / "tunewiz.pyz").write_text(program)
    made = Runner(checkout=checkout, home=tmp_path / "home")
    made.git("init", "--quiet")
    made.git("add", "--all")
    made.git("commit", "--quiet", "--message", "facts")
    made.git("update-ref", "refs/remotes/origin/main", "HEAD")
    return made


def run_github(runner: Runner) -> int:
    """The status of the job: of the first step that fails; steps for whatever happened run all the same."""
    result = 0
    for step in github()["jobs"]["plan"]["steps"]:
        if "run" in step and (result == 0 or "always()" in step.get("if", "")):
            status = runner.run(step["run"])
            result = result or status
    return result


def test_on_github_changes_pass_and_are_shown_beside_what_the_pull_request_does(runner: Runner) -> None:
    default = runner.checkout / "answers" / "default.toml"
    default.write_text(f'{ANSWERS}[decisions]\n"pg.jit" = {{ decline = true, note = "reports" }}\n')
    assert run_github(runner) == 0
    summary = (runner.home / "summary").read_text()
    assert summary.startswith("# tunewiz: plan\n\n2 hosts in 1 group.")
    _, _, shown = summary.partition("## What this change does to the plan")
    changed = [line.strip() for line in shown.splitlines() if re.match(r" {4}[-+][^-+]", line)]
    assert [line.split()[1] for line in changed if "jit" in line] == ["jit"]
    assert len([line for line in changed if "To change" not in line]) == 1
    (upload,) = [step for step in github()["jobs"]["plan"]["steps"] if "upload-sarif" in step.get("uses", "")]
    written = {path.name for path in runner.checkout.glob("plan.*")}
    assert written == {"plan.txt", "plan.md", "plan.xml", upload["with"]["sarif_file"]}


def test_on_github_a_rule_that_is_not_kept_fails(runner: Runner) -> None:
    (runner.checkout / "answers" / "policy.toml").write_text(f"schema = 1\n{BROKEN}")
    assert run_github(runner) == 4
    log = json.loads((runner.checkout / "plan.sarif").read_text())
    errors = [result for result in log["runs"][0]["results"] if result["level"] == "error"]
    assert [result["ruleId"] for result in errors] == ["policy-broken"]
    place = errors[0]["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("answers/policy.toml", 2)


def test_on_github_answers_that_cannot_be_used_fail(runner: Runner) -> None:
    (runner.checkout / "answers" / "default.toml").write_text("schema = 1\nnonsense = 1\n")
    assert run_github(runner) == 2


def test_on_gitlab_changes_are_a_warning(runner: Runner) -> None:
    job = gitlab()["plan"]
    assert runner.run("\n".join(job["script"])) in job["allow_failure"]["exit_codes"]
    for name in (*job["artifacts"]["paths"], job["artifacts"]["reports"]["junit"]):
        assert (runner.checkout / name).is_file()
    suites = ET.parse(runner.checkout / "plan.xml").getroot()  # noqa: S314 - our own
    assert [case.attrib["name"] for case in suites.iter("testcase")] == [*NAMES]


def test_on_gitlab_a_rule_that_is_not_kept_fails(runner: Runner) -> None:
    (runner.checkout / "answers" / "policy.toml").write_text(f"schema = 1\n{BROKEN}")
    assert runner.run("\n".join(gitlab()["plan"]["script"])) == 4


def test_both_run_when_facts_answers_or_policy_change_and_when_a_rule_may_have_expired() -> None:
    triggers = github()[True]  # YAML 1.1 reads `on` as true
    assert triggers["pull_request"]["paths"] == ["facts/**", "answers/**"]
    assert triggers["schedule"]
    rules = gitlab()["plan"]["rules"]
    assert rules[0]["changes"] == ["facts/**/*", "answers/**/*"]
    assert "schedule" in rules[1]["if"]


def test_drift_every_night_is_kept_and_measured(runner: Runner) -> None:
    (command,) = blocks("sh")
    assert runner.run(github()["jobs"]["plan"]["steps"][1]["run"]) == 0
    (runner.checkout / "read").mkdir()
    (runner.checkout / "facts").rename(runner.checkout / "read" / "facts")
    assert runner.run(command) == 0
    host = runner.checkout / "read" / "facts" / "db1.json"
    document = json.loads(host.read_text())
    document["postgres"][0]["settings"]["random_page_cost"]["value"] = "9"
    host.write_text(json.dumps(document))
    assert runner.run(command) == 5
    assert len(list((runner.checkout / "read" / "history").iterdir())) == 2
    assert 'changed_values{host="db1",major="15"} 1' in (runner.home / "tunewiz_fleet.prom").read_text()
    assert "| `db1` | `random_page_cost` | `4` | `9` |" in (runner.checkout / "drift.md").read_text()
