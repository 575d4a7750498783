"""From the choice of a machine to the start of a journey: done in a thread, told in messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from textual.message import Message

from tunewiz.core.facts import Facts
from tunewiz.core.flow import Step
from tunewiz.doors import Progress, WizardStart
from tunewiz.planning import default_answers
from tunewiz.screens.journey import Journey, begin
from tunewiz.screens.messages import ExampleMachine, FactsFile, Machine, SavedSession, ThisHost
from tunewiz.session import Session
from tunewiz.wizard.outcome import bundle_name


@dataclass
class Read(Message):
    """The facts are there."""

    asked: int
    """Which question this answers: a later one may have been asked since."""
    journey: Journey
    step: Step


@dataclass
class ReadFailed(Message):
    """The facts could not be had."""

    asked: int
    why: str


@dataclass
class ReadOn(Message):
    """What is read now."""

    asked: int
    what: str


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
