"""What is printed on the terminal that the wizard gave back: short lines that can be copied."""

import dataclasses

import pytest

from rehearsal import Stage
from small_plans import small_answers, small_facts, small_plan
from tunewiz.bundle.placing import placed
from tunewiz.bundle.review.guarding import guard_is_first, has_guard
from tunewiz.core.answers.steps import Step
from tunewiz.core.recommendation.verdicts import RiskLevel
from tunewiz.core.values.known import Absent, Known, MaybeFact, Unknown
from tunewiz.session.record import Session
from tunewiz.wizard.outcome import (
    Dropped,
    FleetWritten,
    Kept,
    Outcome,
    Written,
    bundle_name,
    conclude,
    outcome_in_words,
)

TERMINAL = 80


def test_the_next_commands_are_told_after_a_bundle() -> None:
    lines = outcome_in_words(Written(directory="db1-2026-11-21", plan=small_plan(small_facts()))).splitlines()
    assert lines[1] == "review   less db1-2026-11-21/REVIEW.md"
    assert lines[2] == "page     tunewiz review db1-2026-11-21  (or open REVIEW.html)"
    assert lines[4] == "apply    sudo sh db1-2026-11-21/apply.sh --confirm-within 30 --guard"
    assert lines[5] == "guard    watches 1 min before, 5 after; rolls back if unhealthy, else confirm"
    assert lines[6] == "confirm  sudo sh db1-2026-11-21/apply.sh --confirm  (from a new login)"
    assert all(len(line) <= TERMINAL for line in lines)


GUARDED = "sudo sh db1/apply.sh --confirm-within 30 --guard"
PLAIN = "apply    sudo sh db1/apply.sh --confirm-within 10"


@pytest.mark.parametrize(
    ("wanted", "commands"),
    [
        ({"pg.work_mem": "24MB"}, [PLAIN, f"or       {GUARDED}"]),
        ({"pg.work_mem": "24MB", "pg.shared_buffers": "256MB"}, [f"apply    {GUARDED}"]),
        ({"kernel.dirty_bytes": "536870912"}, [PLAIN]),
    ],
    ids=["a reload", "a restart", "the host alone"],
)
def test_the_guard_is_named_first_for_a_restart_and_not_at_all_without_a_server(
    wanted: dict[str, str], commands: list[str]
) -> None:
    lines = outcome_in_words(Written(directory="db1", plan=small_plan(small_facts(), wanted))).splitlines()
    assert [line for line in lines if "--confirm-within" in line] == commands
    assert any(line.startswith("guard ") for line in lines) == any("--guard" in line for line in commands)


@pytest.mark.parametrize("risk", RiskLevel)
def test_the_guard_is_named_first_for_what_is_risky(risk: RiskLevel) -> None:
    placement = placed(small_plan(small_facts(), {"pg.work_mem": "24MB"}))
    (setting,) = placement.settings
    recommendation = dataclasses.replace(setting.finding.recommendation, risk=risk)
    finding = dataclasses.replace(setting.finding, recommendation=recommendation)
    placement = dataclasses.replace(placement, settings=(dataclasses.replace(setting, finding=finding),))
    assert has_guard(placement)
    assert guard_is_first(placement) == (risk is not RiskLevel.LOW)


@pytest.mark.parametrize(
    ("systemd", "options", "note"),
    [
        (Known(True, "logind.conf"), "--confirm-within 30 --guard", ""),  # noqa: FBT003 - a fact's value
        (
            Absent("no /run/systemd/system"),
            "--confirm-within 30 --watcher --guard",
            "no systemd here: after a reboot",
        ),
        (Unknown("not looked for"), "--confirm-within 30 --guard", "without systemd: plain apply.sh"),
    ],
)
def test_the_command_to_apply_can_be_reverted_where_it_is_run(
    systemd: MaybeFact[bool], options: str, note: str
) -> None:
    facts = small_facts()
    facts = dataclasses.replace(facts, owners=dataclasses.replace(facts.owners, removes_ipc=systemd))
    lines = outcome_in_words(Written(directory="db1", plan=small_plan(facts))).splitlines()
    assert f"apply    sudo sh db1/apply.sh {options}" in lines
    notes = [line for line in lines if line.startswith("note ")]
    assert len(notes) == bool(note)
    assert all(note in line for line in notes)


def test_only_a_written_bundle_of_a_host_leaves_a_visit_and_only_left_on_purpose_leaves_a_session() -> None:
    host = Written(directory="db1", plan=small_plan(small_facts()))
    fleet = FleetWritten(directory="all", words="")
    left = [_concluded(outcome) for outcome in (host, fleet, Dropped(), Kept(), None)]
    assert left == [(0, 1), (0, 0), (0, 0), (1, 0), (1, 0)]


def _concluded(outcome: Outcome | None) -> tuple[int, int]:
    """How many sessions and visits are left."""
    stage = Stage()
    facts = small_facts()
    stage.sessions.append(Session(facts=facts, as_read=facts, answers=small_answers(), step=Step.WRITE))
    conclude(stage.ports(), outcome)
    return len(stage.sessions), len(stage.visits)


def test_a_bundle_without_changes_names_no_command_to_apply_it() -> None:
    lines = outcome_in_words(Written(directory="db1", plan=small_plan(small_facts(), {}))).splitlines()
    assert lines[0] == "bundle   db1  (0 changes, no restart)"
    assert lines[3].startswith("note     there is nothing to apply")
    assert not any("apply.sh" in line for line in lines)


def test_a_directory_with_blanks_is_quoted() -> None:
    assert "'my bundle'/apply.sh" in outcome_in_words(
        Written(directory="my bundle", plan=small_plan(small_facts()))
    )


def test_a_directory_that_would_steer_the_terminal_is_spelt_out() -> None:
    steps = outcome_in_words(Written(directory="a\x1b]0;x\x07\u202eb", plan=small_plan(small_facts())))
    assert "'a\\x1b]0;x\\x07\\u202eb'/apply.sh" in steps
    assert all(line.isprintable() for line in steps.splitlines())


def test_leaving_tells_that_nothing_was_changed() -> None:
    assert "tunewiz --resume" in outcome_in_words(Kept())
    assert outcome_in_words(Dropped()) == "Nothing was changed."


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("db1", "db1-2026-11-21"),
        ("db1.example.org", "db1.example.org-2026-11-21"),
        ("../../etc", "etc-2026-11-21"),
        ("a b/c", "a-b-c-2026-11-21"),
        ("...", "host-2026-11-21"),
        ("", "host-2026-11-21"),
        ("h" * 300, f"{'h' * 64}-2026-11-21"),
    ],
)
def test_a_bundle_is_named_after_its_host_and_day(host: str, expected: str) -> None:
    assert bundle_name(host, "2026-11-21") == expected


@pytest.mark.parametrize(("owner", "target"), [("patroni", "patroni"), ("debian", "")])
def test_what_keeps_the_settings_is_given_a_bundle_of_its_own(owner: str, target: str) -> None:
    plan = small_plan(small_facts(owner=owner))
    lines = outcome_in_words(Written(directory="db1", plan=plan)).splitlines()
    made_of = f"tunewiz bundle --facts db1/facts.json --answers db1/answers.toml --target {target}"
    result = [line for line in lines if line.startswith("settings ")]
    assert result == ([f"settings {made_of} -o db1-{target}"] if target else [])
