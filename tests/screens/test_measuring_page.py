"""On the server's page its storage is measured and its log read: on request, in the background."""

from collections.abc import Callable
from threading import Event

from measured import LOG, PROBE
from rehearsal import Stage, at, shown, until
from tunewiz.core.answers.machine_choice import ExampleMachine, ThisHost
from tunewiz.core.answers.steps import Step
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.probe import Probe
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.values.known import Fact, Known, Unknown

SIZE = (120, 40)


class Prober:
    """Measures until it is told to stop."""

    def __init__(self) -> None:
        self.times = 0
        self.stopped = Event()

    def __call__(
        self,
        _server: PostgresServer,
        _facts: Facts,
        seconds: int,
        entry: Callable[[float, str], None],
        enough: Callable[[], bool],
    ) -> Fact[Probe]:
        """Tells of a part, and ends when it is enough."""
        assert seconds == 60
        self.times += 1
        entry(12, "pages at random")
        while not enough():
            self.stopped.wait(0.01)
        return Known(PROBE, "probed")


async def test_escape_stops_measuring_and_what_was_measured_decides_the_storage() -> None:
    prober = Prober()
    here = Stage(machine=ThisHost(), probe=prober)
    wizard = here.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await at(pilot, Step.MACHINE)
        await pilot.press("enter")
        await at(pilot, Step.SERVER)
        assert "p: measure its storage" in shown(wizard)
        await pilot.press("p")
        await until(pilot, lambda: "Measuring: pages at random, 12 of 60 s" in shown(wizard))
        await pilot.press("escape")
        await until(pilot, lambda: "8 kB reads 600 µs" in shown(wizard))
        await at(pilot, Step.SERVER)
        await until(pilot, lambda: here.sessions[-1].facts.postgres[0].probe == Known(PROBE, "probed"))
        await pilot.press("escape")
        await at(pilot, Step.MACHINE)
    assert prober.times == 1


async def test_the_log_is_read_when_asked_for() -> None:
    here = Stage(machine=ThisHost(), log=lambda _server: Known(LOG, "the log"))
    wizard = here.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await at(pilot, Step.MACHINE)
        await pilot.press("enter")
        await at(pilot, Step.SERVER)
        await pilot.press("l")
        await until(pilot, lambda: "3 temporary files, 5 checkpoints" in shown(wizard))
        await until(pilot, lambda: here.sessions[-1].facts.postgres[0].log == Known(LOG, "the log"))


async def test_what_is_measured_comes_into_view_on_a_small_terminal() -> None:
    wizard = Stage(machine=ThisHost(), probe=Prober()).wizard()
    async with wizard.run_test(size=(80, 16)) as pilot:
        await at(pilot, Step.MACHINE)
        await pilot.press("enter")
        await at(pilot, Step.SERVER)
        assert "p: measure its storage" not in shown(wizard)
        await pilot.press("p")
        await until(pilot, lambda: "Measuring: pages at random, 12 of 60 s" in shown(wizard))
        await pilot.press("escape")


async def test_another_machines_storage_is_left_alone() -> None:
    prober = Prober()
    wizard = Stage(machine=ExampleMachine("small-vm"), probe=prober).wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await at(pilot, Step.MACHINE)
        await pilot.press("enter")
        await at(pilot, Step.SERVER)
        await pilot.press("p")
        await until(
            pilot, lambda: "Only the storage of a server on this host can be measured" in shown(wizard)
        )
        assert "p: measure its storage" not in shown(wizard)
    assert prober.times == 0


async def test_a_measurement_that_changes_the_plan_says_so_on_another_page_and_can_be_taken_back() -> None:
    over = Event()

    def probe(
        _server: PostgresServer,
        _facts: Facts,
        _seconds: int,
        _entry: Callable[[float, str], None],
        enough: Callable[[], bool],
    ) -> Fact[Probe]:
        while not enough() and not over.wait(0.01):
            pass
        return Known(PROBE, "probed")

    here = Stage(machine=ThisHost(), probe=probe)
    wizard = here.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await at(pilot, Step.MACHINE)
        await pilot.press("enter")
        await at(pilot, Step.SERVER)
        await pilot.press("p", "enter")
        await at(pilot, Step.WORKLOAD)
        over.set()
        await until(pilot, lambda: "The plan has changed: " in shown(wizard))
        assert "u takes it back" in shown(wizard)
        assert here.sessions[-1].facts.postgres[0].probe == Known(PROBE, "probed")
        await pilot.press("u")
        await until(pilot, lambda: "Undone: Storage measured: yes -> no" in shown(wizard))
        await until(pilot, lambda: isinstance(here.sessions[-1].facts.postgres[0].probe, Unknown))
        await pilot.press("U")
        await until(pilot, lambda: here.sessions[-1].facts.postgres[0].probe == Known(PROBE, "probed"))
