"""The review, and where the bundle goes."""

from __future__ import annotations

import dataclasses

from tunewiz.core.planning.plan import Plan
from tunewiz.core.planning.target_names import TargetName
from tunewiz.core.values.errors import TunewizError
from tunewiz.plain.line_io import Talk
from tunewiz.plain.prompts import ask_choice, ask_text
from tunewiz.plain.proving import looks_at, show_look
from tunewiz.text.choice import Choice
from tunewiz.text.review import commands, counted, memory, not_reached, summary
from tunewiz.text.targets import target_choices
from tunewiz.wizard.bundle_preview import look
from tunewiz.wizard.journey import Journey
from tunewiz.wizard.outcome import Written
from tunewiz.wizard.ports import Ports
from tunewiz.wizard.writing import targets_of, written

ON, FILES, MEMORY = "on", "files", "memory"


def review(talk: Talk, journey: Journey, ports: Ports) -> Journey:
    """Shows what the bundle will do, until the person continues; raises BackRequested."""
    previewed = look(ports.preview, journey.plan).previewed
    talk.say("", counted(journey.plan, previewed))
    talk.read(summary(journey, previewed, draws=False))
    choices = [
        Choice(key=ON, title="Continue", about="nothing has been changed or written yet"),
        Choice(key=FILES, title="The files that apply.sh installs, and what it runs"),
        Choice(key=MEMORY, title="Where the memory goes"),
    ]
    if journey.origin:
        choices += looks_at(ports, journey.origin)
    while True:
        talk.say("")
        match ask_choice(talk, choices, ON):
            case "files":
                _files(talk, journey.plan, ports)
            case "memory":
                talk.read(memory(journey.plan, draws=False))
            case "on":
                return journey
            case chosen:
                show_look(talk, ports, journey.origin, chosen)


def _files(talk: Talk, plan: Plan, ports: Ports) -> None:
    try:
        previewed = ports.preview(plan)
    except TunewizError as error:
        talk.complain(str(error))
        return
    for file in previewed.files:
        talk.say(f"{file.path}:", *(f"  {line}" for line in file.text.splitlines()), "")
    talk.read((*not_reached(plan, previewed), *commands(plan, previewed)))


def _target(talk: Talk, plan: Plan) -> TargetName:
    """The bundle's target, asked only if there is a choice."""
    ways = targets_of(plan)
    if len(ways) == 1:
        return ways[0]
    talk.say("", "Which target should the bundle be for?")
    chosen = ask_choice(talk, target_choices(ways), ways[0])
    return next(name for name in ways if name == chosen)


def write(talk: Talk, journey: Journey, ports: Ports) -> Written:
    """Asks for the target, and for the directory until the bundle is written; raises BackRequested."""
    target = _target(talk, journey.plan)
    talk.say("", "A directory that exists is never overwritten. Nothing is applied by writing it.")
    while True:
        out = ask_text(talk, "Directory", "for the bundle", journey.out, str)
        journey = dataclasses.replace(journey, out=out)
        try:
            return written(journey.plan, out, target, ports)
        except TunewizError as error:
            talk.complain(str(error))
