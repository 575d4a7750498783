"""Whatever was read of a machine, the wizard shows all of its pages: enter alone leads to the last."""

from pathlib import Path

import pytest

from every_page import facts_named, machine_names
from rehearsal import Stage, shown, walked_to
from tunewiz.core.answers.machine_choice import ThisHost
from tunewiz.core.answers.steps import QUESTIONS, Step

SIZE = (80, 24)


@pytest.mark.parametrize(
    "machine",
    [
        pytest.param(name, marks=pytest.mark.slow if name.startswith("capture ") else ())
        for name in machine_names()
    ],
)
async def test_enter_alone_leads_to_the_last_page(machine: str, tmp_path: Path) -> None:
    facts = facts_named(machine)
    wizard = Stage(machine=ThisHost(), host=lambda _progress: facts, out=str(tmp_path / "bundle")).wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await walked_to(pilot, Step.WRITE, facts)
        assert QUESTIONS[Step.WRITE] in shown(wizard)
