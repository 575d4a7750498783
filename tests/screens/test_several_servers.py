"""Of several servers, the keys act on the one in view, and what they brought stands in its row alone."""

import dataclasses
from collections.abc import Callable
from threading import Event

from textual.pilot import Pilot

from measured import LOG, PROBE
from rehearsal import Stage, at, shown, until
from tunewiz.core.answers.machine_choice import ThisHost
from tunewiz.core.answers.steps import Step
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.probe import Probe
from tunewiz.core.facts.server import PostgresServer, Window
from tunewiz.core.values.known import Fact, Known
from tunewiz.knowledge.loading import demo_facts
from tunewiz.tui.app import Wizard
from tunewiz.wizard.outcome import Outcome
from watched import window

SIZE = (100, 36)
PORTS = (5432, 5433)


def two_servers() -> Facts:
    """Both answer."""
    facts = demo_facts("small-vm")
    (server,) = facts.postgres
    return dataclasses.replace(
        facts,
        postgres=tuple(
            dataclasses.replace(server, data_directory=Known(f"/srv/{port}", "ps"), port=Known(port, "ps"))
            for port in PORTS
        ),
    )


class Worker:
    """Notes which server was worked on, and works until it may stop."""

    def __init__(self) -> None:
        self.ports: list[int] = []
        self.pause = Event()

    def _note(self, server: PostgresServer) -> None:
        assert isinstance(server.port, Known)
        self.ports.append(server.port.value)

    def watch(
        self,
        server: PostgresServer,
        _seconds: int,
        entry: Callable[[float], None],
        enough: Callable[[], bool],
    ) -> Fact[Window]:
        """Watch until it is enough."""
        self._note(server)
        entry(1)
        while not enough():
            self.pause.wait(0.01)
        return window(60, commits=5000)

    def probe(
        self,
        server: PostgresServer,
        _facts: Facts,
        _seconds: int,
        entry: Callable[[float, str], None],
        _enough: Callable[[], bool],
    ) -> Fact[Probe]:
        """Measure at once."""
        self._note(server)
        entry(1, "pages at random")
        return Known(PROBE, "probed")


async def begun(pilot: Pilot[Outcome]) -> None:
    await at(pilot, Step.MACHINE)
    await pilot.press("enter")
    await at(pilot, Step.SERVER)


def staged(worker: Worker, *, unseen: bool = False) -> Wizard:
    facts = two_servers()
    if not unseen:
        watched_window = window(60, commits=1)
        facts = dataclasses.replace(
            facts,
            postgres=tuple(dataclasses.replace(server, window=watched_window) for server in facts.postgres),
        )
    return Stage(
        machine=ThisHost(),
        host=lambda _progress: facts,
        watch=worker.watch,
        probe=worker.probe,
        log=lambda _server: Known(LOG, "the log"),
    ).wizard()


async def test_what_was_measured_names_its_server_and_stands_in_its_row_alone() -> None:
    worker = Worker()
    wizard = staged(worker)
    async with wizard.run_test(size=SIZE) as pilot:
        await begun(pilot)
        await pilot.press("down", "p")
        await until(pilot, lambda: "Port 5433: Measured in" in shown(wizard))
        await pilot.press("up")
        await until(pilot, lambda: "p: measure its storage" in shown(wizard))
        assert "Measured in" not in shown(wizard)
        await pilot.press("down")
        await until(pilot, lambda: "Port 5433: Measured in" in shown(wizard))
    assert worker.ports == [5433]


async def test_what_is_in_a_log_stands_in_its_servers_row_alone() -> None:
    wizard = staged(Worker())
    async with wizard.run_test(size=SIZE) as pilot:
        await begun(pilot)
        await pilot.press("down", "l")
        await until(pilot, lambda: "Port 5433: Its log (" in shown(wizard))
        await pilot.press("up")
        await until(pilot, lambda: "Its log (" not in shown(wizard))


async def test_after_the_cursor_has_left_the_servers_the_keys_act_on_the_chosen_one() -> None:
    worker = Worker()
    wizard = staged(worker)
    async with wizard.run_test(size=SIZE) as pilot:
        await begun(pilot)
        await pilot.press("down", "down", "down", "p")
        await until(pilot, lambda: "Port 5432: Measured in" in shown(wizard))
    assert worker.ports == [5432]


async def test_another_server_is_watched_only_after_the_first() -> None:
    worker = Worker()
    wizard = staged(worker, unseen=True)
    async with wizard.run_test(size=SIZE) as pilot:
        await begun(pilot)
        await until(pilot, lambda: "Watching port 5432 at work" in shown(wizard))
        await pilot.press("down")
        await until(pilot, lambda: "Watching port 5432" not in shown(wizard))
        await pilot.press("w")
        await until(pilot, lambda: "One at a time: port 5432 is being watched" in shown(wizard))
        await pilot.press("x")
        await pilot.press("up")
        await until(pilot, lambda: "Watching port 5432 at work" in shown(wizard))
        await pilot.press("w")
        await until(pilot, lambda: "Port 5432: Watched at work for 60 s" in shown(wizard))
        await pilot.press("down", "w")
        await until(pilot, lambda: "Watching port 5433 at work" in shown(wizard))
        await pilot.press("w")
        await until(pilot, lambda: "Port 5433: Watched at work for 60 s" in shown(wizard))
    assert worker.ports == [5432, 5433]


async def test_k_discards_nothing() -> None:
    worker = Worker()
    wizard = staged(worker, unseen=True)
    async with wizard.run_test(size=SIZE) as pilot:
        await begun(pilot)
        await until(pilot, lambda: "Watching port 5432 at work" in shown(wizard))
        await pilot.press("k", "w")
        await until(pilot, lambda: "Port 5432: Watched at work" in shown(wizard))


async def test_a_second_watch_that_is_skipped_leaves_what_the_first_has_seen() -> None:
    wizard = staged(Worker(), unseen=True)
    async with wizard.run_test(size=SIZE) as pilot:
        await begun(pilot)
        await until(pilot, lambda: "Watching port 5432 at work" in shown(wizard))
        await pilot.press("w")
        await until(pilot, lambda: "Port 5432: Watched at work for 60 s" in shown(wizard))
        await pilot.press("w")
        await until(pilot, lambda: "Watching port 5432 at work" in shown(wizard))
        await pilot.press("x")
        await until(pilot, lambda: "Port 5432: Watched at work for 60 s" in shown(wizard))
        assert "It was not watched" not in shown(wizard)


async def test_x_says_so_where_nothing_is_watched_or_another_server_is() -> None:
    wizard = staged(Worker(), unseen=True)
    async with wizard.run_test(size=SIZE) as pilot:
        await begun(pilot)
        await until(pilot, lambda: "Watching port 5432 at work" in shown(wizard))
        await pilot.press("down", "x")
        await until(pilot, lambda: "One at a time: port 5432 is being watched" in shown(wizard))
        await pilot.press("up", "w")
        await until(pilot, lambda: "Port 5432: Watched at work for 60 s" in shown(wizard))
        await pilot.press("x")
        await until(pilot, lambda: "Nothing is being watched" in shown(wizard))
        assert "Port 5432: Watched at work for 60 s" in shown(wizard)


async def test_the_other_way_to_learn_more_is_named_beside_what_the_first_has_found() -> None:
    wizard = staged(Worker())
    async with wizard.run_test(size=SIZE) as pilot:
        await begun(pilot)
        await pilot.press("p")
        await until(pilot, lambda: "(p: again   l: read its log)" in flat(wizard))
        await pilot.press("l")
        await until(pilot, lambda: "(l: again   p: measure its storage for 60 s)" in flat(wizard))


def flat(wizard: Wizard) -> str:
    """What is shown, its lines joined: where a sentence is broken does not matter."""
    return " ".join(line.strip() for line in shown(wizard).splitlines())
