"""What the wizard starts with: the machine, the answers and the measurement that the command line names.

What is needed only then is imported when it is used: the first page is on the screen before that.
"""

# ruff: noqa: PLC0415 - see above

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import TYPE_CHECKING

from tunewiz.commands.connection_options import WHICH_SERVER, first_of
from tunewiz.commands.options import Options
from tunewiz.commands.wizard_ports import example, read_bundle, read_file, read_proof, wizard_ports
from tunewiz.console.terminal import draws_in_ascii
from tunewiz.core.answers.machine_choice import (
    ExampleMachine,
    FactsFile,
    Machine,
    SavedSession,
    ThisHost,
    WrittenBundle,
)
from tunewiz.knowledge.profiles import check_demo_name
from tunewiz.session.current import CurrentSession
from tunewiz.session.store import sessions_directory
from tunewiz.wizard.other_wizards import announce
from tunewiz.wizard.ports import AskMachine, WizardStart

if TYPE_CHECKING:
    from tunewiz.core.answers.answers import Answers
    from tunewiz.core.facts.facts import Facts
    from tunewiz.core.proof.named_proof import NamedProof
    from tunewiz.session.record import Session


def start_of(options: Options) -> WizardStart:
    """The start for a command line; raises InputError and UsageError for what cannot be used."""
    session = CurrentSession(sessions_directory(os.environ))
    saved = None if options.resume is None else _saved(options.resume, session, options)
    if isinstance(saved, WizardStart):
        return saved
    if options.fleet is not None:
        from tunewiz.commands.fleet_start import check_named

        check_named(options.fleet, options)
    proof = None if options.proof is None else _named_proof(options.proof)
    of_one = options.answers if options.fleet is None else None
    return WizardStart(
        ports=wizard_ports(session, options),
        machine=_machine(options, saved, proof),
        answers=None if of_one is None else _read_answers(of_one),
        proof=proof,
        out="" if options.out is None else str(options.out),
        ascii=draws_in_ascii(os.environ) if options.ascii is None else options.ascii,
        mouse=options.mouse,
        fleet="" if options.fleet is None else str(options.fleet),
        fleet_answers="" if options.answers is None else str(options.answers),
    )


def _saved(name: str, session: CurrentSession, options: Options) -> Session | WizardStart:
    """The session of that name; if it is for many servers, the start that goes on with it."""
    from tunewiz.commands.fleet_start import resumed
    from tunewiz.session.fleet_record import FleetSession

    load = session.load(name)
    return resumed(load, wizard_ports(session, options), options) if isinstance(load, FleetSession) else load


def present(start: WizardStart) -> WizardStart:
    """The same, announced to other wizards on this host until it ends."""
    return dataclasses.replace(start, presence=announce(os.environ))


def _machine(options: Options, saved: Session | None, proof: NamedProof | None) -> Machine | AskMachine:
    """Read here once, so that a broken file ends the program before the screen is taken."""
    if options.resume is not None and saved is not None:
        _check_measured(proof, saved.facts)
        return SavedSession(options.resume)
    if options.reopen is not None:
        facts, _, _ = read_bundle(str(options.reopen))
        _check_measured(proof, facts)
        return WrittenBundle(str(options.reopen))
    if options.facts is not None:
        _check_measured(proof, read_file(str(options.facts)))
        return FactsFile(str(options.facts))
    if options.demo is not None:
        check_demo_name(options.demo)
        if proof is not None:
            _check_measured(proof, example(options.demo))
        return ExampleMachine(options.demo)
    if options.fleet is None and first_of(options, WHICH_SERVER):
        return ThisHost()
    return AskMachine()


def _check_measured(proof: NamedProof | None, facts: Facts) -> None:
    """Raises InputError for a measurement of another machine."""
    if proof is not None:
        from tunewiz.wizard.proved_plan import check_machine

        check_machine(proof, facts)


def _read_answers(file: Path) -> Answers:
    from tunewiz.commands.inputs import read_answers

    return read_answers(file)


def _named_proof(file: Path) -> NamedProof:
    """With its absolute path: a session may be resumed elsewhere."""
    from tunewiz.core.proof.named_proof import NamedProof

    return NamedProof(file=str(file.absolute()), proof=read_proof(str(file)))
