"""What a written bundle is worth: how to measure it, the progress, the result, and what was observed."""

from __future__ import annotations

from tunewiz.core.proof.bench_seen import CannotMeasure
from tunewiz.plain import observing
from tunewiz.plain.line_io import BackRequested, InputEndedError, Talk
from tunewiz.plain.prompts import ask_choice
from tunewiz.text.choice import Choice
from tunewiz.text.proving import proving_rows, short_state
from tunewiz.wizard.ports import Ports

END, LOOK, OBSERVED = "end", "look", "observed"
ABOUT = "how to measure it, the progress, or the result"


def is_measurable(ports: Ports, directory: str) -> bool:
    """Whether there is a bundle that can be measured."""
    return not isinstance(ports.proving(directory), CannotMeasure)


def show_proving(talk: Talk, ports: Ports, directory: str) -> None:
    """Print how to measure it, the progress, or the result."""
    proving = ports.proving(directory)
    talk.say("", f"Measurement: {short_state(proving)}")
    talk.read(proving_rows(proving))


def looks_at(ports: Ports, directory: str) -> tuple[Choice, ...]:
    """What can be looked at of a written bundle."""
    looks = list[Choice]()
    if is_measurable(ports, directory):
        looks.append(Choice(key=LOOK, title="What this bundle is worth here", about=ABOUT))
    if looks or ports.windows(directory).windows:
        looks.append(Choice(key=OBSERVED, title=observing.TITLE, about=observing.ABOUT))
    return tuple(looks)


def show_look(talk: Talk, ports: Ports, directory: str, chosen: str) -> None:
    """Print what was chosen of those."""
    if chosen == LOOK:
        show_proving(talk, ports, directory)
    elif chosen == OBSERVED:
        observing.show_observed(talk, ports, directory)


def after_writing(talk: Talk, ports: Ports, directory: str) -> None:
    """Ask what to show once the bundle is written; the end of the input ends it too."""
    looks = looks_at(ports, directory)
    if not looks:
        return
    choices = (Choice(key=END, title="End", about="the next steps are printed"), *looks)
    # There is nothing left to save or to return to.
    talk.leave = _end
    try:
        talk.say("", "The bundle is written.")
        while (chosen := ask_choice(talk, choices, END)) != END:
            show_look(talk, ports, directory, chosen)
            talk.say("")
    except (BackRequested, InputEndedError):
        return


def _end() -> None:
    raise BackRequested
