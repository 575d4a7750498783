"""Pictures of the pages about many servers at 80x24 and 120x40; looked at when they change."""

import dataclasses
import shutil
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TypeAlias

import pytest
from textual.pilot import Pilot

from rehearsal import Stage, forward_to, shown, until
from small_fleets import fleet_of, write_answers, write_host
from tunewiz.core.answers.machine_choice import FactsFile
from tunewiz.core.answers.steps import Step
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.known import Known
from tunewiz.fleet.write import write_fleet
from tunewiz.formats.records import facts_to_json
from tunewiz.knowledge.loading import demo_facts
from tunewiz.tui.app import Wizard
from tunewiz.wizard.outcome import Outcome
from tunewiz.wizard.ports import AskMachine, WizardStart

Snap: TypeAlias = Callable[..., bool]
Size: TypeAlias = tuple[int, int]
Act: TypeAlias = Callable[[Pilot[Outcome]], Awaitable[None]]
AT_ANY_SIZE = pytest.mark.parametrize(
    "size", [(80, 24), pytest.param((120, 40), marks=pytest.mark.slow)], ids=["80x24", "120x40"]
)
BEGAN = 4_102_444_800
"""In the year 2100: what is not confirmed is not due to revert yet."""
LONG_AGO = 1_700_000_000

DECLINED = """schema = 1
[decisions]
"pg.max_wal_size" = { decline = true, note = "a small disk for WAL" }
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Facts, answers and the written project.

    Two groups, an outlier, a value that drifted, two hosts of one machine, and a file that is cut.
    """
    directory = tmp_path_factory.mktemp("fleet")
    facts = directory / "facts"
    facts.mkdir()
    for number in range(6):
        write_host(facts, f"eu-db{number}", Given(memory="96GB" if number % 2 else "64GB"))
    for number in range(2):
        write_host(facts, f"reports{number}", Given(major="16"))
    (facts / "cut.json").write_text('{"schema": 1,')
    (facts / "eu-db9.json").write_text((facts / "eu-db5.json").read_text())
    write_host(facts, "eu-db7", Given(memory="64GB"), system_identifier=Known("7", "test"))
    answers = write_answers(directory / "answers", {"hosts/eu-db7.toml": DECLINED})
    write_fleet(fleet_of(facts, answers), answers, directory / "rollout", lambda _: None)
    for records in ("rollout", "failed", "drift"):
        (directory / "rollout/ansible" / records).mkdir()
    return directory


@pytest.fixture
def fleet(made: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The directory of facts, as it is typed."""
    monkeypatch.chdir(made)
    return "facts"


def wizard_of(fleet: str) -> Wizard:
    return Wizard(
        WizardStart(ports=Stage().ports(), machine=AskMachine(), fleet=fleet, fleet_answers="answers")
    )


def is_shown(pilot: Pilot[Outcome], wanted: str) -> bool:
    return wanted in shown(pilot.app)


def sees(*steps: str) -> Act:
    """Press and wait in turn: what begins with `+` is waited for, the rest are keys."""

    async def act(pilot: Pilot[Outcome]) -> None:
        await until(pilot, lambda: "not planned" in shown(pilot.app))
        for step in steps:
            if step.startswith("+"):
                await until(pilot, partial(is_shown, pilot, step[1:]))
            else:
                await pilot.press(step)
        await pilot.pause()

    return act


PAGES = {
    "groups": sees(),
    "an_outlier": sees("down", "down", "+outlier"),
    "a_host_not_planned": sees("end", "+same machine id"),
    "a_group": sees("enter", "+[x]"),
    "a_group_decided": sees("enter", "+[x]", "space", "+[-]"),
    "a_groups_review": sees("enter", "+[x]", "right", "+Decisions"),
    "what_differs": sees("d", "+columns 1"),
    "where_to": sees("w", "+Where should"),
}


@AT_ANY_SIZE
@pytest.mark.parametrize("name", PAGES)
def test_a_page_about_many_servers_looks_as_reviewed(
    snap_compare: Snap, name: str, size: Size, fleet: str
) -> None:
    assert snap_compare(wizard_of(fleet), run_before=PAGES[name], terminal_size=size)


@pytest.fixture
def project(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing of it is applied yet."""
    monkeypatch.chdir(tmp_path)
    return shutil.copytree(made / "rollout", tmp_path / "rollout")


def record(project: Path, host: str, *steps: str, began: int = BEGAN) -> None:
    """Steps of a host, ten seconds apart."""
    lines = (f"{began + 10 * number} {step}\n" for number, step in enumerate(steps))
    (project / "ansible/rollout" / host).write_text("".join(lines))


CONFIRMED = ("began", "applied", "verified", "healthy", "confirmed")


def under_way(project: Path) -> None:
    record(project, "eu-db0", *CONFIRMED)
    record(project, "reports0", "began", "applied", "verified")


def failed(project: Path) -> None:
    record(project, "eu-db0", *CONFIRMED)
    record(project, "reports0", "began", "applied", "verified", "not-healthy")
    (project / "ansible/failed/reports0").write_text("the application does not answer\n")
    record(project, "eu-db7", "began", "not-applied", began=LONG_AGO)
    record(project, "eu-db1", "began", "applied", "not-verified", began=LONG_AGO)


def drifted(project: Path) -> None:
    record(project, "eu-db0", *CONFIRMED)
    record(project, "reports0", *CONFIRMED, "rolled-back")
    (project / "ansible/drift/eu-db0.json").write_text(
        '{"schema": 1, "items": [{"kind": "setting", "name": "work_mem", "planned": "64MB", '
        '"running": "4MB", "configured": "4MB", "as_planned": false, "survives_reboot": true}\n'
        '], "as_planned": false}\n'
    )


def untouched(_: Path) -> None:
    """Nothing is recorded."""


ROLLOUTS: Mapping[str, tuple[Callable[[Path], None], tuple[str, ...], str]] = {
    "begun": (untouched, (), "8 waiting"),
    "under_way": (under_way, (), "1 under way"),
    "failed": (failed, ("n",), "3 failed"),
    "failed_host": (failed, ("n", "enter"), "does not answer"),
    "drifted": (drifted, (), "drift: 1 difference"),
    "drifted_host": (drifted, ("enter",), "running 4MB"),
}


@AT_ANY_SIZE
@pytest.mark.parametrize("name", ROLLOUTS)
def test_a_rollout_looks_as_reviewed(snap_compare: Snap, name: str, size: Size, project: Path) -> None:
    fill, keys, wanted = ROLLOUTS[name]
    fill(project)

    async def act(pilot: Pilot[Outcome]) -> None:
        await until(pilot, lambda: "Wave 1" in shown(pilot.app))
        await pilot.press(*keys)
        await until(pilot, lambda: wanted in shown(pilot.app))

    assert snap_compare(wizard_of(project.name), run_before=act, terminal_size=size)


@AT_ANY_SIZE
def test_the_last_page_for_a_server_that_patroni_keeps_looks_as_reviewed(
    snap_compare: Snap, size: Size, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    facts = demo_facts("small-vm")
    server = dataclasses.replace(facts.postgres[0], owner="patroni")
    (tmp_path / "db1.json").write_text(facts_to_json(dataclasses.replace(facts, postgres=(server,))))

    async def act(pilot: Pilot[Outcome]) -> None:
        await forward_to(pilot, Step.WRITE)
        await until(pilot, lambda: "Which target?" in shown(pilot.app))

    stage = Stage(machine=FactsFile("db1.json"))
    assert snap_compare(stage.wizard(), run_before=act, terminal_size=size)
