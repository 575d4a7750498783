"""The server is watched at work in the background: the administrator may shorten that or skip it."""

import dataclasses
from collections.abc import Callable
from threading import Event

from rehearsal import Stage, at, shown, until
from tunewiz.core.answers.machine_choice import ExampleMachine, ThisHost
from tunewiz.core.answers.steps import Step
from tunewiz.core.facts.server import PostgresServer, Window
from tunewiz.core.values.known import Fact, Known, Unknown
from tunewiz.knowledge.loading import demo_facts
from watched import window

SIZE = (100, 30)


class Watcher:
    """Watches for as long as a test lets it."""

    def __init__(self, *, lasts: bool = True) -> None:
        self.times = 0
        self.over = Event()
        if not lasts:
            self.over.set()

    def __call__(
        self,
        server: PostgresServer,
        seconds: int,
        entry: Callable[[float], None],
        enough: Callable[[], bool],
    ) -> Fact[Window]:
        """Tells of a look, and ends when it is enough or the test says so."""
        assert (server.running, seconds) == (True, 60)
        self.times += 1
        entry(24)
        while not enough() and not self.over.wait(0.01):
            pass
        return window(60, commits=5000, checkpoints_requested=41, checkpoints_timed=2, wal_bytes=2**30)


def stage(watcher: Watcher) -> Stage:
    return Stage(machine=ThisHost(), watch=watcher)


def window_of(stage: Stage) -> Fact[Window]:
    (server,) = (server for server in stage.sessions[-1].facts.postgres if server.running)
    return server.window


async def test_the_page_shows_how_far_it_is_and_then_what_was_seen() -> None:
    watcher = Watcher()
    here = stage(watcher)
    wizard = here.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await at(pilot, Step.MACHINE)
        await pilot.press("enter")
        await at(pilot, Step.SERVER)
        await until(pilot, lambda: "████████░░░░░░░░░░░░ 24 of 60 s" in shown(wizard))
        assert isinstance(window_of(here), Unknown)
        await pilot.press("w")
        await until(pilot, lambda: "Watched at work for 60 s: 5,000 transactions" in shown(wizard))
        assert "43 checkpoints, 41 of them forced" in shown(wizard)
        await until(pilot, lambda: isinstance(window_of(here), Known))
        await until(pilot, lambda: "forced checkpoints        95.3 %  ██" in shown(wizard))
    assert watcher.times == 1


async def test_the_wizard_goes_on_meanwhile_and_the_plan_rests_on_it_afterwards() -> None:
    watcher = Watcher()
    here = stage(watcher)
    wizard = here.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await at(pilot, Step.MACHINE)
        for step in (Step.SERVER, Step.WORKLOAD, Step.RISK):
            await pilot.press("enter")
            await at(pilot, step)
        assert isinstance(window_of(here), Unknown)
        watcher.over.set()
        await until(pilot, lambda: isinstance(window_of(here), Known))
        await pilot.press("enter")
        await at(pilot, Step.RECOMMENDATIONS)
        await pilot.press("slash", *"max_wal_size", "enter")
        await until(pilot, lambda: "41 of 43 checkpoints" in shown(wizard))


async def test_it_may_be_skipped_and_begun_again() -> None:
    watcher = Watcher()
    here = stage(watcher)
    wizard = here.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await at(pilot, Step.MACHINE)
        await pilot.press("enter")
        await at(pilot, Step.SERVER)
        await until(pilot, lambda: "24 of 60 s" in shown(wizard))
        await pilot.press("x")
        await until(pilot, lambda: "It was not watched." in shown(wizard))
        await pilot.press("w")
        await until(pilot, lambda: "24 of 60 s" in shown(wizard))
        assert isinstance(window_of(here), Unknown)
    assert watcher.times == 2


async def test_what_cannot_be_watched_says_why() -> None:
    here = Stage(machine=ThisHost())
    wizard = here.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await at(pilot, Step.MACHINE)
        await pilot.press("enter")
        await at(pilot, Step.SERVER)
        await until(pilot, lambda: "It could not be watched: nobody watches here" in shown(wizard))


async def test_another_machine_is_not_watched() -> None:
    watcher = Watcher(lasts=False)
    here = dataclasses.replace(stage(watcher), machine=ExampleMachine("small-vm"))
    wizard = here.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await at(pilot, Step.MACHINE)
        await pilot.press("enter")
        await at(pilot, Step.SERVER)
        await pilot.press("w")
        await until(
            pilot, lambda: "Nothing can be watched here: the facts are another machine's." in shown(wizard)
        )
    assert watcher.times == 0


async def test_the_example_server_runs_and_has_answered() -> None:
    assert any(
        server.running and isinstance(server.activity, Known) for server in demo_facts("small-vm").postgres
    )


async def test_the_top_of_every_page_says_what_is_being_watched() -> None:
    watcher = Watcher()
    wizard = stage(watcher).wizard()
    async with wizard.run_test(size=(80, 24)) as pilot:
        await at(pilot, Step.MACHINE)
        for step in (Step.SERVER, Step.WORKLOAD):
            await pilot.press("enter")
            await at(pilot, step)
        await pilot.press("escape")
        await at(pilot, Step.SERVER)
        await until(pilot, lambda: "watching 24/60 s · 3/8 server" in shown(wizard))
        watcher.over.set()
        await until(pilot, lambda: "watching" not in shown(wizard).splitlines()[0])


async def test_no_page_says_that_a_skipped_server_is_being_watched() -> None:
    wizard = stage(Watcher()).wizard()
    async with wizard.run_test(size=(80, 24)) as pilot:
        await at(pilot, Step.MACHINE)
        await pilot.press("enter")
        await at(pilot, Step.SERVER)
        await until(pilot, lambda: "watching 24/60 s" in shown(wizard))
        await pilot.press("x")
        await until(pilot, lambda: "watching" not in shown(wizard).splitlines()[0])


async def test_a_watch_that_changes_nothing_says_nothing_on_another_page() -> None:
    over = Event()

    def idle(
        _server: PostgresServer, _seconds: int, entry: Callable[[float], None], enough: Callable[[], bool]
    ) -> Fact[Window]:
        entry(1)
        while not enough() and not over.wait(0.01):
            pass
        return Unknown("it was idle")

    here = Stage(machine=ThisHost(), watch=idle)
    wizard = here.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await at(pilot, Step.MACHINE)
        for step in (Step.SERVER, Step.WORKLOAD):
            await pilot.press("enter")
            await at(pilot, step)
        over.set()
        await until(pilot, lambda: "watching" not in shown(wizard).splitlines()[0])
        assert "The plan has changed" not in shown(wizard)
