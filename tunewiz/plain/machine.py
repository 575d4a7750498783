"""The machine: which one, what was found, and what is corrected by hand."""

from __future__ import annotations

from tunewiz.core.answers.corrections import CORRECTABLE, Correctable, correctable
from tunewiz.core.answers.machine_choice import ExampleMachine, FactsFile, Machine, SavedSession, ThisHost
from tunewiz.core.facts.facts import Facts
from tunewiz.plain.line_io import BackRequested, Talk
from tunewiz.plain.prompts import ask_choice, ask_text
from tunewiz.plain.question_sequence import Keep
from tunewiz.text.choice import Choice
from tunewiz.text.machine import fact_lines
from tunewiz.wizard.journey import Journey
from tunewiz.wizard.ports import Ports

SAVED, HOST, FILE, EXAMPLE = "saved", "host", "file", "example"
ON, CORRECT = "on", "correct"


def which_machine(talk: Talk, ports: Ports) -> Machine:
    """Ask which machine to tune; raises BackRequested."""
    choices = (
        *((Choice(key=SAVED, title="Continue where you stopped", about=ports.saved),) if ports.saved else ()),
        Choice(key=HOST, title="This host", about="reads /proc, /sys and the PostgreSQL servers"),
        Choice(key=FILE, title="A facts file", about="from another machine: tunewiz facts -o FILE"),
        Choice(key=EXAMPLE, title="An example machine, to look around"),
    )
    match ask_choice(talk, choices, choices[0].key):
        case "saved":
            return SavedSession()
        case "file":
            return FactsFile(ask_text(talk, "The file", "that `tunewiz facts` wrote", "facts.json", str))
        case "example":
            names = tuple(Choice(key=name, title=name, about=about) for name, about in ports.examples.items())
            return ExampleMachine(ask_choice(talk, names, names[0].key))
        case _:
            return ThisHost()


def machine(talk: Talk, journey: Journey, keep: Keep) -> Journey:
    """Show what was found, and take corrections until there are no more."""
    while True:
        talk.say("", *_facts(journey.facts), "")
        choices = (
            Choice(key=ON, title="Continue", about="nothing is changed by this"),
            Choice(key=CORRECT, title="Correct a fact", about="the correction stays visible in the review"),
        )
        if ask_choice(talk, choices, ON) == ON:
            return journey
        journey = _corrected(talk, journey)
        keep(journey)


def _facts(facts: Facts) -> list[str]:
    """Each on a line, with its source."""
    return [
        f"{fact_line.label.strip()}: \t{fact_line.value}{f' ({fact_line.how})' if fact_line.how else ''}"
        for fact_line in fact_lines(facts)
    ]


def _corrected(talk: Talk, journey: Journey) -> Journey:
    choices = [
        Choice(key=entry.key, title=entry.title, about=entry.shown(journey.facts) or "not known")
        for entry in CORRECTABLE
    ]
    try:
        fact = correctable(ask_choice(talk, choices, choices[0].key))
        return _typed(talk, journey, fact)
    except BackRequested:
        return journey


def _typed(talk: Talk, journey: Journey, fact: Correctable) -> Journey:
    check = fact.check_asking_again(journey.facts)

    def take(text: str) -> Journey:
        check(text)
        done = journey.changed(fact.correct(journey.facts, text), journey.answers)
        if done.put_aside:
            talk.complain(done.put_aside)
        return done.journey

    return ask_text(talk, fact.title, fact.expected, fact.shown(journey.facts), take)
