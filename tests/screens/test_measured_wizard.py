"""A measurement of this server on the pages: evidence, ticks, the review, and when it does not count."""

import dataclasses
from pathlib import Path

from textual.pilot import Pilot

from recognizable_machine import DEMO, recognizable, unmeasured
from rehearsal import Stage, forward_to, shown, until
from synthetic_proofs import told
from tunewiz.core.answers.machine_choice import SavedSession, ThisHost, WrittenBundle
from tunewiz.core.answers.questions import CONNECTIONS
from tunewiz.core.answers.steps import Step
from tunewiz.core.proof.named_proof import NamedProof
from tunewiz.core.proof.proof import Verdict
from tunewiz.screens.written import WrittenPage
from tunewiz.tui.app import Wizard
from tunewiz.wizard.outcome import Outcome

SIZE = (120, 40)
NOT_COUNTED = "The measurement does not count for this plan"


def measured(verdict: Verdict) -> NamedProof:
    return NamedProof(file="/none/proof.json", proof=told(unmeasured().plan, verdict))


def staged(verdict: Verdict, out: Path) -> Stage:
    """A wizard on a machine that was measured."""
    return Stage(
        machine=ThisHost(), host=lambda _progress: recognizable(), proof=measured(verdict), out=str(out)
    )


def words(wizard: Wizard) -> str:
    """What is shown, unwrapped."""
    return " ".join(shown(wizard).split())


async def forward(pilot: Pilot[Outcome], step: Step) -> None:
    await forward_to(pilot, step, DEMO)


async def test_a_plan_that_hurt_is_reviewed_and_written_with_its_measurement(tmp_path: Path) -> None:
    wizard = staged("hurt", tmp_path / "bundle").wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward(pilot, Step.REVIEW)
        await until(pilot, lambda: "throughput x 0.90" in shown(wizard))
        await pilot.press("enter", "enter")
        await until(pilot, lambda: isinstance(wizard.screen, WrittenPage))
    assert "hurt" in (tmp_path / "bundle/PROOF.md").read_text()


async def test_the_evidence_of_what_was_measured_is_this_server(tmp_path: Path) -> None:
    wizard = staged("helped", tmp_path / "bundle").wizard()
    async with wizard.run_test(size=(80, 24)) as pilot:
        await forward(pilot, Step.RECOMMENDATIONS)
        await until(pilot, lambda: "✓ helped ≡" in shown(wizard))
        await until(pilot, lambda: "throughput x 1.12 (95 %: 1.07 to 1.18): it helped" in shown(wizard))


async def test_a_measurement_of_other_answers_is_told_on_the_first_page_and_in_the_review(
    tmp_path: Path,
) -> None:
    stage = staged("hurt", tmp_path / "bundle")
    stage.answers = CONNECTIONS.taken(unmeasured().answers, "2000")
    wizard = stage.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: f"{NOT_COUNTED}: proof.json: bundle" in words(wizard))
        await forward(pilot, Step.REVIEW)
        await until(pilot, lambda: "! measured" in shown(wizard))


async def test_a_session_goes_on_with_a_measurement_that_is_gone_and_says_so() -> None:
    session = dataclasses.replace(unmeasured().session(Step.RECOMMENDATIONS), proof=measured("hurt"))
    stage = Stage(machine=SavedSession(), sessions=[session])
    wizard = stage.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "goes on with the measurement as it was" in words(wizard))
        await until(pilot, lambda: len(stage.sessions) > 1)
    assert stage.sessions[-1].proof == session.proof


async def test_a_bundle_with_a_measurement_is_reopened_with_it(tmp_path: Path) -> None:
    wizard = staged("hurt", tmp_path / "bundle").wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward(pilot, Step.WRITE)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(wizard.screen, WrittenPage))
    stage = Stage(machine=WrittenBundle(str(tmp_path / "bundle")))
    wizard = stage.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: bool(stage.sessions))
        await pilot.press("right")
        await until(pilot, lambda: "throughput x 0.90" in shown(wizard))


async def test_another_machine_that_is_chosen_is_refused_and_the_first_page_asks_again() -> None:
    wizard = Stage(proof=measured("hurt")).wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "host.identity: found aaaaaaaaaaaa" in shown(wizard))
        assert "Which machine" in shown(wizard)
