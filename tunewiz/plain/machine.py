"""The machine: which one, what was found, and what is corrected by hand."""

from __future__ import annotations

from tunewiz.core.answers.corrections import CORRECTABLE, Correctable, correctable
from tunewiz.core.answers.machine_choice import ExampleMachine, FactsFile, Machine, SavedSession, ThisHost
from tunewiz.core.facts.facts import Facts
from tunewiz.plain.asking import choose, typed
from tunewiz.plain.talk import BackAsked, Talk
from tunewiz.plain.turn import Keep
from tunewiz.text.choice import Choice
from tunewiz.text.machine import told_of
from tunewiz.wizard.journey import Journey
from tunewiz.wizard.ports import Doors

SAVED, HOST, FILE, EXAMPLE = "saved", "host", "file", "example"
ON, CORRECT = "on", "correct"


def which_machine(talk: Talk, doors: Doors) -> Machine:
    """Ask which machine it is about; raises BackAsked."""
    choices = (
        *((Choice(key=SAVED, title="Go on where you stopped", about=doors.saved),) if doors.saved else ()),
        Choice(key=HOST, title="This host", about="reads /proc, /sys and the PostgreSQL servers"),
        Choice(key=FILE, title="A facts file", about="from another machine: tunewiz facts -o FILE"),
        Choice(key=EXAMPLE, title="An example machine, to look around"),
    )
    match choose(talk, choices, choices[0].key):
        case "saved":
            return SavedSession()
        case "file":
            return FactsFile(typed(talk, "The file", "that `tunewiz facts` wrote", "facts.json", str))
        case "example":
            names = tuple(Choice(key=name, title=name) for name in doors.examples)
            return ExampleMachine(choose(talk, names, names[0].key))
        case _:
            return ThisHost()


def machine(talk: Talk, journey: Journey, keep: Keep) -> Journey:
    """Tell what was found, and take corrections until there are no more."""
    while True:
        talk.say("", *_facts(journey.facts), "")
        choices = (
            Choice(key=ON, title="Go on", about="nothing is changed by this"),
            Choice(key=CORRECT, title="Correct a fact", about="the correction stays visible in the review"),
        )
        if choose(talk, choices, ON) == ON:
            return journey
        journey = _corrected(talk, journey)
        keep(journey)


def _facts(facts: Facts) -> list[str]:
    """Each on a line, with where it was learned."""
    return [
        f"{told.label.strip()}: \t{told.value}{f' ({told.how})' if told.how else ''}"
        for told in told_of(facts)
    ]


def _corrected(talk: Talk, journey: Journey) -> Journey:
    choices = [
        Choice(key=each.key, title=each.title, about=each.shown(journey.facts) or "not known")
        for each in CORRECTABLE
    ]
    try:
        fact = correctable(choose(talk, choices, choices[0].key))
        return _typed(talk, journey, fact)
    except BackAsked:
        return journey


def _typed(talk: Talk, journey: Journey, fact: Correctable) -> Journey:
    check = fact.check_asking_again(journey.facts)

    def take(text: str) -> Journey:
        check(text)
        done = journey.changed(fact.correct(journey.facts, text), journey.answers)
        if done.put_aside:
            talk.complain(done.put_aside)
        return done.journey

    return typed(talk, fact.title, fact.expected, fact.shown(journey.facts), take)
