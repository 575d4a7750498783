"""Measuring what a bundle is worth: what it takes, its progress, its result."""

from __future__ import annotations

from tunewiz.core.proof.bench_seen import CannotMeasure
from tunewiz.plain.line_io import BackRequested, InputEndedError, Talk
from tunewiz.plain.prompts import ask_choice
from tunewiz.text.choice import Choice
from tunewiz.text.proving import proving_rows, short_state
from tunewiz.wizard.ports import Ports

END, LOOK = "end", "look"
ABOUT = "how to measure it, the progress, or the result"


def is_measurable(ports: Ports, directory: str) -> bool:
    """Whether there is a bundle that can be measured."""
    return not isinstance(ports.proving(directory), CannotMeasure)


def show_proving(talk: Talk, ports: Ports, directory: str) -> None:
    """Print how to measure it, the progress, or the result."""
    seen = ports.proving(directory)
    talk.say("", f"Measurement: {short_state(seen)}")
    talk.read(proving_rows(seen))


def after_writing(talk: Talk, ports: Ports, directory: str) -> None:
    """Ask what to show once the bundle is written; the end of the input ends it too."""
    if not is_measurable(ports, directory):
        return
    choices = (
        Choice(key=END, title="End", about="the next steps are printed"),
        Choice(key=LOOK, title="What this bundle is worth here", about=ABOUT),
    )
    # There is nothing left to save or to return to.
    talk.leave = _end
    try:
        talk.say("", "The bundle is written.")
        while ask_choice(talk, choices, END) == LOOK:
            show_proving(talk, ports, directory)
            talk.say("")
    except (BackRequested, InputEndedError):
        return


def _end() -> None:
    raise BackRequested
