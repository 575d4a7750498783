"""From the choice of a machine to the start of a journey, on the screen or line by line."""

from __future__ import annotations

import dataclasses
from typing import assert_never

from tunewiz.core.answers.machine_choice import (
    ExampleMachine,
    FactsFile,
    Machine,
    SavedSession,
    ThisHost,
    WrittenBundle,
)
from tunewiz.core.answers.steps import Step
from tunewiz.core.facts.facts import Facts
from tunewiz.planning import default_answers
from tunewiz.session.fleet_record import FleetSession
from tunewiz.session.record import AnySession, Session
from tunewiz.wizard.journey import Journey, begin
from tunewiz.wizard.outcome import bundle_name
from tunewiz.wizard.ports import Progress, WizardStart


class FleetResumed(Exception):  # noqa: N818 - a request, not an error
    """The saved session is for many servers."""

    def __init__(self, session: FleetSession) -> None:
        super().__init__()
        self.session = session


def read(machine: Machine, start: WizardStart, progress: Progress) -> tuple[Journey, Step]:
    """The journey that starts on a machine, and its first step.

    Raises:
        TunewizError: There is none.
        FleetResumed: The saved session is for many servers.
    """
    session = _session(machine, start, progress)
    progress("the plan")
    journey = begin(
        session.facts, session.answers, start.ports.knowledge(), origin=session.origin, out=session.out
    )
    return dataclasses.replace(journey, as_read=session.as_read), session.step


def _session(machine: Machine, start: WizardStart, progress: Progress) -> Session:
    match machine:
        case SavedSession(name):
            progress("the saved session")
            return _saved(start.ports.load(name))
        case WrittenBundle(path):
            progress(path)
            return _again(path, start)
        case ThisHost():
            return _fresh(start.ports.read_host(progress), "", start)
        case FactsFile(path):
            progress(path)
            return _fresh(start.ports.read_file(path), path, start)
        case ExampleMachine(name):
            progress(name)
            return _fresh(start.ports.example(name), name, start)
        case _:
            assert_never(machine)


def _saved(found: AnySession) -> Session:
    if isinstance(found, FleetSession):
        raise FleetResumed(found)
    return found


def _again(path: str, start: WizardStart) -> Session:
    """At the recommendations, with the bundle's answers; the next bundle gets a name of its own."""
    facts, answers = start.ports.read_bundle(path)
    fresh = _fresh(facts, path, dataclasses.replace(start, answers=start.answers or answers))
    return dataclasses.replace(fresh, step=Step.RECOMMENDATIONS)


def _fresh(facts: Facts, origin: str, start: WizardStart) -> Session:
    start.ports.begin_another()
    answers = start.answers or default_answers(facts, start.ports.knowledge())
    name = facts.host.name
    out = start.out or bundle_name(getattr(name, "value", "host"), start.ports.today())
    return Session(facts=facts, answers=answers, step=Step.MACHINE, out=out, origin=origin, as_read=facts)
