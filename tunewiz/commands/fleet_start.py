"""How the wizard starts for many servers, from a directory or a saved session."""

from __future__ import annotations

import os
from pathlib import Path

from tunewiz.commands.options import Options
from tunewiz.console.terminal import draws_in_ascii
from tunewiz.core.values.errors import UsageError
from tunewiz.fleet.answers import read_fleet_answers
from tunewiz.fleet.files import facts_files
from tunewiz.fleet.rollout import is_project, read_rollout
from tunewiz.session.fleet_record import FleetSession
from tunewiz.wizard.ports import AskMachine, Ports, WizardStart


def resumed(fleet_session: FleetSession, ports: Ports, options: Options) -> WizardStart:
    """The start that goes on with a session; raises UsageError and InputError where its files are gone."""
    _refuse_proof(options, "a session for many servers")
    _check(
        Path(fleet_session.place),
        Path(fleet_session.answers) if fleet_session.answers else None,
        "the saved session",
    )
    return WizardStart(
        ports=ports,
        machine=AskMachine(),
        ascii=draws_in_ascii(os.environ) if options.ascii is None else options.ascii,
        mouse=options.mouse,
        fleet=fleet_session.place,
        fleet_answers=fleet_session.answers,
        fleet_session=fleet_session,
    )


def check_named(place: Path, options: Options) -> None:
    """Raises UsageError and InputError for a directory that cannot be opened, before the screen is taken."""
    _refuse_proof(options, "--fleet")
    _check(place, options.answers, "--fleet")


def _refuse_proof(options: Options, text: str) -> None:
    """A measurement is of one machine."""
    if options.proof is not None:
        raise UsageError(f"--proof: expected one machine, found {text}", "Plan its machine by itself.")


def _check(place: Path, answers: Path | None, named_by: str) -> None:
    if not place.is_dir():
        raise UsageError(f"{named_by}: {place}: expected a directory of facts, or a written project")
    if is_project(place):
        _ = read_rollout(place)
        return
    _ = facts_files([place])
    if answers is not None:
        _ = read_fleet_answers(answers)
