"""From the choice of a machine to the start of a journey, on the screen or line by line."""

from __future__ import annotations

from typing import assert_never

from tunewiz.core.chosen import ExampleMachine, FactsFile, Machine, SavedSession, ThisHost
from tunewiz.core.facts import Facts
from tunewiz.core.step import Step
from tunewiz.doors import Progress, WizardStart
from tunewiz.planning import default_answers
from tunewiz.screens.journey import Journey, begin
from tunewiz.session import Session
from tunewiz.wizard.outcome import bundle_name


def read(machine: Machine, start: WizardStart, progress: Progress) -> tuple[Journey, Step]:
    """The journey that starts on a machine, and its first step; raises TunewizError."""
    session = _session(machine, start, progress)
    progress("the plan")
    journey = begin(
        session.facts, session.answers, start.doors.knowledge(), origin=session.origin, out=session.out
    )
    return journey, session.step


def _session(machine: Machine, start: WizardStart, progress: Progress) -> Session:
    match machine:
        case SavedSession():
            progress("the saved session")
            return start.doors.load()
        case ThisHost():
            return _fresh(start.doors.read_host(progress), "", start)
        case FactsFile(path):
            progress(path)
            return _fresh(start.doors.read_file(path), path, start)
        case ExampleMachine(name):
            progress(name)
            return _fresh(start.doors.example(name), name, start)
        case _:
            assert_never(machine)


def _fresh(facts: Facts, origin: str, start: WizardStart) -> Session:
    answers = start.answers or default_answers(facts, start.doors.knowledge())
    name = facts.host.name
    out = start.out or bundle_name(getattr(name, "value", "host"), start.doors.today())
    return Session(facts=facts, answers=answers, step=Step.MACHINE, out=out, origin=origin)
