"""Where Patroni or an operator keeps the settings, the wizard writes the bundle that the command writes."""

import dataclasses
from collections.abc import Mapping
from pathlib import Path

import pytest
from textual.pilot import Pilot

from command_line import tunewiz
from rehearsal import Stage, forward_to, shown, until
from tunewiz.core.answers.machine_choice import FactsFile
from tunewiz.core.answers.steps import Step
from tunewiz.core.facts.facts import Facts
from tunewiz.core.planning.target_names import TargetName
from tunewiz.core.values.known import Known
from tunewiz.formats.records import facts_to_json
from tunewiz.knowledge.loading import demo_facts
from tunewiz.screens.write import Write
from tunewiz.wizard.outcome import ForHost, Outcome, Written, outcome_in_words

SIZE = (80, 24)
KEEPERS: Mapping[TargetName, str] = {
    "patroni": "Patroni",
    "cloudnativepg": "CloudNativePG",
    "pgo": "Crunchy Postgres for Kubernetes",
    "zalando": "Zalando Postgres Operator",
    "stackgres": "StackGres",
    "kubeblocks": "KubeBlocks",
}


def facts_kept_by(keeper: str) -> Facts:
    """The example, its server kept by somebody else."""
    facts = demo_facts("small-vm")
    if keeper == "Patroni":
        server = dataclasses.replace(facts.postgres[0], owner="patroni")
        return dataclasses.replace(facts, postgres=(server,))
    return dataclasses.replace(
        facts, owners=dataclasses.replace(facts.owners, operator=Known(keeper, "its processes"))
    )


def stage_of(keeper: str, out: Path) -> Stage:
    facts = out.parent / "facts.json"
    facts.write_text(facts_to_json(facts_kept_by(keeper)))
    return Stage(machine=FactsFile(str(facts)), out=str(out))


async def ended(pilot: Pilot[Outcome]) -> Written:
    """Write what is chosen, and end."""
    await pilot.press("enter")
    await until(pilot, lambda: "What next?" in shown(pilot.app))
    await pilot.press("enter")
    await until(pilot, lambda: pilot.app.return_value is not None)
    outcome = pilot.app.return_value
    assert isinstance(outcome, Written)
    return outcome


@pytest.mark.parametrize("target", KEEPERS)
async def test_the_bundle_of_the_keeper_is_the_one_that_the_command_writes(
    target: TargetName, tmp_path: Path
) -> None:
    out, facts = tmp_path / "wizard", tmp_path / "facts.json"
    wizard = stage_of(KEEPERS[target], out).wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.WRITE)
        assert "Which target?" in shown(wizard)
        outcome = await ended(pilot)
    done = tunewiz(
        *("bundle", "--facts", facts, "--answers", out / "answers.toml", "--target", target),
        *("-o", tmp_path / "command"),
    )
    assert (done.status, done.err) == (0, "")
    assert (out / "SHA256SUMS").read_bytes() == (tmp_path / "command/SHA256SUMS").read_bytes()
    by_command = done.out.replace(str(tmp_path / "command"), str(out))
    assert outcome_in_words(outcome) == f"{by_command}again    tunewiz --reopen {out}"


async def test_the_host_alone_can_be_chosen_instead(tmp_path: Path) -> None:
    wizard = stage_of("Patroni", tmp_path / "bundle").wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.WRITE)
        await pilot.press("down", "end", "space")
        await until(pilot, lambda: "host/" not in shown(wizard))
        await pilot.press("up", "up", "up")
        outcome = await ended(pilot)
    assert isinstance(outcome.made_for, ForHost)
    assert "--target patroni" in outcome_in_words(outcome)


async def test_a_server_that_nobody_else_keeps_has_no_such_question(tmp_path: Path) -> None:
    wizard = Stage(out=str(tmp_path / "bundle")).wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.WRITE)
        assert "Which target?" not in shown(wizard)
        assert isinstance((await ended(pilot)).made_for, ForHost)


async def test_a_directory_that_exists_is_left_alone_and_another_can_be_typed(tmp_path: Path) -> None:
    (tmp_path / "bundle").mkdir()
    wizard = stage_of("CloudNativePG", tmp_path / "bundle").wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.WRITE)
        await pilot.press("enter")
        await until(pilot, lambda: "exists" in shown(wizard).replace("that exists", ""))
        assert isinstance(wizard.screen, Write)
        await pilot.press("end", "2")
        outcome = await ended(pilot)
    assert (tmp_path / "bundle2/patch.yaml").exists()
    assert not list((tmp_path / "bundle").iterdir())
    assert outcome.directory.endswith("bundle2")


async def test_an_operators_bundle_has_no_dry_run_and_says_so(tmp_path: Path) -> None:
    wizard = stage_of("CloudNativePG", tmp_path / "bundle").wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.WRITE)
        await pilot.press("enter")
        await until(pilot, lambda: "What next?" in shown(wizard))
        await pilot.press("t")
        await until(pilot, lambda: "has no apply.sh" in shown(wizard))
        await pilot.press("v")
        await until(pilot, lambda: "Change bundle for CloudNativePG" in shown(wizard))
