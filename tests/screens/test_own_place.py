"""A place that a person gives in the place of advice: the bundle then does what the advice told."""

import dataclasses
from pathlib import Path

from command_line import tunewiz
from rehearsal import Stage, at, forward_to, shown, until
from tunewiz.core.answers.answers import Answers, Replaced, ServerAnswers, Workload
from tunewiz.core.answers.steps import Step
from tunewiz.core.values.units import GIB, Bytes
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.screens.recommendations import Recommendations

ONE_DISK = Answers(
    workload=Workload(kind="oltp", connections=50, database_size=Bytes(50 * GIB)),
    server=ServerAnswers(storage="hdd"),
)
"""Data and log share a disk that turns: the log on another one is advised."""
MOVED = """schema = 1
[workload]
kind = "oltp"
connections = 50
database_size = "50GB"
[server]
storage = "hdd"
[decisions]
"storage.wal_disk" = { set = "/wal/main" }
"""


async def test_a_place_for_the_log_is_asked_for_in_words_and_taken() -> None:
    stage = Stage(answers=ONE_DISK)
    wizard = stage.wizard()
    async with wizard.run_test(size=(80, 24)) as pilot:
        await forward_to(pilot, Step.RECOMMENDATIONS)
        page = wizard.screen
        assert isinstance(page, Recommendations)
        await pilot.press("/", *"wal_disk", "enter", "home")
        await until(pilot, lambda: page.advice.key == "storage.wal_disk")
        await pilot.press("e")
        await pilot.pause()
        assert "absent or empty: the bundle does the rest" in " ".join(shown(wizard).split())
        await pilot.press(*"/wal", "enter")
        await pilot.pause()
        assert "expected a directory below a mount point" in " ".join(shown(wizard).split())
        await pilot.press(*"/main", "enter")
        await until(
            pilot,
            lambda: (
                stage.sessions[-1].answers.decisions.get("storage.wal_disk") == Replaced(value="/wal/main")
            ),
        )
        await at(pilot, Step.RECOMMENDATIONS)
        assert "/wal/main" in shown(wizard)


def test_the_answers_do_the_same_without_the_wizard(tmp_path: Path) -> None:
    answers = tmp_path / "answers.toml"
    answers.write_text(MOVED)
    assert tunewiz("bundle", "--demo", "small-vm", "--answers", answers, "-o", tmp_path / "b").status == 0
    assert "/pg_wal|/wal/main\n" in (tmp_path / "b" / "steps.txt").read_text()


async def test_the_review_tells_the_restart_that_the_move_takes() -> None:
    moved = dataclasses.replace(ONE_DISK, decisions={"storage.wal_disk": Replaced(value="/wal/main")})
    only = tuple(
        recommendation
        for recommendation in load_knowledge().catalogue
        if recommendation.id == "storage.wal_disk"
    )
    stage = Stage(answers=moved, knowledge=lambda: dataclasses.replace(load_knowledge(), catalogue=only))
    wizard = stage.wizard()
    async with wizard.run_test(size=(80, 24)) as pilot:
        await forward_to(pilot, Step.REVIEW)
        text = shown(wizard)
    assert "directory of the WAL" in text or "wal_disk" in text
    assert "restart" in text
    assert "then a connection proves that it is up" in " ".join(text.split())
