"""The work_mem of a role is lowered where no memory bears it; nothing else of roles is touched."""

import dataclasses
from pathlib import Path

import pytest

from pretend_root import DATA
from small_bundles import bundle_of
from small_plans import small_answers, small_facts
from tunewiz.catalogue.role_work_mem import RECOMMENDATION, actions, decide
from tunewiz.core.answers.answers import Accepted
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.server import Override
from tunewiz.core.planning.plan import plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.verdicts import Declined, Proposal
from tunewiz.core.values.known import Known, Unknown
from tunewiz.kinds.role import RoleSetting
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import situation_of
from tunewiz.wizard.outcome import Written, outcome_in_words

REPORTS = Override(database="", role="reports", name="work_mem", value="128GB")
NIGHTLY = Override(database="shop", role="nightly load", name="work_mem", value="100GB")


def facts(*overrides: Override, os_user: str = "postgres") -> Facts:
    """64 GB of memory, and these settings of roles and databases."""
    return small_facts(
        Given(memory="64GB"),
        overrides=Known(overrides, "test"),
        include_directory=Known(f"{DATA}/conf.d", "test"),
        os_user=Known(os_user, "test"),
    )


def situation(*overrides: Override, os_user: str = "postgres") -> Situation:
    return situation_of(facts(*overrides, os_user=os_user), small_answers(), load_knowledge())


def test_each_role_beyond_the_memory_is_lowered_where_it_is_set() -> None:
    present = situation(REPORTS, dataclasses.replace(NIGHTLY, value="4GB"), NIGHTLY)
    verdict = decide(present)
    assert isinstance(verdict, Proposal)
    size, _, whose = verdict.value.partition(" ")
    assert whose == "for the role reports and 1 more"
    assert (verdict.before, verdict.ticked) == ("128GB, 100GB", False)
    assert actions(present, verdict.value) == (
        RoleSetting(role="reports", database="", name="work_mem", value=size, before="128GB"),
        RoleSetting(role="nightly load", database="shop", name="work_mem", value=size, before="100GB"),
    )
    assert all(
        not action.why_not for action in actions(present, verdict.value) if isinstance(action, RoleSetting)
    )


def test_the_value_leaves_room_for_everything_else() -> None:
    present = situation(REPORTS)
    verdict = decide(present)
    assert isinstance(verdict, Proposal)
    info = present.settings["work_mem"]
    assert info.size("1MB") < info.size(verdict.value.partition(" ")[0]) < present.memory // 2


@pytest.mark.parametrize(
    "changed",
    [
        {"value": "64GB"},
        {"value": "8MB"},
        {"value": "much"},
        {"name": "maintenance_work_mem"},
        {"role": ""},
        {"role": "postgres"},
        {"role": "pgadmin"},
    ],
    ids=str,
)
def test_what_the_memory_bears_or_who_maintains_the_server_is_left_alone(changed: dict[str, str]) -> None:
    present = situation(dataclasses.replace(REPORTS, **changed), os_user="pgadmin")
    verdict = decide(present)
    assert isinstance(verdict, Declined)
    assert verdict.kind == "keep"
    assert actions(present, "1GB") == ()


def test_settings_of_roles_that_were_not_read_are_left_alone() -> None:
    assert (
        actions(situation_of(small_facts(overrides=Unknown("no")), small_answers(), load_knowledge()), "")
        == ()
    )


def test_a_person_who_accepts_it_gets_a_bundle_that_names_role_and_undo(tmp_path: Path) -> None:
    chosen = dataclasses.replace(small_answers(), decisions={RECOMMENDATION.id: Accepted()})
    plan = plan_of((RECOMMENDATION,), situation_of(facts(REPORTS, NIGHTLY), chosen, load_knowledge()))
    made = bundle_of(plan, tmp_path / "bundle")
    steps = [
        line for line in (made / "steps.txt").read_text().splitlines() if line.startswith("rolesetting|")
    ]
    assert [step.split("|")[1:5] for step in steps] == [
        ["reports", "", "work_mem", "128GB"],
        ["nightly load", "shop", "work_mem", "100GB"],
    ]
    review = (made / "REVIEW.md").read_text()
    assert "for the role nightly load in the database shop (ALTER ROLE)." in review
    assert "`sudo sh apply.sh --confirm-within 10 --watcher`" in review
    printed = outcome_in_words(Written(directory="b", plan=plan))
    assert "apply.sh --confirm-within 10 --watcher" in printed
    assert "after a reboot nothing is reverted by itself" in printed


@pytest.mark.parametrize(
    ("overrides", "size"),
    [
        ((REPORTS, NIGHTLY), "1 change (2 settings of roles counted as 1), no restart"),
        ((REPORTS,), "1 change, no restart"),
    ],
)
def test_a_change_of_several_roles_says_how_many_settings_the_scripts_count(
    overrides: tuple[Override, ...], size: str, tmp_path: Path
) -> None:
    chosen = dataclasses.replace(small_answers(), decisions={RECOMMENDATION.id: Accepted()})
    plan = plan_of((RECOMMENDATION,), situation_of(facts(*overrides), chosen, load_knowledge()))
    assert size in (bundle_of(plan, tmp_path / "bundle") / "REVIEW.md").read_text()
    assert size in outcome_in_words(Written(directory="b", plan=plan))


def test_nobody_who_accepts_nothing_has_a_role_changed(tmp_path: Path) -> None:
    plan = plan_of((RECOMMENDATION,), situation(REPORTS))
    made = bundle_of(plan, tmp_path / "bundle")
    assert "rolesetting|" not in (made / "steps.txt").read_text()
    assert "--watcher" not in outcome_in_words(Written(directory="b", plan=plan))
