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
from tunewiz.core.proof.measured_parts import NoProof
from tunewiz.core.proof.named_proof import ProofNamed
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import known_or
from tunewiz.core.values.record import dataclass
from tunewiz.formats.since import HostNews
from tunewiz.planning import default_answers
from tunewiz.session.fleet_record import FleetSession
from tunewiz.session.record import AnySession, Session
from tunewiz.wizard.journey import NOT_EXAMPLE, Journey, begin
from tunewiz.wizard.last_visit import FIRST_VISIT, FirstVisit, host_news, since
from tunewiz.wizard.outcome import bundle_name
from tunewiz.wizard.ports import Ports, Progress, WizardStart
from tunewiz.wizard.proved_plan import not_counted_in_words


class FleetResumed(Exception):  # noqa: N818 - a request, not an error
    """The saved session is for many servers."""

    def __init__(self, session: FleetSession) -> None:
        super().__init__()
        self.session = session


@dataclass(frozen=True, kw_only=True, slots=True)
class Begun:
    """A journey that starts, or goes on."""

    journey: Journey
    step: Step
    remark: str = ""
    """What a person should know of its measurement at once; empty if nothing."""
    news: str = ""
    """What changed on this host since the last visit; empty if this is the first."""


def read(machine: Machine, start: WizardStart, progress: Progress) -> Begun:
    """The journey that starts on a machine.

    Raises:
        TunewizError: There is none.
        FleetResumed: The saved session is for many servers.
    """
    session = _session(machine, start, progress)
    kept = start.proof is None
    proof = session.proof if start.proof is None else start.proof
    remark = _since(proof, start.ports) if kept and isinstance(machine, SavedSession) else ""
    progress("the plan")
    journey = begin(
        session.facts,
        session.answers,
        start.ports.knowledge(),
        origin=session.origin,
        out=session.out,
        proof=proof,
    )
    visited, news = _since_last_visit(session, start.ports)
    counts = not_counted_in_words(journey.not_counted) if journey.not_counted else ""
    return Begun(
        journey=dataclasses.replace(
            journey,
            as_read=session.as_read,
            example=journey.choices if isinstance(machine, ExampleMachine) else NOT_EXAMPLE,
            since=visited,
        ),
        step=session.step,
        remark=". ".join(text for text in (remark, counts) if text),
        news=news,
    )


def _since_last_visit(session: Session, ports: Ports) -> tuple[HostNews | FirstVisit, str]:
    """What became of this host since it was read before, in full and in a line."""
    visit = None if session.origin else ports.last_visit(session.as_read)
    if visit is None:
        return FIRST_VISIT, ""
    news = host_news(visit, session.as_read, ports.knowledge())
    return news, since(visit, session.as_read, news.findings)


def _since(proof: ProofNamed, ports: Ports) -> str:
    """What became of a session's measurement since; the session goes on with what it has."""
    if isinstance(proof, NoProof):
        return ""
    try:
        result = ports.read_proof(proof.file)
    except InputError as error:
        return f"{error.message}. The session goes on with the measurement as it was"
    if result != proof.proof:
        return (
            f"{proof.file} has changed: the session goes on with the measurement as it was; --proof takes it"
        )
    return ""


def _session(machine: Machine, start: WizardStart, progress: Progress) -> Session:
    match machine:
        case SavedSession(name):
            progress("the saved session")
            return _saved(start.ports.load(name))
        case WrittenBundle(path):
            progress(path)
            return _again(path, start)
        case ThisHost(directory):
            return _fresh(_first(start.ports.read_host(progress), directory), "", start)
        case FactsFile(path):
            progress(path)
            return _fresh(start.ports.read_file(path), path, start)
        case ExampleMachine(name):
            progress(name)
            return _fresh(start.ports.example(name), name, start)
        case _:
            assert_never(machine)


def _first(facts: Facts, directory: str) -> Facts:
    """The server in that directory before the others: a plan is for it."""
    order = sorted(facts.postgres, key=lambda server: known_or(server.data_directory, "") != directory)
    return dataclasses.replace(facts, postgres=tuple(order)) if directory else facts


def _saved(entry: AnySession) -> Session:
    if isinstance(entry, FleetSession):
        raise FleetResumed(entry)
    return entry


def _again(path: str, start: WizardStart) -> Session:
    """At the recommendations, with the bundle's answers; the next bundle gets a name of its own."""
    facts, answers, proof = start.ports.read_bundle(path)
    fresh = _fresh(facts, path, dataclasses.replace(start, answers=start.answers or answers))
    return dataclasses.replace(fresh, step=Step.RECOMMENDATIONS, proof=proof)


def _fresh(facts: Facts, origin: str, start: WizardStart) -> Session:
    start.ports.begin_another()
    answers = start.answers or default_answers(facts, start.ports.knowledge())
    name = facts.host.name
    out = start.out or bundle_name(getattr(name, "value", "host"), start.ports.today())
    return Session(facts=facts, answers=answers, step=Step.MACHINE, out=out, origin=origin, as_read=facts)
