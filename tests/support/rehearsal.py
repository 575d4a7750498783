"""The wizard on recorded machines: nothing of this host is read, sessions stay in memory."""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from textual.app import App
from textual.pilot import Pilot

from tunewiz.bundle.dry_run import DryRun
from tunewiz.bundle.preview import installed, out_of_reach
from tunewiz.bundle.reopen import all_written_from
from tunewiz.bundle.review.document import review_of
from tunewiz.bundle.write import write_bundle
from tunewiz.commands.inputs import read_proof
from tunewiz.commands.wizard_ports import write_kept
from tunewiz.core.answers.answers import Answers
from tunewiz.core.answers.machine_choice import ExampleMachine, Machine
from tunewiz.core.answers.step_order import forward
from tunewiz.core.answers.steps import Step
from tunewiz.core.comparison.found_windows import WindowsFound
from tunewiz.core.comparison.live import NotCompared
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.log import LogSeen
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.facts.server_here import ServerHere
from tunewiz.core.planning.plan import Plan
from tunewiz.core.proof.bench_seen import BenchSeen, CannotMeasure
from tunewiz.core.proof.named_proof import NamedProof
from tunewiz.core.proof.proof import Proof
from tunewiz.core.values.errors import BundleError, InputError
from tunewiz.core.values.known import Fact, Unknown
from tunewiz.formats.records import answers_to_toml, facts_from_json, facts_to_json
from tunewiz.knowledge.loading import Knowledge, demo_facts, load_knowledge
from tunewiz.knowledge.profiles import demos
from tunewiz.screens.page import Page
from tunewiz.screens.step_page import StepPage
from tunewiz.session.fleet_record import FleetSession
from tunewiz.session.record import AnySession, Session
from tunewiz.session.store import Earlier, SessionError
from tunewiz.tui.app import Wizard
from tunewiz.wizard.bundle_preview import ChangesOutOfReach, Previewed, PreviewedFile
from tunewiz.wizard.last_visit import LastVisit
from tunewiz.wizard.outcome import Outcome
from tunewiz.wizard.ports import AskMachine, Ports, ProbeStorage, Progress, Watch, WizardStart

DAY = "2026-11-21"
MAX_LENGTH = 400
"""Rounds of the event loop after which something that is waited for will not come."""


A_FEW = frozenset(
    {
        "kernel.dirty_bytes",
        "kernel.nr_hugepages",
        "kernel.swap",
        "kernel.transparent_hugepage",
        "pg.checkpoint_timeout",
        "pg.effective_cache_size",
        "pg.fsync",
        "pg.huge_pages",
        "pg.maintenance_work_mem",
        "pg.max_wal_size",
        "pg.shared_buffers",
        "pg.synchronous_commit",
        "pg.wal_buffers",
        "pg.work_mem",
    }
)
"""What the pictures show: they do not change with every recommendation that is added."""


def a_few() -> Knowledge:
    """What the program knows, with these recommendations only."""
    knowledge = load_knowledge()
    catalogue = tuple(recommendation for recommendation in knowledge.catalogue if recommendation.id in A_FEW)
    return dataclasses.replace(knowledge, catalogue=catalogue)


def _read_file(path: str) -> Facts:
    try:
        return facts_from_json(Path(path).read_text(encoding="utf-8"), path)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error


def _no_dry_run(_directory: str, _is_enough: Callable[[], bool]) -> DryRun:
    return DryRun(status=0, lines=("would change nothing here", "Nothing was changed: this was a dry run."))


def _not_compared(_before: str, _after: str) -> NotCompared:
    return NotCompared(reasons=("nobody compares here",))


@dataclass
class Stage:
    """What happens behind the doors, and what a test looks at afterwards."""

    machine: Machine | AskMachine = field(default_factory=lambda: ExampleMachine("small-vm"))
    host: Callable[[Progress], Facts] = lambda _progress: demo_facts("small-vm")
    watch: Watch = lambda _server, _seconds, _told, _enough: Unknown("nobody watches here")
    probe: ProbeStorage = lambda _server, _facts, _seconds, _told, _enough: Unknown("nobody measures here")
    log: Callable[[PostgresServer], Fact[LogSeen]] = lambda _server: Unknown("nobody reads here")
    answers: Answers | None = None
    proof: NamedProof | None = None
    out: str = ""
    knowledge: Callable[[], Knowledge] = load_knowledge
    file: Callable[[str], Facts] = _read_file
    dry_run: Callable[[str, Callable[[], bool]], DryRun] = _no_dry_run
    proving: Callable[[str], BenchSeen] = lambda _directory: CannotMeasure(why="nobody measures here")
    windows: Callable[[str], WindowsFound] = lambda _directory: WindowsFound()
    compare: Callable[[str, str], Proof | NotCompared] = _not_compared
    disk_full: bool = False
    refuses_to_write: str = ""
    sessions: list[Session] = field(default_factory=list[Session])
    visits: list[Session] = field(default_factory=list[Session])
    """What finished runs left."""
    fleets: list[FleetSession] = field(default_factory=list[FleetSession])
    earlier: tuple[Earlier, ...] = ()
    visit: LastVisit | None = None
    servers: tuple[ServerHere, ...] = ()
    named: Mapping[str, AnySession] = field(default_factory=dict[str, AnySession])
    faults: list[BaseException] = field(default_factory=list[BaseException])

    def wizard(self) -> Wizard:
        """The wizard, ready to run."""
        return Wizard(
            WizardStart(
                ports=self.ports(),
                machine=self.machine,
                answers=self.answers,
                proof=self.proof,
                out=self.out,
            )
        )

    def ports(self) -> Ports:
        """What the wizard is connected to."""
        return Ports(
            knowledge=self.knowledge,
            read_host=self.host,
            watch=self.watch,
            probe=self.probe,
            read_log=self.log,
            read_file=self.file,
            examples=demos(),
            example=demo_facts,
            preview=_preview,
            write_bundle=self._write,
            write_kept=write_kept,
            review=review_of,
            dry_run=self.dry_run,
            proving=self.proving,
            windows=self.windows,
            compare=self.compare,
            save=self._save,
            load=self._load,
            begin_another=lambda: None,
            forget=self._forget,
            finish=self._finish,
            saved="db1 · risk · 13 changes · 12 min ago" if self.sessions or self.fleets else "",
            read_bundle=lambda path: all_written_from(Path(path)),
            read_proof=lambda path: read_proof(Path(path)),
            earlier=lambda: self.earlier,
            remove=self._remove,
            last_visit=lambda _facts: self.visit,
            servers_here=lambda: self.servers,
            today=lambda: DAY,
            report=self._report,
        )

    def _save(self, session: AnySession) -> None:
        if self.disk_full:
            raise SessionError("no space left on device")
        if isinstance(session, FleetSession):
            self.fleets.append(session)
        else:
            self.sessions.append(session)

    def _remove(self, name: str) -> None:
        if self.disk_full:
            raise SessionError("read-only file system")
        self.earlier = tuple(earlier for earlier in self.earlier if earlier.name != name)

    def _forget(self) -> None:
        self.sessions.clear()
        self.fleets.clear()

    def _finish(self) -> None:
        self.visits.extend(self.sessions)
        self._forget()

    def _load(self, name: str) -> AnySession:
        if name:
            return self.named[name]
        return self.fleets[-1] if self.fleets else self.sessions[-1]

    def _report(self, error: BaseException) -> str:
        self.faults.append(error)
        return "report: /nowhere/fault.txt"

    def _write(self, plan: Plan, directory: str) -> None:
        if self.refuses_to_write:
            raise BundleError(f"{directory}: {self.refuses_to_write}", "Choose another directory.")
        facts_json, answers_toml = facts_to_json(plan.start.facts), answers_to_toml(plan.start.answers)
        write_bundle(plan, Path(directory), facts_json, answers_toml)


def _preview(plan: Plan) -> Previewed:
    return Previewed(
        files=tuple(PreviewedFile(path=path, text=text) for path, text in installed(plan).items()),
        out_of_reach=tuple(
            ChangesOutOfReach(why=why, recommendations=tuple(ids)) for why, ids in out_of_reach(plan).items()
        ),
    )


async def until(pilot: Pilot[Outcome], happened: Callable[[], bool]) -> None:
    """Let the application work until that is so."""
    for _ in range(MAX_LENGTH):
        if happened():
            await pilot.pause()
            return
        await pilot.pause(0.01)
    raise AssertionError("it did not happen")


def shown(wizard: App[Outcome]) -> str:
    """Everything that the screen shows, as text without styles."""
    width, _ = wizard.size
    rows = wizard.screen._compositor.render_strips()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - what is painted
    return "\n".join(strip.text.rstrip()[:width] for strip in rows)


async def at(pilot: Pilot[Outcome], step: Step) -> None:
    """Wait until the wizard stands on a step and has said that it is saved."""
    wizard = _wizard(pilot)
    await until(pilot, lambda: _stands_on(wizard, step))


async def forward_to(pilot: Pilot[Outcome], step: Step, example: str = "small-vm") -> None:
    """From the machine, which is waited for, to a step, by the steps of an example machine."""
    await walked_to(pilot, step, demo_facts(example))


async def walked_to(pilot: Pilot[Outcome], step: Step, facts: Facts) -> None:
    """From the machine, which is waited for, to a step, by the steps of a machine with these facts."""
    await at(pilot, Step.MACHINE)
    passed = Step.MACHINE
    while passed is not step:
        await pilot.press("right" if passed is Step.RECOMMENDATIONS else "enter")
        passed = forward(passed, facts)
        await at(pilot, passed)


def _stands_on(wizard: Wizard, step: Step) -> bool:
    page = wizard.screen
    if isinstance(page, StepPage):
        return page.STEP is step and bool(page.saved)
    return isinstance(page, Page) and step is Step.WELCOME


def _wizard(pilot: Pilot[Outcome]) -> Wizard:
    wizard = pilot.app
    assert isinstance(wizard, Wizard)
    return wizard
