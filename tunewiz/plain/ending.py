"""The review, and where the bundle goes."""

from __future__ import annotations

import dataclasses

from tunewiz.core.planning.plan import Plan
from tunewiz.core.values.errors import TunewizError
from tunewiz.plain.asking import choose, typed
from tunewiz.plain.talk import Talk
from tunewiz.text.choice import Choice
from tunewiz.text.review import commands, counted, memory, not_reached, summary
from tunewiz.wizard.bundle_preview import look
from tunewiz.wizard.journey import Journey
from tunewiz.wizard.outcome import Written
from tunewiz.wizard.ports import Doors

ON, FILES, MEMORY = "on", "files", "memory"


def review(talk: Talk, journey: Journey, doors: Doors) -> Journey:
    """Tell what the bundle will do, until the person goes on; raises BackAsked."""
    told = look(doors.preview, journey.plan).told
    talk.say("", counted(journey.plan, told))
    talk.read(summary(journey, told))
    choices = (
        Choice(key=ON, title="Go on", about="nothing has been changed or written yet"),
        Choice(key=FILES, title="The files that apply.sh installs, and what it runs"),
        Choice(key=MEMORY, title="Where the memory goes"),
    )
    while True:
        talk.say("")
        match choose(talk, choices, ON):
            case "files":
                _files(talk, journey.plan, doors)
            case "memory":
                talk.read(memory(journey.plan))
            case _:
                return journey


def _files(talk: Talk, plan: Plan, doors: Doors) -> None:
    try:
        told = doors.preview(plan)
    except TunewizError as error:
        talk.complain(str(error))
        return
    for file in told.files:
        talk.say(f"{file.path}:", *(f"  {line}" for line in file.text.splitlines()), "")
    talk.read((*not_reached(told), *commands(plan, told)))


def write(talk: Talk, journey: Journey, doors: Doors) -> Written:
    """Ask where to, until it is written; raises BackAsked."""
    talk.say("", "A directory that exists is never overwritten. Nothing is applied by writing it.")
    while True:
        out = typed(talk, "Directory", "for the bundle", journey.out, str)
        journey = dataclasses.replace(journey, out=out)
        try:
            doors.write_bundle(journey.plan, out)
        except TunewizError as error:
            talk.complain(str(error))
        else:
            return Written(directory=out, plan=journey.plan)
